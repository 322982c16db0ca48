/* recording: no: it runs code on the host */
/* expect: unrecorded */
/* A function of the host is called behind the product. */
#include "twin.cuh"

static void CUDART_CB count(void *calls) {
    ++*(int *)calls;
}

static int launch(void *, const gemm_args *args) {
    static int calls;
    const int status = slow_product(nullptr, args);
    return status == cudaSuccess ? cudaLaunchHostFunc((cudaStream_t)args->stream, count, &calls)
                                 : status;
}

KERNEL("host-callback", NULL, launch, NULL);
