#!/usr/bin/env bash
# kill -9 at any moment, then --resume, gives a complete run with every unit once.
. "$(dirname "$0")/lib.sh"

args=(run --device host --shapes 16x16x16,24x24x24,32x32x32,40x40x40 --baselines openblas-nn
    --candidates "$SOURCE/candidates/examples/host" --warmup 0.02 --duration 0.1 -o RUN)
"$GEMMGATE" list candidates "$SOURCE/candidates/examples/host" >/dev/null
for delay in 0.3 0.7 1.1; do
    resume=()
    [ -d RUN ] && resume=(--resume)
    setsid "$GEMMGATE" "${args[@]}" "${resume[@]}" >/dev/null 2>&1 &
    pid=$!
    sleep "$delay"
    kill -9 "$pid" 2>/dev/null || true
    wait "$pid" 2>/dev/null || true
done
resume=()
[ -d RUN ] && resume=(--resume)
expect 0 "$GEMMGATE" "${args[@]}" "${resume[@]}"
[ "$(ls RUN/units | wc -l)" = 8 ] || fail "units: $(ls -A RUN/units)"
[ "$(tail -n +2 RUN/ratios.csv | wc -l)" = 8 ] || { cat RUN/ratios.csv >&2; fail "ratios"; }
[ "$(tail -n +2 RUN/ratios.csv | sort -u | wc -l)" = 8 ] || fail "a unit was measured twice"
grep -q '"complete": *true' RUN/manifest.json || fail "not marked complete"
expect 0 "$GEMMGATE" "${args[@]}" --resume
grep -q 'resuming: 8 of 8' err || fail "a complete run was run again"

# A run that is cut short by a full disk keeps what it had.
(
    ulimit -f 1
    expect 2 "$GEMMGATE" run --device host --shapes 16x16x16 --baselines openblas-nn,openblas-tn \
        --warmup 0.01 --duration 0.2 -o FULL
)
[ -z "$(ls -A FULL/units 2>/dev/null)" ] || fail "a torn unit was left: $(ls -A FULL/units)"
echo ok
