/* Where and how a tensor is made: devices, lists of sizes, options. */
#ifndef GEMMGATE_STANDIN_OPTIONS_H
#define GEMMGATE_STANDIN_OPTIONS_H

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <vector>

#include "types.h"

namespace c10 {

template <class T> using optional = std::optional<T>;
using std::in_place;
using std::make_optional;
using std::nullopt;
using std::nullopt_t;

using DeviceIndex = int8_t;
enum class DeviceType : int8_t { CPU, CUDA };
enum class Layout : int8_t { Strided };
enum class MemoryFormat : int8_t { Contiguous, Preserve };

inline std::ostream &operator<<(std::ostream &out, DeviceType type) {
    return out << (type == DeviceType::CPU ? "cpu" : "cuda");
}

class Device {
  public:
    Device(DeviceType type = DeviceType::CUDA, int index = -1) : type_(type), index_(index) {
    }
    Device(const char *words) : Device(std::string(words)) {
    }
    Device(const std::string &words)
        : type_(words.compare(0, 4, "cuda") == 0 ? DeviceType::CUDA : DeviceType::CPU) {
        const size_t colon = words.find(':');
        index_ = colon == std::string::npos ? -1 : std::stoi(words.substr(colon + 1));
    }
    DeviceType type() const {
        return type_;
    }
    DeviceIndex index() const {
        return static_cast<DeviceIndex>(index_);
    }
    bool has_index() const {
        return index_ >= 0;
    }
    bool is_cuda() const {
        return type_ == DeviceType::CUDA;
    }
    bool is_cpu() const {
        return type_ == DeviceType::CPU;
    }
    bool operator==(const Device &other) const {
        return type_ == other.type_ && index_ == other.index_;
    }
    bool operator!=(const Device &other) const {
        return !(*this == other);
    }
    friend std::ostream &operator<<(std::ostream &out, const Device &device) {
        out << device.type_;
        return device.has_index() ? out << ':' << device.index_ : out;
    }

  private:
    DeviceType type_;
    int index_;
};

/* At most eight values, which it holds itself: sizes, or strides. */
template <class T> class ArrayRef {
  public:
    ArrayRef() = default;
    ArrayRef(const T &one) : ArrayRef(&one, 1) {
    }
    ArrayRef(const T *values, size_t count) : count_(count) {
        if (count > most)
            throw std::runtime_error("the stand-in for torch has tensors of at most 8 dimensions");
        std::copy(values, values + count, values_);
    }
    ArrayRef(std::initializer_list<T> list) : ArrayRef(list.begin(), list.size()) {
    }
    ArrayRef(const std::vector<T> &list) : ArrayRef(list.data(), list.size()) {
    }
    template <size_t N> ArrayRef(const std::array<T, N> &list) : ArrayRef(list.data(), N) {
    }
    size_t size() const {
        return count_;
    }
    bool empty() const {
        return count_ == 0;
    }
    const T &operator[](size_t i) const {
        return values_[i];
    }
    T &operator[](size_t i) {
        return values_[i];
    }
    const T &at(size_t i) const {
        if (i >= count_)
            throw std::out_of_range("ArrayRef");
        return values_[i];
    }
    const T &front() const {
        return values_[0];
    }
    const T &back() const {
        return values_[count_ - 1];
    }
    const T *data() const {
        return values_;
    }
    const T *begin() const {
        return values_;
    }
    const T *end() const {
        return values_ + count_;
    }
    std::vector<T> vec() const {
        return {begin(), end()};
    }
    bool equals(const ArrayRef &other) const {
        return count_ == other.count_ && std::equal(begin(), end(), other.begin());
    }
    friend bool operator==(const ArrayRef &a, const ArrayRef &b) {
        return a.equals(b);
    }
    friend bool operator!=(const ArrayRef &a, const ArrayRef &b) {
        return !a.equals(b);
    }
    friend std::ostream &operator<<(std::ostream &out, const ArrayRef &list) {
        out << '[';
        for (size_t i = 0; i < list.count_; i++)
            out << (i > 0 ? ", " : "") << list.values_[i];
        return out << ']';
    }

  private:
    static constexpr size_t most = 8;
    T values_[most] = {};
    size_t count_ = 0;
};
using IntArrayRef = ArrayRef<int64_t>;

class TensorOptions {
  public:
    TensorOptions(ScalarType type = ScalarType::Float) : type_(type) {
    }
    TensorOptions(TypeMeta type) : type_(type) {
    }
    TensorOptions(Device device) : device_(device) {
    }
    TensorOptions(DeviceType type) : device_(type) {
    }
    TensorOptions dtype(ScalarType type) const {
        TensorOptions o = *this;
        o.type_ = type;
        return o;
    }
    template <class T> TensorOptions dtype() const {
        return dtype(CppTypeToScalarType<T>::value);
    }
    TensorOptions device(Device device) const {
        TensorOptions o = *this;
        o.device_ = device;
        return o;
    }
    TensorOptions device(DeviceType type, int index) const {
        return device(Device(type, index));
    }
    TensorOptions device_index(int index) const {
        return device(Device(DeviceType::CUDA, index));
    }
    template <class... T> TensorOptions layout(T...) const {
        return *this;
    }
    template <class... T> TensorOptions memory_format(T...) const {
        return *this;
    }
    TensorOptions requires_grad(bool = true) const {
        return *this;
    }
    TensorOptions pinned_memory(bool = true) const {
        return *this;
    }
    TypeMeta dtype() const {
        return type_;
    }
    Device device() const {
        return device_;
    }
    friend std::ostream &operator<<(std::ostream &out, const TensorOptions &options) {
        return out << options.type_;
    }

  private:
    ScalarType type_ = ScalarType::Float;
    Device device_;
};

inline TensorOptions dtype(ScalarType type) {
    return TensorOptions(type);
}
inline TensorOptions device(Device device) {
    return TensorOptions(device);
}
inline TensorOptions device(DeviceType type, int index) {
    return TensorOptions(Device(type, index));
}

} // namespace c10

namespace at {
using namespace c10;
constexpr DeviceType kCPU = DeviceType::CPU;
constexpr DeviceType kCUDA = DeviceType::CUDA;
constexpr Layout kStrided = Layout::Strided;
} // namespace at

#endif
