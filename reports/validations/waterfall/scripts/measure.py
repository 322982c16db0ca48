#!/usr/bin/env python3
"""Times kernels of the CUDA-L2 release by the functions of its own benchmarking scripts:
    measure.py [--server] RELEASE EXTENSIONS SECONDS >>scripts.csv
RELEASE is a checkout of CUDA-L2. EXTENSIONS has hgemm_lib.so, bridge.so and kernels/MxNxK.so, as README.md says. No
kernel is begun after so many SECONDS. The order of kernels is drawn, so a run that ends early has a fair sample.

Each kernel has a process of its own, which times it in four loops, in drawn order: beside torch.matmul, beside cuBLASLt
autotuned in each layout (pair-...), and beside all three (four). EXTENSIONS/direct/MxNxK.so is an extension that the
release's builder has made: its kernel is timed in one more process beside torch.matmul (direct-matmul). A loop calls the
release's run_all_perf_funcs_once for a time, in the release 5 s and 10 s, here less. A row of the CSV is a function in a
loop. Its mean TFLOPS are what the release takes; mean_quotient is the mean of its time over that of the kernel.

With --server the host sleeps after each record, as in the release's benchmarking_server.py: 10 ms on average, drawn from
an exponential distribution. There is no loop of all three libraries then (server-...)."""
import importlib.util
import math
import os
import pathlib
import random
import signal
import statistics
import sys
import time
import types

SERVER = sys.argv[1:2] == ["--server"]
WARMUP, BENCHMARK, RECORDS = 0.3, 1.5 if SERVER else 0.7, 20  # seconds, seconds, and at least so many records
RATE = 100  # server mode: sleeps of 1/RATE seconds on average
LIMIT = 60  # seconds of a kernel
LIBRARIES = {"matmul": "matmul", "tn": "hgemm_cublaslt_auto_tuning_tn", "nn": "hgemm_cublaslt_auto_tuning_nn"}
KERNEL = "cuda_l2_h100_fp32"
COLUMNS = "shape,loop,function,records,mean_tflops,mean_ms,median_ms,mean_quotient"

if len(sys.argv) != 4 + SERVER or sys.argv[1 + SERVER].startswith("-"):
    sys.exit(__doc__)
RELEASE, EXTENSIONS = map(pathlib.Path, sys.argv[-3:-1])
for unused in ("pandas", "torch.utils.cpp_extension"):  # the release's modules import these, its functions here do not use them
    sys.modules[unused] = types.ModuleType(unused)
sys.modules["torch.utils.cpp_extension"].load = None
sys.path.insert(0, str(RELEASE))
import torch
from benchmarking_utils import run_all_perf_funcs_once
from tools.utils import extract_bm_bk_bn


def say(*words):
    print(*words, file=sys.stderr, flush=True)


def load(path, kernel):
    os.environ["HGEMM_BRIDGE"], os.environ["HGEMM_KERNEL"] = str(EXTENSIONS / "bridge.so"), str(kernel)
    spec = importlib.util.spec_from_file_location("hgemm_lib", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def paddings(sizes):
    """As benchmarking_offline.py pads."""
    text = (RELEASE / "kernels/h100_F32F16F16F32" / "{}_{}_{}.cu".format(*sizes)).read_text()
    bm, bk, bn = extract_bm_bk_bn(text)
    tile = (bm, bn, bk) if min(bm, bk, bn) > 0 else sizes
    return {f"padding_{name}": math.ceil(size / of) * of - size for name, size, of in zip("mnk", sizes, tile)}


def record_once(functions, arguments):
    record = run_all_perf_funcs_once(perf_func_list=functions, **arguments)
    if SERVER:
        time.sleep(random.expovariate(RATE))
    return record


def run(functions, arguments):
    """The loops of benchmarking_offline.py and benchmarking_server.py."""
    start = time.time()
    while time.time() - start < WARMUP:
        record_once(functions, arguments)
    records, start = [], time.time()
    while time.time() - start < BENCHMARK or len(records) < RECORDS:
        random.shuffle(functions)
        records.append(record_once(functions, arguments))
    return records


def initialize(hgemm):
    hgemm.init_cublas_handle()
    hgemm.init_cublaslt_handle_v1()
    hgemm.init_cublaslt_handle_v2()
    torch.cuda.synchronize()


def find_algorithms(hgemm, shape, sizes):
    for layout in ("tn", "nn"):
        start = time.time()
        getattr(hgemm, f"find_best_algo_{layout}_v2_torch")(*sizes)
        torch.cuda.synchronize()
        say(f"{shape} {layout}: algorithm found in {time.time() - start:.2f} s")


def loops(hgemm, direct):
    """Each loop's name and functions."""
    if direct:
        return [("direct-matmul", [torch.matmul, getattr(hgemm, KERNEL)])]
    library = {name: getattr(hgemm if name != "matmul" else torch, function) for name, function in LIBRARIES.items()}
    kernel = getattr(hgemm, KERNEL)
    of = {f"{'server' if SERVER else 'pair'}-{name}": [function, kernel] for name, function in library.items()}
    if not SERVER:
        of["four"] = [*library.values(), kernel]
    return random.sample(list(of.items()), len(of))


def measure(shape, extension):
    sizes = tuple(map(int, shape.split("x")))
    arguments = dict(zip("mnk", sizes), acc_precise="fp32", device_type="h100", **paddings(sizes))
    torch.cuda.set_device(0)
    hgemm, rows = load(extension, EXTENSIONS / f"kernels/{shape}.so"), []
    direct = extension.parent.name == "direct"
    initialize(hgemm)
    if not direct:
        find_algorithms(hgemm, shape, sizes)
    for loop, functions in loops(hgemm, direct):
        records = run(list(functions), arguments)
        for name in (function.__name__ for function in functions):
            ms = [record[name + "_ms"] for record in records]
            quotient = statistics.fmean(record[name + "_ms"] / record[KERNEL + "_ms"] for record in records)
            means = statistics.fmean(record[name] for record in records), statistics.fmean(ms), statistics.median(ms), quotient
            rows.append(",".join([shape, loop, name, str(len(records)), *(f"{value:.9g}" for value in means)]))
    print(*rows, sep="\n", flush=True)


def spawn(seed, shape, extension):
    """The status of a process that measures the kernel."""
    child = os.fork()  # before any call of CUDA
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    signal.alarm(LIMIT)
    random.seed(seed)  # else all children would draw alike
    try:
        measure(shape, extension)
    except BaseException as error:
        say(f"{shape}: {error!r}")
        os._exit(1)
    os._exit(0)


def main():
    start = time.time()
    shapes = sorted(path.stem for path in EXTENSIONS.glob("kernels/*.so"))
    random.Random(2026).shuffle(shapes)
    print(COLUMNS, flush=True)
    for number, shape in enumerate(shapes, 1):
        for extension in filter(pathlib.Path.exists, [EXTENSIONS / "hgemm_lib.so", EXTENSIONS / f"direct/{shape}.so"]):
            if time.time() - start > float(sys.argv[-1]):
                return say(f"the time is over: {number - 1} of {len(shapes)} kernels")
            status = spawn(number, shape, extension)
            say(f"{number} of {len(shapes)}: {shape}, {extension.name}, status {status}, {time.time() - start:.1f} s")


main()
