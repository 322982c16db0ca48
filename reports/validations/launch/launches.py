#!/usr/bin/env python3
"""What a launch took on the host, and what the ratio was, visit by visit of runs in server mode.

    launches.py NAME=RUN... >launches.csv

A row is a visit of a run. kernel_us, cublaslt_us and torch_us are medians of the time that the host spends in a call
(the samples' @host columns), over the visit's calls on small shapes, those with M*N*K < 2**31: of larger ones some
kernels wait for the device in each call. ratio is the geometric mean over shapes of the visit's ratio to
cublaslt-autotune-max (rounds.csv), of all shapes, of small ones and of the others. speedup is the mean as the paper
counts, in per cent, of all shapes. The first visit has no ratio, since it chooses the faster layout. A visit that was
stopped before half of the shapes is left out.
"""
import array
import csv
import json
import math
import statistics
import sys
from collections import defaultdict
from pathlib import Path

KERNELS = {"kernel_us": None, "cublaslt_us": "cublaslt-autotune-nn", "torch_us": "torch-matmul"}


def launches(unit, times):
    """Adds the unit's times on the host to times[visit, column]."""
    columns = json.loads((unit / "samples.json").read_text())["server.call"]["columns"]
    values = array.array("f", (unit / "server.call.f32").read_bytes())
    visits = values[columns.index("@round") :: len(columns)]
    for column, kernel in KERNELS.items():
        of_kernel = values[columns.index("@host:" + (kernel or unit.name.split(".", 1)[1])) :: len(columns)]
        for visit, seconds in zip(visits, of_kernel):
            times[int(visit), column].append(1e6 * seconds)


def ratios(unit, found):
    """Adds the unit's ratios and speedups to found[visit]."""
    with open(unit / "rounds.csv") as file:
        for row in csv.DictReader(file):
            if row["baseline"] == "cublaslt-autotune-max" and row["lens"] == "call":
                found[int(row["round"])].append((float(row["ratio"]), float(row["speedup"])))


print("run,visit,kernel_us,cublaslt_us,torch_us,shapes,ratio,ratio_small,ratio_large,speedup")
for argument in sys.argv[1:]:
    name, folder = argument.split("=", 1)
    times, small, large = defaultdict(list), defaultdict(list), defaultdict(list)
    for unit in sorted(Path(folder, "units").iterdir()):
        if not (unit / "samples.json").exists():
            continue
        is_small = math.prod(int(side) for side in unit.name.split(".")[0].split("x")) < 2**31
        ratios(unit, small if is_small else large)
        if is_small:
            launches(unit, times)
    most = max(len(small[visit] + large[visit]) for visit in list(small))
    for visit in sorted(small):
        groups = small[visit] + large[visit], small[visit], large[visit]
        if 2 * len(groups[0]) > most:
            medians = [f"{statistics.median(times[visit, column]):.1f}" for column in KERNELS]
            means = [f"{statistics.geometric_mean(ratio for ratio, _ in group):.3f}" for group in groups]
            speedup = f"{100 * statistics.mean(speedup for _, speedup in groups[0]):.1f}"
            print(",".join([name, str(visit + 1), *medians, str(len(groups[0])), *means, speedup]))
