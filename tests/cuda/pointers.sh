#!/usr/bin/env bash
# On a GPU: kernels that keep addresses, with pointers = fixed. The honest twin is ok, and what takes an address
# for an answer is caught. Skipped where there is no GPU.
#     pointers.sh GEMMGATE SOURCE
set -euo pipefail
gemmgate=$1 source=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
export GEMMGATE_CACHE=$scratch/cache
got=0
"$gemmgate" run --device cuda:0 --shapes 512x384x256 --candidates "$source/tests/adversarial/pointers/cuda" \
    --baselines cublas-nn,cublas-tn --visits 1 --duration 1 -o run >out 2>err || got=$?
[ $got = 77 ] && exit 77
[ $got = 0 ] || { cat err >&2; echo "status $got" >&2; exit 1; }
is() { # KERNEL OUTCOMES, an extended regular expression
    grep "^512,384,256,$1,$1," run/checks.csv | cut -d, -f6 | grep -xE "$2" >/dev/null ||
        { cat run/checks.csv >&2; echo "$1 is not $2" >&2; exit 1; }
}
is keeps ok
is skips 'replayed|unstable'
is answers 'replayed|unstable|forbidden'
grep -q ',keeps,.*no,"\?its calls have one C' run/replays.csv || { cat run/replays.csv >&2; exit 1; }
