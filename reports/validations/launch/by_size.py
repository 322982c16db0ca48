#!/usr/bin/env python3
"""The published speedup of server mode beside the measured one, by size.

    by_size.py PUBLISHED.csv NAME=RUN... >by_size.csv

PUBLISHED.csv is the release's eval_results/cuda_l2_h100_F32F16F16F32_speedup_server.csv. A row is a run's shapes of a
class of M*N*K: how many there are, then means over shapes with their 95 % intervals, which take the shapes as drawn at
random (Student's t). published and measured are speedups over cublaslt-autotune-max as the paper counts, in per cent,
over the same shapes. faster says on how many shapes the speedup is above 0, as published and as
measured; ratio is the geometric mean of the measured ratio.
"""
import csv
import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from over_shapes import interval

CLASSES = {"below 2^31": (0, 2**31), "2^31 to 2^36": (2**31, 2**36), "2^36 and more": (2**36, math.inf),
           "all": (0, math.inf)}


def measured(folder):
    """Of each shape the speedup and the ratio, by call."""
    of_run = {}
    for path in sorted(Path(folder, "units").glob("*/ratios.csv")):
        with open(path) as file:
            for row in csv.DictReader(file):
                if (row["baseline"], row["mode"], row["lens"]) == ("cublaslt-autotune-max", "server", "call"):
                    of_run[int(row["m"]), int(row["n"]), int(row["k"])] = float(row["speedup"]), float(row["ratio"])
    return of_run


def row(published, of_run, shapes):
    speedups = [of_run[shape][0] for shape in shapes]
    numbers = [f"{100 * x:.1f}" for x in interval([published[shape] for shape in shapes]) + interval(speedups)]
    faster = [sum(published[shape] > 0 for shape in shapes), sum(of_run[shape][0] > 0 for shape in shapes)]
    ratios = [f"{math.exp(x):.3f}" for x in interval([math.log(of_run[shape][1]) for shape in shapes])]
    return [str(len(shapes)), *numbers, *map(str, faster), *ratios]


with open(sys.argv[1]) as file:
    published = {tuple(map(int, row["mnk"].split("_"))): float(row["cuBLASLt-auto-tuning-max"]) - 1
                 for row in csv.DictReader(file)}
print("run,class,shapes,published,published_low,published_high,measured,measured_low,measured_high,"
      "published_faster,measured_faster,ratio,ratio_low,ratio_high")
for argument in sys.argv[2:]:
    name, folder = argument.split("=", 1)
    of_run = measured(folder)
    for size, (low, high) in CLASSES.items():
        shapes = [shape for shape in of_run if low <= math.prod(shape) < high]
        print(",".join([name, size, *row(published, of_run, shapes)]))
