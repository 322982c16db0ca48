/* A stand-in for the part of PyTorch's C++ interface that functions around a kernel use: a tensor is
 * a pointer with sizes, strides and a type. So files that are written for PyTorch compile and run as
 * they are, without PyTorch; nothing here is PyTorch's code. C++17, host code of .cu files; memory
 * lies on the device. The other headers here are this one under the names that files ask for. */
#ifndef GEMMGATE_STANDIN_TORCH_EXTENSION_H
#define GEMMGATE_STANDIN_TORCH_EXTENSION_H

/* What files find here without asking for it. */
#include <cmath>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <tuple>
#include <unordered_map>

#include "../gemmgate_torch/cuda.h"
#include "../gemmgate_torch/dispatch.h"
#include "../gemmgate_torch/refused.h"
#include "../gemmgate_torch/registration.h"
#include "../gemmgate_torch/tensor.h"

namespace torch {
using namespace at;
using Dtype = c10::ScalarType;
namespace cuda {
inline bool is_available() {
    return true;
}
inline size_t device_count() {
    return 1;
}
inline void synchronize(int64_t = -1) {
    c10::cuda::device_synchronize();
}
} // namespace cuda
} // namespace torch
namespace py = pybind11;

#endif
