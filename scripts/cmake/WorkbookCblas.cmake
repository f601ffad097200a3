# CBLAS, where there is one: target workbook_cblas (include path and library),
# or no such target. Preferred: OpenBLAS; on macOS Accelerate.
include_guard(GLOBAL)
find_path(CBLAS_INCLUDE_DIR cblas.h
  PATH_SUFFIXES openblas x86_64-linux-gnu openblas-pthread)
find_library(CBLAS_LIBRARY NAMES openblas cblas blas)
if(CBLAS_INCLUDE_DIR AND CBLAS_LIBRARY)
  include(CheckCSourceCompiles)
  set(CMAKE_REQUIRED_INCLUDES "${CBLAS_INCLUDE_DIR}")
  set(CMAKE_REQUIRED_LIBRARIES "${CBLAS_LIBRARY}")
  check_c_source_compiles("#include <cblas.h>
    int main(void) { float x = 1; return (int)cblas_sdot(1, &x, 1, &x, 1); }"
    WORKBOOK_CBLAS_WORKS)
  unset(CMAKE_REQUIRED_INCLUDES)
  unset(CMAKE_REQUIRED_LIBRARIES)
endif()
if(WORKBOOK_CBLAS_WORKS)
  add_library(workbook_cblas INTERFACE)
  target_include_directories(workbook_cblas INTERFACE "${CBLAS_INCLUDE_DIR}")
  target_link_libraries(workbook_cblas INTERFACE "${CBLAS_LIBRARY}")
else()
  message(STATUS "No CBLAS: large matrix products use a plain loop (slower)")
endif()
