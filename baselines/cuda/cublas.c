/* The baselines that are one cublasGemmEx: cublas and torch-matmul.
 *
 * The operands are row-major and cuBLAS is column-major, so it is asked for C^T = B^T A^T: a
 * row-major array is the transpose of the column-major one with the same bytes. b_row is then plain
 * (N) with leading dimension n, b_col is transposed (T) with leading dimension k. */
#include <stdbool.h>

#include <cublas_v2.h>

#include "baselines/baselines.h"
#include "baselines/cuda/status.h"
#include "baselines/cuda/workspace.h"
#include "bench/base/shape.h"

_Static_assert(SHAPE_MAX_SIZE <= INT32_MAX, "cublasGemmEx takes each size as an int");

/* A handle, and the stream and workspace that it has been given. */
struct state {
    cublasHandle_t handle;
    struct workspace workspace;
    cudaStream_t stream;
};

static int forget(void *opaque) {
    const struct state *state = opaque;
    return workspace_forget(&state->workspace, state->stream);
}

/* Setting the stream also resets the workspace to cuBLAS's own: the two go together. */
static int set_stream(struct state *state, cudaStream_t stream) {
    const struct workspace *workspace = &state->workspace;
    cublasStatus_t status = cublasSetStream_v2(state->handle, stream);
    if (status == CUBLAS_STATUS_SUCCESS)
        status = cublasSetWorkspace_v2(state->handle, workspace->memory, workspace->bytes);
    state->stream = stream;
    return status_of_cublas(status);
}

/* On the legacy default stream. */
static int open_handle(struct state *state) {
    cublasStatus_t status = cublasCreate_v2(&state->handle);
    if (status == CUBLAS_STATUS_SUCCESS)
        status = cublasSetMathMode(state->handle, CUBLAS_DEFAULT_MATH);
    return status == CUBLAS_STATUS_SUCCESS ? set_stream(state, NULL) : status_of_cublas(status);
}

/* One handle for each size of the workspace, which stays until the process ends: to make one takes as long as
 * many calls. */
static int setup(size_t workspace_bytes, void **result) {
    static struct state shared[WORKSPACES];
    struct workspace workspace;
    int status = workspace_take(workspace_bytes, &workspace);
    if (status != 0)
        return status;
    struct state *state = &shared[workspace.number];
    *result = state;
    if (state->handle)
        return 0;
    state->workspace = workspace;
    status = open_handle(state);
    if (status != 0)
        state->handle = NULL;
    return status;
}

/* C = A*B; tn: B is the column-major copy. */
static int multiply(void *opaque, const struct gemm_args *args, bool tn,
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
    return status_of_cublas(cublasGemmEx(
        state->handle, tn ? CUBLAS_OP_T : CUBLAS_OP_N, CUBLAS_OP_N, n, m, k,
        status_one(p->accumulate), tn ? args->b_col : args->b_row, type, tn ? k : n, args->a, type,
        k, status_zero(p->accumulate), args->c, type, n,
        p->accumulate == GEMM_F16 ? CUBLAS_COMPUTE_16F : CUBLAS_COMPUTE_32F, algorithm));
}

static int default_setup(const struct gemm_problem *problem, size_t workspace_bytes, void **state) {
    (void)problem;
    return setup(workspace_bytes, state);
}

static int default_nn(void *state, const struct gemm_args *args) {
    return multiply(state, args, false, CUBLAS_GEMM_DEFAULT);
}

static int default_tn(void *state, const struct gemm_args *args) {
    return multiply(state, args, true, CUBLAS_GEMM_DEFAULT);
}

/* torch-matmul: what torch.matmul of two contiguous half or bfloat16 matrices asks of cuBLAS in
 * PyTorch 2.11 (at::native::addmm_out_cuda_impl -> at::cuda::blas::gemm_internal_cublas<at::Half>
 * or <at::BFloat16>, its default BLAS backend): one cublasGemmEx, B as it is, row-major, algorithm
 * CUBLAS_GEMM_DEFAULT_TENSOR_OP.
 *
 *   accumulate  f32 is PyTorch's default (COMPUTE_32F); f16 is what it does under
 *               torch.backends.cuda.matmul.allow_fp16_accumulation = True (COMPUTE_16F)
 *   math mode   CUBLAS_DEFAULT_MATH: reduced-precision reductions are allowed by default
 *   workspace   PyTorch's own choice, whatever this harness gives the others: 32 MiB on compute
 *               capability 9.0, else 8,320 KiB (":4096:2:16:8", CublasHandlePool.cpp) */
static int torch_setup(const struct gemm_problem *problem, size_t workspace_bytes, void **state) {
    (void)problem;
    (void)workspace_bytes;
    int device, major, minor;
    cudaError_t status = cudaGetDevice(&device);
    if (status == cudaSuccess)
        status = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
    if (status == cudaSuccess)
        status = cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device);
    if (status != cudaSuccess)
        return status;
    const size_t kib = 1024;
    size_t bytes = major == 9 && minor == 0 ? 8 * 4096 * kib : 2 * 4096 * kib + 8 * 16 * kib;
    return setup(bytes, state);
}

static int torch_launch(void *state, const struct gemm_args *args) {
    return multiply(state, args, false, CUBLAS_GEMM_DEFAULT_TENSOR_OP);
}

#define CUBLAS(called, prepare, call)                                                              \
    {                                                                                              \
        .ops = {STATUS_OPS, .name = (called), .setup = (prepare), .launch = (call)},               \
        .forget = forget,                                                                          \
    }

const struct baseline baseline_torch_matmul = CUBLAS("torch-matmul", torch_setup, torch_launch);
const struct baseline baseline_cublas_nn = CUBLAS("cublas-nn", default_setup, default_nn);
const struct baseline baseline_cublas_tn = CUBLAS("cublas-tn", default_setup, default_tn);
