#!/usr/bin/env bash
# Reference products made on the device: who made them is told, one that is wrong stops the run as the
# machine's fault, and --resume goes on. The GPU is the host.
# Covers: bench/process bench/jobs correctness/numbers
. "$(dirname "$0")/lib.sh"
use_runner "${FAKE_GPU_RUNNER:?a runner whose GPU is the host}"
mkdir set
cp "$SOURCE"/candidates/examples/host/half.h set/
sed 's/GEMM_HOST/GEMM_CUDA/g' "$SOURCE/candidates/examples/host/blocked.c" >set/blocked.c
run=(run --device cuda --shapes 64x64x64,64x64x128 --candidates set --no-sandbox --lens call --warmup 0.05 --duration 0.2 --visits 2 --seed 7)
makers() { column "$1/checks.csv" reference | sort -u | paste -sd,; }

# The GPU makes them.
expect 0 "$GEMMGATE" "${run[@]}" -o BYGPU
[ "$(makers BYGPU)" = gpu ] || fail 'the GPU should have made the products'
column BYGPU/conditions.csv reference_seconds | grep -v '^0$' >/dev/null || fail 'what they cost is not told'
expect 0 "$GEMMGATE" report BYGPU
grep -q 'made on the GPU' BYGPU/report/report.md || fail 'the report does not say who made them'

# A wrong one: what both sides found, status 5, no row of a kernel; with a device that is right the run goes on. Of two
# shapes that are checked side by side, either may be told.
FAKE_GPU_WRONG=1 expect 5 "$GEMMGATE" "${run[@]}" -o WRONG
grep -qE 'the reference product of 64x64x(64|128) on normal inputs, made on cuda:0, fails its own check: ' err || { cat err >&2; fail 'a wrong reference is not told'; }
says 'no kernel has failed by it'
[ ! -e WRONG/checks.csv ] && [ -z "$(ls WRONG/units)" ] || fail 'a unit has come of a wrong reference'
expect 0 "$GEMMGATE" "${run[@]}" -o WRONG --resume
expect 0 "$GEMMGATE" verify WRONG

# What was checked before is kept: the smaller unit's product is wrong. On one core it is checked behind the larger one.
core=$(taskset -cp $$ | sed 's/.*: //; s/[,-].*//')
FAKE_GPU_WRONG=1:64 expect 5 taskset -c "$core" "$GEMMGATE" "${run[@]}" --visits 1 -o KEPT
[ "$(ls -A KEPT/units)" = .64x64x128.blocked.visits ] || { ls -A KEPT/units >&2; fail 'what was measured is not there'; }
FAKE_GPU_WRONG=1e-9 expect 0 "$GEMMGATE" "${run[@]}" -o BELOW # nothing that FP32 can tell

# A gate ends with 5, too, and its files say why.
FAKE_GPU_WRONG=1 expect 5 "$GEMMGATE" gate "${run[@]:1}" --against set -o GATE
grep -q '"verdict": "environment"' GATE/gate/gate.json && grep -q 'failed a check of its own' GATE/gate/gate.json ||
    { cat GATE/gate/gate.json >&2; fail 'a verdict on nothing'; }

echo ok
