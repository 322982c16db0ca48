#!/usr/bin/env bash
# On a GPU: right reference products pass their check, and one with a wrong element ends a check with
# status 5. Skipped where there is no GPU.
#     wrong_product.sh GEMMGATE RUNNER    the runner is that of tests/support/wrong_product.c
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp "$1" "$scratch/gemmgate"
cp "$2" "$scratch/gemmgate-runner"
cd "$scratch"
shapes=64x64x64,1000x37x4097,2048x1024x512,64x4096x16384,4096x4096x4096
ends() { # STATUS OFF RUN
    local got=0
    WRONG_PRODUCT=$2 ./gemmgate check --device cuda:0 --shapes $shapes --seed 3 -o "$3" >out 2>err || got=$?
    [ $got = 77 ] && exit 77
    [ $got = "$1" ] || { cat err >&2; echo "off by $2: status $got instead of $1" >&2; exit 1; }
}
ends 0 0 right
ends 5 1 wrong
cat err
grep -q 'fails its own check' err
grep -q '^64,64,64,,[^,]*,ok,' right/checks.csv
