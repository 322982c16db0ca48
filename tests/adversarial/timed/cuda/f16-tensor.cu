/* Claims f32, but the tensor cores accumulate in binary16. expect: precision|deviates */
#include "tensor.cuh"

KERNEL_FOR(tensor_can_do, "f16-tensor", NULL, tensor_launch<__half>, NULL);
