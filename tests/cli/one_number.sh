#!/usr/bin/env bash
# One number has one way: the same pair of kernels has the same digits in every command and format. Of
# two runs that are made up, and of one that is measured here.
. "$(dirname "$0")/lib.sh"

MADE_RUN=${MADE_RUN:?the program that makes runs}
"$MADE_RUN" NOW 3 6
"$MADE_RUN" THEN 4 6
cat >same.py <<'PY'
import csv, json, re, sys

def table(path):
    return list(csv.DictReader(open(path)))

def number(text):
    return float(text) if text not in (None, "", "–") else None

wrong, held = [], {}

# Of whom, as printed there; digits: how many there are behind the point, None for all.
def hold(what, where, values, digits=None):
    values = [number(v) for v in values]
    if what not in held:
        held[what] = (where, values)
        return
    first, wanted = held[what]
    for a, b in zip(wanted, values):
        if a is None or b is None:
            wrong.append(f"{what}: {where} lacks what {first} has") if a != b else None
        elif abs(a - b) > (0.5001 * 10 ** -digits if digits else 1e-8 * abs(a)): # some have nine digits
            wrong.append(f"{what}: {b} in {where}, {a} in {first}")

def key(row, reference):
    shape = row["shape"] if "shape" in row else "x".join(str(row[c]) for c in "mnk")
    return shape + f" {row['candidate']} {reference} {row['mode']} {row['lens']}"

def rows(run):
    for row in table(f"{run}/ratios.csv"):
        hold(f"{run} {key(row, row['baseline'])}", f"{run}/ratios.csv", [row["ratio"], row["ci_low"], row["ci_high"]])

# "1.234 (1.200 to 1.300)", as pages have it, stands in the file.
def printed(what, path):
    values = held[what][1]
    words = ("{:.3f} <small>{:.3f} to {:.3f}" if path.endswith("html") else "{:.3f} ({:.3f} to {:.3f})").format(*values)
    if words not in open(path).read():
        wrong.append(f"{what}: {path} lacks {words}")

def end(least):
    for line in wrong:
        print(line)
    if len(held) < least:
        print(f"only {len(held)} pairs were seen")
    sys.exit(bool(wrong) or len(held) < least)
PY

# Every reader of one run.
expect 0 "$GEMMGATE" report NOW
expect 0 "$GEMMGATE" winners NOW --json
mv out winners.json
expect 0 "$GEMMGATE" baseline promote NOW --store STORE --name now
expect 0 "$GEMMGATE" history --store STORE --baseline openblas-max --json
mv out history.json
# And of two.
expect 0 "$GEMMGATE" compare THEN NOW --baseline openblas-max --json
mv out compare.json
expect 0 "$GEMMGATE" compare THEN NOW --baseline openblas-max
mv out compare.txt
"$GEMMGATE" gate NOW --against THEN >out 2>err || true
python3 - <<'END2' || fail 'one number has two values'
import sys
sys.path.insert(0, ".")
from same import *
rows("NOW")
for row in table("NOW/report/shapes.csv"):
    what = "NOW " + key(row, "openblas-max")
    hold(what, "shapes.csv", [held[what][1][0], row["openblas-max_ratio_low"], row["openblas-max_ratio_high"]], 4)
for row in json.load(open("winners.json")):
    row["candidate"] = row["kernel"]
    hold("NOW " + key(row, row["library"]), "winners", [row["ratio"], row["ratio_low"], row["ratio_high"]])
for row in json.load(open("history.json"))["tables"]["newest"]:
    row["candidate"] = row["kernel"]
    hold("NOW " + key(row, row["against"]), "history", [row["ratio"], row["ratio_low"], row["ratio_high"]])
# The mean over shapes: the report's tables.
for row in table("NOW/report/table1.csv"):
    if row["baseline"] == "openblas-max":
        hold("mean NOW", "table1.csv", [row["geomean_ratio"], row["geomean_ratio_low"], row["geomean_ratio_high"]])
printed("mean NOW", "NOW/report/report.md")
printed("mean NOW", "NOW/report/report.html")
# Of two runs: the comparison and the gate, rows and totals.
compared = json.load(open("compare.json"))["tables"]
for row in compared["rows"]:
    hold("over " + key(row, "then"), "compare", [row["ratio"], row["ci_low"], row["ci_high"]])
gate = json.load(open("NOW/gate/gate.json"))
for row in gate["rows"]:
    hold("over " + key(row, "then"), "gate", [row["ratio"], row["ci_low"], row["ci_high"]])
for where, totals in (("compare", compared["totals"]), ("gate", gate["totals"])):
    for row in totals:
        if row["size_class"] == "all":
            hold("mean over", where, [row["geomean_ratio"], row["geomean_ratio_low"], row["geomean_ratio_high"]])
words = "{:.3f} ({:.3f} to {:.3f})".format(*held["mean over"][1])
if words not in open("compare.txt").read():
    wrong.append(f"the terminal lacks {words}")
end(10)
END2

# Of a number whose interval says nothing: one word everywhere, and in no count of what is faster.
# In SHAKEN the machine was disturbed in one of two shapes; ONCE has one visit, and so no interval.
"$MADE_RUN" SHAKEN 3 6 disturbed
"$MADE_RUN" ONCE 3 1
"$MADE_RUN" AGAIN 4 1
for run in SHAKEN ONCE; do
    expect 0 "$GEMMGATE" report $run
    expect 0 "$GEMMGATE" winners $run --json
    mv out $run/winners.json
    expect 0 "$GEMMGATE" compare THEN $run --baseline openblas-max --json
    mv out $run/compare.json
done
# What is not shown is not counted as the library's victory.
"$MADE_RUN" SLOW 3 6 0.5
expect 0 "$GEMMGATE" winners SHAKEN
told 'On 1 of 2 shapes a kernel wins: it is shown to be faster than the strongest library. On the others the library stands: on 0 the fastest kernel is shown to be slower, on 1 it is not shown to be faster.'
expect 0 "$GEMMGATE" winners SLOW
told 'On the others the library stands: on 2 the fastest kernel is shown to be slower, on 0 it is not shown to be faster.'
expect 2 "$GEMMGATE" agree ONCE AGAIN
says 'an interval of one visit is none'
"$GEMMGATE" gate SHAKEN --against THEN >out 2>err || true
python3 - <<'END4' || fail 'one verdict has two words'
import sys
sys.path.insert(0, ".")
from same import *

def word(what, where, got, wanted):
    held[what, where] = got
    if got != wanted:
        wrong.append(f"{what}: {where} says {got} and not {wanted}")

for run, of_64, of_128 in (("SHAKEN", "environment", "faster"), ("ONCE", "undecided", "undecided")):
    words = {"64": of_64, "128": of_128}
    for row in table(f"{run}/ratios.csv"):
        word(run + " " + key(row, row["baseline"]), "ratios.csv", row["verdict"], words[row["m"]])
    for row in json.load(open(f"{run}/winners.json")):
        word(f"{run} {row['m']}", "winners", row["verdict"], words[str(row["m"])])
        word(f"{run} {row['m']} wins", "winners", row["kind"], "kernel" if row["verdict"] == "faster" else "library")
    compared = json.load(open(f"{run}/compare.json"))["tables"]
    for row in compared["rows"]:
        if row["m"] == 64 or run == "ONCE":
            word(f"{run} {row['m']}", "compare", row["status"], words[str(row["m"])])
    total = [row for row in compared["totals"] if row["size_class"] == "all"][0]
    counted = sum(total[name] for name in ("faster", "slower", "same", "undecided"))
    word(f"{run} counted", "compare", (counted, total["environment"]), (1, 1) if run == "SHAKEN" else (2, 0))
    for row in table(f"{run}/report/table1.csv"):
        counted = sum(int(row[name] or 0) for name in ("faster", "slower", "same", "undecided"))
        word(f"{run} counted {row['baseline']}", "table1.csv", counted, 1 if run == "SHAKEN" else 2)
for row in json.load(open("SHAKEN/gate/gate.json"))["rows"]:
    if row["m"] == 64:
        word("SHAKEN 64", "gate", row["status"], "environment")
end(20)
END4

# A run that is measured, with an earlier release beside the new one.
two_kernels set
expect 0 "$GEMMGATE" run --device host --shapes 32x32x32,48x16x64 --seed 1 --warmup 0.02 --duration 0.1 \
    --candidates set --against set \
    --visits 3 -o PAIRED
expect 0 "$GEMMGATE" compare PAIRED
expect 0 "$GEMMGATE" report PAIRED
"$GEMMGATE" gate PAIRED >out 2>err || true
python3 - <<'END3' || fail 'one number of a measured run has two values'
import sys
sys.path.insert(0, ".")
from same import *
rows("PAIRED")
for row in table("PAIRED/compare/compare.csv"):
    hold("PAIRED " + key(row, "previous"), "compare", [row["ratio"], row["ci_low"], row["ci_high"]])
for row in json.load(open("PAIRED/gate/gate.json"))["rows"]:
    if row["reference"] == "previous":
        hold("PAIRED " + key(row, "previous"), "gate", [row["ratio"], row["ci_low"], row["ci_high"]])
end(4)
END3
