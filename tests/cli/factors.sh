#!/usr/bin/env bash
# From what the release's own scripts have written to a run of ours, step by step.
# Covers: ci/factors reports/factors reports/run/import*
. "$(dirname "$0")/lib.sh"

mkdir set
cp "$SOURCE"/candidates/examples/host/{half.h,blocked.c} set
run() { # RUN OPTIONS...
    local out=$1
    shift
    expect 0 "$GEMMGATE" run --device host --shapes 32x32x32,48x16x64,16x64x16 --seed 1 --warmup 0.02 \
        --duration 0.1 --candidates set --visits 2 --lens call,wait -o "$out" "$@"
}
run OURS
# The kernel of one shape is wrong: this run refuses it.
{ echo '#define SPOILT 1' && cat set/blocked.c; } >set/16x64x16.c
sed -i 's|static int launch(void \*state.*|static int blocked_launch(void *state, const struct gemm_args *args);\nstatic int launch(void *state, const struct gemm_args *args) {\n    const int status = blocked_launch(state, args);\n    ((uint16_t *)args->c)[0] = 0x4d4d;\n    return status;\n}\nstatic int blocked_launch(void *state, const struct gemm_args *args) {|' set/16x64x16.c
rm set/blocked.c
for shape in 32x32x32 48x16x64; do cp "$SOURCE/candidates/examples/host/blocked.c" "set/$shape.c"; done
run STRICT

# What the release's scripts leave behind: a process a library, two visits, no cuBLASLt.
for visit in 1 2; do
    for shape in 32_32_32 48_16_64 16_64_16; do
        folder=theirs/$visit/$shape
        mkdir -p "$folder"
        for function in matmul hgemm_cublas_nn hgemm_cublas_tn; do
            printf '{"records": {"%s": %s, "cuda_l2_h100_fp32": 3.0, "version": "202511261845"}}' \
                $function 2.$visit >"$folder/benchmark_result_$function.json"
        done
        touch "$folder/build.ninja"
    done
done
"$SOURCE/ci/factors/speedups" theirs >theirs.csv
expect 0 "$GEMMGATE" import cuda-l2 --offline theirs.csv -o THEIRS
[ "$(column THEIRS/ratios.csv baseline | sort | uniq -c | tr -s ' ' | tr '\n' ';')" = \
    ' 3 cublas-max; 3 cublas-nn; 3 cublas-tn; 3 torch-matmul;' ] || fail 'other libraries than were there'
[ "$(column THEIRS/visits.csv speedup | sort -u | tr '\n' ' ')" = '0.363636363636 0.428571428571 ' ] || fail 'other speedups'

printf '[defaults]
title = From their scripts to ours
mode = offline
lens = wait
mean = paper
[theirs]
says = the scripts
run = THEIRS
library = torch-matmul
refused = count
[clock]
says = the clock of the host <&>
run = OURS
library = openblas-max
refused = count
[as-1]
says = refused kernels replaced by the library
run = STRICT
library = openblas-max
refused = one
[left-out]
says = refused kernels left out
run = STRICT
library = openblas-max
refused = omit
[events]
says = events in the place of the clock
run = STRICT
library = openblas-max
refused = omit
lens = call
mean = geometric
' >steps.ini
expect 0 "$GEMMGATE" factors steps.ini -o PAGE
for file in factors.md factors.html factors-steps.csv factors-steps.png factors-steps.svg; do
    [ -s PAGE/$file ] || fail "no $file"
done
[ "$(column PAGE/factors-steps.csv shapes | tr '\n' ' ')" = '3 3 3 2 2 ' ] || { cat PAGE/factors-steps.csv >&2; fail 'other shapes'; }
python3 - <<'END' || fail 'the numbers do not add up'
import csv, math
def read(path): return list(csv.DictReader(open(path)))
def speedups(run, library, shapes):
    return [1 + float(r["speedup"]) for r in read(run + "/ratios.csv")
            if r["baseline"] == library and r["lens"] == "wait" and r["m"] in shapes]
lines = read("PAGE/factors-steps.csv")
both, all_ = {"32", "48"}, {"32", "48", "16"}
ratio = [float(line["ratio"]) for line in lines]
mean = lambda x: sum(x) / len(x)
want = [mean(speedups("THEIRS", "torch-matmul", all_)), mean(speedups("OURS", "openblas-max", all_)),
        mean(speedups("STRICT", "openblas-max", both) + [1]), mean(speedups("STRICT", "openblas-max", both))]
for got, wanted in zip(ratio, want): assert math.isclose(got, wanted, rel_tol=1e-9), (got, wanted)
for before, line in zip(ratio, lines[1:]):
    assert math.isclose(float(line["change"]), float(line["ratio"]) / before, rel_tol=1e-9), line
    assert float(line["change_low"]) <= float(line["change"]) <= float(line["change_high"]), line
assert math.isclose(sum(float(line["share"]) for line in lines[1:]), 1, rel_tol=1e-9)
END
grep -q '^## From their scripts to ours' PAGE/factors.md && grep -q '!\[The ratio goes from 1\.39' PAGE/factors.md ||
    { cat PAGE/factors.md >&2; fail 'the page has no title, or the figure no finding'; }

# The finding has the interval of the largest step, and says where that shows nothing.
python3 - <<'END' || fail 'the finding has no interval'
import csv, math, re
lines = list(csv.DictReader(open("PAGE/factors-steps.csv")))[1:]
most = max(lines, key=lambda line: abs(math.log(float(line["change"]))))
low, high = float(most["change_low"]), float(most["change_high"])
said = re.search(r"it multiplies the ratio by .*", open("PAGE/factors.md").read()).group(0)
want = f"it multiplies the ratio by {float(most['change']):.3f} (95 % interval {low:.3f} to {high:.3f})"
want += ", which does not show that it changes anything." if low <= 1 <= high else "."
assert said.startswith(want), (said, want)
svg = open("PAGE/factors-steps.svg").read()
for line in lines:
    assert svg.count(f"<text>{float(line['ratio']):.3f}</text>") == 1, line["ratio"]
END

# What cannot be followed is named, and nothing is left of it.
expect 2 "$GEMMGATE" factors steps.ini ./steps.ini -o TWICE
says 'would both be called factors-steps'
sed 's/^refused = one/refused = count/' steps.ini >count.ini
expect 2 "$GEMMGATE" factors count.ini -o NONE
says '[as-1]: STRICT has refused 1 kernel and not timed it'
sed 's/^lens = call/lens = cal/' steps.ini >lens.ini
expect 2 "$GEMMGATE" factors lens.ini -o NONE
says 'lens.ini:31: '
expect 2 "$GEMMGATE" factors nowhere.ini -o NONE
expect 2 "$GEMMGATE" factors steps.ini
[ ! -e NONE/factors.md ] || fail 'a page of a chain that cannot be followed'
echo '{"records": {"matmul": 0, "cuda_l2_h100_fp32": 1}}' >theirs/1/32_32_32/benchmark_result_matmul.json
expect 1 "$SOURCE/ci/factors/speedups" theirs
says 'theirs/1/32_32_32/benchmark_result_matmul.json: no mean TFLOPS above 0'
echo ok
