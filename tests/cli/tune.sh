#!/usr/bin/env bash
# gemmgate tune: three ways to choose an algorithm beside each other, resumed, and as files. The GPU is the
# host, and its cuBLASLt chooses among algorithms that are all OpenBLAS.
. "$(dirname "$0")/lib.sh"
expect 77 "$GEMMGATE" tune --exhaustive --shapes 16x16x16 -o HOST --device host
says 'OpenBLAS has no algorithms to choose from; a GPU is wanted'
[ ! -e HOST ] || fail 'a run was made of nothing'

use_runner "${FAKE_GPU_RUNNER:?a runner whose GPU is the host}"
export FAKE_GPU_CUBLASLT=1 FAKE_GPU_VARIANTS=20
tune=("$GEMMGATE" tune --shapes 32x32x32,48x32x16 --lens call,device --warmup 0.02 --duration 0.2 --visits 2 --search-budget 0.2)
expect 0 "${tune[@]}" --exhaustive -o BOTH --autotune-lens call
grep -q '^chosen by lens *call$' out || fail 'the lens is not told'
header=$(head -1 BOTH/tune.csv)
[ "$(wc -l <BOTH/tune.csv)" = 3 ] || fail 'tune.csv should have a line each shape'
for column in first_seconds autotuned_seconds found_seconds over_first over_first_low over_autotuned over_autotuned_high; do
    [[ ",$header," = *",$column,"* ]] || fail "tune.csv has no $column"
done
for column in found_seconds found_algorithm over_autotuned_low over_autotuned_high; do
    [ "$(column BOTH/tune.csv "$column" | grep -c .)" = 2 ] || fail "$column lacks values"
done
grep -q '"variant [0-9]*","\?' BOTH/tune.csv || grep -q ',variant [0-9]*,' BOTH/tune.csv || fail 'no algorithm is named'
grep -q 'best of 20 by median of [0-9]* rounds by call (search)' BOTH/tune.csv || fail 'how it was chosen is not told'
grep -q 'cublaslt-autotune-max' BOTH/tune.md && python3 -m json.tool BOTH/tune.json >/dev/null || fail 'tune.md or tune.json'

# Its ratios are of libraries alone, of times and not of what is noted beside them, and can be derived again.
cut -d, -f4,5 BOTH/ratios.csv | sort -u >pairs
[ "$(grep -c '^cublaslt-exhaustive-[a-z]*,cublaslt-\(heuristic\|autotune\)-[a-z]*$' pairs)" = 6 ] && [ "$(wc -l <pairs)" = 7 ] ||
    { cat pairs >&2; fail 'the pairs are others'; }
expect 0 "$GEMMGATE" verify BOTH
expect 0 "$GEMMGATE" report BOTH

# Of an interrupted one the rest is measured. What is measured stays.
rm -r BOTH/units/48x32x16 && rm BOTH/tune.*
before=$(md5sum BOTH/units/32x32x32/ratios.csv)
seed=$(tr -d ' \n' <BOTH/plan.json | sed 's/.*"seed":"\([0-9]*\)".*/\1/')
expect 0 "${tune[@]}" --exhaustive -o BOTH --autotune-lens call --seed "$seed" --resume
[ -s BOTH/tune.csv ] && [ "$(md5sum BOTH/units/32x32x32/ratios.csv)" = "$before" ] || fail 'it was not gone on with'

# Without a search.
expect 0 "${tune[@]}" -o PLAIN
! grep -q exhaustive PLAIN/tune.csv PLAIN/times.csv || fail 'nobody has asked for a search'
[ "$(column PLAIN/tune.csv autotuned_seconds | grep -c .)" = 2 ] || fail 'what was autotuned is not told'
grep -q '^chosen by lens *device$' out || fail 'the lens that leads is device'
