#!/usr/bin/env python3
"""The ratio against the launch, where the host spends the gap of server mode in four ways: runs of the program with
titration.patch, in which visit v has condition v modulo 4, and older runs without it, whose gap is spun.

    titration.py NAME=RUN... >titration.csv
    titration.py --lines PUBLISHED.csv NAME=RUN... >titration-lines.csv

All numbers are of the shapes of the first run. Older runs call a visit a round, and have no wait.

A row of titration.csv is a run, lens and condition, of all its visits and of each. launch_us is the time that the host
spends in a call of torch.matmul (@host), the geometric mean over shapes of the median over a visit's calls. A planted
delay is part of it. ratio is that to cublaslt-autotune-max, the geometric mean over shapes of the ratio of the medians,
with its 95 % interval over shapes. The faster layout is chosen by the other visits.

A row of titration-lines.csv is a run and lens: ln ratio = a + b ln launch_us, by least squares over the visits without a
planted delay; the geometric mean of the ratios published for these shapes, and the launch at which the line meets it.
beside_first is how much higher the line lies than that of the first run, in per cent, at the launch at_us, the middle of
the launches of both. planted is how much higher the ratio with the planted delay is than the one that is had by adding
that delay to both sides of the condition before it, in per cent. Intervals are the middle 95 % of 2000 draws of shapes,
the same for both runs, and of visits within each condition. inf stands where a line may be level.
"""
import array
import csv
import json
import math
import random
import statistics
import sys
from collections import defaultdict
from pathlib import Path

CONDITIONS = ["spun", "slept", "evicted", "planted"]
PLANTED_US = 20
LIBRARIES = ["cublaslt-autotune-nn", "cublaslt-autotune-tn"]
TORCH = "torch-matmul"
DRAWS = 2000


def medians(folder, label, lens):
    """Of each visit and column of a unit the median in microseconds, and whether the run is of the patched program."""
    columns = json.loads((folder / "samples.json").read_text())[f"server.{lens}"]["columns"]
    values = array.array("f", (folder / f"server.{lens}.f32").read_bytes())
    patched = "@visit" in columns
    visits = values[columns.index("@visit" if patched else "@round") :: len(columns)]
    calls = defaultdict(list)
    for name in [label, *LIBRARIES, TORCH, "@host:" + TORCH]:
        for visit, seconds in zip(visits, values[columns.index(name) :: len(columns)]):
            if not math.isnan(seconds):
                calls[int(visit), name].append(1e6 * seconds)
    return {key: statistics.median(of_key) for key, of_key in calls.items()}, patched


class Run:
    """points[shape, visit] has the logarithms of launch, library and kernel; visits[condition] has the visits."""

    def __init__(self, name, folder, lens):
        self.name, self.points = name, {}
        of_shape = {}
        for path in sorted(Path(folder, "units").glob("*/samples.json")):
            shape, label = path.parent.name.split(".", 1)
            unit, patched = medians(path.parent, label, lens)
            of_shape[shape] = {visit for visit, _ in unit}
            for visit in of_shape[shape]:
                def elsewhere(library):
                    return sum(math.log(unit[other, library]) for other in of_shape[shape] if other != visit)
                names = "@host:" + TORCH, min(LIBRARIES, key=elsewhere), label
                self.points[shape, visit] = [math.log(unit[visit, name]) for name in names]
        self.shapes = list(of_shape)
        whole = sorted(set.intersection(*of_shape.values()))
        self.visits = defaultdict(list)
        for visit in whole:
            self.visits[CONDITIONS[visit % 4] if patched else "spun"].append(visit)
        self.natural = [visits for name, visits in self.visits.items() if name != "planted"]

    def visit(self, shapes, visit):
        """(ln launch, ln ratio)"""
        points = [self.points[shape, visit] for shape in shapes]
        return statistics.fmean(x for x, _, _ in points), statistics.fmean(y - z for _, y, z in points)

    def condition(self, shapes, visits):
        x, y = zip(*(self.visit(shapes, visit) for visit in visits))
        return statistics.fmean(x), statistics.fmean(y)

    def line(self, shapes, visits):
        """(a, b, the mean of ln launch) of the visits of each condition"""
        x, y = zip(*(self.visit(shapes, visit) for of_condition in visits for visit in of_condition))
        b, a = statistics.linear_regression(x, y)
        return a, b, statistics.fmean(x)

    def planted(self, shapes):
        def added(us):
            return math.log(math.exp(us) + PLANTED_US)
        before = [self.points[shape, visit] for shape in shapes for visit in self.visits["evicted"]]
        expected = statistics.fmean(added(library) - added(kernel) for _, library, kernel in before)
        return self.condition(shapes, self.visits["planted"])[1] - expected


def middle(values):
    """The middle 95 %."""
    values = sorted(values)
    return [values[len(values) // 40], values[-1 - len(values) // 40]]


def over_shapes(statistic, shapes):
    """The statistic and its interval over shapes."""
    drawn = random.Random(51)
    return [statistic(shapes), *middle(statistic(drawn.choices(shapes, k=len(shapes))) for _ in range(DRAWS))]


def over_both(statistic, shapes, *runs):
    """The statistic of shapes and each run's natural visits, and its interval over both."""
    drawn = random.Random(51)

    def draw(some):
        return drawn.choices(some, k=len(some))
    draws = (statistic(draw(shapes), *([draw(visits) for visits in run.natural] for run in runs)) for _ in range(DRAWS))
    return [statistic(shapes, *(run.natural for run in runs)), *middle(draws)]


def per_cent(x):
    return [f"{100 * math.expm1(y):.1f}" for y in x]


def print_conditions(run, lens, shapes):
    for title, visits in run.visits.items():
        for of_row in [visits] + [[visit] for visit in visits]:
            launch, _ = run.condition(shapes, of_row)
            ratios = over_shapes(lambda drawn: run.condition(drawn, of_row)[1], shapes)
            visit = "all" if of_row is visits else str(of_row[0] + 1)
            numbers = f"{math.exp(launch):.1f}", *(f"{math.exp(x):.3f}" for x in ratios)
            print(",".join([run.name, lens, title, visit, str(len(shapes)), *numbers]))


def print_line(run, lens, shapes, first, published):
    theirs = {shape: math.log(published[shape]) for shape in shapes}
    at = (run.line(shapes, run.natural)[2] + first.line(shapes, first.natural)[2]) / 2

    def meets(drawn, visits):
        a, b, _ = run.line(drawn, visits)
        return (statistics.fmean(theirs[shape] for shape in drawn) - a) / b if b > 0 else math.inf

    def beside(drawn, visits, first_visits):
        (a, b, _), (first_a, first_b, _) = run.line(drawn, visits), first.line(drawn, first_visits)
        return a - first_a + (b - first_b) * at

    slope = over_both(lambda drawn, visits: run.line(drawn, visits)[1], shapes, run)
    row = [run.name, lens, str(len(shapes)), *(f"{x:.3f}" for x in [run.line(shapes, run.natural)[0], *slope])]
    row += [f"{math.exp(statistics.fmean(theirs.values())):.3f}"]
    row += [f"{math.exp(x):.1f}" for x in over_both(meets, shapes, run)]
    row += [f"{math.exp(at):.1f}", *per_cent(over_both(beside, shapes, run, first))] if run is not first else [""] * 4
    row += per_cent(over_shapes(run.planted, shapes)) if "planted" in run.visits else [""] * 3
    print(",".join(row))


lines = sys.argv[1] == "--lines"
if lines:
    with open(sys.argv[2]) as file:
        published = {row["mnk"].replace("_", "x"): float(row["cuBLASLt-auto-tuning-max"]) for row in csv.DictReader(file)}
    print("run,lens,shapes,a,b,b_low,b_high,published,meets_us,meets_low,meets_high,at_us,beside_first,beside_low,beside_high,"
          "planted,planted_low,planted_high")
else:
    print("run,lens,condition,visit,shapes,launch_us,ratio,ratio_low,ratio_high")
named = [argument.split("=", 1) for argument in sys.argv[3 if lines else 1 :]]
for lens in ["call", "wait"]:
    runs = [Run(name, folder, lens) for name, folder in named if any(Path(folder, "units").glob(f"*/server.{lens}.f32"))]
    shapes = runs[0].shapes
    for run in runs:
        if lines:
            print_line(run, lens, shapes, runs[0], published)
        else:
            print_conditions(run, lens, shapes)
