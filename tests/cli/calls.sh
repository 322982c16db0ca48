#!/usr/bin/env bash
# Functions that know nothing of gemmgate are kernels by an expression in gemmgate.ini: of a C
# source and of a CUDA source. The line of an expression that is wrong is named.
# Covers: candidates/build candidates/set tests/cli/calls.sh
. "$(dirname "$0")/lib.sh"

# Two products of one file, of other signatures: one gives C row-major and a status, one gives C column-major.
mkdir -p set/theirs
cat >set/theirs/gemm.c <<END
#include <stddef.h>
#include "half.h"
#define STEP 1
int row_major(size_t m, size_t n, size_t k, const float *alpha, const uint16_t *a, size_t lda, const uint16_t *b,
              size_t ldb, uint16_t *c, size_t ldc) {
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++) {
            float sum = 0;
            for (size_t l = 0; l < k; l += STEP)
                sum += half_widen(a[i * lda + l]) * half_widen(b[l * ldb + j]);
            c[i * ldc + j] = half_narrow(*alpha * sum);
        }
    return m == 33 ? 7 : 0;
}
enum status { FINE, BAD };
enum status enumerated(int m, int n, int k, const uint16_t *a, const uint16_t *b, uint16_t *c) {
    const float one = 1;
    return row_major(m, n, k, &one, a, k, b, n, c, n) ? BAD : FINE;
}
/* A m x k and B k x n, both with k contiguous; C column-major. The sums wait in scratch memory. */
void column_major(int m, int n, int k, uint16_t *a, uint16_t *b, uint16_t *c, float *scratch, int steps) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            scratch[i] = 0;
            for (int l = 0; l < k / steps * steps; l++)
                scratch[i] += half_widen(a[i * k + l]) * half_widen(b[j * k + l]);
            c[j * m + i] = half_narrow(scratch[i]);
        }
}
END
cp "$SOURCE/candidates/examples/host/half.h" set/theirs/
cp "$SOURCE/candidates/examples/host/half.h" set/
cat >set/gemmgate.ini <<END
[set]
name = theirs
accumulate = f32
file_is = wrong
END
checked() { # SHAPE KERNEL: outcome and detail of the check
    grep "^${1//x/,},$2,$2," RUN/checks.csv | cut -d, -f6-7
}
check() { # SHAPES
    rm -rf RUN
    expect 0 "$GEMMGATE" check --fail-on nothing --device host --shapes "$1" --baselines openblas-nn --candidates set -o RUN
}
expect 2 "$GEMMGATE" list candidates set
says "gemmgate.ini:4: 'file_is' is no key of [set]"
cat >set/gemmgate.ini <<END
; what the functions of two files are
[set]
name = theirs
accumulate = f32

[kernel rows]
file = theirs/gemm.c
call = row_major(m, n, k, &one, a, k,
call =           b_row, n, c, n)
can_do = m % STEP == 0 && k < 100

[kernel enumerated]
file = theirs/gemm.c
call = enumerated(m, n, k, a, b_row, c)

[kernel columns]  ; B^T A^T is C^T
file = theirs/gemm.c
call = column_major(n, m, k, b_col, a, c, workspace, 4)
tile = 1x1x4
workspace = 4 * n

[kernel wrong]
file = theirs/gemm.c
call = column_major(n, m, k, b_col, a, c, workspace, 4)
workspace = 4 * n

[kernel none]
file = theirs/gemm.c

call =   row_major(m, n, k, &one, a, k,
call =                 b_rows, n, c, n)

[kernel undeclared]
file = theirs/gemm.c
call = columns_major(n, m, k)

[kernel open]
file = theirs/gemm.c
call = row_major(m, n, k, &one, (a, k, b_row, n, c, n)

[kernel large]
file = theirs/gemm.c
call = column_major(n, m, k, b_col, a, c, workspace, 4)
workspace = 1000000000000 * n
END
expect 0 "$GEMMGATE" list candidates set
[ "$(grep -c 'theirs/gemm.c' out)" = 8 ] || { cat out >&2; fail 'not eight kernels'; }
[ "$(awk '$2 == "theirs/gemm.c" { print $NF }' out | sort -u | wc -l)" = 8 ] || fail 'two calls have one hash'
check 34x17x66,33x16x64,8x8x128
for row in 34x17x66=rows=ok 34x17x66=columns=ok 33x16x64=rows=launch-failed 33x16x64=columns=ok \
    34x17x66=enumerated=ok 33x16x64=enumerated=launch-failed \
    8x8x128=rows=unsupported 8x8x128=columns=ok 34x17x66=wrong=inexact 33x16x64=wrong=ok \
    34x17x66=none=no-compile 34x17x66=undeclared=no-compile 34x17x66=open=no-compile 34x17x66=large=setup-failed; do
    IFS='=' read -r shape kernel outcome <<<"$row"
    got=$(checked "$shape" "$kernel")
    [ "${got%%,*}" = "$outcome" ] || fail "$shape of $kernel is not $outcome but $got"
done
grep -q 'its call gave a status (status 7)' RUN/checks.csv || fail 'the status is not told'
grep -q "gemmgate.ini:$(grep -n b_rows set/gemmgate.ini | cut -d: -f1):.*b_rows" RUN/checks.csv ||
    fail 'the line of a wrong expression is not named'
grep -q "gemmgate.ini:$(grep -n columns_major set/gemmgate.ini | cut -d: -f1):.*columns_major" RUN/checks.csv ||
    fail 'the line of an undeclared function is not named'
grep -q "gemmgate.ini:$(grep -n '(a, k, b_row' set/gemmgate.ini | cut -d: -f1):" RUN/checks.csv ||
    fail 'the line of an open bracket is not named'
grep -q 'it wants a workspace of 17000000000000 bytes' RUN/checks.csv || fail 'the workspace has no limit'

# What reads C, if only times 0, makes NaN of the NaN there; where the set says so C is finite, and what is not
# written is still seen, in a check and while it is timed.
mkdir reads
cp set/half.h reads/
cat >reads/gemm.c <<END
#include <stddef.h>
#include "half.h"
static int calls;
void scaled(size_t m, size_t n, size_t k, const uint16_t *a, const uint16_t *b, float beta, uint16_t *c, int most) {
    calls++;
    for (size_t i = 0; calls <= most && i < m; i++)
        for (size_t j = 0; j < n; j++) {
            float sum = beta * half_widen(c[i * n + j]);
            for (size_t l = 0; l < k; l++)
                sum += half_widen(a[i * k + l]) * half_widen(b[l * n + j]);
            c[i * n + j] = half_narrow(sum);
        }
}
END
cat >reads/gemmgate.ini <<END
[set]
accumulate = f32
[kernel nan]
file = gemm.c
call = scaled(m, n, k, a, b_row, zero, c, 1000000000)
[kernel right]
file = gemm.c
reads_c = yes
call = scaled(m, n, k, a, b_row, zero, c, 1000000000)
[kernel skips]
file = gemm.c
reads_c = yes
call = scaled(m, n, k, a, b_row, zero, c, 0)
[kernel tires]
file = gemm.c
reads_c = yes
call = scaled(m, n, k, a, b_row, zero, c, 20)
END
rm -rf RUN
expect 0 "$GEMMGATE" run --device host --shapes 32x32x32 --baselines openblas-nn --candidates reads --warmup 0 \
    --duration 0.1 --visits 1 -o RUN
for row in nan=nan right=ok skips=inexact tires=replayed; do
    grep -q "^32,32,32,${row%=*},${row%=*},${row#*=}," RUN/checks.csv || { cat RUN/checks.csv >&2; fail "not $row"; }
done
grep -q 'reads_c = yes in gemmgate.ini allows that' RUN/checks.csv || fail 'it is not said why C is NaN'
grep -q 'right,ok.*C held 65504 before each call' RUN/checks.csv || fail 'it is not said what C held'

# Threads of OpenMP, which spin between calls where they are told to, are not taken for threads that work ahead.
mkdir openmp
cp set/half.h openmp/
cat >openmp/gemm.c <<END
#include <stddef.h>
#include "half.h"
void shared(int m, int n, int k, const uint16_t *a, const uint16_t *b, uint16_t *c) {
#pragma omp parallel for
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0;
            for (int l = 0; l < k; l++)
                sum += half_widen(a[i * k + l]) * half_widen(b[j * k + l]);
            c[i * n + j] = half_narrow(sum);
        }
}
END
cat >openmp/gemmgate.ini <<END
[set]
accumulate = f32
flags = -fopenmp
[kernel shared]
file = gemm.c
call = shared(m, n, k, a, b_col, c)
END
if echo 'int main(void) { return 0; }' | ${CC:-cc} -fopenmp -x c - -o probe 2>/dev/null; then
    rm -rf RUN
    OMP_NUM_THREADS=2 OMP_WAIT_POLICY=active expect 0 "$GEMMGATE" run --device host --shapes 192x160x320 --baselines openblas-nn \
        --candidates openmp --warmup 0.1 --duration 0.6 --visits 2 -o RUN
    grep -q '^192,160,320,shared,shared,ok,' RUN/checks.csv || { cat RUN/checks.csv >&2; fail 'a kernel on OpenMP is accused'; }
fi

# What cannot be right is refused before anything is compiled.
cp set/theirs/gemm.c gemm.c
while IFS='|' read -r text words; do
    rm -rf bad
    mkdir bad
    cp gemm.c bad/
    touch bad/gemm.cu bad/libgemm.so
    printf %b "$text" >bad/gemmgate.ini
    expect 2 "$GEMMGATE" list candidates bad
    says "$words"
done <<'END'
[set]\npattern = *.c\ncall = f(a)\n|gemmgate.ini:3: call needs accumulate, f16 or f32
[set]\naccumulate = f32\n[kernel x]\nfile = gemm.c\n|gemmgate.ini:3: [kernel x] has no call
[set]\naccumulate = f32\n[kernel x]\ncall = f(a)\n|gemmgate.ini:3: [kernel x] has no file
[kernel x]\naccumulate = f64\n|gemmgate.ini:2: accumulate is 'f64', and f16 or f32 is wanted
[kernel x]\npattern = *.c\n|gemmgate.ini:2: 'pattern' is no key of [kernel x], which has file, call, accumulate,
[kernel x y]\n|gemmgate.ini:1: 'x y' is no kernel's name
[kernel x]\ntile = 16x16\n|gemmgate.ini:2: tile is '16x16', and MxNxK
[kernel x]\nreads_c = maybe\n|gemmgate.ini:2: reads_c is 'maybe', and yes or no is wanted
[kernel x]\ndevice = tpu\n|gemmgate.ini:2: device is 'tpu', and host or cuda is wanted
[kernel x]\ndeclare = int f(int)\n|gemmgate.ini:2: 'declare' is no key of [kernel x]
[kernel x]\naccumulate = f32\nfile = gemm.cc\ncall = f(a)\n|gemmgate.ini:1: gemm.cc is no .cu, .c or .so file
[kernel x]\naccumulate = f32\nfile = none.c\ncall = f(a)\n|none.c: No such file
[kernel x]\naccumulate = f32\nfile = libgemm.so\ncall = f(a)\n|gemmgate.ini:4: libgemm.so: call is for sources; a library that exports gemmgate_kernel is a kernel as it is
[kernel x]\naccumulate = f32\nfile = gemm.cu\ndevice = host\ncall = f(a)\n|gemmgate.ini:5: gemm.cu is a CUDA source, and device is host
[kernel x]\naccumulate = f32\nfile = gemm.c\ncall = f(a)\n[set]\n|gemmgate.ini:5: [set] is to stand before the kernels
[set]\ncan_do = m > 1\n|can_do, tile, workspace and device go with call
[set]\npattern = *.c\n[kernel x]\naccumulate = f32\nfile = gemm.c\ncall = f(a)\n|pattern is for sets without [kernel NAME]
[kernel x]\naccumulate = f32\nfile = gemm.c\ncall = f(a)\n[kernel x]\naccumulate = f32\nfile = gemm.c\ncall = f(b)\n|are two kernels for one name
END

# CUDA: one and zero are whatever is wanted, by value and by pointer; tensors; a status of CUDA's.
nvcc=$(command -v nvcc || true)
[ -n "$nvcc" ] || { [ ! -x /usr/local/cuda/bin/nvcc ] || nvcc=/usr/local/cuda/bin/nvcc; }
if [ -n "$nvcc" ]; then
    mkdir cuda
    cat >cuda/gemm.cu <<END
#include <cuda_fp16.h>
#include <torch/extension.h>
#include <cuda_bf16.h>
template <typename T> void scaled(size_t m, T const *alpha, T const *a, float const *beta, T *c, cudaStream_t stream);
template <> void scaled<half>(size_t, half const *alpha, half const *a, float const *beta, half *c, cudaStream_t stream) {
    cudaMemcpyAsync(c, a, 2, cudaMemcpyDeviceToDevice, stream);
}
cudaError_t plain(__nv_bfloat16 *a, void *b, int m, float alpha, double beta) { return cudaErrorInvalidValue; }
void tensors(torch::Tensor a, torch::Tensor b, torch::Tensor c, int stages, bool swizzle) {}
END
    cat >cuda/gemmgate.ini <<END
[set]
accumulate = f32
[kernel scaled]
file = gemm.cu
call = scaled<half>(m, &one, a, &zero, c, stream)
can_do = m % 16 == 0 && n < 4096
workspace = m * n * sizeof(float)
[kernel plain]
file = gemm.cu
call = plain((__nv_bfloat16 *)a, workspace, m, one, zero)
[kernel tensors]
file = gemm.cu
call = tensors(tensor(a, m, k), tensor(b_col, k, n), tensor(c, m, n), 3, true)
[kernel bad]
file = gemm.cu
call = plane(a)
END
    NVCC=$nvcc expect 0 "$GEMMGATE" build --candidates cuda --arch 80
    grep -q '^3 of 4 compiled' out || { cat out >&2; fail 'the CUDA source is not compiled'; }
    grep -q '^bad  *failed .*' out || fail 'it is not the bad one that fails'
    grep -q 'gemmgate.ini(16): error: identifier "plane" is undefined' out || { cat out >&2; fail 'no line of the ini'; }
fi
echo ok
