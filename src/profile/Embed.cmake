# SPDX-License-Identifier: MIT
# Run at build time: cmake -DOUTPUT=x.c -DPROFILES=a.json;b.json -DSCHEMAS=c.json -P Embed.cmake
# Writes the files' bytes as arrays of C, and the two tables of embedded.h.
cmake_minimum_required(VERSION 3.25)

set(arrays "")

# Appends one array to `arrays` for each file, and a table named @table of them.
function(embed table)
  set(entries "")
  foreach(path IN LISTS ARGN)
    get_filename_component(name "${path}" NAME_WLE)
    string(MAKE_C_IDENTIFIER "${table}_${name}" symbol)
    file(READ "${path}" bytes HEX)
    string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
    string(APPEND arrays "static const unsigned char ${symbol}[] = {\n${bytes}0};\n\n")
    string(APPEND entries "\t{\"${name}\", ${symbol}, sizeof(${symbol}) - 1},\n")
  endforeach()
  string(APPEND arrays "const struct embedded_file embedded_${table}[] = {\n${entries}\t{NULL, NULL, 0},\n};\n\n")
  set(arrays "${arrays}" PARENT_SCOPE)
endfunction()

embed(profiles ${PROFILES})
embed(schemas ${SCHEMAS})
file(WRITE "${OUTPUT}" "/* Written by Embed.cmake. */\n#include \"embedded.h\"\n\n${arrays}")
