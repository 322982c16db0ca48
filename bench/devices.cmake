# The devices the runner can open.
if(HAVE_CUDA)
  add_library(devices STATIC device_host.c device_kinds_cuda.c device_cuda.c device_cuda_kernels.cu
              device_cuda_peak.cu)
  target_link_libraries(devices PUBLIC CUDA::cudart CUDA::cublas CUDA::cublasLt)
else()
  add_library(devices STATIC device_host.c device_kinds.c)
endif()
target_link_libraries(devices PUBLIC correctness floor PRIVATE dep_openblas dep_random123)
