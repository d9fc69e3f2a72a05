# SPDX-License-Identifier: MIT
# Language level, warnings and sanitizers that every target of the project shares.
add_library(ssdbench_options INTERFACE)
target_compile_features(ssdbench_options INTERFACE c_std_17)
target_compile_definitions(ssdbench_options INTERFACE _GNU_SOURCE _FILE_OFFSET_BITS=64)
target_compile_options(ssdbench_options INTERFACE
  -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wformat=2
  -Wno-missing-field-initializers
  $<$<BOOL:${SSDBENCH_WERROR}>:-Werror>)
if(SSDBENCH_SANITIZE)
  target_compile_options(ssdbench_options INTERFACE
    -fsanitize=${SSDBENCH_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(ssdbench_options INTERFACE -fsanitize=${SSDBENCH_SANITIZE})
endif()
if(SSDBENCH_FUZZ)
  if(NOT CMAKE_C_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "SSDBENCH_FUZZ needs clang: -DCMAKE_C_COMPILER=clang")
  endif()
  # Coverage of the library guides the fuzzers; they themselves are linked with -fsanitize=fuzzer.
  target_compile_options(ssdbench_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
