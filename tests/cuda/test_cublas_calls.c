/* What the baselines of cuBLAS ask of it: the library is a stand-in that multiplies column-major matrices, so
 * that no GPU is needed. */
#include <stdbool.h>

#include <cublas_v2.h>

#include "baselines/baselines.h"
#include "bench/base/element.h"
#include "correctness/numbers/element_bits.h"
#include "correctness/numbers/number16.h"
#include "tests/support/test.h"

enum { MOST = 8 };

static enum element element;
static int handle;

cublasStatus_t cublasCreate_v2(cublasHandle_t *made) {
    *made = (cublasHandle_t)&handle;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetMathMode(cublasHandle_t with, cublasMath_t mode) {
    return with && mode == CUBLAS_DEFAULT_MATH ? CUBLAS_STATUS_SUCCESS
                                               : CUBLAS_STATUS_INVALID_VALUE;
}

cublasStatus_t cublasSetStream_v2(cublasHandle_t with, cudaStream_t stream) {
    (void)stream;
    return with ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}

cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t with, void *memory, size_t bytes) {
    return with && !memory == !bytes ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}

const char *cublasGetStatusString(cublasStatus_t status) {
    (void)status;
    return "a stand-in's";
}

/* The element of op(A), A being column-major. */
static float at(const uint16_t *a, int ld, cublasOperation_t op, int row, int column) {
    return number16_to_float(element, a[op == CUBLAS_OP_N ? column * ld + row : row * ld + column]);
}

cublasStatus_t cublasGemmEx(cublasHandle_t with, cublasOperation_t op_a, cublasOperation_t op_b,
                            int m, int n, int k, const void *alpha, const void *a,
                            cudaDataType a_type, int a_ld, const void *b, cudaDataType b_type,
                            int b_ld, const void *beta, void *c, cudaDataType c_type, int c_ld,
                            cublasComputeType_t type, cublasGemmAlgo_t algorithm) {
    const cudaDataType wanted = element == ELEMENT_BF16 ? CUDA_R_16BF : CUDA_R_16F;
    if (with != (cublasHandle_t)&handle || a_type != wanted || b_type != wanted ||
        c_type != wanted || type != CUBLAS_COMPUTE_32F || algorithm != CUBLAS_GEMM_DEFAULT ||
        *(const float *)alpha != 1 || *(const float *)beta != 0)
        return CUBLAS_STATUS_INVALID_VALUE;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0;
            for (int l = 0; l < k; l++)
                sum += at(a, a_ld, op_a, i, l) * at(b, b_ld, op_b, l, j);
            ((uint16_t *)c)[j * c_ld + i] = number16_from_float(element, sum);
        }
    return CUBLAS_STATUS_SUCCESS;
}

/* y = op(A) x, where A has m rows and n columns. */
static cublasStatus_t multiply(enum element of, cublasOperation_t op, int m, int n,
                               const float *alpha, const void *a, int ld, const void *x,
                               const float *beta, uint16_t *y, int count) {
    const int rows = op == CUBLAS_OP_N ? m : n, columns = op == CUBLAS_OP_N ? n : m;
    if (of != element || *alpha != 1 || *beta != 0 || ld < m || count != 1)
        return CUBLAS_STATUS_INVALID_VALUE;
    for (int i = 0; i < rows; i++) {
        float sum = 0;
        for (int l = 0; l < columns; l++)
            sum += at(a, ld, op, i, l) * number16_to_float(element, ((const uint16_t *)x)[l]);
        y[i] = number16_from_float(element, sum);
    }
    return CUBLAS_STATUS_SUCCESS;
}

#define GEMV(name, of)                                                                             \
    cublasStatus_t name(cublasHandle_t with, cublasOperation_t op, int m, int n,                   \
                        const float *alpha, const void *a, int ld, long long a_stride,             \
                        const void *x, int x_step, long long x_stride, const float *beta, void *y, \
                        int y_step, long long y_stride, int count);                                \
    cublasStatus_t name(cublasHandle_t with, cublasOperation_t op, int m, int n,                   \
                        const float *alpha, const void *a, int ld, long long a_stride,             \
                        const void *x, int x_step, long long x_stride, const float *beta, void *y, \
                        int y_step, long long y_stride, int count) {                               \
        (void)a_stride, (void)x_stride, (void)y_stride;                                            \
        return with && x_step == 1 && y_step == 1                                                  \
                   ? multiply(of, op, m, n, alpha, a, ld, x, beta, y, count)                       \
                   : CUBLAS_STATUS_INVALID_VALUE;                                                  \
    }
GEMV(cublasHSHgemvStridedBatched, ELEMENT_F16)
GEMV(cublasTSTgemvStridedBatched, ELEMENT_BF16)

/* Small whole numbers, no two rows or columns alike; the copy that is not read is NaN. */
static void check(const struct baseline *baseline, bool tn, int m, int n, int k) {
    uint16_t a[MOST * MOST], row[MOST * MOST], col[MOST * MOST], c[MOST * MOST];
    void *state;
    for (int i = 0; i < MOST * MOST; i++)
        row[i] = col[i] = ELEMENT_NAN;
    for (int i = 0; i < m * k; i++)
        a[i] = number16_from_float(element, (float)(i % 5 - 2));
    for (int l = 0; l < k; l++)
        for (int j = 0; j < n; j++)
            *(tn ? &col[j * k + l] : &row[l * n + j]) =
                number16_from_float(element, (float)((3 * l + j) % 7 - 3));
    const struct gemm_args args = {
        .problem = {m, n, k, GEMM_F32, 1 << element}, .a = a, .b_row = row, .b_col = col, .c = c};
    assert_true(!baseline->ops.can_do || baseline->ops.can_do(&args.problem));
    assert_int_equal(baseline->ops.setup(&args.problem, 0, &state), 0);
    assert_int_equal(baseline->ops.launch(state, &args), 0);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0;
            for (int l = 0; l < k; l++)
                sum += (float)((i * k + l) % 5 - 2) * (float)((3 * l + j) % 7 - 3);
            assert_true(number16_to_float(element, c[i * n + j]) == sum);
        }
}

TEST(each_asks_for_the_product_of_the_copy_that_it_names) {
    for (int e = 0; e < ELEMENT_COUNT; e++) {
        element = (enum element)e;
        check(&baseline_cublas_nn, false, 3, 5, 7);
        check(&baseline_cublas_tn, true, 3, 5, 7);
        check(&baseline_cublas_gemv_nn, false, 1, 5, 7);
        check(&baseline_cublas_gemv_tn, true, 1, 5, 7);
        check(&baseline_cublas_gemv_nn, false, 1, 8, 3);
        check(&baseline_cublas_gemv_tn, true, 1, 8, 3);
    }
}

TEST(a_vector_is_multiplied_by_one_row_alone) {
    const struct gemm_problem two = {2, 5, 7, GEMM_F32, GEMM_ELEMENT_F16};
    assert_int_equal(baseline_cublas_gemv_nn.ops.can_do(&two), 0);
    assert_int_equal(baseline_cublas_gemv_tn.ops.can_do(&two), 0);
    assert_int_equal(baseline_cublas_gemv_tn.ops.accumulate, GEMM_F32);
}
