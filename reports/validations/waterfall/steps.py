#!/usr/bin/env python3
"""Prints the steps of a chain as CSV:
    reports/validations/waterfall/steps.py reports/validations/waterfall/*.ini
A chain is an INI file with a section for each step: the run that it is read from, the run that checked the kernels where
that is another one (checks), the lens, the library, the mean, and what refused kernels count. All steps are over the shapes that all of them have. The interval takes the shapes as drawn at
random from others like them: Student's t over shapes, of the paper's mean by the delta method. Those over visits, which
the tables beside this file have too, need all visits of all runs: the program that measured them has computed them."""
import configparser
import csv
import math
import pathlib
import statistics
import sys

UNTIMED = {"ok", "unrecorded", "unsupported", "not-built", "no-memory"}  # these refuse nobody


def rows(run, name):
    with open(run / name, newline="") as file:
        return list(csv.DictReader(file))


def number(text):
    return float(text) if text else math.nan


def read(step, folder):
    """Of each shape the quotient as the paper counts and the robust ratio; and the shapes whose kernel is refused."""
    run = folder / step["run"]
    values = {(row["m"], row["n"], row["k"]): (1 + number(row["speedup"]), number(row["ratio"])) for row in rows(run, "ratios.csv")
              if (row["baseline"], row["mode"], row["lens"]) == (step["library"], step["mode"], step["lens"])}
    refused = {(row["m"], row["n"], row["k"]) for row in rows(folder / step.get("checks", step["run"]), "checks.csv")
               if row["candidate"] and row["kernel"] == row["candidate"] and row["outcome"] not in UNTIMED}
    return values, refused - (values.keys() if "checks" in step else set())


def logs(step, values, refused, shapes):
    """What each shape adds to ln of the step's ratio: their mean is that."""
    paper, of = step["mean"] == "paper", {}
    for shape in shapes:
        left = shape in refused and step["refused"] != "count"
        quotient, ratio = (1, 1) if left else values[shape]
        if not left or step["refused"] == "one":
            of[shape] = quotient if paper else math.log(quotient if math.isnan(ratio) else ratio)
    level, weight = statistics.fmean(of.values()), len(shapes) / len(of)
    if paper:
        return [math.log(level) + weight * (of.get(shape, level) / level - 1) for shape in shapes]
    return [level + weight * (of.get(shape, level) - level) for shape in shapes]


def interval(x):
    """The mean of x and its 95 % interval, as ratios."""
    v, z = len(x) - 1, 1.959964
    t = z + (z**3 + z) / (4 * v) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * v**2) + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * v**3)
    mean, half = statistics.fmean(x), t * statistics.stdev(x) / math.sqrt(len(x))
    return [math.exp(y) for y in (mean, mean - half, mean + half)]


if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
    sys.exit(__doc__)
print("chain,step,shapes,refused,ratio,ratio_low,ratio_high,change,change_low,change_high,share")
for path in map(pathlib.Path, sys.argv[1:]):
    chain = configparser.ConfigParser(default_section="defaults", inline_comment_prefixes=(";",))
    chain.read_string(path.read_text())
    read_steps = [read(chain[name], path.parent) for name in chain.sections()]
    shapes = sorted(set.intersection(*({*values} | refused for values, refused in read_steps)))
    refused = set.union(*(refused for _, refused in read_steps)) & set(shapes)
    x = [logs(chain[name], values, refused, shapes) for name, (values, _) in zip(chain.sections(), read_steps)]
    whole = statistics.fmean(x[-1]) - statistics.fmean(x[0])
    for i, name in enumerate(chain.sections()):
        change = interval([b - a for a, b in zip(x[i - 1], x[i])]) if i else []
        share = [100 * math.log(change[0]) / whole] if i else []
        numbers = [f"{y:.4f}" for y in interval(x[i]) + change] + [f"{y:.1f}" for y in share]
        print(",".join([path.stem, name, str(len(shapes)), str(len(refused)), *numbers]) + "," * (7 - len(numbers)))
