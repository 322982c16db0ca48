/* The stand-in for torch, in sets of bf16: bfloat16 in the place of half. Tensors are of
 * at::kBFloat16, c10::BFloat16 is their element, and there is no kHalf. Messages that print a type
 * call it Half. The stand-in itself knows half and float alone, and compiled kernels stay good only
 * while its text is the same; so the names are changed here, around it. */
#ifndef GEMMGATE_STANDIN_BF16_TORCH_EXTENSION_H
#define GEMMGATE_STANDIN_BF16_TORCH_EXTENSION_H

/* Before the names are changed: CUDA's own half stays what it is. */
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#define Half BFloat16
#define kHalf kBFloat16
#define kFloat16 kBFloat16OfTorch
#define __half __nv_bfloat16
#include_next <torch/extension.h>
#undef Half
#undef kHalf
#undef kFloat16
#undef __half

#endif
