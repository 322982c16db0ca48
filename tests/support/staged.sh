# Shared by the scripts of tests/cli that try the stage, behind lib.sh: a runner whose GPU is the host, a set `right` of one kernel
# that is, and what its rows are read by. What is recorded of a kernel is its library (tests/support/fake_recording.h).
use_runner "${FAKE_GPU_RUNNER:?a runner whose GPU is the host}"
mkdir right
cp "$SOURCE"/candidates/examples/host/half.h right
cat >right/product.h <<'END'
#include <gemmgate.h>
#include <stdlib.h>
#include <unistd.h>
#include "half.h"
static int product(void *state, const struct gemm_args *args) {
    const uint16_t *a = args->a, *b = args->b_col;
    const struct gemm_problem p = args->problem;
    (void)state;
    for (int64_t i = 0; i < p.m; i++)
        for (int64_t j = 0; j < p.n; j++) {
            float sum = 0;
            for (int64_t l = 0; l < p.k; l++)
                sum += half_widen(a[i * p.k + l]) * half_widen(b[j * p.k + l]);
            ((uint16_t *)args->c)[i * p.n + j] = half_narrow(sum);
        }
    return 0;
}
static int calls; /* on the stage, since the library was loaded */
/* Later than all that the check of a recording sees, but in every visit. */
static inline int late(void) { return ++calls > 32; }
#define KERNEL(word, ...) GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {.abi = GEMMGATE_ABI, \
    .name = word, .device = GEMM_CUDA, .accumulate = GEMM_F32, .launch = product, __VA_ARGS__};
END
printf '#include "product.h"\nKERNEL("right")\n' >right/right.c
# shellcheck disable=SC2034 # of those who read this file
run=(run --device cuda --no-sandbox --baselines cublas-nn --warmup 0.01 --duration 0.4)
field() { # FILE KERNEL COLUMN: of the kernel's rows, which have no quoted commas before it
    awk -F, -v kernel="$2" -v name="$3" 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } $c["kernel"] == kernel { print $c[name] }' "$1" | paste -sd,
}
# lenses RUN KERNEL: by which it is timed, shape by shape.
lenses() { awk -F, -v kernel="$2" '$5 == kernel { print $1 "x" $2 "x" $3, $7 }' "$1/times.csv" | sort -u | awk '{ print $2 }' | paste -sd,; }
