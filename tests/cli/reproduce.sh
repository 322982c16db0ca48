#!/usr/bin/env bash
# The commands that a report gives for doing its run again: they make the same plan, and a page.
# Covers: bench/command/remembered* bench/command/options reports/sections/reproduce.c bench/plan
. "$(dirname "$0")/lib.sh"

mkdir set old third "it's a release"
cp "$SOURCE/candidates/examples/host/"{blocked.c,half.h} set
cp set/* old
cp set/* third

# said PAGE: the commands on it, as a shell takes them.
said() {
    sed -n '/<h2 id="measured">/,/<\/code>/p' "$1" | sed -nE '/<pre>/,/<\/code>/p' |
        sed -E 's#^.*<code>##; s#</code>.*##; s/&lt;/</g; s/&gt;/>/g; s/&quot;/"/g; s/&\#39;/'"'"'/g; s/&amp;/\&/g'
}

# again RUN: what the page of that run says, carried out, has its plan and makes a page.
again() {
    local out=$1 text
    [ -e "$out/report/report.html" ] || expect 0 "$GEMMGATE" report "$out"
    text=$(said "$out/report/report.html")
    echo "$text"
    [ "$(wc -l <<<"$text")" = 2 ] || fail "not two commands: $text"
    printf 'gemmgate() { "$GEMMGATE" "$@" || [[ $1 = gate || $1 = check ]]; }\n%s\n' \
        "$(sed "s/ RUN\b/ $out-again/; s/\bFOLDER\b/$out-again/" <<<"$text")" >commands
    GEMMGATE=$GEMMGATE expect 0 bash -eu commands
    [ -e "$out-again/report/report.html" ] || fail "no page: $text"
    cmp "$out/plan.json" "$out-again/plan.json" || { diff "$out"{,-again}/plan.json >&2; fail "$text"; }
}
measured() { # RUN COMMAND ARGS...
    local out=$1 status=0
    shift
    "$GEMMGATE" "$@" -o "$out" >out 2>err || status=$?
    [ -e "$out/manifest.json" ] || { cat out err >&2; fail "status $status: $*"; }
    again "$out"
}
quick=(--device host --visits 2 --duration 0.05 --warmup 0)
measured PLAIN run "${quick[@]}" --candidates set --shapes 16x16x16,24x24x24 --baselines openblas-nn
printf 'm,n,k\n32,32,32\n16,16,16\n24,16,16\n' >'a suite.csv'
measured ALL run --device host --candidates set --suite 'a suite.csv' --sample 1 --against old \
    --mode offline,server --visits 2 --cache cold --qps 5000 --duration 0.1 --warmup 0.01 --precision 3 \
    --workspace 8 --autotune paper --call-timeout 11 --setup-timeout 12.5 \
    --alpha 0.5 --beta 0.25 --no-sandbox
measured CHECK check --device host --candidates set --shapes 16x16x16
measured COMPARE compare old set "${quick[@]}" --shapes 16x16x16 --visits 2
printf '[gate]\nmargin = 50 %%\nscreening_visits = 2\n' >gate.ini
measured GATE gate "${quick[@]}" --candidates set --against old --shapes 16x16x16 --policy gate.ini

# The command of shards is that of the whole; what the page was asked to show is shown again.
for shard in 1/2 2/2; do
    expect 0 "$GEMMGATE" run "${quick[@]}" --candidates set --shapes 16x16x16,24x24x24 --baselines openblas-nn --seed 4 --shard $shard -o "S${shard%/2}"
done
expect 0 "$GEMMGATE" merge S1 S2 -o MERGED
cp "$SOURCE/ci/claims.csv" "claims of others.csv"
expect 0 "$GEMMGATE" report MERGED --claims 'claims of others.csv' --again PLAIN
said MERGED/report/report.html | grep -x "gemmgate report RUN --claims 'claims of others.csv' --again PLAIN" >/dev/null ||
    fail 'the page does not say what it was made with'
again MERGED

# A release with CUTLASS, on a GPU that is the host: nothing of it compiles, and its plan is made all the same.
mkdir -p "it's a release/kernels/a100_F16F16F16F16" 'cut lass/include/cutlass' 'cut lass/tools/util/include'
touch 'cut lass/include/cutlass/cutlass.h'
echo 'void cuda_l2_a100_fp16(torch::Tensor a, torch::Tensor b, torch::Tensor b_col_major, torch::Tensor c) {}' \
    >"it's a release/kernels/a100_F16F16F16F16/64_64_64.cu"
use_runner "${FAKE_GPU_RUNNER:?a runner whose GPU is the host}"
measured RELEASE check --device cuda:0 --no-sandbox --accumulate f16 --shapes 64x64x64 \
    --candidates "cuda-l2:it's a release/kernels/a100_F16F16F16F16" --cutlass 'cut lass'
echo ok
