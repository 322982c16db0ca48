#!/usr/bin/env python3
"""What a launch took on the host, and what the ratio was, visit by visit of runs in server mode.

    launches.py NAME=RUN... >launches.csv

A row is a visit of a run. kernel_us, cublaslt_us and torch_us are medians over the calls of the visit on shapes
with M*N*K < 2**31, of the time that the host spends in the call (the samples' @host columns). ratio is the geometric
mean over all shapes of the visit's ratio to cublaslt-autotune-max (rounds.csv). The first visit has none, since it
chooses the faster layout. A visit that was stopped before half of the shapes is left out.
"""
import array
import csv
import json
import math
import statistics
import sys
from pathlib import Path

KERNELS = {"kernel_us": None, "cublaslt_us": "cublaslt-autotune-nn", "torch_us": "torch-matmul"}


def launches(unit, found):
    """Adds the unit's times on the host to found[visit][column]."""
    shape, candidate = unit.name.split(".", 1)
    if math.prod(int(side) for side in shape.split("x")) >= 2**31:
        return
    described = json.loads((unit / "samples.json").read_text())["server.call"]
    columns = described["columns"]
    values = array.array("f", (unit / "server.call.f32").read_bytes())
    visits = values[columns.index("@round") :: len(columns)]
    for column, kernel in KERNELS.items():
        times = values[columns.index("@host:" + (kernel or candidate)) :: len(columns)]
        for visit, seconds in zip(visits, times):
            found.setdefault(int(visit), {}).setdefault(column, []).append(1e6 * seconds)


def ratios(unit, found):
    with open(unit / "rounds.csv") as file:
        for row in csv.DictReader(file):
            if row["baseline"] == "cublaslt-autotune-max" and row["lens"] == "call":
                found.setdefault(int(row["round"]), []).append(math.log(float(row["ratio"])))


print("run,visit,kernel_us,cublaslt_us,torch_us,shapes,ratio")
for argument in sys.argv[1:]:
    name, folder = argument.split("=", 1)
    times, logs = {}, {}
    for unit in sorted(Path(folder, "units").iterdir()):
        if (unit / "samples.json").exists():
            launches(unit, times)
            ratios(unit, logs)
    most = max(len(of_visit) for of_visit in logs.values())
    for visit in sorted(visit for visit in logs if 2 * len(logs[visit]) > most):
        medians = ",".join(f"{statistics.median(times[visit][column]):.1f}" for column in KERNELS)
        print(f"{name},{visit + 1},{medians},{len(logs[visit])},{math.exp(statistics.mean(logs[visit])):.3f}")
