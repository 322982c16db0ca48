/* cublas-nn and cublas-tn: cublasGemmEx with default math and the default algorithm.
 *
 * The operands are row-major and cuBLAS is column-major, so it is asked for C^T = B^T A^T: a
 * row-major array is the transpose of the column-major one with the same bytes. b_row is then plain
 * (N) with leading dimension n, b_col is transposed (T) with leading dimension k. */
#include "baselines/cuda/cublas.h"

#include <stdlib.h>

#include "baselines/baselines.h"

struct state {
    const struct cublas_api *api;
    cublasHandle_t handle;
    void *workspace;
    size_t workspace_bytes;
    cudaStream_t stream;
};

void cublas_teardown(void *opaque) {
    struct state *state = opaque;
    if (!state)
        return;
    if (state->handle)
        state->api->cublasDestroy_v2(state->handle);
    cudaFree(state->workspace);
    free(state);
}

int cublas_forget(void *opaque) {
    const struct state *state = opaque;
    return state->workspace ? status_of_cuda(cudaMemsetAsync(state->workspace, 0,
                                                             state->workspace_bytes, state->stream))
                            : 0;
}

/* Setting the stream also resets the workspace to cuBLAS's own: the two go together. */
static int set_stream(struct state *state, cudaStream_t stream) {
    cublasStatus_t status = state->api->cublasSetStream_v2(state->handle, stream);
    if (status == CUBLAS_STATUS_SUCCESS)
        status = state->api->cublasSetWorkspace_v2(state->handle, state->workspace,
                                                   state->workspace_bytes);
    state->stream = stream;
    return status_of_cublas(status);
}

int cublas_setup(size_t workspace_bytes, cublasMath_t math, void **result) {
    struct state *state = calloc(1, sizeof *state);
    if (!state)
        return STATUS_NO_MEMORY;
    state->api = cublas_api_of(result);
    int status = status_of_cublas(state->api->cublasCreate_v2(&state->handle));
    state->workspace_bytes = workspace_bytes;
    if (status == 0 && workspace_bytes)
        status = status_of_cuda(cudaMalloc(&state->workspace, workspace_bytes));
    if (status == 0)
        status = status_of_cublas(state->api->cublasSetMathMode(state->handle, math));
    if (status == 0)
        status = set_stream(state, NULL);
    if (status != 0)
        cublas_teardown(state);
    else
        *result = state;
    return status;
}

int cublas_multiply(void *opaque, const struct gemm_args *args, bool tn,
                    cublasGemmAlgo_t algorithm) {
    struct state *state = opaque;
    const struct gemm_problem *p = &args->problem;
    const cudaDataType_t type = status_type(p);
    int m = (int)p->m, n = (int)p->n, k = (int)p->k;
    if (args->stream != state->stream) {
        int status = set_stream(state, args->stream);
        if (status != 0)
            return status;
    }
    return status_of_cublas(state->api->cublasGemmEx(
        state->handle, tn ? CUBLAS_OP_T : CUBLAS_OP_N, CUBLAS_OP_N, n, m, k,
        status_one(p->accumulate), tn ? args->b_col : args->b_row, type, tn ? k : n, args->a, type,
        k, status_zero(p->accumulate), args->c, type, n,
        p->accumulate == GEMM_F16 ? CUBLAS_COMPUTE_16F : CUBLAS_COMPUTE_32F, algorithm));
}

static int default_setup(const struct gemm_problem *problem, size_t workspace_bytes, void **state) {
    (void)problem;
    return cublas_setup(workspace_bytes, CUBLAS_DEFAULT_MATH, state);
}

static int launch_nn(void *state, const struct gemm_args *args) {
    return cublas_multiply(state, args, false, CUBLAS_GEMM_DEFAULT);
}

static int launch_tn(void *state, const struct gemm_args *args) {
    return cublas_multiply(state, args, true, CUBLAS_GEMM_DEFAULT);
}

#define CUBLAS(layout)                                                                             \
    {                                                                                              \
        .ops =                                                                                     \
            {                                                                                      \
                .abi = GEMMGATE_ABI,                                                               \
                .name = "cublas-" #layout,                                                         \
                .device = GEMM_CUDA,                                                               \
                .accumulate = GEMM_F16 | GEMM_F32,                                                 \
                .can_do = status_fits_int,                                                         \
                .setup = default_setup,                                                            \
                .launch = launch_##layout,                                                         \
                .teardown = cublas_teardown,                                                       \
                .explain = status_explain,                                                         \
                .elements = GEMM_ELEMENT_F16 | GEMM_ELEMENT_BF16,                                  \
            },                                                                                     \
        .forget = cublas_forget,                                                                   \
    }

const struct baseline baseline_cublas_nn = CUBLAS(nn);
const struct baseline baseline_cublas_tn = CUBLAS(tn);
