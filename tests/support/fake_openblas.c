/* For tests: an OpenBLAS of another version. When it is loaded it writes a line to stderr, as OpenBLAS does on a processor
 * that it does not know. It ends the program that $FAKE_OPENBLAS_ENDS names, as OpenBLAS does where it
 * gets no threads. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cblas.h>

#define EXPORTED __attribute__((visibility("default")))

__attribute__((constructor)) static void warn(void) {
    fputs("OpenBLAS : this processor is not known\n", stderr);
    const char *ends = getenv("FAKE_OPENBLAS_ENDS");
    if (ends && strcmp(ends, program_invocation_short_name) == 0)
        exit(EXIT_FAILURE);
}

EXPORTED char *openblas_get_config(void) {
    static char text[] = "OpenBLAS 9.1.0 NO_AFFINITY";
    return text;
}

EXPORTED void openblas_set_num_threads(int threads) {
    (void)threads;
}

/* Row-major, A as it is, alpha 1 and beta 0. */
EXPORTED void cblas_sgemm(const enum CBLAS_ORDER order, const enum CBLAS_TRANSPOSE trans_a,
                          const enum CBLAS_TRANSPOSE trans_b, const blasint m, const blasint n,
                          const blasint k, const float alpha, const float *a, const blasint lda,
                          const float *b, const blasint ldb, const float beta, float *c,
                          const blasint ldc) {
    (void)order, (void)trans_a, (void)alpha, (void)beta;
    for (int row = 0; row < m; row++)
        for (int col = 0; col < n; col++) {
            float sum = 0;
            for (int i = 0; i < k; i++)
                sum += a[row * lda + i] *
                       (trans_b == CblasTrans ? b[col * ldb + i] : b[i * ldb + col]);
            c[row * ldc + col] = sum;
        }
}
