"""Runs the CUDA-L2 release's own scripts, as they are, each in a process of its own.

    release.py build --release DIR --set SET --jobs N --until TIME FOLDER M_N_K...
    release.py time  --release DIR --set SET --rounds R --warmup S --benchmark S --mode MODE --qps Q
                     --functions "FUNCTION ..." --until TIME FOLDER M_N_K...

build compiles each shape into FOLDER/build/M_N_K. time has each script write its
benchmark_result_FUNCTION.json into FOLDER/MODE/ROUND/M_N_K, as `speedups` beside it reads them. What is there is
not done again. A script that fails leaves FUNCTION.failed, with what it printed.

Python and PyTorch are loaded once: each script runs in a fork of this process, which has not touched
the GPU: torch.utils.cpp_extension, which asks for the GPU, is left to the scripts. TIME is on the clock of
time.time(): nothing is begun that would not be done by then. The exit status is 0 when all is there or has failed,
75 when the time is over.
"""
import argparse
import os
import random
import runpy
import shutil
import sys
import time

BUILD_SECONDS = 150  # a shape, when nothing is there yet
START_SECONDS = 10   # of a script, beside warm-up and timing
OVER = 75


def start(args, script, options, log):
    """A script in a fork: its process id."""
    pid = os.fork()
    if pid:
        return pid
    status = 1
    try:
        with open(log, "w") as out:
            os.dup2(out.fileno(), 1)
            os.dup2(out.fileno(), 2)
        os.chdir(args.release)
        sys.path.insert(0, args.release)
        random.seed()
        sys.argv = [script] + options
        runpy.run_path(script, run_name="__main__")
        status = 0
    except SystemExit as end:  # as the interpreter does at its end
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
        if not isinstance(end.code, int) and status:
            print(end.code, file=sys.stderr)
    except BaseException:  # what the script did not expect is for its log
        import traceback
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def options(args, shape, folder):
    device, types = args.set.split("_")
    return ["--mnk", shape, "--acc_precise", "fp16" if types.startswith("F16") else "fp32",
            "--device_type", device, "--base_dir", folder]


def built(folder):
    return os.path.exists(os.path.join(folder, "hgemm_lib.so"))


def build(args):
    """The first alone; its objects that are no kernel's serve the others, many at once."""
    folders = {shape: os.path.join(args.folder, "build", shape) for shape in args.shapes}
    wanted = [s for s in args.shapes if not built(folders[s]) and not os.path.exists(folders[s] + ".failed")]
    model = next((folders[s] for s in args.shapes if built(folders[s])), None)
    running = {}
    while wanted or running:
        most = args.jobs if model else 1
        while wanted and len(running) < most and time.time() + BUILD_SECONDS < args.until:
            shape = wanted.pop(0)
            folder = folders[shape]
            shutil.rmtree(folder, ignore_errors=True)
            if model:
                kernel = os.path.basename(model)
                shutil.copytree(model, folder, ignore=shutil.ignore_patterns(kernel + "*", "*.so", "lock"))
            os.makedirs(folder, exist_ok=True)
            os.environ["MAX_JOBS"] = "1" if model else str(args.jobs)
            running[start(args, "compile.py", options(args, shape, folder), folder + ".log")] = shape
        if not running:
            return OVER
        pid, status = os.wait()
        shape = running.pop(pid)
        if status == 0 and built(folders[shape]):
            model = model or folders[shape]
        else:
            os.rename(folders[shape] + ".log", folders[shape] + ".failed")
        print(f"{shape}: {'compiled' if built(folders[shape]) else 'does not compile'}", flush=True)
    return 0


def time_one(args, shape, folder, function):
    """One process, killed where it runs on."""
    script = f"benchmarking_{args.mode}.py"
    more = ["--warmup_seconds", str(args.warmup), "--benchmark_seconds", str(args.benchmark),
            "--gpu_device_id", "0", "--perf_func", function]
    if args.mode == "server":
        more += ["--target_qps", str(args.qps)]
    log = os.path.join(folder, function + ".log")
    pid = start(args, script, options(args, shape, folder) + more, log)
    limit = time.time() + 60 + 3 * (args.warmup + args.benchmark)
    done = 0
    while not done and time.time() < limit:
        done, status = os.waitpid(pid, os.WNOHANG)
        time.sleep(0.02)
    if not done:
        os.kill(pid, 9)
        os.waitpid(pid, 0)
    if not done or status != 0:
        os.rename(log, os.path.join(folder, function + ".failed"))


def measure(args):
    for number in range(1, args.rounds + 1):
        for shape in args.shapes:
            source = os.path.join(args.folder, "build", shape)
            folder = os.path.join(args.folder, args.mode, str(number), shape)
            if not built(source):
                continue
            if not os.path.exists(folder):
                shutil.copytree(source, folder, ignore=shutil.ignore_patterns("lock"))
            for function in random.sample(args.functions, len(args.functions)):
                if any(os.path.exists(os.path.join(folder, name)) for name in
                       (f"benchmark_result_{function}.json", function + ".failed")):
                    continue
                if time.time() + START_SECONDS + args.warmup + args.benchmark > args.until:
                    return OVER
                time_one(args, shape, folder, function)
            print(f"round {number}, {shape}", flush=True)
    return 0


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("what", choices=["build", "time"])
    parser.add_argument("--release", required=True, type=os.path.abspath)
    parser.add_argument("--set", required=True)
    parser.add_argument("--until", required=True, type=float)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--warmup", type=float, default=0.5)
    parser.add_argument("--benchmark", type=float, default=1)
    parser.add_argument("--functions", type=str.split, default=[])
    parser.add_argument("--mode", choices=["offline", "server"], default="offline")
    parser.add_argument("--qps", type=float, default=100)
    parser.add_argument("folder", type=os.path.abspath)
    parser.add_argument("shapes", nargs="+")
    args = parser.parse_args()
    import numpy, pandas, torch  # for all forks; none touches the GPU
    return build(args) if args.what == "build" else measure(args)


sys.exit(main())
