#!/usr/bin/env bash
# Kernels are not accused of what a machine does that has no core for them.
# Covers: bench/run/worker* bench/run/turns* bench/process timing/light*
. "$(dirname "$0")/lib.sh"
loops=()
for _ in $(seq $((2 * $(nproc)))); do
    (while :; do :; done) &
    loops+=($!)
done
trap 'kill "${loops[@]}"; rm -rf "$scratch"' EXIT
two_kernels set
for run in FIRST SECOND THIRD; do
    expect 0 "$GEMMGATE" run --device host --shapes 33x17x65,192x160x320 --warmup 0 --duration 0.05 \
        --candidates set -o "$run"
    [ "$(grep -c ',ok,' "$run/checks.csv")" = 12 ] || fail 'kernels are missing'
    ! grep -v ',ok,' "$run/checks.csv" | grep '^[0-9]' || fail 'an honest kernel is accused'
done
