#!/usr/bin/env bash
# Where two times stand beside a ratio, their quotient is the ratio: in every file and on every page, also of a
# kernel that takes another time in one visit. A visit during which the machine was disturbed is in neither, and
# every page says so.
. "$(dirname "$0")/lib.sh"

MADE_RUN=${MADE_RUN:?the program that makes runs}
cat >times.py <<'PY'
import csv, html, json, re, sys

wrong, held = [], {}

# The two times may be texts such as "12.34 µs"; share: what was lost when they and the ratio were rounded.
def hold(where, reference, own, ratio, share=1e-7):
    held[where] = held.get(where, 0) + 1
    reference, own, ratio = (float(str(x).split()[0]) for x in (reference, own, ratio))
    if not abs(reference / own - ratio) <= share * ratio:
        wrong.append(f"{where}: {reference} over {own} is {reference / own:.4f}, beside {ratio}")

# Each place must have been seen so often.
def end(seen):
    for line in wrong:
        print(line)
    if held != seen:
        print(f"seen were {held}")
    sys.exit(bool(wrong) or held != seen)

SHOWN = 1.2e-3 # times are shown with four digits, ratios with three after the point

def table(path):
    return list(csv.DictReader(open(path)))
PY

"$MADE_RUN" WILD 3 6 wild beside
"$MADE_RUN" THEN 4 6
expect 0 "$GEMMGATE" report WILD
expect 0 "$GEMMGATE" winners WILD --json
mv out winners.json
expect 0 "$GEMMGATE" compare THEN WILD --baseline openblas-max --json
mv out crossed.json
expect 0 "$GEMMGATE" compare WILD
"$GEMMGATE" gate WILD >out 2>err || true
cp -r WILD/gate gate
"$GEMMGATE" gate WILD --against THEN >out 2>err || true
python3 - <<'END' || fail 'times contradict their ratio'
from times import *
for row in table("WILD/ratios.csv"):
    hold("ratios.csv", row["baseline_seconds"], row["seconds"], row["ratio"])
for row in table("WILD/compare/compare.csv"):
    hold("compare.csv", row["reference_seconds"], row["seconds"], row["ratio"])
for row in json.load(open("crossed.json"))["tables"]["rows"]:
    hold("compare of two runs", row["reference_seconds"], row["seconds"], row["ratio"])
for gate in ("gate", "WILD/gate"): # of an earlier kernel beside it, and of a stored one
    for row in json.load(open(f"{gate}/gate.json"))["rows"] + table(f"{gate}/gate.csv"):
        if row["ratio"]:
            hold(gate, row["reference_seconds"], row["seconds"], row["ratio"])
    for text in re.findall(r"runs at [^;]*", html.unescape(open(f"{gate}/junit.xml").read())):
        found = re.search(r"runs at ([0-9.]+) of .*, ([0-9.]+) us against ([0-9.]+) us", text)
        hold(f"{gate}/junit.xml", found[3], found[2], found[1], SHOWN)
for row in json.load(open("winners.json")):
    if row["kind"] == "kernel":
        hold("winners", row["library_seconds"], row["seconds"], row["ratio"])
end({"ratios.csv": 8, "compare.csv": 2, "compare of two runs": 2, "gate": 4, "gate/junit.xml": 2, "WILD/gate": 4,
     "WILD/gate/junit.xml": 2, "winners": 1})
END

# The same visit, and the machine was disturbed in it: all numbers are those of the other five, and the row says so.
"$MADE_RUN" SHAKEN 3 6 shaken beside
expect 0 "$GEMMGATE" verify SHAKEN
mark='1 of 6 visits left out: disturbed'
marked() { # WHAT FILE...
    grep -qF "$mark" "${@:2}" || { cat "${@:2}" >&2; fail "$1 does not say that a visit is left out"; }
}
expect 0 "$GEMMGATE" report SHAKEN
marked 'the report' SHAKEN/report/report.html
grep -q '1 of 12 visits by `device` left out' SHAKEN/report/report.md || fail 'the verdict does not say that a visit is left out'
expect 0 "$GEMMGATE" winners SHAKEN --json
marked winners out
expect 0 "$GEMMGATE" compare SHAKEN
marked compare SHAKEN/compare/compare.md
grep -q 'Of 1 the visits are left out in which it was disturbed' SHAKEN/compare/compare.md || fail 'the headline does not say it'
"$GEMMGATE" gate SHAKEN >out 2>err || true
for file in gate.html summary.md junit.xml; do
    marked "the gate's $file" SHAKEN/gate/$file
done
told 'of 1 of 2 rows visits are left out: the machine was disturbed in them'
python3 - <<'END' || fail 'the disturbed visit is in a number'
from times import *

def near(where, got, wanted):
    held[where] = held.get(where, 0) + 1
    if not abs(float(got) / wanted - 1) <= 0.005:
        wrong.append(f"{where}: {got} where {wanted} is wanted")

def of_64(rows):
    return [row for row in rows if str(row["m"]) == "64"]

kinds = {"openblas-nn": 1.25, "openblas-max": 1.25, "openblas-tn": 1.375, "previous": 1}
for row in of_64(table("SHAKEN/ratios.csv")):
    near("ratio", row["ratio"], kinds[row["baseline"]])
    near("speedup", 1 + float(row["speedup"]), kinds[row["baseline"]])
    near("seconds", row["seconds"], 8e-6)
    near("left out", row["left_out"], 1)
    near("visits", row["visits"], 5)
    near("faster", row["verdict"] == ("same" if row["baseline"] == "previous" else "faster"), 1)
    hold("times", row["baseline_seconds"], row["seconds"], row["ratio"])
for row in of_64(table("SHAKEN/times.csv")):
    if row["kernel"] == "mine":
        near("mean of times.csv", row["mean"], 8e-6)
        near("visits of times.csv", row["visits"], 5)
for row in of_64(json.load(open("SHAKEN/gate/gate.json"))["rows"]):
    near("gate", row["ratio"], 1)
    near("gate's visits", row["visits"], 5)
    near("left out of the gate", row["left_out"], 1)
    near("gate's status", row["status"] == "same", 1)
    hold("gate's times", row["reference_seconds"], row["seconds"], row["ratio"])
for row in of_64(table("SHAKEN/compare/compare.csv")):
    near("compare", row["ratio"], 1)
    hold("compare's times", row["reference_seconds"], row["seconds"], row["ratio"])
end({"ratio": 4, "speedup": 4, "seconds": 4, "left out": 4, "visits": 4, "faster": 4, "times": 4, "mean of times.csv": 1,
     "visits of times.csv": 1, "gate": 1, "gate's visits": 1, "left out of the gate": 1, "gate's status": 1,
     "gate's times": 1, "compare": 1, "compare's times": 1})
END

# Where half of the visits would be left out none is: what remained would show too little.
"$MADE_RUN" HALF 3 2 shaken
expect 0 "$GEMMGATE" report HALF
grep -q '^64,.*,environment,' HALF/ratios.csv || fail 'a row of which half was disturbed has a verdict'
! grep -q '^64,.*left out' HALF/ratios.csv || fail 'half of the visits are left out'

# Before and now are means of a shape: the heading says so.
grep -q '| mean of reference | mean now |' WILD/compare/compare.md || fail 'the times of a shape are not called means'
grep -q '| mean of reference | mean now |' WILD/gate/summary.md || fail 'the times of a row of the gate are not called means'
! grep -q '| before |\|| now |' WILD/compare/compare.md WILD/gate/summary.md || fail 'a heading does not say what it is of'
