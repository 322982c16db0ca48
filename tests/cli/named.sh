#!/usr/bin/env bash
# What a page compares has its sets with folder and commit, the device and the software on it.
# Covers: reports/gate
. "$(dirname "$0")/lib.sh"

fast=(--device host --shapes 32x32x32 --seed 1 --warmup 0.02 --duration 0.1 --visits 2)
for release in v1 v2; do
    mkdir -p $release/kernels
    cp "$SOURCE"/candidates/examples/host/* $release/kernels
done
git init -q v2
git -C v2 add -A
git -C v2 -c user.name=a -c user.email=a@b.c commit -qm 'a release'
commit=$(git -C v2 rev-parse HEAD)

# names FILE: both releases, whose sets and kernels have the same names, are told apart.
names() {
    grep -q "kernels.*$scratch/v1/kernels; run [A-Z]" "$1" || { cat "$1" >&2; fail "$1 does not name the old release"; }
    grep -q "kernels.*$scratch/v2/kernels, commit ${commit:0:12}; run [A-Z]" "$1" || { cat "$1" >&2; fail "$1 does not name the new release"; }
    grep -q 'measured on.*(host)' "$1" || { cat "$1" >&2; fail "$1 does not name the device"; }
    grep -q 'software.*gemmgate' "$1" || { cat "$1" >&2; fail "$1 does not name the software"; }
}
expect 0 "$GEMMGATE" compare v1/kernels v2/kernels "${fast[@]}" -o BOTH
names BOTH/compare/compare.md
for release in 1 2; do
    expect 0 "$GEMMGATE" run "${fast[@]}" --candidates "$scratch/v$release/kernels" -o "RUN$release"
done
expect 0 "$GEMMGATE" winners RUN1 RUN2 -o WON
[ "$(ls WON)" = winners.h ] || fail "winners leaves something else than winners.h"
tr -s ' \n' ' ' <out >won # where lines are not cut
names won
expect 0 "$GEMMGATE" compare --json RUN1 RUN2
names out
