#!/usr/bin/env bash
# The stage, visit after visit: what is kept of a recording between visits and goes on, a gate, and that what a
# call finds does not depend on how many arms there are.
# Covers: bench/jobs bench/record bench/runner bench/run tests/support/fake_*
. "$(dirname "$0")/lib.sh"
. "$SOURCE/tests/support/staged.sh"

# stopped ARGS...: a run that is killed once a unit is checked.
stopped() { stop_where "$scratch/${*: -1}/units/.*.visits/1" "$@"; }

# A visit that fails after others costs the unit's row alone: of two shapes one dies in a later visit.
printf '#include "product.h"\nKERNEL("later")\nGEMMGATE_EXPORT int fake_kernel(void *state, const struct gemm_args *args) {
    if (late() && args->problem.k == 64 && getenv("LATER")) abort();
    return product(state, args);\n}\n' >right/later.c
later=("${run[@]}" --shapes 32x32x32,48x16x64 --candidates right --visits 2 --seed 5 -o LATER)
stopped "${later[@]}"
LATER=1 expect 0 "$GEMMGATE" "${later[@]}" --resume
[ "$(column LATER/checks.csv outcome | sort | uniq -c | tr -s ' \n' ' ')" = ' 7 ok 1 unrecorded ' ] ||
    { cat LATER/checks.csv >&2; fail 'more than a row is lost'; }
grep -q '^48,16,64,later,later,unrecorded,.*on the stage: ' LATER/checks.csv || { cat LATER/checks.csv >&2; fail 'it was not on the stage'; }
rm right/later.c

# Killed between visits: what was recorded lies with the unit, and another process goes on with it.
kept=units/.32x32x32.right.visits/candidate.recording
killed=("${run[@]}" --shapes 32x32x32 --candidates right --visits 3 --seed 5 -o KILLED)
stopped "${killed[@]}"
[ -s KILLED/$kept ] || { ls -A KILLED/units >&2; fail 'no recording is kept between visits'; }
for how in GONE CUT SPOILT; do cp -r KILLED $how; done
expect 0 "$GEMMGATE" "${killed[@]}" --resume
[ "$(field KILLED/checks.csv right outcome)" = ok ] && [ "$(field KILLED/times.csv right visits)" = 1,3,3 ] ||
    { cat KILLED/checks.csv KILLED/times.csv >&2; fail 'it is not gone on with'; }
[ "$(tail -n +2 KILLED/recordings.csv | wc -l)" = 1 ] || { cat KILLED/recordings.csv >&2; fail 'it was recorded again'; }
[ ! -e KILLED/$kept ] || fail 'a recording is left behind'
expect 0 "$GEMMGATE" verify KILLED
# One that is gone, cut or spoilt is no fault of the kernel: it is told with its remedy, which helps.
rm GONE/$kept
truncate -s -1 CUT/$kept
for how in GONE CUT; do
    expect 2 "$GEMMGATE" "${killed[@]/%KILLED/$how}" --resume
    says "remove the unit's .visits folder, and --resume measures the unit from its first visit"
done
rm -r GONE/units/.32x32x32.right.visits
expect 0 "$GEMMGATE" "${killed[@]/%KILLED/GONE}" --resume
[ "$(field GONE/times.csv right visits)" = 1,3,3 ] || fail 'the remedy does not help'
printf X | dd of=SPOILT/$kept conv=notrunc status=none
expect 2 "$GEMMGATE" "${killed[@]/%KILLED/SPOILT}" --resume
says 'right: its recording cannot be carried out any more: '
says "remove the unit's .visits folder"

# A gate has both kernels on one stage.
few_visits >few.ini
gates "$GEMMGATE" gate "${run[@]:1}" --shapes 32x32x32 --candidates right --against right --policy few.ini -o GATE
[ "$(column GATE/recordings.csv kernel | sort | paste -sd,)" = previous,right ] && [ "$(column GATE/recordings.csv result | paste -sd,)" = same,same ] ||
    { cat GATE/recordings.csv >&2; fail 'not both kernels are recorded'; }
[ "$(lenses GATE previous)" = call,device,stream ] || { cat GATE/times.csv >&2; fail 'the earlier kernel has no times'; }
expect 0 "$GEMMGATE" verify GATE

export FAKE_GPU_CUBLASLT=1
# What a call finds does not depend on how many arms there are: the same operations for two and for many.
operations() { # BASELINES RUN: what the device does for each timed interval of the recording, each once
    rm -f ops
    FAKE_GPU_VARIANTS=4 FAKE_GPU_OPERATIONS=$scratch/ops expect 0 "$GEMMGATE" "${run[@]}" --baselines "$1" \
        --shapes 32x32x32 --candidates right --visits 1 -o "$2"
    # From the new operands on. How many C there are to empty, before the sweep, is of no account.
    awk '{ p = $1; op = $0; sub(/^[0-9]* /, "", op) }
        op ~ /^fills / { all[p] = ""; next }
        op !~ /^fill constant/ || op != last[p] { all[p] = all[p] op ";" }
        { last[p] = op }
        op == "stop" && all[p] ~ /launch recording/ && all[p] ~ /hold/ { print all[p]; all[p] = "" }' ops | sort -u
}
operations cublas-nn TWO >two
FAKE_GPU_OTHER_WORK=1 operations cublas-nn,cublas-tn,cublaslt-heuristic-nn,cublaslt-heuristic-tn,cublaslt-autotune-nn,cublaslt-autotune-tn MANY >many
[ "$(column MANY/checks.csv kernel | wc -l)" -gt 7 ] || { cat MANY/checks.csv >&2; fail 'there are not many arms'; }
[ -s two ] && cmp two many || { diff two many >&2; fail 'a call finds something else beside many arms'; }

# Libraries whose launches are given the same are one arm there: one of them is timed for all. In the kernel's own process each is timed.
same() { # RUN: whether the two libraries have the same work, and the same times by device, by call
    local lens names='cublas-nn cublaslt-heuristic-nn'
    [ "$(for name in $names; do field "$1/checks.csv" $name work; done | sort -u | wc -l)" = 1 ] && echo work
    for lens in device call; do
        [ "$(for name in $names; do field "$1/times.csv" $name lens,mean | grep "^$lens,"; done | sort -u | wc -l)" = 1 ] && echo $lens
    done
}
field() { # as in staged.sh, of several columns, a line a row
    awk -F, -v kernel="$2" -v names="$3" 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; n = split(names, want, ","); next }
        $c["kernel"] == kernel { line = ""; for (i = 1; i <= n; i++) line = line (i > 1 ? "," : "") $c[want[i]]; print line }' "$1"
}
both=("${run[@]}" --baselines cublas-nn,cublaslt-heuristic-nn --shapes 32x32x32 --candidates right --visits 2)
expect 0 "$GEMMGATE" "${both[@]}" -o SAME
[ "$(same SAME | paste -sd,)" = work,device ] || { cat SAME/checks.csv SAME/times.csv >&2; fail 'the same work is not one arm'; }
FAKE_GPU_OTHER_WORK=1 expect 0 "$GEMMGATE" "${both[@]}" -o OTHER
[ -z "$(same OTHER)" ] || { cat OTHER/checks.csv OTHER/times.csv >&2; fail 'other work is one arm'; }
expect 0 "$GEMMGATE" verify SAME
echo ok
