/* Checks. One that fails throws, and the kernel's row has its words. */
#ifndef GEMMGATE_STANDIN_CHECKS_H
#define GEMMGATE_STANDIN_CHECKS_H

#include <sstream>

#include "call.h"

namespace gemmgate_standin {
template <class... Parts> [[noreturn]] void fail(const char *condition, const Parts &...parts) {
    std::ostringstream message;
    message << condition;
    if constexpr (sizeof...(parts) > 0) {
        message << ": ";
        (message << ... << parts);
    }
    throw c10::Error(message.str());
}
} // namespace gemmgate_standin

#define TORCH_CHECK(condition, ...)                                                                \
    do {                                                                                           \
        if (!(condition))                                                                          \
            ::gemmgate_standin::fail("TORCH_CHECK(" #condition ") failed", ##__VA_ARGS__);         \
    } while (0)
#define TORCH_INTERNAL_ASSERT(condition, ...) TORCH_CHECK(condition, ##__VA_ARGS__)
#define TORCH_INTERNAL_ASSERT_DEBUG_ONLY(condition, ...) TORCH_CHECK(condition, ##__VA_ARGS__)
#define TORCH_CHECK_ARG(condition, number, ...) TORCH_CHECK(condition, ##__VA_ARGS__)
#define TORCH_CHECK_TYPE(condition, ...) TORCH_CHECK(condition, ##__VA_ARGS__)
#define TORCH_CHECK_VALUE(condition, ...) TORCH_CHECK(condition, ##__VA_ARGS__)
#define TORCH_CHECK_INDEX(condition, ...) TORCH_CHECK(condition, ##__VA_ARGS__)
#define TORCH_CHECK_NOT_IMPLEMENTED(condition, ...) TORCH_CHECK(condition, ##__VA_ARGS__)
#define TORCH_CHECK_EQ(a, b) TORCH_CHECK((a) == (b))
#define TORCH_CHECK_NE(a, b) TORCH_CHECK((a) != (b))
#define TORCH_CHECK_LT(a, b) TORCH_CHECK((a) < (b))
#define TORCH_CHECK_LE(a, b) TORCH_CHECK((a) <= (b))
#define TORCH_CHECK_GT(a, b) TORCH_CHECK((a) > (b))
#define TORCH_CHECK_GE(a, b) TORCH_CHECK((a) >= (b))
#define AT_ASSERT(condition, ...) TORCH_CHECK(condition, ##__VA_ARGS__)
#define AT_ASSERTM(condition, ...) TORCH_CHECK(condition, ##__VA_ARGS__)
#define AT_CHECK(condition, ...) TORCH_CHECK(condition, ##__VA_ARGS__)
#define AT_ERROR(...) ::gemmgate_standin::fail("AT_ERROR", ##__VA_ARGS__)
#define TORCH_WARN(...) ((void)0)
#define TORCH_WARN_ONCE(...) ((void)0)

#define C10_CUDA_CHECK(status) ::gemmgate_standin::require(status)
#define C10_CUDA_CHECK_WARN(status) ((void)(status))
#define C10_CUDA_KERNEL_LAUNCH_CHECK() C10_CUDA_CHECK(cudaGetLastError())
#define AT_CUDA_CHECK(status) C10_CUDA_CHECK(status)
#define TORCH_CUDA_CHECK(status) C10_CUDA_CHECK(status)
#define THCudaCheck(status) C10_CUDA_CHECK(status)

#define C10_LIKELY(condition) (__builtin_expect(static_cast<bool>(condition), 1))
#define C10_UNLIKELY(condition) (__builtin_expect(static_cast<bool>(condition), 0))
#define C10_UNUSED [[maybe_unused]]
#define C10_ALWAYS_INLINE __attribute__((always_inline)) inline
#define C10_LAUNCH_BOUNDS_1(threads) __launch_bounds__(threads)
#define C10_LAUNCH_BOUNDS_2(threads, blocks) __launch_bounds__(threads, blocks)
#define C10_WARP_SIZE 32
#define CUDA_KERNEL_LOOP_TYPE(i, n, type)                                                          \
    for (type i = blockIdx.x * static_cast<type>(blockDim.x) + threadIdx.x; i < (n);               \
         i += static_cast<type>(blockDim.x) * gridDim.x)
#define CUDA_KERNEL_LOOP(i, n) CUDA_KERNEL_LOOP_TYPE(i, n, int)

namespace at {
template <class T, class U> C10_HOST_DEVICE constexpr T ceil_div(T a, U b) {
    return (a + b - 1) / b;
}
} // namespace at

#endif
