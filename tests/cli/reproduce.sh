#!/usr/bin/env bash
# The command that a report gives for doing its run again: it makes the same plan.
. "$(dirname "$0")/lib.sh"

mkdir set old
cp "$SOURCE/candidates/examples/host/"{simd.c,half.h} set
cp set/* old

# again COMMAND RUN ARGS...: what the page of that run says, carried out, has its plan.
again() {
    local command=$1 out=$2 words
    shift 2
    expect 0 "$GEMMGATE" "$command" --device host --candidates set "$@" -o "$out"
    expect 0 "$GEMMGATE" report "$out"
    words=$(sed -nE 's#.*<pre><code>gemmgate ([^&]*) -o RUN .*#\1#p' "$out/report/report.html")
    [ "${words%% *}" = "$command" ] || fail "not a $command: $words"
    echo "$words"
    eval "expect 0 \"$GEMMGATE\" $words -o $out-again"
    cmp "$out/plan.json" "$out-again/plan.json" || { diff "$out"{,-again}/plan.json >&2; fail "$words"; }
}
again run PLAIN --shapes 16x16x16,24x24x24 --baselines openblas-nn --duration 0.05 --warmup 0
printf 'm,n,k\n32,32,32\n' >suite.csv
again run ALL --suite suite.csv --against old --mode offline,server --rounds 2 --cache rotate --qps 5000 \
    --duration 0.1 --warmup 0.01 --precision 3 --workspace 8 --autotune paper --autotune-warmup 7 --autotune-rounds 9 \
    --call-timeout 11 --setup-timeout 12.5 --shape-timeout 13 --alpha 0.5 --beta 0.25 --count-padding --no-sandbox --no-audit
again check CHECK --shapes 16x16x16
echo ok
