/* No fault: the same tensor cores accumulate in binary32. expect: ok */
#include "tensor.cuh"

KERNEL_FOR(tensor_can_do, "f32-tensor", NULL, tensor_launch<float>, NULL);
