#!/usr/bin/env bash
# A function that keeps addresses is no kernel as it is: those of the operands and of C differ between calls and processes.
# It is one where its expression makes anew in each call what it keeps.
# Covers: bench/runner candidates/set
. "$(dirname "$0")/lib.sh"
use_runner "${FAKE_GPU_RUNNER:?a runner whose GPU is the host}"

mkdir set
cp "$SOURCE/candidates/examples/host/half.h" set
cat >set/kept.c <<'END'
#include "half.h"
static struct { const uint16_t *a, *b; uint16_t *c; } maps;
static int before; /* the m for which they were made */
void keeps(const void *a, const void *b, void *c, int m, int n, int k) {
    if (before != m) {
        maps.a = a, maps.b = b, maps.c = c;
        before = m;
    }
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0;
            for (int l = 0; l < k; l++)
                sum += half_widen(maps.a[i * k + l]) * half_widen(maps.b[l * n + j]);
            maps.c[i * n + j] = half_narrow(sum);
        }
}
END
cat >set/gemmgate.ini <<'END'
[set]
name = pointers
accumulate = f32
device = cuda
[kernel keeps]
file = kept.c
call = keeps(a, b_row, c, m, n, k)
[kernel makes-anew]
file = kept.c
call = (before = 0, keeps(a, b_row, c, m, n, k))
END
expect 0 "$GEMMGATE" run --device cuda --shapes 64x96x32 --candidates set --visits 1 --warmup 0.05 --duration 0.2 -o RUN
became() { # KERNEL: its outcome
    grep "^64,96,32,$1,$1," RUN/checks.csv | cut -d, -f6
}
[ "$(became makes-anew)" = ok ] || { cat RUN/checks.csv >&2; fail 'a kernel that makes its maps anew is refused'; }
[ "$(became keeps)" = unstable ] || { cat RUN/checks.csv >&2; fail 'a kernel that keeps addresses is not seen to'; }
[ "$(column RUN/times.csv kernel | sort -u | paste -sd,)" = cublas-nn,cublas-tn,makes-anew ] || { cat RUN/times.csv >&2; fail 'who is timed is another'; }

sed -i '/^device/s/$/\npointers = fixed/' set/gemmgate.ini
expect 2 "$GEMMGATE" list candidates set
says "gemmgate.ini:5: 'pointers' is no key of [set]"
echo ok
