/* Accessors: a tensor as a kernel indexes it. */
#ifndef GEMMGATE_STANDIN_ACCESSOR_H
#define GEMMGATE_STANDIN_ACCESSOR_H

#include "options.h"

namespace at {

template <class T> struct DefaultPtrTraits { typedef T *PtrType; };
template <class T> struct RestrictPtrTraits { typedef T *__restrict__ PtrType; };

/* What is left behind some indices. Sizes and strides stay the tensor's. */
template <class T, size_t N, template <class> class Traits = DefaultPtrTraits,
          class Index = int64_t>
class TensorAccessor {
  public:
    using PtrType = typename Traits<T>::PtrType;
    C10_HOST_DEVICE TensorAccessor(PtrType data, const Index *sizes, const Index *strides)
        : data_(data), sizes_(sizes), strides_(strides) {
    }
    C10_HOST_DEVICE decltype(auto) operator[](Index i) const {
        if constexpr (N == 1)
            return data_[i * strides_[0]];
        else
            return TensorAccessor<T, N - 1, Traits, Index>(data_ + i * strides_[0], sizes_ + 1,
                                                           strides_ + 1);
    }
    C10_HOST_DEVICE Index size(int i) const {
        return sizes_[i];
    }
    C10_HOST_DEVICE Index stride(int i) const {
        return strides_[i];
    }
    C10_HOST_DEVICE PtrType data() const {
        return data_;
    }

  private:
    PtrType data_;
    const Index *sizes_, *strides_;
};

/* The same as a kernel's parameter. */
template <class T, size_t N, template <class> class Traits = DefaultPtrTraits,
          class Index = int64_t>
class GenericPackedTensorAccessor {
  public:
    using PtrType = typename Traits<T>::PtrType;
    GenericPackedTensorAccessor(PtrType data, const int64_t *sizes, const int64_t *strides)
        : data_(data) {
        for (size_t i = 0; i < N; i++) {
            sizes_[i] = static_cast<Index>(sizes[i]);
            strides_[i] = static_cast<Index>(strides[i]);
        }
    }
    C10_HOST_DEVICE decltype(auto) operator[](Index i) const {
        return TensorAccessor<T, N, Traits, Index>(data_, sizes_, strides_)[i];
    }
    C10_HOST_DEVICE Index size(int i) const {
        return sizes_[i];
    }
    C10_HOST_DEVICE Index stride(int i) const {
        return strides_[i];
    }
    C10_HOST_DEVICE PtrType data() const {
        return data_;
    }

  private:
    PtrType data_;
    Index sizes_[N], strides_[N];
};
template <class T, size_t N, template <class> class Traits = DefaultPtrTraits>
using PackedTensorAccessor32 = GenericPackedTensorAccessor<T, N, Traits, int32_t>;
template <class T, size_t N, template <class> class Traits = DefaultPtrTraits>
using PackedTensorAccessor64 = GenericPackedTensorAccessor<T, N, Traits, int64_t>;
template <class T, size_t N, template <class> class Traits = DefaultPtrTraits,
          class Index = int64_t>
using PackedTensorAccessor = GenericPackedTensorAccessor<T, N, Traits, Index>;

} // namespace at

#endif
