/* The kernel around a function of a CUDA source that gemmgate.ini calls: as c.h, in C++. The file
 * that includes this also defines
 *
 *     GEMMGATE_TYPE    what the operands are made of
 *     GEMMGATE_TENSOR  if the expression hands over tensors */
#ifndef CANDIDATES_WRAPPER_CUDA_H
#define CANDIDATES_WRAPPER_CUDA_H

#include <exception>
#include <stdio.h>
#include <type_traits>

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include "gemmgate.h"

/* The file may include torch where the expression has no tensor. */
#if defined GEMMGATE_TENSOR || defined GEMMGATE_STANDIN_TORCH_EXTENSION_H
#include "wrapper/torch.h"
#else
#include "wrapper/no_torch.h"
#endif

static char gemmgate_message[512];
#define GEMMGATE_SAY(...) snprintf(gemmgate_message, sizeof gemmgate_message, __VA_ARGS__)

namespace gemmgate_wrapper {
/* A number as whatever type is wanted, and its address as whatever pointer. */
template <int value> struct number {
    struct address {
        template <class T> operator const T *() const {
            static const T pointed(static_cast<float>(value));
            return &pointed;
        }
    };
    template <class T> operator T() const {
        return T(static_cast<float>(value));
    }
    address operator&() const {
        return address();
    }
};
/* What the expression gives is its status, if its type is one of a status; a tensor is C. */
template <class Expression> int run(const Expression &expression, void *c, int64_t m, int64_t n) {
    using T = decltype(expression());
    if constexpr (std::is_same<T, int>::value || std::is_enum<T>::value) {
        const T status = expression();
        if (status != T{})
            GEMMGATE_SAY("its call gave a status");
        if constexpr (std::is_same<T, cudaError_t>::value)
            if (status != cudaSuccess)
                GEMMGATE_SAY("%s", cudaGetErrorString(status));
        return static_cast<int>(status);
    } else if constexpr (is_tensor<T>) {
        take_tensor(expression, c, m, n);
    } else {
        expression();
    }
    return 0;
}
} // namespace gemmgate_wrapper
#define GEMMGATE_STATUS(...) gemmgate_wrapper::run([&] { return (__VA_ARGS__); }, c, m, n)

#define GEMMGATE_SIZES int64_t m, int64_t n, int64_t k
#define GEMMGATE_OPERANDS                                                                          \
    GEMMGATE_TYPE *const a, GEMMGATE_TYPE *const b_row, GEMMGATE_TYPE *const b_col,                \
        GEMMGATE_TYPE *const c, const int64_t m, const int64_t n, const int64_t k,                 \
        const cudaStream_t stream, void *const workspace, const gemmgate_wrapper::number<1> one,   \
        const gemmgate_wrapper::number<0> zero

static int gemmgate_call(GEMMGATE_OPERANDS);

static GEMMGATE_TYPE *gemmgate_operand(const void *operand) {
    return static_cast<GEMMGATE_TYPE *>(const_cast<void *>(operand));
}

static int gemmgate_launch(void *state, const struct gemm_args *args) {
    const cudaStream_t stream = static_cast<cudaStream_t>(args->stream);
    try {
        const gemmgate_wrapper::tensors of_call(stream);
        return gemmgate_call(gemmgate_operand(args->a), gemmgate_operand(args->b_row),
                             gemmgate_operand(args->b_col), gemmgate_operand(args->c),
                             args->problem.m, args->problem.n, args->problem.k, stream, state, {},
                             {});
    } catch (const std::exception &e) {
        GEMMGATE_SAY("it threw: %s", e.what());
        return 1;
    }
}

static void *gemmgate_allocate(size_t bytes) {
    void *memory = NULL;
    return cudaMalloc(&memory, bytes) == cudaSuccess ? memory : NULL;
}

static bool gemmgate_share(size_t bytes) {
    return gemmgate_wrapper::open_tensors(bytes);
}

static void gemmgate_teardown(void *memory) {
    cudaFree(memory);
    gemmgate_wrapper::close_tensors();
}

#endif
