#!/usr/bin/env bash
# The stage: on a GPU device times are taken where no kernel's process is. The GPU is the host, and what is
# recorded of a kernel is its library (tests/support/fake_recording.h).
# Covers: bench/context bench/replay bench/unit bench/runner tests/support/fake_*
. "$(dirname "$0")/lib.sh"
use_runner "${FAKE_GPU_RUNNER:?a runner whose GPU is the host}"
mkdir right set
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
/* Later than all that the check of a replay sees, but in every visit. */
static inline int late(void) { return ++calls > 16; }
#define KERNEL(word, ...) GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {.abi = GEMMGATE_ABI, \
    .name = word, .device = GEMM_CUDA, .accumulate = GEMM_F32, .launch = product, __VA_ARGS__};
END
printf '#include "product.h"\nKERNEL("right")\n' >right/right.c
cp right/* set

# staged NAME CODE: a kernel that is right, and on the stage does so instead. recorded NAME HOW.
staged() { printf '#include "product.h"\nKERNEL("%s")\nGEMMGATE_EXPORT int fake_kernel(void *state, const struct gemm_args *args) {\n%s\n}\n' "$1" "$2" >"set/$1.c"; }
recorded() { printf '#include "product.h"\nKERNEL("%s")\nGEMMGATE_EXPORT const char fake_recording[] = "%s";\n' "$1" "${2-$1}" >"set/$1.c"; }
run=(run --device cuda --no-audit --no-sandbox --baselines cublas-nn --warmup 0.01 --duration 0.04)
field() { # FILE KERNEL COLUMN: of the kernel's rows, which have no quoted commas before it
    awk -F, -v kernel="$2" -v name="$3" 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } $c["kernel"] == kernel { print $c[name] }' "$1" | paste -sd,
}
lenses() { field "$1/times.csv" "$2" lens; }

# Two units of different shapes, one after the other on one stage.
expect 0 "$GEMMGATE" "${run[@]}" --shapes 32x32x32,48x16x64 --candidates right --visits 4 -o RIGHT
[ "$(field RIGHT/replays.csv right result)" = same,same ] || { cat RIGHT/replays.csv >&2; fail 'a right kernel is not replayed'; }
[ "$(field RIGHT/checks.csv right outcome)" = ok,ok ] || { cat RIGHT/checks.csv >&2; fail 'a right kernel is refused'; }
[ "$(lenses RIGHT right)" = call,device,stream,call,device,stream ] || { cat RIGHT/times.csv >&2; fail 'a lens is not timed'; }
[ "$(field RIGHT/times.csv right rounds)" = 2,4,4,2,4,4 ] || { cat RIGHT/times.csv >&2; fail 'not every visit is on the stage, or not every third has a process of its own'; }
expect 0 "$GEMMGATE" verify RIGHT

# What becomes of a kernel on the stage costs its own row, and the run goes on.
staged status 'return late() ? 9 : product(state, args);'
staged dies 'if (late()) abort(); return product(state, args);'
staged lost 'return late() ? 700 : product(state, args);'
staged hangs 'if (late()) pause(); return product(state, args);'
staged spoils 'if (late()) *(uint16_t *)args->a ^= 1; return product(state, args);'
staged wrong 'const int status = product(state, args); *(uint16_t *)args->c ^= 0x4000; return status;'
# Into the outputs of all four arms, which lie behind those of calls: 10 pieces of two MiB and guards.
staged reaches '
    static char *first;
    if (!first) first = args->c;
    if (late()) for (int i = 0; i < 4 * 512; i++) ((uint16_t *)(first + (10 + i / 512) * (4 << 20)))[i % 512] = 0x4000;
    return product(state, args);'
# Its memory is made anew before the recorded calls begin again. Its times are those of the stage.
cat >set/counts.c <<'END'
#include "product.h"
static int setup(const struct gemm_problem *problem, size_t bytes, void **state) {
    (void)problem, (void)bytes;
    return (*state = calloc(1, sizeof(int))) ? 0 : 1;
}
KERNEL("counts", .setup = setup, .teardown = free)
GEMMGATE_EXPORT int fake_kernel(void *state, const struct gemm_args *args) {
    usleep(3000);
    return ++*(int *)state > 8 ? 8 : product(state, args);
}
END
# A recording that cannot be carried out: its kernel is timed in its own process.
for how in refused magic version base claimed; do recorded $how; done
expect 0 "$GEMMGATE" "${run[@]}" --shapes 32x32x32 --candidates set --visits 1 --call-timeout 1 -o SET
is() { # KERNEL OUTCOME DETAIL: both as extended regular expressions
    field SET/checks.csv "$1" outcome | grep -xE "$2" >/dev/null && grep ",$1,$1," SET/checks.csv | grep -E "$3" >/dev/null ||
        { grep ",$1,$1," SET/checks.csv >&2; fail "$1 is not $2: $3"; }
}
is status launch-failed 'on the stage: while timed: .*status 9'
is dies crashed 'on the stage: '
is lost device-error 'on the stage: while timed: an illegal memory access'
is hangs timed-out 'on the stage: '
is spoils crashed 'on the stage: .*' # A is sealed
is wrong dishonest 'replayed without its library: C.* in 3 of 3 processes'
is reaches 'replayed|unstable|precision|crashed' 'on the stage: '
is counts ok ''
field SET/times.csv counts median | awk -F, '{ exit !($1 < 0.003 && $2 >= 0.003 && $3 >= 0.003) }' || fail 'device times are not those of the stage'
is right ok ''
for kernel in right counts; do [ "$(lenses SET $kernel)" = call,device,stream ] || fail "$kernel has no times"; done
for kernel in status dies lost hangs spoils wrong reaches; do
    [ -z "$(lenses SET $kernel)" ] || fail "$kernel has times"
done
[ "$(grep -c ',cublas-nn,ok,' SET/checks.csv)" = 14 ] || { cat SET/checks.csv >&2; fail 'a library has lost its row'; }
native() { # KERNEL WHY
    is "$1" ok '' && grep -F ",$1,$1,1,no,$2," SET/replays.csv >/dev/null || { cat SET/replays.csv >&2; fail "$1 is replayed, or not for: $2"; }
    [ "$(lenses SET "$1")" = call,device,stream ] || fail "$1 is not timed in its own process"
}
native refused 'the fake GPU cannot record it'
native magic 'the recording: it is of another format'
native version 'the recording: it is of another format'
native base 'the recording: it was recorded in another range of memory'
native claimed 'its process claims a recording that cannot be there'
expect 0 "$GEMMGATE" verify SET

# stopped ARGS...: a run that is killed once a unit has had a visit.
stopped() {
    hold "$scratch/${*: -1}/units/.*.rounds/1"
    "$GEMMGATE" "$@" >/dev/null 2>err &
    pid=$!
    held $pid
    kill -9 $pid
    go
    wait $pid || true
}

# A visit that fails after others costs the unit's row alone: of two shapes one dies in a later visit.
printf '#include "product.h"\nKERNEL("later")\nGEMMGATE_EXPORT int fake_kernel(void *state, const struct gemm_args *args) {
    if (late() && args->problem.k == 64 && getenv("LATER")) abort();
    return product(state, args);\n}\n' >right/later.c
later=("${run[@]}" --shapes 32x32x32,48x16x64 --candidates right --visits 2 --seed 5 -o LATER)
stopped "${later[@]}"
LATER=1 expect 0 "$GEMMGATE" "${later[@]}" --resume
[ "$(column LATER/checks.csv outcome | sort | uniq -c | tr -s ' \n' ' ')" = ' 1 crashed 7 ok ' ] ||
    { cat LATER/checks.csv >&2; fail 'more than a row is lost'; }
grep -q '^48,16,64,later,later,crashed,.*on the stage: ' LATER/checks.csv || { cat LATER/checks.csv >&2; fail 'it was not on the stage'; }
rm right/later.c

# Killed between visits: what was recorded lies beside the unit, and another process goes on with it.
kept=units/.32x32x32.right.candidate.recording
killed=("${run[@]}" --shapes 32x32x32 --candidates right --visits 3 --seed 5 -o KILLED)
stopped "${killed[@]}"
[ -s KILLED/$kept ] || { ls -A KILLED/units >&2; fail 'no recording is kept between visits'; }
for how in GONE CUT SPOILT; do cp -r KILLED $how; done
expect 0 "$GEMMGATE" "${killed[@]}" --resume
[ "$(field KILLED/checks.csv right outcome)" = ok ] && [ "$(field KILLED/times.csv right rounds)" = 1,3,3 ] ||
    { cat KILLED/checks.csv KILLED/times.csv >&2; fail 'it is not gone on with'; }
[ "$(tail -n +2 KILLED/replays.csv | wc -l)" = 1 ] || { cat KILLED/replays.csv >&2; fail 'it was recorded again'; }
[ ! -e KILLED/$kept ] || fail 'a recording is left behind'
expect 0 "$GEMMGATE" verify KILLED
# One that is gone or cut is told with its remedy, which helps. One that is spoilt costs the row.
rm GONE/$kept
truncate -s -1 CUT/$kept
for how in GONE CUT; do
    expect 2 "$GEMMGATE" "${killed[@]/%KILLED/$how}" --resume
    says "remove the unit's .rounds folder beside it, and --resume measures it from its first visit"
done
rm -r GONE/units/.32x32x32.right.rounds
expect 0 "$GEMMGATE" "${killed[@]/%KILLED/GONE}" --resume
[ "$(field GONE/times.csv right rounds)" = 1,3,3 ] || fail 'the remedy does not help'
printf X | dd of=SPOILT/$kept conv=notrunc status=none
expect 0 "$GEMMGATE" "${killed[@]/%KILLED/SPOILT}" --resume
grep -q ',right,right,device-error,round . of 3: on the stage: its recording cannot be carried out any more: ' SPOILT/checks.csv ||
    { cat SPOILT/checks.csv >&2; fail 'a spoilt recording has no cause'; }

# Two GPUs take turns, each with a stage of its own.
FAKE_GPUS=2 expect 0 "$GEMMGATE" "${run[@]/%cuda/cuda:all}" --shapes 32x32x32,48x16x64 --candidates right --visits 4 -o TURNS
[ "$(column TURNS/conditions.csv device | grep -cE '^cuda:[01](\+[01]){3}$')" = 2 ] || { cat TURNS/conditions.csv >&2; fail 'not every visit has its GPU'; }
[ "$(field TURNS/checks.csv right outcome)" = ok,ok ] && [ "$(field TURNS/times.csv right rounds)" = 2,4,4,2,4,4 ] ||
    { cat TURNS/checks.csv TURNS/times.csv >&2; fail 'a unit is not on the stages of both'; }
expect 0 "$GEMMGATE" verify TURNS

# A gate has both kernels on one stage.
gates "$GEMMGATE" gate "${run[@]:1}" --shapes 32x32x32 --candidates right --against right --visits 2 -o GATE
[ "$(column GATE/replays.csv kernel | sort | paste -sd,)" = previous,right ] && [ "$(column GATE/replays.csv result | paste -sd,)" = same,same ] ||
    { cat GATE/replays.csv >&2; fail 'not both kernels are replayed'; }
[ "$(lenses GATE previous)" = call,device,stream ] || { cat GATE/times.csv >&2; fail 'the earlier kernel has no times'; }
expect 0 "$GEMMGATE" verify GATE

# What a call finds does not depend on how many arms there are: the same operations for two and for nine.
operations() { # BASELINES RUN: what the device does for each timed interval of the recording, each once
    rm -f ops
    FAKE_GPU_CUBLASLT=1 FAKE_GPU_VARIANTS=4 FAKE_GPU_OPERATIONS=$scratch/ops expect 0 "$GEMMGATE" "${run[@]}" --baselines "$1" \
        --shapes 32x32x32 --candidates right --visits 1 --search-budget 0.1 --autotune-rounds 1 --autotune-warmup 1 -o "$2"
    # From the new operands on. How many C there are to empty, before the sweep, is of no account.
    awk '{ p = $1; op = $0; sub(/^[0-9]* /, "", op) }
        op ~ /^fills / { all[p] = ""; next }
        op !~ /^fill constant/ || op != last[p] { all[p] = all[p] op ";" }
        { last[p] = op }
        op == "stop" && all[p] ~ /launch replayed/ && all[p] ~ /hold/ { print all[p]; all[p] = "" }' ops |
        sed -E 's/(refill;launch replayed;)+/\1/' | sort -u
}
operations cublas-nn TWO >two
operations cublas-nn,cublas-tn,cublaslt-heuristic-nn,cublaslt-heuristic-tn,cublaslt-autotune-nn,cublaslt-autotune-tn,cublaslt-exhaustive-nn,cublaslt-exhaustive-tn NINE >nine
[ "$(column NINE/checks.csv kernel | wc -l)" = 9 ] || { cat NINE/checks.csv >&2; fail 'there are not nine arms'; }
[ -s two ] && cmp two nine || { diff two nine >&2; fail 'a call finds something else beside nine arms'; }
