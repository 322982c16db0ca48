/* Tensors: memory with sizes, strides and a type, and the functions that make them. */
#ifndef GEMMGATE_STANDIN_TENSOR_H
#define GEMMGATE_STANDIN_TENSOR_H

#include "accessor.h"
#include "checks.h"
#include "elements.h"

namespace at {

using gemmgate_standin::memory;

class Tensor {
  public:
    Tensor() = default;

    /* A view of memory that stays the caller's. */
    Tensor(void *data, const IntArrayRef &sizes, ScalarType type)
        : Tensor(
              std::make_shared<gemmgate_standin::storage>(gemmgate_standin::storage{data, nullptr}),
              sizes, type) {
    }
    Tensor(std::shared_ptr<gemmgate_standin::storage> storage, const IntArrayRef &sizes,
           ScalarType type)
        : storage_(std::move(storage)), sizes_(sizes), strides_(row_major(sizes)), type_(type) {
    }
    /* With memory of its own. */
    template <class M> static Tensor made(const IntArrayRef &sizes, ScalarType type) {
        size_t bytes = elementSize(type);
        for (size_t d = 0; d < sizes.size(); d++)
            bytes *= static_cast<size_t>(sizes[d]);
        const std::shared_ptr<void> memory = gemmgate_standin::take<M>(bytes);
        return Tensor(std::make_shared<gemmgate_standin::storage>(
                          gemmgate_standin::storage{memory.get(), memory}),
                      sizes, type);
    }
    bool is_in(const std::shared_ptr<gemmgate_standin::storage> &storage) const {
        return storage_ == storage;
    }

    void *data_ptr() const {
        return data_at();
    }
    template <class T> T *data_ptr() const {
        constexpr ScalarType wanted = CppTypeToScalarType<typename std::remove_cv<T>::type>::value;
        if (wanted != ScalarType::Undefined && wanted != type_)
            gemmgate_standin::fail("data_ptr", "expected scalar type ", wanted, " but found ",
                                   type_);
        return reinterpret_cast<T *>(data_at());
    }
    template <class T> T *data() const {
        return data_ptr<T>();
    }
    void *mutable_data_ptr() const {
        return data_at();
    }
    template <class T> T *mutable_data_ptr() const {
        return data_ptr<T>();
    }
    const void *const_data_ptr() const {
        return data_at();
    }
    template <class T> const T *const_data_ptr() const {
        return data_ptr<typename std::remove_const<T>::type>();
    }
    void *mutable_data() const {
        return data_at();
    }
    bool defined() const {
        return data_at() != nullptr;
    }
    Tensor *unsafeGetTensorImpl() const {
        return const_cast<Tensor *>(this);
    }

    int64_t dim() const {
        return static_cast<int64_t>(sizes_.size());
    }
    int64_t ndimension() const {
        return dim();
    }
    const IntArrayRef &sizes() const {
        return sizes_;
    }
    int64_t size(int64_t i) const {
        return sizes_[place(i)];
    }
    const IntArrayRef &strides() const {
        return strides_;
    }
    int64_t stride(int64_t i) const {
        return strides_[place(i)];
    }
    int64_t numel() const {
        int64_t count = 1;
        for (int64_t size : sizes_)
            count *= size;
        return count;
    }
    int64_t storage_offset() const {
        return 0;
    }
    int64_t element_size() const {
        return static_cast<int64_t>(itemsize());
    }
    size_t itemsize() const {
        return elementSize(type_);
    }
    size_t nbytes() const {
        return static_cast<size_t>(numel()) * itemsize();
    }
    ScalarType scalar_type() const {
        return type_;
    }
    TypeMeta dtype() const {
        return type_;
    }
    TypeMeta type() const {
        return type_;
    }
    bool is_floating_point() const {
        return isFloatingType(type_);
    }
    bool is_cuda() const {
        return true;
    }
    bool is_cpu() const {
        return false;
    }
    bool is_sparse() const {
        return false;
    }
    bool requires_grad() const {
        return false;
    }
    Layout layout() const {
        return Layout::Strided;
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
        return TensorOptions(type_);
    }
    template <class... T> bool is_contiguous(T...) const {
        int64_t wanted = 1;
        for (size_t d = sizes_.size(); d-- > 0; wanted *= sizes_[d])
            if (sizes_[d] != 1 && strides_[d] != wanted)
                return false;
        return true;
    }
    bool is_same_size(const Tensor &other) const {
        return sizes_ == other.sizes_;
    }

    /* Other views of the same memory. */
    Tensor transpose(int64_t i, int64_t j) const {
        Tensor view = *this;
        std::swap(view.sizes_[place(i)], view.sizes_[place(j)]);
        std::swap(view.strides_[place(i)], view.strides_[place(j)]);
        return view;
    }
    Tensor t() const {
        return dim() < 2 ? *this : transpose(0, 1);
    }
    Tensor mT() const {
        return transpose(-2, -1);
    }
    Tensor permute(const IntArrayRef &order) const {
        Tensor view = *this;
        TORCH_CHECK(order.size() == sizes_.size(), "permute: ", order, " of ", sizes_);
        for (size_t i = 0; i < order.size(); i++) {
            view.sizes_[i] = size(order[i]);
            view.strides_[i] = stride(order[i]);
        }
        return view;
    }
    Tensor view(const IntArrayRef &sizes) const {
        TORCH_CHECK(is_contiguous(), "view of a tensor that is not contiguous");
        return viewed(sizes);
    }
    Tensor view_as(const Tensor &other) const {
        return view(other.sizes());
    }
    Tensor flatten(int64_t first = 0, int64_t last = -1) const {
        std::vector<int64_t> sizes;
        for (size_t i = 0; i < sizes_.size(); i++)
            if (i > place(first) && i <= place(last))
                sizes.back() *= sizes_[i];
            else
                sizes.push_back(sizes_[i]);
        return view(sizes);
    }
    Tensor unsqueeze(int64_t i) const {
        const size_t at = static_cast<size_t>(i < 0 ? i + dim() + 1 : i);
        std::vector<int64_t> sizes = sizes_.vec(), strides = strides_.vec();
        const int64_t stride = at < sizes.size() ? sizes[at] * strides[at] : 1;
        sizes.insert(sizes.begin() + static_cast<std::ptrdiff_t>(at), 1);
        strides.insert(strides.begin() + static_cast<std::ptrdiff_t>(at), stride);
        return strided(sizes, strides);
    }
    Tensor squeeze() const {
        std::vector<int64_t> sizes, strides;
        for (size_t i = 0; i < sizes_.size(); i++)
            if (sizes_[i] != 1) {
                sizes.push_back(sizes_[i]);
                strides.push_back(strides_[i]);
            }
        return strided(sizes, strides);
    }
    Tensor squeeze(int64_t i) const {
        return size(i) == 1 ? select(i, 0) : *this;
    }
    Tensor select(int64_t i, int64_t index) const {
        std::vector<int64_t> sizes = sizes_.vec(), strides = strides_.vec();
        Tensor view = slice(i, index, index + 1);
        sizes.erase(sizes.begin() + static_cast<std::ptrdiff_t>(place(i)));
        strides.erase(strides.begin() + static_cast<std::ptrdiff_t>(place(i)));
        return view.strided(sizes, strides);
    }
    Tensor operator[](int64_t index) const {
        return select(0, index);
    }
    Tensor slice(int64_t i, int64_t start, int64_t end) const {
        const size_t at = place(i);
        const int64_t last = std::min(end, sizes_[at]);
        TORCH_CHECK(start >= 0 && start <= last, "slice: ", start, " to ", end, " of ", sizes_);
        Tensor view = *this;
        view.sizes_[at] = last - start;
        view.offset_ += start * strides_[at] * element_size();
        return view;
    }
    Tensor narrow(int64_t i, int64_t start, int64_t length) const {
        return slice(i, start, start + length);
    }
    Tensor detach() const {
        return *this;
    }
    Tensor cuda() const {
        return *this;
    }

    /* Copies, which take memory where they are made. */
    template <class M = memory> Tensor contiguous() const {
        return is_contiguous() ? *this : clone<M>();
    }
    template <class M = memory> Tensor contiguous(MemoryFormat) const {
        return contiguous<M>();
    }
    template <class M = memory> Tensor reshape(const IntArrayRef &sizes) const {
        return contiguous<M>().viewed(sizes);
    }
    template <class M = memory> Tensor clone() const {
        return made<M>(sizes_, type_).copy_(*this);
    }
    template <class M = memory> Tensor clone(MemoryFormat) const {
        return clone<M>();
    }
    template <class M = memory> Tensor to(ScalarType type, bool = false, bool copy = false) const {
        return type == type_ && !copy ? *this : made<M>(sizes_, type).copy_(*this);
    }
    template <class M = memory> Tensor to(TypeMeta type) const {
        return to<M>(type.toScalarType());
    }
    template <class M = memory> Tensor to(const TensorOptions &options) const {
        return to<M>(options.device(), options.dtype());
    }
    template <class M = memory> Tensor to(Device device, ScalarType type) const {
        TORCH_CHECK(device.is_cuda(), "to: memory of the host is of no use in a call");
        return to<M>(type);
    }
    template <class M = memory> Tensor to(Device device) const {
        return to<M>(device, type_);
    }
    template <class M = memory> Tensor to(DeviceType device) const {
        return to<M>(Device(device), type_);
    }
    template <class M = memory> Tensor toType(ScalarType type) const {
        return to<M>(type);
    }
    template <class M = memory> Tensor half() const {
        return to<M>(kHalf);
    }
    template <class M = memory> Tensor bfloat16() const {
        return to<M>(kBFloat16);
    }
    template <class M = memory> Tensor new_empty(const IntArrayRef &sizes) const {
        return made<M>(sizes, type_);
    }
    template <class M = memory>
    Tensor new_empty(const IntArrayRef &sizes, const TensorOptions &options) const {
        return made<M>(sizes, options.dtype());
    }
    template <class M = memory> Tensor new_zeros(const IntArrayRef &sizes) const {
        return made<M>(sizes, type_).zero_();
    }
    template <class M = memory>
    Tensor new_zeros(const IntArrayRef &sizes, const TensorOptions &options) const {
        return made<M>(sizes, options.dtype()).zero_();
    }

    /* Work on the elements, on the stream of the call. */
    template <class M = memory> const Tensor &copy_(const Tensor &from, bool = false) const {
        TORCH_CHECK(from.sizes_ == sizes_, "copy_: ", from.sizes_, " to ", sizes_);
        if (from.type_ == type_ && from.is_contiguous() && is_contiguous())
            gemmgate_standin::require(cudaMemcpyAsync(data_at(), from.data_at(), nbytes(),
                                                      cudaMemcpyDeviceToDevice,
                                                      gemmgate_standin::stream()));
        else if (from.type_ == type_)
            copy_bits<M>(from);
        else
            copy_to_type<M>(from);
        return *this;
    }
    template <class M = memory> const Tensor &fill_(Scalar value) const {
        switch (type_) {
#define X(word, cpp, other)                                                                        \
    case ScalarType::word:                                                                         \
        fill_with(static_cast<cpp>(value.to<float>()));                                            \
        break;
            GEMMGATE_TYPES(X)
#undef X
        default:
            break;
        }
        return *this;
    }
    const Tensor &zero_() const {
        TORCH_CHECK(is_contiguous(), "zero_ of a tensor that is not contiguous");
        gemmgate_standin::require(
            cudaMemsetAsync(data_at(), 0, nbytes(), gemmgate_standin::stream()));
        return *this;
    }

    template <class T, size_t N> TensorAccessor<T, N> accessor() const {
        return TensorAccessor<T, N>(data_ptr<T>(), sizes_.data(), strides_.data());
    }
    template <class T, size_t N, template <class> class Traits = DefaultPtrTraits,
              class Index = int64_t>
    GenericPackedTensorAccessor<T, N, Traits, Index> packed_accessor() const {
        TORCH_CHECK(dim() == static_cast<int64_t>(N), "packed_accessor: ", N, " dimensions of ",
                    sizes_);
        return {data_ptr<T>(), sizes_.data(), strides_.data()};
    }
    template <class T, size_t N, template <class> class Traits = DefaultPtrTraits>
    PackedTensorAccessor32<T, N, Traits> packed_accessor32() const {
        return packed_accessor<T, N, Traits, int32_t>();
    }
    template <class T, size_t N, template <class> class Traits = DefaultPtrTraits>
    PackedTensorAccessor64<T, N, Traits> packed_accessor64() const {
        return packed_accessor<T, N, Traits, int64_t>();
    }

#define GEMMGATE_REFUSED(name)                                                                     \
    template <class... T> Tensor name(const T &...) const {                                        \
        static_assert(gemmgate_standin::never<T...>, "Tensor::" #name GEMMGATE_IS_LIBRARY);        \
        return *this;                                                                              \
    }
#define GEMMGATE_IS_LIBRARY                                                                        \
    " calls a library under a kernel's name: gemmgate times libraries beside the kernels"
    GEMMGATE_REFUSED(matmul)
    GEMMGATE_REFUSED(mm)
    GEMMGATE_REFUSED(bmm)
    GEMMGATE_REFUSED(mv)
    GEMMGATE_REFUSED(dot)
    GEMMGATE_REFUSED(addmm)
    GEMMGATE_REFUSED(addmm_)
    GEMMGATE_REFUSED(baddbmm)
    GEMMGATE_REFUSED(baddbmm_)
#undef GEMMGATE_REFUSED

  private:
    static IntArrayRef row_major(const IntArrayRef &sizes) {
        IntArrayRef strides = sizes;
        int64_t stride = 1;
        for (size_t d = sizes.size(); d-- > 0; stride *= sizes[d])
            strides[d] = stride;
        return strides;
    }
    size_t place(int64_t i) const {
        return static_cast<size_t>(i < 0 ? i + dim() : i);
    }
    Tensor strided(const IntArrayRef &sizes, const IntArrayRef &strides) const {
        Tensor view = *this;
        view.sizes_ = sizes;
        view.strides_ = strides;
        return view;
    }
    /* One size may be -1: what is left. */
    Tensor viewed(IntArrayRef sizes) const {
        int64_t known = 1, open = -1, all = 1;
        for (size_t i = 0; i < sizes.size(); i++)
            if (sizes[i] < 0)
                open = static_cast<int64_t>(i);
            else
                known *= sizes[i];
        if (open >= 0)
            sizes[static_cast<size_t>(open)] = known > 0 ? numel() / known : 0;
        for (int64_t size : sizes)
            all *= size;
        TORCH_CHECK(all == numel(), "shape ", sizes, " is invalid for a tensor of ", sizes_);
        return strided(sizes, row_major(sizes));
    }
    gemmgate_standin::places places(const Tensor &from) const {
        gemmgate_standin::places where = {static_cast<int>(dim()), {}, {}, {}};
        for (size_t i = 0; i < sizes_.size(); i++) {
            where.sizes[i] = sizes_[i];
            where.to[i] = strides_[i];
            where.from[i] = from.strides_[i];
        }
        return where;
    }
    template <class To, class From> void copy_as(const Tensor &from) const {
        gemmgate_standin::each(
            gemmgate_standin::copy_element<To, From>{reinterpret_cast<To *>(data_at()),
                                                     reinterpret_cast<const From *>(from.data_at()),
                                                     places(from)},
            numel());
    }
    template <class M> void copy_bits(const Tensor &from) const {
        switch (itemsize()) {
        case 1:
            return copy_as<uint8_t, uint8_t>(from);
        case 2:
            return copy_as<uint16_t, uint16_t>(from);
        case 4:
            return copy_as<uint32_t, uint32_t>(from);
        default:
            return copy_as<uint64_t, uint64_t>(from);
        }
    }
    template <class To> void copy_from_type(const Tensor &from) const {
        if (from.type_ == kHalf)
            copy_as<To, Half>(from);
        else if (from.type_ == kBFloat16)
            copy_as<To, BFloat16>(from);
        else if (from.type_ == kFloat)
            copy_as<To, float>(from);
        else
            gemmgate_standin::fail("copy_", from.type_, " to ", type_, " is not supported");
    }
    template <class M> void copy_to_type(const Tensor &from) const {
        if (type_ == kHalf)
            copy_from_type<Half>(from);
        else if (type_ == kBFloat16)
            copy_from_type<BFloat16>(from);
        else if (type_ == kFloat)
            copy_from_type<float>(from);
        else
            gemmgate_standin::fail("copy_", from.type_, " to ", type_, " is not supported");
    }
    template <class T> void fill_with(T value) const {
        gemmgate_standin::each(gemmgate_standin::fill_element<T>{reinterpret_cast<T *>(data_at()),
                                                                 value, places(*this)},
                               numel());
    }

    char *data_at() const {
        return storage_ && storage_->data ? static_cast<char *>(storage_->data) + offset_ : nullptr;
    }

    std::shared_ptr<gemmgate_standin::storage> storage_;
    int64_t offset_ = 0; /* in bytes */
    IntArrayRef sizes_, strides_;
    ScalarType type_ = ScalarType::Float;
};

using TensorImpl = Tensor;
using TensorBase = Tensor;
using TensorList = std::vector<Tensor>;

template <class M = memory>
Tensor empty(const IntArrayRef &sizes, const TensorOptions &options = {}) {
    gemmgate_standin::result_place &result = gemmgate_standin::result_place::get();
    const ScalarType type = options.dtype();
    TORCH_CHECK(options.device().is_cuda(), "memory of the host is of no use in a call");
    return result.fits(sizes, type) ? Tensor(result.give(), sizes, type)
                                    : Tensor::made<M>(sizes, type);
}
template <class M = memory>
Tensor zeros(const IntArrayRef &sizes, const TensorOptions &options = {}) {
    return empty<M>(sizes, options).zero_();
}
template <class M = memory>
Tensor full(const IntArrayRef &sizes, Scalar value, const TensorOptions &options = {}) {
    return empty<M>(sizes, options).template fill_<M>(value);
}
template <class M = memory>
Tensor ones(const IntArrayRef &sizes, const TensorOptions &options = {}) {
    return full<M>(sizes, 1, options);
}
template <class M = memory> Tensor empty_like(const Tensor &like) {
    return empty<M>(like.sizes(), like.options());
}
template <class M = memory> Tensor empty_like(const Tensor &like, const TensorOptions &options) {
    return empty<M>(like.sizes(), options);
}
template <class M = memory> Tensor zeros_like(const Tensor &like) {
    return zeros<M>(like.sizes(), like.options());
}
template <class M = memory> Tensor zeros_like(const Tensor &like, const TensorOptions &options) {
    return zeros<M>(like.sizes(), options);
}
template <class M = memory> Tensor ones_like(const Tensor &like) {
    return ones<M>(like.sizes(), like.options());
}
template <class M = memory> Tensor full_like(const Tensor &like, Scalar value) {
    return full<M>(like.sizes(), value, like.options());
}
inline Tensor from_blob(void *data, const IntArrayRef &sizes, const TensorOptions &options = {}) {
    return Tensor(data, sizes, options.dtype());
}
inline Tensor transpose(const Tensor &tensor, int64_t i, int64_t j) {
    return tensor.transpose(i, j);
}
template <class M = memory> Tensor reshape(const Tensor &tensor, const IntArrayRef &sizes) {
    return tensor.reshape<M>(sizes);
}
inline optional<Device> device_of(const Tensor &tensor) {
    return tensor.defined() ? optional<Device>(tensor.device()) : nullopt;
}

} // namespace at

namespace c10 {
using TensorImpl = at::Tensor;
}

#endif
