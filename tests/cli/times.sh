#!/usr/bin/env bash
# Where two times stand beside a ratio, their quotient is the ratio: in every file and on every page, also of a
# kernel that takes another time in one visit.
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

# The rows of a table of a page as lists of texts.
def lines(page):
    for row in re.findall(r"<tr>(.*?)</tr>", open(page).read(), re.S):
        yield [html.unescape(re.sub(r"<[^>]*>", " ", cell)).strip() for cell in re.findall(r"<t[dh][^>]*>(.*?)(?=<t[dh]|$)", row, re.S)]
PY

"$MADE_RUN" WILD 3 6 wild beside
"$MADE_RUN" THEN 4 6
expect 0 "$GEMMGATE" report WILD
expect 0 "$GEMMGATE" report WILD --shape 64x64x64
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
    hold("compare.csv", row["old_seconds"], row["new_seconds"], row["ratio"])
for row in json.load(open("crossed.json"))["tables"]["shapes"]:
    hold("compare of two runs", row["old_seconds"], row["new_seconds"], row["ratio"])
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
# The page of a shape: the candidate's time, and that of each library with its ratio.
rows = list(lines("WILD/report/64x64x64.html"))
head = next(row for row in rows if "its time / the candidate's" in row)
time, ratio = head.index("time"), head.index("its time / the candidate's")
own = next(row for row in rows if row[0] == "mine" and len(row) == len(head))
for row in rows:
    if row[0].startswith("openblas-") and len(row) == len(head) and row[ratio][0].isdigit():
        hold("64x64x64.html", row[time], own[time], row[ratio], SHOWN)
end({"ratios.csv": 8, "compare.csv": 2, "compare of two runs": 2, "gate": 4, "gate/junit.xml": 2, "WILD/gate": 4,
     "WILD/gate/junit.xml": 2, "winners": 1, "64x64x64.html": 2})
END
