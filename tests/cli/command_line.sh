#!/usr/bin/env bash
# A command line is read in one way: what a run is measured by, what it remembers, and what --resume recalls.
. "$(dirname "$0")/lib.sh"

mkdir set
cp "$SOURCE"/candidates/examples/host/{half.h,blocked.c} set
measure=(--device host --seed 1 --warmup 0 --duration 0.05 --visits 1 --lens call --candidates set)
words() { python3 -c 'import json, sys; print(" ".join(json.load(open(sys.argv[1]))["words"]))' "$1/command.json"; }

# An option is not the value of the one before it, which lacks its own.
expect 2 "$GEMMGATE" run "${measure[@]}" --suite -o RUN
says 'run: a value is wanted: --suite NAME|FILE'
expect 2 "$GEMMGATE" run "${measure[@]}" --suite -oRUN
says 'run: a value is wanted: --suite NAME|FILE'
expect 2 "$GEMMGATE" run "${measure[@]}" --shapes 32x32x32 -o --resume
says 'run: a value is wanted: -o RUN'
[ ! -e RUN ] && [ ! -e -o ] || fail 'something was measured'

# A file of that name is named all the same; the run's own folder and --resume are not remembered, and are recalled before a --.
printf 'm,n,k\n32,32,32\n' >-o
expect 0 "$GEMMGATE" run "${measure[@]}" -oRUN --suite=-o --
[ "$(words RUN)" = "${measure[*]} --suite=-o --" ] || fail "other words are remembered: $(words RUN)"
expect 0 "$GEMMGATE" run -o RUN --resume
expect 0 "$GEMMGATE" run --resume --output=RUN
expect 2 "$GEMMGATE" run --resume -o RUN --visits 2
expect 2 "$GEMMGATE" run --resume -- -o RUN # which are arguments
says 'run: too many arguments: -o'
echo ok
