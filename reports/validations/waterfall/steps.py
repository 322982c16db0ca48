#!/usr/bin/env python3
"""Prints the steps of a chain as CSV:
    steps.py [--by-size] CHAIN.ini...
A chain is an INI file with a section for each step: the run that it is read from, the run that checked the kernels where
that is another one (checks), the lens, the library, the mean, the column of ratio (ratio; plain_ratio has it at the launch
as measured), and what refused kernels count. All steps are over the shapes that all of them have, and with --by-size over
each class of them, too, that has two or more. The interval takes the shapes as drawn at random from others like them:
Student's t over shapes, of the paper's mean by the delta method."""
import configparser
import csv
import math
import pathlib
import statistics
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from over_shapes import interval

SIZES = {"all": (0, math.inf), "below 2^31": (0, 31), "from 2^31": (31, math.inf), "below 2^26": (0, 26), "2^26 to 2^31": (26, 31),
         "2^31 to 2^36": (31, 36), "2^36 and more": (36, math.inf)}
UNTIMED = {"ok", "unrecorded", "unsupported", "not-built", "no-memory"}  # these refuse nobody


def rows(run, name):
    with open(run / name, newline="") as file:
        return list(csv.DictReader(file))


def number(text):
    return float(text) if text else math.nan


def read(step, folder):
    """Of each shape the quotient as the paper counts and the robust ratio; and the shapes whose kernel is refused."""
    run = folder / step["run"]
    values = {(row["m"], row["n"], row["k"]): (1 + number(row["speedup"]), number(row[step.get("ratio", "ratio")] or row["ratio"]))
              for row in rows(run, "ratios.csv")
              if (row["baseline"], row["mode"], row["lens"]) == (step["library"], step["mode"], step["lens"])}
    refused = {(row["m"], row["n"], row["k"]) for row in rows(folder / step.get("checks", step["run"]), "checks.csv")
               if row["candidate"] and row["kernel"] == row["candidate"] and row["outcome"] not in UNTIMED}
    return values, refused - (values.keys() if "checks" in step else set())


def logs(step, values, refused, shapes):
    """What each shape adds to ln of the step's ratio: their mean is that."""
    paper, of = step["mean"] == "paper", {}
    for shape in shapes:
        if shape not in refused or step["refused"] == "count":
            quotient, ratio = values[shape]
            of[shape] = quotient if paper else math.log(quotient if math.isnan(ratio) else ratio)
    level, weight = statistics.fmean(of.values()), len(shapes) / len(of)
    if paper:
        return [math.log(level) + weight * (of.get(shape, level) / level - 1) for shape in shapes]
    return [level + weight * (of.get(shape, level) - level) for shape in shapes]


def print_steps(title, names, x):
    """A row for each step; x[i] is what logs makes of step i."""
    for i, name in enumerate(names):
        change = interval([b - a for a, b in zip(x[i - 1], x[i])]) if i else ()
        numbers = [f"{math.exp(y):.4f}" for y in (*interval(x[i]), *change)]
        print(",".join([*title, name, *numbers]) + "," * (6 - len(numbers)))


by_size = sys.argv[1:2] == ["--by-size"]
paths = sys.argv[1 + by_size :]
if not paths or paths[0].startswith("-"):
    sys.exit(__doc__)
print("chain,size,shapes,refused,step,ratio,ratio_low,ratio_high,change,change_low,change_high")
for path in map(pathlib.Path, paths):
    chain = configparser.ConfigParser(default_section="defaults")
    chain.read_string(path.read_text())
    read_steps = [read(chain[name], path.parent) for name in chain.sections()]
    common = sorted(set.intersection(*({*values} | refused for values, refused in read_steps)))
    refused = set.union(*(refused for _, refused in read_steps)) & set(common)
    for size, (least, most) in SIZES.items() if by_size else [("all", SIZES["all"])]:
        shapes = [shape for shape in common if least <= math.log2(math.prod(map(int, shape))) < most]
        if len(shapes) < 2:
            continue
        x = [logs(chain[name], values, refused, shapes) for name, (values, _) in zip(chain.sections(), read_steps)]
        title = [path.stem, size, str(len(shapes)), str(len(refused & set(shapes)))]
        print_steps(title, chain.sections(), x)
