# SPDX-License-Identifier: MIT
# ssdbench_script_test(NAME SCRIPT [RUN_SERIAL] [TIMEOUT SECONDS] [LABELS LABEL...])
#
# Registers a bash script that runs the built binary, $SSDBENCH. Where it cannot run it prints
# "SKIP: reason" and ends with 77. RUN_SERIAL is for a test that measures time, speed or memory: it
# gets the machine to itself, and the label "timing", which the sanitizer runs leave out.
# TIMEOUT is 120 unless given, and longer under a sanitizer.
function(ssdbench_script_test name script)
  cmake_parse_arguments(PARSE_ARGV 2 arg "RUN_SERIAL" "TIMEOUT" "LABELS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${name}: what is ${arg_UNPARSED_ARGUMENTS}?")
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  if(SSDBENCH_SANITIZE)
    math(EXPR arg_TIMEOUT "${arg_TIMEOUT} * 4")
  endif()
  if(arg_RUN_SERIAL)
    list(APPEND arg_LABELS timing)
  endif()

  add_test(NAME ${name} COMMAND bash ${script})
  set_tests_properties(${name} PROPERTIES
    LABELS "${arg_LABELS}" RUN_SERIAL ${arg_RUN_SERIAL}
    TIMEOUT ${arg_TIMEOUT} SKIP_RETURN_CODE 77)
  set_property(TEST ${name} PROPERTY ENVIRONMENT
    "SSDBENCH=$<TARGET_FILE:ssdbench>"
    "SSDBENCH_SOURCE_DIR=${PROJECT_SOURCE_DIR}"
    "LOCPATH=${SSDBENCH_TEST_LOCPATH}")
endfunction()
