/* cublas-autotune-nn and -tn: cublasGemmEx with CUBLAS_GEMM_AUTOTUNE. cuBLAS times algorithms in
 * the first call of a problem and keeps its choice in the handle. That call is setup's, so that it
 * is not timed. It gets operands of its own: it may leave a wrong C. */
#include "baselines/baselines.h"
#include "baselines/cuda/cublas.h"

/* Of cuBLAS 13.1. Headers before it lack the name, and a release before it refuses the number. */
#define GEMM_AUTOTUNE ((cublasGemmAlgo_t)999)

/* A half of 0x2c2c is 0.065: small enough for sums of any k. */
#define EVERY_BYTE 0x2c

static size_t half_bytes(int64_t rows, int64_t columns) {
    return 2 * (size_t)rows * (size_t)columns;
}

/* One call into a C that nobody reads. a, b and c lie behind each other, each on 256 bytes. */
static int choose(void *state, const struct gemm_problem *p, bool tn) {
    const size_t line = 256;
    const size_t a = (half_bytes(p->m, p->k) + line - 1) / line * line;
    const size_t b = (half_bytes(p->k, p->n) + line - 1) / line * line;
    const size_t all = a + b + half_bytes(p->m, p->n);
    char *memory = NULL;
    int status = status_of_cuda(cudaMalloc((void **)&memory, all));
    if (status == 0)
        status = status_of_cuda(cudaMemset(memory, EVERY_BYTE, all));
    if (status == 0) {
        const struct gemm_args args = {.problem = *p,
                                       .a = memory,
                                       .b_row = memory + a,
                                       .b_col = memory + a,
                                       .c = memory + a + b};
        status = cublas_multiply(state, &args, tn, GEMM_AUTOTUNE);
        if (status == status_of_cublas(CUBLAS_STATUS_INVALID_VALUE) ||
            status == status_of_cublas(CUBLAS_STATUS_NOT_SUPPORTED))
            status = STATUS_NO_AUTOTUNE;
    }
    if (status == 0)
        status = status_of_cuda(cudaDeviceSynchronize());
    const int freed = status_of_cuda(cudaFree(memory));
    return status ? status : freed;
}

static int autotune_setup(const struct gemm_problem *problem, size_t workspace_bytes, bool tn,
                          void **state) {
    int status = cublas_setup(workspace_bytes, CUBLAS_DEFAULT_MATH, state);
    if (status != 0)
        return status;
    status = choose(*state, problem, tn);
    if (status != 0) {
        cublas_teardown(*state);
        *state = NULL;
    }
    return status;
}

static int setup_nn(const struct gemm_problem *problem, size_t workspace_bytes, void **state) {
    return autotune_setup(problem, workspace_bytes, false, state);
}

static int setup_tn(const struct gemm_problem *problem, size_t workspace_bytes, void **state) {
    return autotune_setup(problem, workspace_bytes, true, state);
}

static int launch_nn(void *state, const struct gemm_args *args) {
    return cublas_multiply(state, args, false, GEMM_AUTOTUNE);
}

static int launch_tn(void *state, const struct gemm_args *args) {
    return cublas_multiply(state, args, true, GEMM_AUTOTUNE);
}

#define AUTOTUNE(layout)                                                                           \
    {                                                                                              \
        .ops =                                                                                     \
            {                                                                                      \
                .abi = GEMMGATE_ABI,                                                               \
                .name = "cublas-autotune-" #layout,                                                \
                .device = GEMM_CUDA,                                                               \
                .accumulate = GEMM_F16 | GEMM_F32,                                                 \
                .can_do = status_fits_int,                                                         \
                .setup = setup_##layout,                                                           \
                .launch = launch_##layout,                                                         \
                .teardown = cublas_teardown,                                                       \
                .explain = status_explain,                                                         \
                .elements = GEMM_ELEMENT_F16 | GEMM_ELEMENT_BF16,                                  \
            },                                                                                     \
        .forget = cublas_forget, .optional = true,                                                 \
    }

const struct baseline baseline_cublas_autotune_nn = AUTOTUNE(nn);
const struct baseline baseline_cublas_autotune_tn = AUTOTUNE(tn);
