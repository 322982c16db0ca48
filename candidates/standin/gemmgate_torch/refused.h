/* Products that torch has NVIDIA's libraries make. A file that asks for one does not compile, and
 * the compiler's message says why. */
#ifndef GEMMGATE_STANDIN_REFUSED_H
#define GEMMGATE_STANDIN_REFUSED_H

#include "tensor.h"

#define GEMMGATE_REFUSED(prefix, name, result)                                                     \
    template <class... T> result name(const T &...) {                                              \
        static_assert(gemmgate_standin::never<T...>, prefix #name GEMMGATE_IS_LIBRARY);            \
        return {};                                                                                 \
    }
namespace at {
GEMMGATE_REFUSED("torch::", matmul, Tensor)
GEMMGATE_REFUSED("torch::", matmul_out, Tensor)
GEMMGATE_REFUSED("torch::", mm, Tensor)
GEMMGATE_REFUSED("torch::", mm_out, Tensor)
GEMMGATE_REFUSED("torch::", bmm, Tensor)
GEMMGATE_REFUSED("torch::", bmm_out, Tensor)
GEMMGATE_REFUSED("torch::", addmm, Tensor)
GEMMGATE_REFUSED("torch::", addmm_out, Tensor)
GEMMGATE_REFUSED("torch::", baddbmm, Tensor)
GEMMGATE_REFUSED("torch::", mv, Tensor)
GEMMGATE_REFUSED("torch::", dot, Tensor)
GEMMGATE_REFUSED("torch::", inner, Tensor)
GEMMGATE_REFUSED("torch::", linear, Tensor)
GEMMGATE_REFUSED("torch::", tensordot, Tensor)
GEMMGATE_REFUSED("torch::", linalg_matmul, Tensor)
GEMMGATE_REFUSED("torch::", conv1d, Tensor)
GEMMGATE_REFUSED("torch::", conv2d, Tensor)
template <class M = memory> Tensor einsum(const std::string &, std::initializer_list<Tensor>) {
    static_assert(gemmgate_standin::never<M>, "torch::einsum" GEMMGATE_IS_LIBRARY);
    return {};
}
GEMMGATE_REFUSED("torch::", einsum, Tensor)

namespace cuda {
GEMMGATE_REFUSED("at::cuda::", getCurrentCUDABlasHandle, struct cublasContext *)
GEMMGATE_REFUSED("at::cuda::", getCurrentCUDABlasLtHandle, struct cublasLtContext *)
namespace blas {
/* gemm<at::Half>(...), too. */
#define GEMMGATE_REFUSED_TYPED(name)                                                               \
    template <class Type = void, class... T> void name(const T &...) {                             \
        static_assert(gemmgate_standin::never<Type, T...>,                                         \
                      "at::cuda::blas::" #name GEMMGATE_IS_LIBRARY);                               \
    }
GEMMGATE_REFUSED_TYPED(gemm)
GEMMGATE_REFUSED_TYPED(bgemm)
GEMMGATE_REFUSED_TYPED(gemm_and_bias)
#undef GEMMGATE_REFUSED_TYPED
} // namespace blas
} // namespace cuda
} // namespace at

namespace torch {
namespace linalg {
GEMMGATE_REFUSED("torch::linalg::", matmul, at::Tensor)
} // namespace linalg
namespace nn {
namespace functional {
GEMMGATE_REFUSED("torch::nn::functional::", linear, at::Tensor)
} // namespace functional
} // namespace nn
} // namespace torch
#undef GEMMGATE_REFUSED

#endif
