# What every target shares, and the functions that make one.
include_guard()

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)

# Flags of everything compiled here. No contraction: a fused multiply-add
# stands where the source says fma, so that every machine gives the same bits.
add_library(workbook_flags INTERFACE)
target_compile_options(workbook_flags INTERFACE
  $<$<COMPILE_LANGUAGE:C>:-Wall -Wextra -Wshadow -Wstrict-prototypes
                          -ffp-contract=off>
  # Assertions name a file of the project, not a place on one machine.
  $<$<COMPILE_LANGUAGE:C>:-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=>)
target_compile_definitions(workbook_flags INTERFACE _POSIX_C_SOURCE=200809L)
if(WORKBOOK_SANITIZE)
  target_compile_options(workbook_flags INTERFACE
    -fsanitize=${WORKBOOK_SANITIZE} -fno-omit-frame-pointer
    -fno-sanitize-recover=undefined)
  target_link_options(workbook_flags INTERFACE -fsanitize=${WORKBOOK_SANITIZE})
endif()

# Where it is there: a third of the time that linking a program takes.
include(CheckLinkerFlag)
check_linker_flag(C -fuse-ld=gold WORKBOOK_LINKS_BY_GOLD)
if(WORKBOOK_LINKS_BY_GOLD AND NOT WORKBOOK_SANITIZE)
  set(is_program $<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>)
  target_link_options(workbook_flags INTERFACE
    $<$<AND:$<LINK_LANGUAGE:C>,${is_program}>:-fuse-ld=gold>)
endif()

# workbook_gate(<variable> <gpus>): what a test that uses GPUs puts before its
# command. On real hardware the test is skipped, with the reason, where there
# are fewer; the simulator has as many as SIM_MACHINE says.
function(workbook_gate variable gpus)
  set(${variable} "" PARENT_SCOPE)
  if(gpus AND NOT WORKBOOK_BACKEND STREQUAL "sim")
    set(${variable} needs_gpus ${gpus} PARENT_SCOPE) # tests/device makes it
  endif()
endfunction()

# add_unit_test(NAME <test> SOURCES <c files> LIBS <targets> LABELS <labels>
#   [GPUS <n>])
# One cmocka program, one ctest entry. Without cmocka nothing is added.
# GPUS: how many it uses.
find_path(CMOCKA_INCLUDE_DIR cmocka.h)
find_library(CMOCKA_LIBRARY cmocka)
function(add_unit_test)
  cmake_parse_arguments(arg "" "NAME;GPUS" "SOURCES;LIBS;LABELS;ENVIRONMENT" ${ARGN})
  if(NOT CMOCKA_LIBRARY OR NOT CMOCKA_INCLUDE_DIR)
    return()
  endif()
  add_executable(${arg_NAME} ${arg_SOURCES})
  target_include_directories(${arg_NAME} PRIVATE ${CMOCKA_INCLUDE_DIR})
  # A test runs once for each time it is built: to compile it is the work.
  target_compile_options(${arg_NAME} PRIVATE -O0)
  target_link_libraries(${arg_NAME} PRIVATE ${arg_LIBS} ${CMOCKA_LIBRARY} m
                                            workbook_flags)
  if(WORKBOOK_SANITIZE)
    # A test that asks for too much memory wants NULL, not a report.
    list(APPEND arg_ENVIRONMENT ASAN_OPTIONS=allocator_may_return_null=1)
  endif()
  workbook_gate(gate "${arg_GPUS}")
  if(gate)
    list(APPEND arg_LABELS gpu)
  endif()
  add_test(NAME ${arg_NAME} COMMAND ${gate} $<TARGET_FILE:${arg_NAME}>)
  set_tests_properties(${arg_NAME} PROPERTIES LABELS "${arg_LABELS}"
    SKIP_RETURN_CODE 77 TIMEOUT 120 ENVIRONMENT "${arg_ENVIRONMENT}")
endfunction()
