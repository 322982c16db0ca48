#!/usr/bin/env bash
# A kernel with a tile gets zero-padded operands; the share is reported.
# Covers: bench/runner candidates/set candidates/gemmgate.h
. "$(dirname "$0")/lib.sh"

mkdir set
tiled 32 >set/tiled.c

args=(--device host --visits 2 --shapes 33x17x65 --baselines openblas-nn,openblas-tn --candidates set --warmup 0 --duration 0.05)
expect 0 "$GEMMGATE" run "${args[@]}" -o PLAIN
expect 0 "$GEMMGATE" run "${args[@]}" --alpha 0 -o ZERO
row=$(grep '^33,17,65,tiled,tiled,ok' PLAIN/checks.csv) || { cat PLAIN/checks.csv >&2; fail "not ok"; }
# 1 - 33*17*65 / (64*32*96) = 0.8145...
echo "$row" | grep ',0\.8145' >/dev/null || fail "padding share: $row"
echo "$row" | grep ',nn,' >/dev/null || fail "layout: $row"
# With alpha and beta 0 the reward is the quotient itself.
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
         { d = $c["reward"] - 1 - $c["speedup"]; if (d > 1e-6 || d < -1e-6) exit 1 }' ZERO/ratios.csv ||
    fail 'the reward is not the quotient'
expect 2 "$GEMMGATE" run "${args[@]}" --memcheck -o NONE
says 'memcheck'

# A set of its own name, pattern and function is what its gemmgate.ini says.
printf '[set]\nname = mine\npattern = t*.c\n' >set/gemmgate.ini
cp set/tiled.c set/other.c
expect 0 "$GEMMGATE" list candidates set
grep -q '^tiled' out || fail 'tiled is not listed'
grep -q '^other' out && fail 'the pattern is not heeded'
printf '[set]\naccumulate = f64\n' >set/gemmgate.ini
expect 2 "$GEMMGATE" list candidates set
says "gemmgate.ini:2: accumulate is 'f64', and f16 or f32 is wanted"
long=$(printf -- '-DA%0100d ' 1 2)
while IFS='|' read -r text words; do # what is wrong with it is named
    printf %b "$text" >set/gemmgate.ini
    expect 2 "$GEMMGATE" list candidates set
    says "gemmgate.ini:$words"
done <<END
[set]\\nname = x\\nnmae = x\\n|3: 'nmae' is no key of [set], which has name, pattern,
[sets]\\nname = x\\n|1: [sets] is no section
name = x\\n|1: 'name' stands before any [section]
[set]\\nname x\\n|2: neither [section] nor key = value
[set]\\nname = a b\\n|2: name is 'a b', and a name of letters
[set]\\narch = sm_80\\n|2: arch is 'sm_80', and what nvcc calls sm_..., like 80 or 90a is wanted
[set]\\nflags = $long\\n|2: is longer than the 198 bytes that are read of a line; flags and include may be said in several lines
END
rm set/gemmgate.ini
mkdir set/gemmgate.ini
expect 2 "$GEMMGATE" list candidates set
says 'gemmgate.ini: Is a directory: it cannot be read'
rmdir set/gemmgate.ini

echo ok
