# What makes small calls of a shared library cheap: target workbook_fast. Each
# flag where the compiler has it; none changes a result.
include_guard()
include(CheckCCompilerFlag)

add_library(workbook_fast INTERFACE)

# workbook_fast_flag(<variable> <flags>...): for C, where they are understood.
function(workbook_fast_flag variable)
  string(JOIN " " CMAKE_REQUIRED_FLAGS ${ARGN})
  check_c_compiler_flag("" ${variable})
  if(${variable})
    target_compile_options(workbook_fast INTERFACE
      "$<$<COMPILE_LANGUAGE:C>:${ARGN}>")
  endif()
endfunction()

# Nobody replaces a function of ours in another's place.
workbook_fast_flag(WORKBOOK_INTERPOSES -fno-semantic-interposition)
# What each thread has of its own is set apart when the program starts, and
# found without a call. It must stay small: a program that opens the library
# later (Python) has about 1 KiB for all such libraries together.
workbook_fast_flag(WORKBOOK_TLS -ftls-model=initial-exec)
# Records of some 200 bytes are cleared and copied by plain stores: `rep stos`,
# which GCC would use, takes longer to begin than they take.
workbook_fast_flag(WORKBOOK_STORES
  -mmemset-strategy=libcall:-1:noalign
  -mmemcpy-strategy=libcall:-1:noalign)
# Files are optimised together, so that a function of three lines is inlined
# wherever it stands. Not where somebody looks at what each file does.
if(CMAKE_C_COMPILER_ID STREQUAL "GNU" AND NOT WORKBOOK_SANITIZE)
  set(together $<NOT:$<CONFIG:Debug>>)
  target_compile_options(workbook_fast INTERFACE
    $<$<AND:$<COMPILE_LANGUAGE:C>,${together}>:-flto=auto>)
  target_link_options(workbook_fast INTERFACE $<${together}:-flto=auto>)
endif()
