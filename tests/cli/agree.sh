#!/usr/bin/env bash
# How far runs agree: in text and as JSON, and what cannot be compared.
# Covers: reports/tables/agree* reports/tables/*.sql timing/agreement* bench/command/results.c
. "$(dirname "$0")/lib.sh"

two_kernels set
run() { # RUN SEED ARGS...
    local out=$1 seed=$2
    shift 2
    expect 0 "$GEMMGATE" run --device host --shapes 32x32x32,48x16x64 --seed "$seed" --warmup 0.02 \
        --duration 0.1 --candidates set -o "$out" --visits 2 "$@"
}
run A 1
run B 2
run C 4
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
rows = list(csv.DictReader(open("A/ratios.csv")))
line = page["tables"]["agreement"][0]
assert line["sizes"] == "all" and 0 < line["pairs"] <= len(rows), line
assert 0 <= line["agree_low"] <= line["agree"] <= line["agree_high"] <= 1, line
END
# The share and its interval have one unit.
expect 0 "$GEMMGATE" agree A B
grep -Eq ' agree % +low % +high % ' out && ! grep -Eq ' to 1\.000' out || { cat out >&2; fail 'a share has an interval of another unit'; }
# A run beside itself, or beside a copy of it, would agree in each row.
expect 4 "$GEMMGATE" agree A A
says 'A and A are one run: measure again, into another folder'
cp -r A COPY
expect 4 "$GEMMGATE" agree A B COPY
says 'A and COPY are one run'
expect 4 "$GEMMGATE" report A --again COPY
says 'A and COPY are one run'

expect 4 "$GEMMGATE" agree A OTHER
grep -q 'A and OTHER are of different plans: cache is "warm" and "cold"' err || fail 'the plans are not told apart'
expect 2 "$GEMMGATE" agree A
expect 2 "$GEMMGATE" agree A nothing

# The same in a report.
expect 0 "$GEMMGATE" report A --again B
grep -q '^## Beside other runs' A/report/report.md && grep -q 'Beside other runs' A/report/report.html ||
    fail 'the report does not say how far the other run agrees'
expect 4 "$GEMMGATE" report A --again OTHER
says 'A and OTHER are of different plans: cache is "warm" and "cold"'

# What is of another machine or format, or has nothing in common, is told with both sides.
copy() { # RUN FILE SED [OF]: B, or another run, with the file changed
    cp -r "${4-B}" "$1"
    sed -i "$3" "$1/$2"
    cmp -s "${4-B}/$2" "$1/$2" && fail "$2 was not changed"
    return 0
}
copy ELSEWHERE manifest.json '/"cpu"/,/"model"/s/"model": "[^"]*"/"model": "a CPU of its own"/' C
expect 4 "$GEMMGATE" agree A ELSEWHERE
says 'A and ELSEWHERE are of different machines: cpu.model is '
says ' and a CPU of its own; `gemmgate report RUN --again RUN2` puts devices side by side'

# Runs on devices of several kinds stand side by side, over the shapes that all have. Only those on devices of one
# kind are asked whether they agree.
row() { # RUN SHAPES: how many rows of the table say that
    grep -c " | openblas-max | $2 | .* | \`$1\` |$" A/report/report.md || true
}
expect 0 "$GEMMGATE" report A --again ELSEWHERE B
sed -n '/^## Beside other runs/,/^## Run/p' A/report/report.md >side
grep -q '^\*\*Over the shapes that every run has\*\*$' side || { cat side >&2; fail 'nothing stands beside the run'; }
[ "$(row A 2) $(row ELSEWHERE 2) $(row B 2)" = '2 2 2' ] || { cat side >&2; fail 'a row is missing'; }
grep -q '^| ELSEWHERE | a CPU of its own (host); .*; complete: yes; 0 of 4 kernels on shapes refused |$' side || { cat side >&2; fail 'the other run is not described'; }
grep -q '^| other devices | 1; \[beside this one\](#again) |$' A/report/report.md || fail 'the verdict does not lead there'
grep -q '^gemmgate report RUN --again B ELSEWHERE$' A/report/report.md || fail 'the command is not told'
grep -A4 '^| what was compared' A/report/report.md >compared
grep -q '^| with | B |$' compared && ! grep -q ELSEWHERE compared || { cat compared >&2; fail 'another machine is to agree'; }
expect 4 "$GEMMGATE" report A --again ELSEWHERE ELSEWHERE
says 'ELSEWHERE and ELSEWHERE are one run'
# What cannot be drawn is said by a page that is there all the same.
mkdir bin
printf '#!/bin/sh\nexit 1\n' >bin/gnuplot && chmod +x bin/gnuplot
rm A/report/report.md
PATH=$PWD/bin:$PATH expect 2 "$GEMMGATE" report A --again ELSEWHERE B
says 'gnuplot did not draw'
[ "$(row A 2) $(row ELSEWHERE 2) $(row B 2)" = '2 2 2' ] || fail 'a page without figures does not have the other runs'
sed -i '/^48,16,64,other,/d' ELSEWHERE/ratios.csv
expect 0 "$GEMMGATE" report A --again ELSEWHERE
[ "$(row A 1) $(row ELSEWHERE 1) $(row A 2)" = '1 1 1' ] || { cat A/report/report.md >&2; fail 'shapes are counted that one run lacks'; }
! grep -q 'How far the runs agree' A/report/report.md || fail 'one run agrees with nobody'
sed -i '/,other,/d' ELSEWHERE/ratios.csv
expect 0 "$GEMMGATE" report A --again ELSEWHERE
grep -q '^| ELSEWHERE | a CPU of its own' A/report/report.md || fail 'a run with one kernel does not stand beside the other'
sed -i '2,$d' ELSEWHERE/ratios.csv
expect 0 "$GEMMGATE" report A --again ELSEWHERE
grep -q '^\*\*Nothing stands side by side\*\*: no shape has a ratio' A/report/report.md || fail 'nothing is put side by side'
copy EARLIER plan.json 's/"format": [0-9]*/"format": 6/'
rm EARLIER/visits.csv
expect 2 "$GEMMGATE" agree A EARLIER
says 'EARLIER is of format 6, and this version reads format 20'
expect 2 "$GEMMGATE" report EARLIER
says 'EARLIER is of format 6, and this version reads format 20'
copy LARGER plan.json 's/^  "32x32x32",$/  "32x32x33",/; s/"warm"/"cold"/'
expect 4 "$GEMMGATE" agree A LARGER
says 'A and LARGER are of different plans: shapes[0] is "32x32x32" and "32x32x33"; only'
# Equal shapes are equal, whatever the file is called that they were read from.
copy RENAMED plan.json 's/"suite": "[^"]*"/"suite": "other.csv"/'
expect 0 "$GEMMGATE" agree A RENAMED
copy EMPTY ratios.csv '2,$d'
expect 2 "$GEMMGATE" agree A EMPTY
says 'A and EMPTY have no row with an interval in both'
expect 2 "$GEMMGATE" report A --again EMPTY
