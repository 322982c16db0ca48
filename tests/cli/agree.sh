#!/usr/bin/env bash
# How far runs agree: in text and as JSON, and what cannot be compared.
. "$(dirname "$0")/lib.sh"

run() { # RUN SEED ARGS...
    local out=$1 seed=$2
    shift 2
    expect 0 "$GEMMGATE" run --device host --shapes 32x32x32,48x16x64 --seed "$seed" --warmup 0.02 \
        --duration 0.1 --candidates "$SOURCE/candidates/examples/host" -o "$out" --rounds 2 "$@"
}
run A 1
run B 2
run OTHER 3 --cache cold
[ -z "$(column A/ratios.csv freedom | grep -x '')" ] || fail 'a row has no degrees of freedom'
expect 0 "$GEMMGATE" verify A

expect 0 "$GEMMGATE" agree A B
grep -q '^How far runs agree' out && grep -Eq '^offline +call +all +[0-9]+ ' out ||
    { cat out >&2; fail 'no line for all sizes'; }
expect 0 "$GEMMGATE" agree --json A B
python3 - <<'END' || fail 'the JSON says something else'
import csv, json
page = json.load(open("out"))
rows = [r for r in csv.DictReader(open("A/ratios.csv")) if not r["baseline"].endswith("-max")]
line = page["tables"]["agreement"][0]
assert line["sizes"] == "all" and 0 < line["pairs"] <= len(rows), line
assert 0 <= line["agree_low"] <= line["agree"] <= line["agree_high"] <= 1, line
END
# A run agrees with itself, whatever its intervals.
expect 0 "$GEMMGATE" agree --json A A
[ "$(python3 -c 'import json; print({l["agree"] for l in json.load(open("out"))["tables"]["agreement"]})')" = '{1.0}' ] ||
    { cat out >&2; fail 'a run does not agree with itself'; }

expect 4 "$GEMMGATE" agree A OTHER
grep -q 'A and OTHER are of different plans: cache is "warm" and "cold"' err || fail 'the plans are not told apart'
expect 2 "$GEMMGATE" agree A
expect 2 "$GEMMGATE" agree A nothing
