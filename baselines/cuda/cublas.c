/* The baselines that are one call of cuBLAS: cublas and torch-matmul are a cublasGemmEx, cublas-gemv
 * is a product of matrix and vector.
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

/* The products of matrix and vector of 16-bit floats that are summed in f32: of binary16 and of
 * bfloat16. cublas_v2.h declares them to C++ alone, with __half and __nv_bfloat16. */
#define GEMV(name)                                                                                 \
    cublasStatus_t name(cublasHandle_t handle, cublasOperation_t trans, int m, int n,              \
                        const float *alpha, const void *a, int lda, long long a_stride,            \
                        const void *x, int x_step, long long x_stride, const float *beta, void *y, \
                        int y_step, long long y_stride, int count)
GEMV(cublasHSHgemvStridedBatched);
GEMV(cublasTSTgemvStridedBatched);

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

static int follow_stream(struct state *state, cudaStream_t stream) {
    return stream == state->stream ? 0 : set_stream(state, stream);
}

/* C = A*B; tn: B is the column-major copy. */
static int multiply(void *opaque, const struct gemm_args *args, bool tn,
                    cublasGemmAlgo_t algorithm) {
    struct state *state = opaque;
    const struct gemm_problem *p = &args->problem;
    const cudaDataType_t type = status_type(p);
    int m = (int)p->m, n = (int)p->n, k = (int)p->k;
    const int status = follow_stream(state, args->stream);
    if (status != 0)
        return status;
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

/* cublas-gemv: C's only row is B^T times A's. There is no such call that sums in binary16. */
static int is_vector(const struct gemm_problem *problem) {
    return problem->m == 1;
}

/* As above, B is column-major with n rows, or as its other copy with k rows, transposed. */
static int multiply_vector(void *opaque, const struct gemm_args *args, bool tn) {
    struct state *state = opaque;
    const struct gemm_problem *p = &args->problem;
    const int n = (int)p->n, k = (int)p->k, rows = tn ? k : n, columns = tn ? n : k;
    const int status = follow_stream(state, args->stream);
    if (status != 0)
        return status;
    return status_of_cublas((p->element == GEMM_ELEMENT_BF16 ? cublasTSTgemvStridedBatched
                                                             : cublasHSHgemvStridedBatched)(
        state->handle, tn ? CUBLAS_OP_T : CUBLAS_OP_N, rows, columns, status_one(GEMM_F32),
        tn ? args->b_col : args->b_row, rows, 0, args->a, 1, 0, status_zero(GEMM_F32), args->c, 1,
        0, 1));
}

static int vector_nn(void *state, const struct gemm_args *args) {
    return multiply_vector(state, args, false);
}

static int vector_tn(void *state, const struct gemm_args *args) {
    return multiply_vector(state, args, true);
}

enum { EITHER = GEMM_F16 | GEMM_F32 };
#define CUBLAS(called, sums, serves, prepare, call)                                                \
    {                                                                                              \
        .ops = {STATUS_OPS(sums), .name = (called), .can_do = (serves), .setup = (prepare),        \
                .launch = (call)},                                                                 \
        .forget = forget,                                                                          \
    }

const struct baseline baseline_torch_matmul =
    CUBLAS("torch-matmul", EITHER, NULL, torch_setup, torch_launch);
const struct baseline baseline_cublas_nn =
    CUBLAS("cublas-nn", EITHER, NULL, default_setup, default_nn);
const struct baseline baseline_cublas_tn =
    CUBLAS("cublas-tn", EITHER, NULL, default_setup, default_tn);
const struct baseline baseline_cublas_gemv_nn =
    CUBLAS("cublas-gemv-nn", GEMM_F32, is_vector, default_setup, vector_nn);
const struct baseline baseline_cublas_gemv_tn =
    CUBLAS("cublas-gemv-tn", GEMM_F32, is_vector, default_setup, vector_tn);
