#!/usr/bin/env bash
# Products of bfloat16 on the host device, as a user has them made: run, check, gate, compare, and functions
# by an expression in gemmgate.ini. Sets that do not serve them are refused, and runs of two elements are not
# mixed.
# Covers: bench/base/element* candidates/set correctness/numbers
. "$(dirname "$0")/lib.sh"

two_kernels host
sed -i /elements/d host/other.c
examples=$PWD/host
quick=(--device host --shapes 32x32x32,48x16x64 --visits 2 --warmup 0.02 --duration 0.1 --baselines openblas-nn)
outcome() { # RUN KERNEL: of the first shape
    awk -F, -v kernel="$2" '$1 == 32 && $4 == kernel && $5 == kernel { print $6 "," $7 }' "$1/checks.csv"
}

# One kernel serves both elements, the other one says that it does not.
expect 0 "$GEMMGATE" run "${quick[@]}" --element bf16 --visits 2 --seed 5 --candidates "$examples" -o BF16
[ "$(outcome BF16 blocked)" = ok, ] || { cat BF16/checks.csv >&2; fail 'blocked does not serve bf16'; }
[ "$(outcome BF16 other)" = 'unsupported,it serves f16 only' ] || { cat BF16/checks.csv >&2; fail 'other serves bf16'; }
grep -q '^ *"element": "bf16",' BF16/plan.json || fail 'the plan does not say the element'
expect 0 "$GEMMGATE" verify BF16
expect 0 "$GEMMGATE" report BF16
grep -q '^# gemmgate report: host, bf16$' BF16/report/report.md || { head -3 BF16/report/report.md >&2; fail 'the title lacks the element'; }
grep -q 'elements of A, B and C.*bf16' BF16/report/report.md || fail 'the report lacks the element'
grep -q -- ' --element bf16' BF16/report/report.md || fail 'the command line lacks the element'
expect 0 "$GEMMGATE" run "${quick[@]}" --visits 4 --seed 5 --candidates "$examples" -o F16
[ "$(outcome F16 other)" = ok, ] || { cat F16/checks.csv >&2; fail 'other does not serve f16'; }
grep -q '^ *"element": "f16",' F16/plan.json || fail 'a plan does not say f16'
expect 0 "$GEMMGATE" report F16
grep -q '^# gemmgate report: host$' F16/report/report.md || fail 'a title of f16 is another'

# Two elements are not mixed, wherever runs meet.
expect 4 "$GEMMGATE" compare F16 BF16
says 'cannot be compared: element: here bf16, there f16'
expect 4 "$GEMMGATE" agree F16 BF16
says 'element is "f16" and "bf16"'
expect 2 "$GEMMGATE" merge F16 BF16 -o MERGED
says 'BF16 and F16 are not mixed: their operands are of bf16 and f16'
expect 2 "$GEMMGATE" run "${quick[@]}" --visits 2 --seed 5 --candidates "$examples" --resume -o BF16
says 'element'
got=0
"$GEMMGATE" gate "${quick[@]}" --element bf16 --candidates "$examples" --against F16 -o GATE >out 2>err || got=$?
[ $got = 4 ] || [ $got = 5 ] || { cat out err >&2; fail "a gate of two elements ends with $got"; } # 5: the machine is busy
says 'element: here bf16, there f16'

# Two sets of bf16 are compared and gated as any others.
expect 0 "$GEMMGATE" compare "$examples" "$examples" "${quick[@]}" --element bf16 --visits 2 -o COMPARED
[ "$(outcome COMPARED blocked)" = ok, ] || fail 'a comparison refuses blocked'
mkdir one && cp "$examples/blocked.c" "$examples/half.h" one/
few_visits >few.ini
gates "$GEMMGATE" gate "${quick[@]}" --element bf16 --candidates one --against one --policy few.ini -o GATED
grep -q '"element": "bf16"' GATED/plan.json || fail 'the gate measured something else'

expect 2 "$GEMMGATE" check --device host --shapes 32x32x32 --element bf16 --accumulate f16 -o NONE
says '--accumulate f16: no library keeps partial sums of bf16 in f16'
expect 2 "$GEMMGATE" check --device host --shapes 32x32x32 --element fp16 -o NONE
says '--element'

# A function by an expression: which element its operands are of stands in gemmgate.ini.
mkdir set && cp "$examples/half.h" set/
cat >set/gemm.c <<'END'
#include <stddef.h>
#include "half.h"
void gemm(const uint16_t *a, const uint16_t *b, uint16_t *c, size_t m, size_t n, size_t k) {
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++) {
            float sum = 0;
            for (size_t l = 0; l < k; l++)
                sum += brain_widen(a[i * k + l]) * brain_widen(b[l * n + j]);
            c[i * n + j] = brain_narrow(sum);
        }
}
END
ini() { # LINE...: what stands in [set] besides
    printf '[set]\naccumulate = f32\ncall = gemm(a, b_row, c, m, n, k)\n' >set/gemmgate.ini
    printf '%s\n' "$@" >>set/gemmgate.ini
}
checks() { # STATUS ELEMENT
    rm -rf RUN
    expect "$1" "$GEMMGATE" check --fail-on nothing --device host --shapes 32x32x32 --element "$2" --baselines openblas-nn --candidates set -o RUN
}
ini 'element = bf16'
checks 0 bf16
[ "$(outcome RUN gemm)" = ok, ] || { cat RUN/checks.csv >&2; fail 'a function of bf16 is refused'; }
expect 0 "$GEMMGATE" list candidates set --json
grep -q '"elements": "bf16"' out || { cat out >&2; fail 'the list lacks the element'; }
checks 2 f16
says 'set/gemmgate.ini:4: its kernels serve bf16, and --element is f16'
expect 2 "$GEMMGATE" build --candidates set
says 'set/gemmgate.ini:4: its kernels serve bf16, and --element is f16'
expect 0 "$GEMMGATE" build --candidates set --element bf16
ini 'element = f16, bf16' # which is not true of this one
checks 0 f16
[[ "$(outcome RUN gemm)" = inexact,* ]] || { cat RUN/checks.csv >&2; fail 'a function of the wrong element is right'; }
checks 0 bf16
[ "$(outcome RUN gemm)" = ok, ] || { cat RUN/checks.csv >&2; fail 'a function of both elements is refused'; }
ini
checks 2 bf16
says 'set/gemmgate.ini: functions with call serve f16 unless it says element = bf16, and --element is bf16'
ini 'element = fp16'
checks 2 bf16
says "set/gemmgate.ini:4: element is 'fp16', and f16 or bf16, or both with a comma between, is wanted"
ini 'element = f16,'
checks 2 bf16
says 'set/gemmgate.ini:4: element'
ini 'element = bf16'
sed -i 's/f32/f16/' set/gemmgate.ini
checks 2 bf16
says 'set/gemmgate.ini:4: accumulate = f16 goes with element = f16'
cat >set/gemmgate.ini <<'END'
[set]
accumulate = f32
call = gemm(a, b_row, c, m, n, k)
element = bf16
[kernel one]
file = gemm.c
[kernel two]
file = gemm.c
element = f16
END
checks 2 bf16
says 'set/gemmgate.ini:9: [kernel two] serves f16 and [kernel one] bf16: the kernels of a set serve the same elements; make two sets of them'

# Of kernels that say themselves what they serve, the file may say it, too; it then holds before they are compiled.
printf '[set]\nelement = f16\n' >one/gemmgate.ini
expect 2 "$GEMMGATE" check --device host --shapes 32x32x32 --element bf16 --candidates one -o NONE
says 'one/gemmgate.ini:2: its kernels serve f16, and --element is bf16'
expect 2 "$GEMMGATE" check --device host --shapes 32x32x32 --element bf16 --candidates one --against one -o NONE
says 'one/gemmgate.ini:2'

# A kernel that was compiled for the header before this one is told what to do.
mkdir old
sed 's/GEMMGATE_ABI/1/' "$examples/blocked.c" >old/blocked.c
cp "$examples/half.h" old/
expect 6 "$GEMMGATE" check --device host --shapes 32x32x32 --baselines openblas-nn --candidates old -o OLD
grep -q 'wrong-abi.*built for ABI 1, and this harness has 2: compile it again' OLD/checks.csv ||
    { cat OLD/checks.csv >&2; fail 'ABI 1 is not named'; }
echo ok
