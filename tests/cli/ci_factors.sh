#!/usr/bin/env bash
# ci/factors/measure with a release, a PyTorch and runs that are stand-ins: what it starts, what it goes on with,
# and the chains.
# Covers: ci/factors reports/factors
. "$(dirname "$0")/lib.sh"

# A run of the host, as if of a GPU with all libraries and lenses.
mkdir set
cp "$SOURCE"/candidates/examples/host/{half.h,blocked.c} set
expect 0 "$GEMMGATE" run --device host --shapes 32x32x32,48x16x64 --seed 1 --warmup 0.02 --duration 0.1 \
    --candidates set --visits 2 --lens call -o MADE
for file in ratios visits; do
    awk -F, -v OFS=, 'NR == 1 { print; next } $5 == "openblas-max" {
        n = split("torch-matmul cublas-max cublaslt-heuristic-max cublaslt-autotune-max", library, " ")
        split("call device stream wait", lens, " ")
        for (i = 1; i <= n; i++) for (j = 1; j <= 4; j++) { $5 = library[i]; $7 = lens[j]; print } }' MADE/$file.csv >made
    cp made MADE/$file.csv
done

# A release whose scripts say that they ran. Its cuBLASLt finds no algorithm, and one shape does not compile.
release=release/kernels/h100_F32F16F16F32
mkdir -p $release release/{cublas/fp32,pybind,tools,eval_results} modules/torch/utils
touch $release/{32_32_32,48_16_64}.cu release/{pybind/x.cc,tools/utils.py}
echo 'cublasLtMatmulDescCreate(&d, CUBLAS_COMPUTE_32F, CUDA_R_16F);' >release/cublas/fp32/hgemm_cublaslt_heuristic.cu
touch modules/{numpy,pandas}.py modules/torch/__init__.py modules/torch/utils/{__init__,cpp_extension}.py
cat >release/compile.py <<'END'
import os, sys
def option(name): return sys.argv[sys.argv.index(name) + 1]
assert option("--acc_precise") == "fp32" and option("--device_type") == "h100" and os.environ["TORCH_CUDA_ARCH_LIST"]
assert "torch.utils.cpp_extension" not in sys.modules, "a fork of a process that has asked for the GPU cannot use it"
open(os.environ["CALLS"], "a").write("compile " + option("--mnk") + "\n")
if os.environ.get("BROKEN") in (option("--mnk"), "all"): raise SystemExit("no such instruction")
open(option("--base_dir") + "/hgemm_lib.so", "w").write("x")
END
cat >release/benchmarking_offline.py <<'END'
import json, os, sys
def option(name): return sys.argv[sys.argv.index(name) + 1]
function, folder = option("--perf_func"), option("--base_dir")
open(os.environ["CALLS"], "a").write("time " + option("--mnk") + " " + function + "\n")
assert os.path.exists(folder + "/hgemm_lib.so") and "kernels" in os.listdir(".")
if "cublaslt" in function: raise RuntimeError("No algorithm found for NN")
json.dump({"records": {function: 2.0, "cuda_l2_h100_fp32": 2.5, "version": "x"}},
          open(folder + "/benchmark_result_" + function + ".json", "w"))
END
printf 'mnk,torch.matmul,cuBLAS-tn,cuBLAS-nn,cuBLAS-max,cuBLASLt-heuristic-tn,cuBLASLt-heuristic-nn,cuBLASLt-heuristic-max,cuBLASLt-auto-tuning-tn,cuBLASLt-auto-tuning-nn,cuBLASLt-auto-tuning-max
32_32_32,1.5,1.1,1.2,1.05,1.1,1.2,1.05,1.1,1.2,1.07\n48_16_64,1.5,1.1,1.2,1.05,1.1,1.2,1.05,1.1,1.2,1.05\n16_16_16,9,9,9,9,9,9,9,9,9,9\n' \
    >release/eval_results/cuda_l2_h100_F32F16F16F32_speedup_offline.csv

real=$GEMMGATE
cat >stub <<END
#!/usr/bin/env bash
[ "\$1" = run ] || exec "$real" "\$@"
echo "\$@" >>"$scratch/runs"
[ -z "\${STOPS-}" ] || exit 75
while [ "\$1" != -o ]; do shift; done
cp -r "$scratch/MADE" "\$2"
END
chmod +x stub
export GEMMGATE=$scratch/stub PYTHONPATH=$scratch/modules CALLS=$scratch/calls PYTHONDONTWRITEBYTECODE=1
measure() { # STATUS OPTION...
    local status=$1
    shift
    : >calls
    : >runs
    expect "$status" "$SOURCE/ci/factors/measure" --release release --cutlass . --device cuda:0 --visits 2 --script-rounds 2 "$@"
}

# What is stopped is gone on with: in a run of ours, and before the release's scripts.
STOPS=yes measure 75 -o OUT
says "the time is over at 'ours'"
[ "$(wc -l <runs)" = 1 ] && [ ! -s calls ] || fail 'something went on'
measure 75 -o OUT --time 100
says "the time is over at 'the release's scripts (build)'"
grep -q -- '--resume -o .*OUT/ours --autotune paper --baselines torch-matmul,cublas-nn,cublas-tn,.*-tn --lens call,device,stream,wait$' runs || { cat runs >&2; fail 'another run than wanted'; }

measure 0 -o OUT --paper 1
[ "$(sort calls | uniq -c | tr -s ' ' | sed 's/_nn$//; s/_tn$//' | sort -u | tr '\n' ';')" = \
    ' 1 compile 32_32_32; 1 compile 48_16_64; 2 time 32_32_32 hgemm_cublas; 2 time 32_32_32 hgemm_cublaslt_auto_tuning; 2 time 32_32_32 hgemm_cublaslt_heuristic; 2 time 32_32_32 matmul; 2 time 48_16_64 hgemm_cublas; 2 time 48_16_64 hgemm_cublaslt_auto_tuning; 2 time 48_16_64 hgemm_cublaslt_heuristic; 2 time 48_16_64 matmul;' ] ||
    { cat calls >&2; fail 'other scripts than two visits of each'; }
grep -q '^scripts that failed: .*4 hgemm_cublaslt_auto_tuning_nn.failed ' out || { cat out >&2; fail 'failures are not told'; }
grep -q 'No algorithm found' OUT/scripts/offline/1/32_32_32/hgemm_cublaslt_heuristic_nn.failed || fail 'what a script said is lost'
[ "$(sed 's/.*OUT.//; s/ .*//' runs | tr '\n' ' ')" = 'workspace-0 workspace-4096 tuned paper ' ] || { cat runs >&2; fail 'other runs'; }
grep -q -- '--shapes 32x32x32 .*--protocol paper' runs && grep -q -- 'workspace-0 --workspace 0 --baselines cublaslt-heuristic-nn' runs || fail 'other options'
[ "$(grep -c '^## ' OUT/page/factors.md)" = 6 ] || { cat OUT/page/factors.md >&2; fail 'not five chains and their words'; }
for library in torch-matmul cublas-max; do
    [ "$(column OUT/page/factors-$library.csv step | tr '\n' ' ')" = \
        'published scripts no-gain left-out host-clock events robust device stream ' ] || fail "$library: other steps"
done
[ "$(column OUT/page/factors-cublaslt-heuristic-max.csv step | tr '\n' ' ')" = \
    'published no-gain left-out host-clock events workspace robust device stream ' ] || fail 'the heuristic: other steps'
[ "$(column OUT/page/factors-cublaslt-autotune-max.csv step | tr '\n' ' ')" = \
    'published no-gain left-out host-clock events workspace autotune robust device stream ' ] || fail 'autotuning: other steps'
grep -q '^published,.*,1\.06,' OUT/page/factors-cublaslt-autotune-max.csv && grep -q '^scripts,.*,1\.25,' OUT/page/factors-cublas-max.csv ||
    fail 'other numbers than were published and measured'
measure 0 -o OUT --paper 1
[ ! -s calls ] && [ ! -s runs ] || fail 'what is done is done again'

# Where none compiles, that is what is said.
BROKEN=all measure 2 -o NONE --libraries torch-matmul
says 'have compiled no kernel'
# A shape that does not compile is left out; the scale type is changed where that is asked for.
BROKEN=48_16_64 measure 0 -o OTHER --scale-type --libraries torch-matmul --suite some.csv
grep -q -- "--suite some.csv --seed 1 " runs || { cat runs >&2; fail "other shapes than asked for"; }
[ "$(grep -c 'time .*matmul' calls)" = 2 ] && [ "$(grep -c time calls)" = 2 ] && [ "$(wc -l <runs)" = 1 ] || fail 'more than was asked for'
grep -q '^48_16_64: does not compile' out || { cat out >&2; fail 'nothing is said of what does not compile'; }
grep -q 'no such instruction' OTHER/scripts/build/48_16_64.failed || fail 'what the compiler said is lost'
grep -q 'CUBLAS_COMPUTE_32F, CUDA_R_32F' OTHER/release/cublas/fp32/hgemm_cublaslt_heuristic.cu || fail 'the scale type is as it was'
grep -q 'CUDA_R_16F' OUT/release/cublas/fp32/hgemm_cublaslt_heuristic.cu || fail 'the scale type was changed'
grep -q 'scripts on this machine (scale type 32F)' OTHER/torch-matmul.ini || fail 'the change is not told'
[ "$(column OTHER/page/factors-torch-matmul.csv shapes | sort -u)" = 1 ] || { cat OTHER/page/factors-torch-matmul.csv >&2; fail "the shape that does not compile is in the chain"; }

for words in '' '-o OUT --sample x' '-o OUT --mode online' '-o OUT --what x' '-o OUT --libraries mkl' '-o'; do
    # shellcheck disable=SC2086
    measure 2 $words
done
expect 2 "$SOURCE/ci/factors/measure" --release nowhere -o NONE
expect 0 "$SOURCE/ci/factors/measure" --help
grep -q 'ci/factors/measure --release DIR' out || fail 'no help'
echo ok
