/* A stand-in for the small part of PyTorch's C++ interface that released kernel sets use: a tensor
 * is a pointer with sizes and a type. Enough to compile and run the kernels of the CUDA-L2 release
 * as they are, without PyTorch; nothing here is PyTorch's code. Host code of .cu files, C++17. */
#ifndef GEMMGATE_STANDIN_TORCH_EXTENSION_H
#define GEMMGATE_STANDIN_TORCH_EXTENSION_H

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <iostream>
#include <limits>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include <cuda_fp16.h>
#include <cuda_runtime.h>

namespace c10 {

struct alignas(2) Half {
    uint16_t x;
};

enum class ScalarType : int8_t { Half, Float };
enum class DeviceType : int8_t { CPU, CUDA };

inline std::ostream &operator<<(std::ostream &out, ScalarType type) {
    return out << (type == ScalarType::Half ? "Half" : "Float");
}

struct Device {
    DeviceType type_ = DeviceType::CUDA;
    int index_ = -1;
    Device() = default;
    Device(DeviceType type, int index = -1) : type_(type), index_(index) {
    }
    DeviceType type() const {
        return type_;
    }
    int8_t index() const {
        return static_cast<int8_t>(index_);
    }
    bool is_cuda() const {
        return type_ == DeviceType::CUDA;
    }
    bool operator==(const Device &other) const {
        return type_ == other.type_ && index_ == other.index_;
    }
    bool operator!=(const Device &other) const {
        return !(*this == other);
    }
};

/* Sizes or strides, by value: tensors here have at most four dimensions. */
class IntArrayRef {
  public:
    IntArrayRef() = default;
    IntArrayRef(std::initializer_list<int64_t> sizes) {
        for (int64_t size : sizes)
            if (count_ < 4)
                values_[count_++] = size;
    }
    size_t size() const {
        return count_;
    }
    int64_t operator[](size_t i) const {
        return values_[i];
    }
    const int64_t *begin() const {
        return values_;
    }
    const int64_t *end() const {
        return values_ + count_;
    }
    bool operator==(const IntArrayRef &other) const {
        return count_ == other.count_ && std::equal(begin(), end(), other.begin());
    }
    bool operator!=(const IntArrayRef &other) const {
        return !(*this == other);
    }

  private:
    int64_t values_[4] = {0, 0, 0, 0};
    size_t count_ = 0;
};

struct TensorOptions {
    ScalarType type_ = ScalarType::Float;
    Device device_;
    TensorOptions() = default;
    TensorOptions(ScalarType type) : type_(type) {
    }
    TensorOptions dtype(ScalarType type) const {
        TensorOptions o = *this;
        o.type_ = type;
        return o;
    }
    TensorOptions device(Device device) const {
        TensorOptions o = *this;
        o.device_ = device;
        return o;
    }
    TensorOptions device(DeviceType type, int index = -1) const {
        return device(Device(type, index));
    }
    TensorOptions requires_grad(bool) const {
        return *this;
    }
    ScalarType dtype() const {
        return type_;
    }
    Device device() const {
        return device_;
    }
};

inline std::ostream &operator<<(std::ostream &out, const TensorOptions &options) {
    return out << options.dtype();
}

/* The memory that a tensor points at. */
class TensorImpl {
  public:
    TensorImpl(void *data, IntArrayRef sizes, ScalarType type)
        : data_(data), sizes_(sizes), type_(type) {
    }
    const void *data() const {
        return data_;
    }
    void *mutable_data() const {
        return data_;
    }
    int64_t dim() const {
        return static_cast<int64_t>(sizes_.size());
    }
    int64_t size(int64_t i) const {
        return sizes_[static_cast<size_t>(i < 0 ? i + dim() : i)];
    }
    IntArrayRef sizes() const {
        return sizes_;
    }
    ScalarType scalar_type() const {
        return type_;
    }

  private:
    void *data_;
    IntArrayRef sizes_;
    ScalarType type_;
};

namespace cuda {

/* The stream of the call in hand; set by the wrapper around the kernel. */
inline cudaStream_t &standin_stream() {
    static cudaStream_t stream = nullptr;
    return stream;
}

class CUDAStream {
  public:
    cudaStream_t stream() const {
        return standin_stream();
    }
    operator cudaStream_t() const {
        return stream();
    }
};

inline CUDAStream getCurrentCUDAStream(int = -1) {
    return {};
}

} // namespace cuda
} // namespace c10

namespace gemmgate_standin {

inline void require(cudaError_t status) {
    if (status != cudaSuccess)
        throw std::runtime_error(cudaGetErrorString(status));
}

/* Scratch tensors come from a free list, as PyTorch's do: only the first of a size costs a
 * cudaMalloc. Reuse is ordered by the one stream that everything runs on. */
class free_list {
  public:
    static std::shared_ptr<void> take(size_t bytes) {
        free_list &list = instance();
        for (size_t i = 0; i < list.blocks_.size(); i++)
            if (list.blocks_[i].second == bytes) {
                void *memory = list.blocks_[i].first;
                list.blocks_.erase(list.blocks_.begin() + static_cast<long>(i));
                return give_back_later(memory, bytes);
            }
        void *memory = nullptr;
        require(cudaMalloc(&memory, bytes ? bytes : 1));
        return give_back_later(memory, bytes);
    }

  private:
    static free_list &instance() {
        static free_list list;
        return list;
    }
    static std::shared_ptr<void> give_back_later(void *memory, size_t bytes) {
        return {memory, [bytes](void *p) { instance().blocks_.emplace_back(p, bytes); }};
    }
    std::vector<std::pair<void *, size_t>> blocks_;
};

template <typename To, typename From>
__global__ void convert(const From *from, To *to, int64_t count) {
    for (int64_t i = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x; i < count;
         i += static_cast<int64_t>(gridDim.x) * blockDim.x)
        to[i] = static_cast<To>(static_cast<float>(from[i]));
}

} // namespace gemmgate_standin

namespace at {

using c10::Device;
using c10::DeviceType;
using c10::Half;
using c10::IntArrayRef;
using c10::ScalarType;
using c10::TensorImpl;
using c10::TensorOptions;
constexpr ScalarType kHalf = ScalarType::Half;
constexpr ScalarType kFloat = ScalarType::Float;
constexpr DeviceType kCUDA = DeviceType::CUDA;

class Tensor {
  public:
    Tensor() : impl_(nullptr, {}, ScalarType::Float) {
    }

    /* A view: the memory stays the caller's. */
    Tensor(void *data, IntArrayRef sizes, ScalarType type) : impl_(data, sizes, type) {
    }

    static Tensor scratch(IntArrayRef sizes, ScalarType type) {
        Tensor t(nullptr, sizes, type);
        std::shared_ptr<void> owner = gemmgate_standin::free_list::take(t.nbytes());
        t.impl_ = TensorImpl(owner.get(), sizes, type);
        t.owner_ = owner;
        return t;
    }

    void *data_ptr() const {
        return impl_.mutable_data();
    }
    template <typename T> T *data_ptr() const {
        return static_cast<T *>(data_ptr());
    }
    template <typename T> T *mutable_data_ptr() const {
        return data_ptr<T>();
    }
    template <typename T> const T *const_data_ptr() const {
        return data_ptr<T>();
    }
    bool defined() const {
        return data_ptr() != nullptr;
    }

    int64_t dim() const {
        return impl_.dim();
    }
    int64_t size(int64_t i) const {
        return impl_.size(i);
    }
    IntArrayRef sizes() const {
        return impl_.sizes();
    }
    int64_t stride(int64_t i) const {
        int64_t stride = 1;
        for (int64_t d = dim() - 1; d > (i < 0 ? i + dim() : i); d--)
            stride *= size(d);
        return stride;
    }
    int64_t numel() const {
        int64_t count = 1;
        for (int64_t size : sizes())
            count *= size;
        return count;
    }
    size_t nbytes() const {
        return static_cast<size_t>(numel()) * (scalar_type() == kHalf ? 2 : 4);
    }
    ScalarType scalar_type() const {
        return impl_.scalar_type();
    }
    ScalarType dtype() const {
        return scalar_type();
    }
    bool is_cuda() const {
        return true;
    }
    bool is_contiguous() const {
        return true;
    }
    Tensor contiguous() const {
        return *this;
    }
    int get_device() const {
        int device = 0;
        gemmgate_standin::require(cudaGetDevice(&device));
        return device;
    }
    Device device() const {
        return Device(kCUDA, get_device());
    }
    TensorOptions options() const {
        return TensorOptions(scalar_type());
    }
    TensorImpl *unsafeGetTensorImpl() const {
        return &impl_;
    }

    /* Element by element with rounding to nearest, on the stream of the call. */
    Tensor &copy_(const Tensor &from) {
        if (from.numel() != numel())
            throw std::runtime_error("copy_: sizes differ");
        if (from.scalar_type() == scalar_type())
            gemmgate_standin::require(cudaMemcpyAsync(data_ptr(), from.data_ptr(), nbytes(),
                                                      cudaMemcpyDeviceToDevice,
                                                      c10::cuda::standin_stream()));
        else if (scalar_type() == kHalf)
            convert_from<__half, float>(from);
        else
            convert_from<float, __half>(from);
        return *this;
    }
    Tensor to(ScalarType type) const {
        if (type == scalar_type())
            return *this;
        Tensor result = scratch(sizes(), type);
        result.copy_(*this);
        return result;
    }
    Tensor &zero_() {
        gemmgate_standin::require(
            cudaMemsetAsync(data_ptr(), 0, nbytes(), c10::cuda::standin_stream()));
        return *this;
    }

  private:
    template <typename To, typename From> void convert_from(const Tensor &from) {
        const int64_t blocks = std::min<int64_t>((numel() + 255) / 256, 1024);
        gemmgate_standin::
            convert<<<static_cast<unsigned>(blocks), 256, 0, c10::cuda::standin_stream()>>>(
                from.data_ptr<From>(), data_ptr<To>(), numel());
        gemmgate_standin::require(cudaGetLastError());
    }
    mutable TensorImpl impl_;
    std::shared_ptr<void> owner_;
};

inline Tensor empty(IntArrayRef sizes, TensorOptions options = {}) {
    return Tensor::scratch(sizes, options.dtype());
}

inline Tensor zeros(IntArrayRef sizes, TensorOptions options = {}) {
    Tensor t = empty(sizes, options);
    t.zero_();
    return t;
}

inline Tensor empty_like(const Tensor &like) {
    return empty(like.sizes(), like.options());
}

inline Tensor zeros_like(const Tensor &like) {
    return zeros(like.sizes(), like.options());
}

namespace cuda {
using c10::cuda::CUDAStream;
using c10::cuda::getCurrentCUDAStream;
} // namespace cuda
} // namespace at

namespace torch {
using namespace at;
constexpr ScalarType kFloat16 = kHalf;
constexpr ScalarType kFloat32 = kFloat;
inline TensorOptions dtype(ScalarType type) {
    return TensorOptions(type);
}
inline TensorOptions device(Device device) {
    return TensorOptions().device(device);
}
} // namespace torch

#ifndef TORCH_CHECK
#define TORCH_CHECK(condition, ...)                                                                \
    do {                                                                                           \
        if (!(condition))                                                                          \
            ::gemmgate_standin::fail(#condition, ##__VA_ARGS__);                                   \
    } while (0)
#endif
#ifndef TORCH_INTERNAL_ASSERT
#define TORCH_INTERNAL_ASSERT(condition, ...) TORCH_CHECK(condition, ##__VA_ARGS__)
#endif

namespace gemmgate_standin {
template <typename... Parts> [[noreturn]] void fail(const char *condition, const Parts &...parts) {
    std::ostringstream message;
    message << "TORCH_CHECK(" << condition << ") failed";
    if constexpr (sizeof...(parts) > 0) {
        message << ": ";
        (message << ... << parts);
    }
    throw std::runtime_error(message.str());
}
} // namespace gemmgate_standin

#endif
