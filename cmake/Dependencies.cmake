# SPDX-License-Identifier: MIT
# The libraries of the product; each is used in one folder only (docs/architecture.md says where).
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
pkg_check_modules(LIBURING REQUIRED IMPORTED_TARGET liburing>=2.3)
pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET jansson>=2.14)
pkg_check_modules(MOUNT REQUIRED IMPORTED_TARGET mount>=2.38)
pkg_check_modules(BLKID REQUIRED IMPORTED_TARGET blkid>=2.38)
pkg_check_modules(SMARTCOLS REQUIRED IMPORTED_TARGET smartcols>=2.38)

# Debian's libnvme.pc names json-c and openssl, whose headers libnvme-dev neither needs nor brings.
find_path(LIBNVME_INCLUDE_DIR libnvme.h REQUIRED)
find_library(LIBNVME_LIBRARY nvme REQUIRED)
add_library(ssdbench_libnvme INTERFACE)
target_include_directories(ssdbench_libnvme SYSTEM INTERFACE ${LIBNVME_INCLUDE_DIR})
target_link_libraries(ssdbench_libnvme INTERFACE ${LIBNVME_LIBRARY})

# libaio ships no pkg-config file.
find_path(LIBAIO_INCLUDE_DIR libaio.h REQUIRED)
find_library(LIBAIO_LIBRARY aio REQUIRED)
add_library(ssdbench_libaio INTERFACE)
target_include_directories(ssdbench_libaio SYSTEM INTERFACE ${LIBAIO_INCLUDE_DIR})
target_link_libraries(ssdbench_libaio INTERFACE ${LIBAIO_LIBRARY})
