#!/usr/bin/env python3
"""The ratio against the launch, where the host spends the gap of server mode in four ways: a run of the program with
titration.patch, in which visit v has condition v modulo 4.

    titration.py NAME=RUN... >titration.csv
    titration.py --lines PUBLISHED.csv NAME=RUN... >titration-lines.csv

A row of titration.csv is a run, lens and condition, of all its visits and of each. launch_us is the time that the host
spends in a call of torch.matmul (@host): the median over shapes of the median over a visit's calls. A planted delay is
part of it. ratio is that to cublaslt-autotune-max, the geometric mean over shapes of the ratio of the medians, with its
95 % interval over shapes. The faster layout is chosen by the other visits. Rows of single visits show how well a host
agrees with itself.

A row of titration-lines.csv is a run and lens: ln ratio = a + b ln launch_us, by least squares over the conditions
without a planted delay; how far the planted delay lies above that line, in per cent; the geometric mean of the ratios
published for these shapes, and the launch at which the line meets it. beside_first is how much higher the line lies than
that of the first run, in per cent, at the launch at_us, the middle of the launches of both. Intervals are the middle
95 % of 2000 draws of shapes. A planted delay is as long for both sides, so it brings their ratio nearer to 1: it belongs
to no line.
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
NATURAL = CONDITIONS[:3]
LIBRARIES = ["cublaslt-autotune-nn", "cublaslt-autotune-tn"]
TORCH = "torch-matmul"
DRAWS = 2000


def medians(folder, label, lens):
    """Of each visit and column of a unit the median in microseconds."""
    columns = json.loads((folder / "samples.json").read_text())[f"server.{lens}"]["columns"]
    values = array.array("f", (folder / f"server.{lens}.f32").read_bytes())
    visits = values[columns.index("@visit") :: len(columns)]
    calls = defaultdict(list)
    for name in [label, *LIBRARIES, TORCH, "@host:" + TORCH]:
        for visit, seconds in zip(visits, values[columns.index(name) :: len(columns)]):
            if not math.isnan(seconds):
                calls[int(visit), name].append(1e6 * seconds)
    return {key: statistics.median(of_key) for key, of_key in calls.items()}


def measured(run, lens):
    """Of each shape and visit (launch, ratio). A run that was stopped has its visits in hidden folders."""
    points = defaultdict(dict)
    for path in sorted(Path(run, "units").rglob("samples.json")):
        shape, label = path.relative_to(Path(run, "units")).parts[0].removesuffix(".visits").lstrip(".").split(".", 1)
        unit = medians(path.parent, label, lens)
        visits = sorted({visit for visit, _ in unit})
        for visit in visits:
            def elsewhere(library):
                return sum(math.log(unit[other, library]) for other in visits if other != visit)
            library = min(LIBRARIES, key=elsewhere)
            points[shape][visit] = unit[visit, "@host:" + TORCH], unit[visit, library] / unit[visit, label]
    return dict(sorted(points.items()))


def condition(points, shapes, visits):
    """(launch, ratio) of these visits."""
    launches = [statistics.median(points[shape][visit][0] for shape in shapes) for visit in visits]
    ratios = [points[shape][visit][1] for shape in shapes for visit in visits]
    return statistics.geometric_mean(launches), statistics.geometric_mean(ratios)


def visits_of(points):
    """The visits that all shapes have, by condition."""
    whole = sorted(set.intersection(*(set(visits) for visits in points.values())))
    return {name: [visit for visit in whole if visit % len(CONDITIONS) == i] for i, name in enumerate(CONDITIONS)}


def line(points, shapes):
    """(a, b, the mean of ln launch, how far the planted delay lies above the line)"""
    visits = visits_of(points)
    found = {name: [math.log(x) for x in condition(points, shapes, visits[name])] for name in CONDITIONS}
    x, y = zip(*(found[name] for name in NATURAL))
    b, a = statistics.linear_regression(x, y)
    return a, b, statistics.fmean(x), found["planted"][1] - a - b * found["planted"][0]


def draws(shapes):
    drawn = random.Random(51)
    return [drawn.choices(shapes, k=len(shapes)) for _ in range(DRAWS)]


def interval(statistic, shapes):
    """The statistic of all shapes and its 95 % interval."""
    values = sorted(map(statistic, draws(shapes)))
    return [statistic(shapes), values[DRAWS // 40], values[-1 - DRAWS // 40]]


def per_cent(x):
    return [f"{100 * math.expm1(y):.1f}" for y in x]


def print_conditions(name, lens, points):
    for title, visits in visits_of(points).items():
        for of_row in [visits] + [[visit] for visit in visits]:
            launch, _ = condition(points, points, of_row)
            ratios = interval(lambda drawn: condition(points, drawn, of_row)[1], list(points))
            visit = "all" if of_row is visits else str(of_row[0] + 1)
            print(",".join([name, lens, title, visit, str(len(points)), f"{launch:.1f}", *(f"{x:.3f}" for x in ratios)]))


def print_line(name, lens, points, first, published):
    shapes = sorted(points.keys() & first.keys())
    theirs = {shape: math.log(published[shape]) for shape in shapes}
    middle = (line(points, shapes)[2] + line(first, shapes)[2]) / 2

    def meets(drawn):
        a, b, _, _ = line(points, drawn)
        return (statistics.fmean(theirs[shape] for shape in drawn) - a) / b

    def beside(drawn):
        (a, b, _, _), (first_a, first_b, _, _) = line(points, drawn), line(first, drawn)
        return a - first_a + (b - first_b) * middle

    row = [name, lens, str(len(shapes)), *(f"{x:.3f}" for x in line(points, shapes)[:2])]
    row += [f"{x:.3f}" for x in interval(lambda drawn: line(points, drawn)[1], shapes)[1:]]
    row += per_cent(interval(lambda drawn: line(points, drawn)[3], shapes))
    row += [f"{math.exp(statistics.fmean(theirs.values())):.3f}", *(f"{math.exp(x):.1f}" for x in interval(meets, shapes))]
    row += [f"{math.exp(middle):.1f}", *per_cent(interval(beside, shapes))] if points is not first else [""] * 4
    print(",".join(row))


lines = sys.argv[1] == "--lines"
if lines:
    with open(sys.argv[2]) as file:
        published = {row["mnk"].replace("_", "x"): float(row["cuBLASLt-auto-tuning-max"]) for row in csv.DictReader(file)}
    print("run,lens,shapes,a,b,b_low,b_high,planted,planted_low,planted_high,published,meets_us,meets_low,meets_high,at_us,"
          "beside_first,beside_low,beside_high")
else:
    print("run,lens,condition,visit,shapes,launch_us,ratio,ratio_low,ratio_high")
runs = [argument.split("=", 1) for argument in sys.argv[3 if lines else 1 :]]
for lens in ["call", "wait"]:
    first = None
    for name, run in runs:
        points = measured(run, lens)
        first = first or points
        if lines:
            print_line(name, lens, points, first, published)
        else:
            print_conditions(name, lens, points)
