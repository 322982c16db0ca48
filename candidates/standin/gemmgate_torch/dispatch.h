/* AT_DISPATCH_...: a piece of code for the type of elements, by the name scalar_t. */
#ifndef GEMMGATE_STANDIN_DISPATCH_H
#define GEMMGATE_STANDIN_DISPATCH_H

#include "checks.h"

#define AT_DISPATCH_CASE(WORD, ...)                                                                \
    case WORD: {                                                                                   \
        using scalar_t [[maybe_unused]] = ::c10::impl::ScalarTypeToCPPTypeT<WORD>;                 \
        return __VA_ARGS__();                                                                      \
    }
#define AT_DISPATCH_SWITCH(TYPE, NAME, ...)                                                        \
    [&] {                                                                                          \
        const ::c10::ScalarType gemmgate_type = TYPE;                                              \
        switch (gemmgate_type) {                                                                   \
            __VA_ARGS__                                                                            \
        default:                                                                                   \
            ::gemmgate_standin::fail(NAME, "not implemented for '", gemmgate_type, "'");           \
        }                                                                                          \
    }()

#define AT_DISPATCH_CASE_FLOATING_TYPES(...)                                                       \
    AT_DISPATCH_CASE(::at::kDouble, __VA_ARGS__)                                                   \
    AT_DISPATCH_CASE(::at::kFloat, __VA_ARGS__)
#define AT_DISPATCH_CASE_FLOATING_TYPES_AND(A, ...)                                                \
    AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__)                                                   \
    AT_DISPATCH_CASE(A, __VA_ARGS__)
#define AT_DISPATCH_CASE_FLOATING_TYPES_AND_HALF(...)                                              \
    AT_DISPATCH_CASE_FLOATING_TYPES_AND(::at::kHalf, __VA_ARGS__)
#define AT_DISPATCH_CASE_FLOATING_TYPES_AND2(A, B, ...)                                            \
    AT_DISPATCH_CASE_FLOATING_TYPES_AND(A, __VA_ARGS__)                                            \
    AT_DISPATCH_CASE(B, __VA_ARGS__)
#define AT_DISPATCH_CASE_REDUCED_FLOATING_TYPES(...)                                               \
    AT_DISPATCH_CASE(::at::kHalf, __VA_ARGS__)                                                     \
    AT_DISPATCH_CASE(::at::kBFloat16, __VA_ARGS__)
#define AT_DISPATCH_CASE_INTEGRAL_TYPES(...)                                                       \
    AT_DISPATCH_CASE(::at::kByte, __VA_ARGS__)                                                     \
    AT_DISPATCH_CASE(::at::kChar, __VA_ARGS__)                                                     \
    AT_DISPATCH_CASE(::at::kShort, __VA_ARGS__)                                                    \
    AT_DISPATCH_CASE(::at::kInt, __VA_ARGS__)                                                      \
    AT_DISPATCH_CASE(::at::kLong, __VA_ARGS__)
#define AT_DISPATCH_CASE_ALL_TYPES(...)                                                            \
    AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__)                                                   \
    AT_DISPATCH_CASE_INTEGRAL_TYPES(__VA_ARGS__)

#define AT_DISPATCH_FLOATING_TYPES(TYPE, NAME, ...)                                                \
    AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND(A, TYPE, NAME, ...)                                         \
    AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_TYPES_AND(A, __VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND_HALF(TYPE, NAME, ...)                                       \
    AT_DISPATCH_FLOATING_TYPES_AND(::at::kHalf, TYPE, NAME, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES_AND2(A, B, TYPE, NAME, ...)                                     \
    AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_TYPES_AND2(A, B, __VA_ARGS__))
#define AT_DISPATCH_REDUCED_FLOATING_TYPES(TYPE, NAME, ...)                                        \
    AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_REDUCED_FLOATING_TYPES(__VA_ARGS__))
#define AT_DISPATCH_INTEGRAL_TYPES(TYPE, NAME, ...)                                                \
    AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_INTEGRAL_TYPES(__VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES(TYPE, NAME, ...)                                                     \
    AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND(A, TYPE, NAME, ...)                                              \
    AT_DISPATCH_SWITCH(TYPE, NAME,                                                                 \
                       AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__) AT_DISPATCH_CASE(A, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND2(A, B, TYPE, NAME, ...)                                          \
    AT_DISPATCH_SWITCH(TYPE, NAME,                                                                 \
                       AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__) AT_DISPATCH_CASE(A, __VA_ARGS__)    \
                           AT_DISPATCH_CASE(B, __VA_ARGS__))

#endif
