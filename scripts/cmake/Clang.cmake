# A toolchain file: clang, under whichever name it has here (preset `fuzz`).
find_program(workbook_clang NAMES clang clang-14 clang-19 clang-18 clang-17
                                  clang-16 clang-15 REQUIRED)
set(CMAKE_C_COMPILER "${workbook_clang}")
