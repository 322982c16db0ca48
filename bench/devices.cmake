# The devices the runner can open, and what records how they are used.
set(trace trace_none.c)
if(HAVE_CUDA)
  find_path(cupti_include cupti.h
    HINTS ${CUDAToolkit_INCLUDE_DIRS} ${CUDAToolkit_LIBRARY_ROOT}/extras/CUPTI/include)
  if(cupti_include)
    set(trace trace_cupti.c)
  else()
    message(STATUS "CUPTI: no cupti.h (package cuda-cupti-dev); kernels' calls will not be audited")
  endif()
endif()

if(HAVE_CUDA)
  add_library(devices STATIC device_host.c device_kinds_cuda.c device_cuda.c device_cuda_kernels.cu
              device_cuda_peak.cu)
  target_link_libraries(devices PUBLIC CUDA::cudart CUDA::cublas CUDA::cublasLt)
else()
  add_library(devices STATIC device_host.c device_kinds.c)
endif()
target_link_libraries(devices PUBLIC correctness floor PRIVATE dep_openblas dep_random123)

target_sources(devices PRIVATE ${trace})
target_link_libraries(devices PRIVATE ${CMAKE_DL_LIBS} Threads::Threads)
if(cupti_include)
  target_include_directories(devices SYSTEM PRIVATE ${cupti_include})
endif()
