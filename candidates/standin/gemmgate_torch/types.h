/* The types of elements: half and bfloat16 as numbers, and the words for all. */
#ifndef GEMMGATE_STANDIN_TYPES_H
#define GEMMGATE_STANDIN_TYPES_H

#include <cstdint>
#include <cstring>
#include <limits>
#include <ostream>
#include <string>
#include <type_traits>

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#ifdef __CUDACC__
#define C10_HOST_DEVICE __host__ __device__
#define C10_DEVICE __device__
#define C10_HOST __host__
#else
#define C10_HOST_DEVICE
#define C10_DEVICE
#define C10_HOST
#endif

namespace gemmgate_standin {

C10_HOST_DEVICE inline float widen(__half x) {
    return __half2float(x);
}
C10_HOST_DEVICE inline float widen(__nv_bfloat16 x) {
    return __bfloat162float(x);
}
C10_HOST_DEVICE inline void narrow(float x, __half *to) {
    *to = __float2half_rn(x);
}
C10_HOST_DEVICE inline void narrow(float x, __nv_bfloat16 *to) {
    *to = __float2bfloat16_rn(x);
}

/* A number of 16 bits, which is Raw to CUDA. Each operation is one of float, rounded. */
template <class Raw> struct alignas(2) number16 {
    uint16_t x;

    number16() = default;
    C10_HOST_DEVICE number16(float value) {
        Raw raw;
        narrow(value, &raw);
        memcpy(&x, &raw, sizeof x);
    }
    C10_HOST_DEVICE number16(const Raw &raw) {
        memcpy(&x, &raw, sizeof x);
    }
    C10_HOST_DEVICE operator Raw() const {
        Raw raw;
        memcpy(&raw, &x, sizeof x);
        return raw;
    }
    C10_HOST_DEVICE operator float() const {
        return widen(static_cast<Raw>(*this));
    }
    C10_HOST_DEVICE friend number16 operator-(number16 a) {
        return -static_cast<float>(a);
    }
};

/* With an integer the result has 16 bits, with a wider number that number's type. */
template <class Raw, class T>
using with16 = typename std::enable_if<
    std::is_arithmetic<T>::value,
    typename std::conditional<std::is_integral<T>::value, number16<Raw>, T>::type>::type;

#define GEMMGATE_OPERATOR(op)                                                                      \
    template <class Raw>                                                                           \
    C10_HOST_DEVICE number16<Raw> operator op(number16<Raw> a, number16<Raw> b) {                  \
        return static_cast<float>(a) op static_cast<float>(b);                                     \
    }                                                                                              \
    template <class Raw, class T>                                                                  \
    C10_HOST_DEVICE with16<Raw, T> operator op(number16<Raw> a, T b) {                             \
        return static_cast<with16<Raw, T>>(static_cast<float>(a) op b);                            \
    }                                                                                              \
    template <class Raw, class T>                                                                  \
    C10_HOST_DEVICE with16<Raw, T> operator op(T a, number16<Raw> b) {                             \
        return static_cast<with16<Raw, T>>(a op static_cast<float>(b));                            \
    }                                                                                              \
    template <class Raw, class T>                                                                  \
    C10_HOST_DEVICE number16<Raw> &operator op##=(number16<Raw> &a, T b) {                         \
        return a = static_cast<float>(a) op static_cast<float>(b);                                 \
    }
GEMMGATE_OPERATOR(+)
GEMMGATE_OPERATOR(-)
GEMMGATE_OPERATOR(*)
GEMMGATE_OPERATOR(/)
#undef GEMMGATE_OPERATOR

#define GEMMGATE_COMPARISON(op)                                                                    \
    template <class Raw> C10_HOST_DEVICE bool operator op(number16<Raw> a, number16<Raw> b) {      \
        return static_cast<float>(a) op static_cast<float>(b);                                     \
    }
GEMMGATE_COMPARISON(==)
GEMMGATE_COMPARISON(!=)
GEMMGATE_COMPARISON(<)
GEMMGATE_COMPARISON(<=)
GEMMGATE_COMPARISON(>)
GEMMGATE_COMPARISON(>=)
#undef GEMMGATE_COMPARISON

} // namespace gemmgate_standin

namespace c10 {

using Half = gemmgate_standin::number16<__half>;
using BFloat16 = gemmgate_standin::number16<__nv_bfloat16>;

/* X(word, type of C++, word behind k). */
#define GEMMGATE_TYPES(X)                                                                          \
    X(Byte, uint8_t, UInt8)                                                                        \
    X(Char, int8_t, Int8)                                                                          \
    X(Short, int16_t, Int16)                                                                       \
    X(Int, int32_t, Int32)                                                                         \
    X(Long, int64_t, Int64)                                                                        \
    X(Half, ::c10::Half, Float16)                                                                  \
    X(Float, float, Float32)                                                                       \
    X(Double, double, Float64)                                                                     \
    X(Bool, bool, Boolean)                                                                         \
    X(BFloat16, ::c10::BFloat16, BrainFloat)

enum class ScalarType : int8_t {
#define X(word, type, other) word,
    GEMMGATE_TYPES(X)
#undef X
        Undefined
};

/* The type of C++ with that word, and the word of a type. */
template <ScalarType word> struct cpp_type_of;
template <class T> struct CppTypeToScalarType {
    static constexpr ScalarType value = ScalarType::Undefined;
};
#define X(word, type_, other)                                                                      \
    template <> struct cpp_type_of<ScalarType::word> { using type = type_; };                      \
    template <> struct CppTypeToScalarType<type_> {                                                \
        static constexpr ScalarType value = ScalarType::word;                                      \
    };
GEMMGATE_TYPES(X)
#undef X
namespace impl {
template <ScalarType word> using ScalarTypeToCPPTypeT = typename cpp_type_of<word>::type;
}

inline const char *toString(ScalarType type) {
    static const char *const words[] = {
#define X(word, type, other) #word,
        GEMMGATE_TYPES(X)
#undef X
            "Undefined"};
    return words[static_cast<int>(type)];
}

inline size_t elementSize(ScalarType type) {
    static const size_t sizes[] = {
#define X(word, type, other) sizeof(type),
        GEMMGATE_TYPES(X)
#undef X
            0};
    return sizes[static_cast<int>(type)];
}

inline std::ostream &operator<<(std::ostream &out, ScalarType type) {
    return out << toString(type);
}

inline bool isFloatingType(ScalarType type) {
    return type == ScalarType::Half || type == ScalarType::BFloat16 || type == ScalarType::Float ||
           type == ScalarType::Double;
}

/* What dtype() and type() of a tensor give: a type of elements that is also asked about itself. */
class TypeMeta {
  public:
    constexpr TypeMeta(ScalarType type = ScalarType::Float) : type_(type) {
    }
    constexpr operator ScalarType() const {
        return type_;
    }
    size_t itemsize() const {
        return elementSize(type_);
    }
    const char *name() const {
        return toString(type_);
    }
    ScalarType toScalarType() const {
        return type_;
    }
    ScalarType scalarType() const {
        return type_;
    }
    bool is_cuda() const {
        return true;
    }
    friend std::ostream &operator<<(std::ostream &out, TypeMeta type) {
        return out << type.type_;
    }

  private:
    ScalarType type_;
};
inline ScalarType typeMetaToScalarType(TypeMeta type) {
    return type;
}
/* A number of any type. */
class Scalar {
  public:
    template <class T> Scalar(T value) : value_(static_cast<double>(value)) {
    }
    template <class T> T to() const {
        return static_cast<T>(value_);
    }
    double toDouble() const {
        return value_;
    }
    float toFloat() const {
        return static_cast<float>(value_);
    }

  private:
    double value_;
};

} // namespace c10

namespace at {
using c10::BFloat16;
using c10::CppTypeToScalarType;
using c10::elementSize;
using c10::Half;
using c10::isFloatingType;
using c10::Scalar;
using c10::ScalarType;
using c10::toString;
using c10::TypeMeta;
#define X(word, type, other)                                                                       \
    constexpr ScalarType k##word = ScalarType::word;                                               \
    constexpr ScalarType k##other = ScalarType::word;
GEMMGATE_TYPES(X)
#undef X

/* The type that sums are kept in. */
template <class T, bool is_cuda = true>
using acc_type = typename std::conditional<sizeof(T) == 2, float, T>::type;
template <class T> using opmath_type = acc_type<T>;
template <class T> using OpMathType = acc_type<T>;
} // namespace at

namespace caffe2 {
using c10::TypeMeta;
}

#endif
