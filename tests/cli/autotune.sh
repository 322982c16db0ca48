#!/usr/bin/env bash
# Libraries that choose among algorithms: three processes rank them, the best are arms, and the best mean of all visits counts.
# Covers: bench/checks/finalists.c bench/runner/requests/tune.c reports/rows/layouts.c reports/rows/derive_controls.c
. "$(dirname "$0")/lib.sh"
. "$SOURCE/tests/support/staged.sh"
export FAKE_GPU_VARIANTS=5
tuned=("${run[@]}" --shapes 32x32x32,48x16x64 --candidates right --visits 3)

# cublas-tn has five, of which the third is the fastest, its neighbours come next and the last cannot be had.
expect 0 "$GEMMGATE" "${tuned[@]}" --baselines cublas-tn -o TN
[ "$(awk -F, 'NR > 1 { print $5 }' TN/times.csv | sort -u | paste -sd,)" = 'cublas-tn,cublas-tn#1,cublas-tn#2,cublas-tn#3,cublas-tn#4,right' ] ||
    { cat TN/times.csv >&2; fail 'not three finalists and the first suggestion'; }
[ "$(column TN/ratios.csv baseline | sort -u)" = cublas-tn ] || { cat TN/ratios.csv >&2; fail 'a finalist is a baseline of its own'; }
[ "$(field TN/times.csv cublas-tn median)" = "$(field TN/times.csv cublas-tn#3 median)" ] || { cat TN/times.csv >&2; fail 'it is not the fastest'; }
[ "$(grep -c 'suggestion 3 is the fastest' TN/ratios.csv)" = 6 ] || { cat TN/ratios.csv >&2; fail 'the page does not say which it is'; }
grep -q 'variant 2' TN/checks.csv || { cat TN/checks.csv >&2; fail 'the finalist is not told'; }
expect 0 "$GEMMGATE" verify TN
expect 0 "$GEMMGATE" report TN
# A visit after a pause has the same arms.
rm -r TN/units/48x16x64.right
expect 0 "$GEMMGATE" "${tuned[@]}" --baselines cublas-tn -o TN --resume
expect 0 "$GEMMGATE" verify TN

# A library whose ranking lies: where algorithms are tried one after the other the first is the slowest, and where they are timed
# the fastest. A choice that rests on the ranking is slower than the first suggestion. The run says so, and its controls fail.
# Rows of calls, which take the most time here, are looked at above.
export FAKE_GPU_CUBLASLT=1
lying=("${tuned[@]}" --baselines cublaslt-heuristic-nn,cublaslt-heuristic-tn,cublaslt-autotune-nn,cublaslt-autotune-tn --lens call,device --seed 5)
FAKE_GPU_LIES=1 expect 0 "$GEMMGATE" "${lying[@]}" --autotune paper -o PAPER
says "the run's controls failed: "
says 'intervals of an autotuned library over its own first suggestion lie above 1'
awk -F, '$5 == "autotune" && $8 == "device" { n++; off += $0 ~ /,off,/ } END { exit !(n == 4 && off == 4) }' PAPER/controls.csv ||
    { cat PAPER/controls.csv >&2; fail 'controls.csv does not say that it is slower'; }
expect 0 "$GEMMGATE" report PAPER
grep -q 'an autotuned library over its own first suggestion lie above 1' PAPER/report/report.md || fail 'the page does not say so'
# Finalists are not taken in: the first suggestion is one of them.
FAKE_GPU_LIES=1 expect 0 "$GEMMGATE" "${lying[@]}" -o FINALISTS
! grep -q 'an autotuned library over' err || { cat err >&2; fail 'an honest choice fails the controls'; }
[ "$(awk -F, '$5 ~ /autotune-/ && $5 !~ /max/ && $7 == "device"' FINALISTS/ratios.csv | grep -c 'suggestion 1 is the fastest')" = 4 ] ||
    { cat FINALISTS/ratios.csv >&2; fail 'it is slower than its first suggestion'; }
expect 0 "$GEMMGATE" verify FINALISTS

# A shard that goes on on another host begins its units anew there, with finalists of their own.
if unshare --uts hostname elsewhere 2>/dev/null; then
    moved=("${run[@]}" --lens call,device --baselines cublas-tn --shapes 32x32x32 --candidates right --visits 4 --seed 5 --shard 1/1 -o MOVED)
    stop_where "$scratch/MOVED/units/.*.visits/2" "${moved[@]}"
    expect 0 unshare --uts sh -c 'hostname elsewhere && exec "$@"' sh "$GEMMGATE" "${moved[@]}" --resume
    [ "$(grep -c ',cublas-tn#[1-4],ok,' MOVED/checks.csv)" = 4 ] || { cat MOVED/checks.csv >&2; fail 'it has no finalists there'; }
    grep -q '1/1 elsewhere cuda:0' MOVED/conditions.csv || { cat MOVED/conditions.csv >&2; fail 'it is not begun anew'; }
fi

echo ok
