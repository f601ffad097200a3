# Real GPUs: NVIDIA's cudart and cuBLAS, and nvcc for the one file of kernels.
# defines: workbook_cuda (headers, cudart, cuBLAS, flags for .cu files)
include_guard()

find_program(WORKBOOK_NVCC nvcc
  HINTS ENV CUDACXX ENV CUDA_HOME ENV CUDA_PATH
  PATHS /usr/local/cuda /opt/cuda
  PATH_SUFFIXES bin
  DOC "The CUDA compiler")
if(NOT WORKBOOK_NVCC)
  message(FATAL_ERROR
    "Preset cuda needs the CUDA Toolkit 12 or newer, and no nvcc was found "
    "in PATH, CUDA_HOME or /usr/local/cuda. Install the toolkit from NVIDIA, "
    "or use preset sim, which needs no GPU: cmake --workflow --preset sim")
endif()

# Code for the GPU of this machine where there is one; for every kind where
# there is none, since "native" is an error there.
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  find_program(WORKBOOK_NVIDIA_SMI nvidia-smi DOC "Says whether a GPU is here")
  set(architectures all-major)
  if(WORKBOOK_NVIDIA_SMI)
    execute_process(COMMAND "${WORKBOOK_NVIDIA_SMI}" -L
      RESULT_VARIABLE smi_result OUTPUT_VARIABLE gpus ERROR_QUIET)
    if(smi_result EQUAL 0 AND gpus MATCHES "GPU 0")
      set(architectures native)
    endif()
  endif()
  set(CMAKE_CUDA_ARCHITECTURES "${architectures}" CACHE STRING
    "GPUs to compile for: native, all-major, or numbers such as 70;90")
  message(STATUS "Compiling kernels for: ${architectures}")
endif()

set(CMAKE_CUDA_COMPILER "${WORKBOOK_NVCC}" CACHE FILEPATH "nvcc")
enable_language(CUDA)
find_package(CUDAToolkit 12 REQUIRED)

# One cudart in the process: the shared one, for C and for .cu alike.
set(CMAKE_CUDA_RUNTIME_LIBRARY Shared)

add_library(workbook_cuda INTERFACE)
target_link_libraries(workbook_cuda INTERFACE CUDA::cudart CUDA::cublas)
# One file, many kinds of GPU: compile for as many at once as there are cores.
# The same numbers everywhere: fma where it is written, nowhere else.
target_compile_options(workbook_cuda INTERFACE
  $<$<COMPILE_LANGUAGE:CUDA>:--threads=0>
  $<$<COMPILE_LANGUAGE:CUDA>:--fmad=false>
  $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-ffp-contract=off>)
