#!/usr/bin/env bash
# Published results: the clock that they were taken by, and files that are not what they are taken for.
. "$(dirname "$0")/lib.sh"

# speedups SCALE OFFSET: two shapes of ten libraries, each number times SCALE less OFFSET. 1 0: as the release has them.
speedups() {
    echo 'mnk,torch.matmul,cuBLAS-tn,cuBLAS-nn,cuBLAS-max,cuBLASLt-heuristic-tn,cuBLASLt-heuristic-nn,cuBLASLt-heuristic-max,cuBLASLt-auto-tuning-tn,cuBLASLt-auto-tuning-nn,cuBLASLt-auto-tuning-max'
    awk -v scale="$1" -v less="$2" 'BEGIN { for (k = 64; k <= 128; k += 64) { printf "64_64_%d", k
        for (i = 0; i < 10; i++) printf ",%g", (1.05 + i / 50 + k / 1000) * scale - less; print "" } }'
}
name() { echo "cuda_l2_$1_speedup_$2.csv"; }
for set in a100_F16F16F16F16 a100_F32F16F16F32 3090_F32F16F16F32 h100_F32F16F16F32; do
    for mode in offline server; do speedups 1 0 >"$(name $set $mode)"; done
done

# The three older sets were timed by events, the set of the H100 by the host's clock; so is what the release's scripts write today.
clock() { # WANTED FILES...
    rm -rf RUN
    expect 0 "$GEMMGATE" import cuda-l2 "${@:2}" -o RUN
    [ "$(column RUN/ratios.csv lens | sort -u)" = "$1" ] || fail "$2 $3 is not by $1"
}
for set in a100_F16F16F16F16 a100_F32F16F16F32 3090_F32F16F16F32; do
    clock call --offline "$(name $set offline)" --server "$(name $set server)"
done
cp "$(name h100_F32F16F16F32 server)" speedups.csv
clock wait --offline speedups.csv
clock call --offline "$(name a100_F16F16F16F16 offline)" --server speedups.csv # of one set
clock wait --offline "$(name h100_F32F16F16F32 offline)" --server "$(name h100_F32F16F16F32 server)"

# Claims are by the clock of their set: the project's own find their numbers.
for set in a100_F16F16F16F16 a100_F32F16F16F32 3090_F32F16F16F32 h100_F32F16F16F32; do
    clock "$([[ $set == h100* ]] && echo wait || echo call)" --offline "$(name "$set" offline)" --server "$(name "$set" server)"
    expect 0 "$GEMMGATE" report RUN --claims "$SOURCE/ci/claims.csv"
    grep -q 'other shapes, 2 and not' RUN/report/report.md || fail "$set: the page has no claim"
    ! grep -q 'nothing was published' RUN/report/report.md || fail "$set: a claim is by another clock"
    ! grep -q 'other kernels' RUN/report/report.md || fail "$set: a claim is about another set"
done
sed 's/,wait,/,call,/' "$SOURCE/ci/claims.csv" >by-call.csv
expect 0 "$GEMMGATE" report RUN --claims by-call.csv
grep -q 'nothing was published, offline, lens call' RUN/report/report.md || fail 'a claim by call has found numbers by wait'

# A file by its name for the other mode, and files of two sets.
refused() { # WORDS OPTIONS...
    expect 2 "$GEMMGATE" import cuda-l2 "${@:2}" -o NONE
    says "$1"
    [ ! -e NONE ] || fail "there is a run: $*"
}
refused "--offline $(name h100_F32F16F16F32 server): by its name this file is for --server" --offline "$(name h100_F32F16F16F32 server)"
refused 'by its name this file is for --offline' --offline "$(name h100_F32F16F16F32 offline)" --server "$(name h100_F32F16F16F32 offline)"
refused "is of the set a100_F16F16F16F16, and $(name h100_F32F16F16F32 server) of h100_F32F16F16F32: import one set at a time" \
    --offline "$(name a100_F16F16F16F16 offline)" --server "$(name h100_F32F16F16F32 server)"

# Other numbers than quotients of times.
speedups 100 100 >percent.csv
refused 'percent.csv: column torch.matmul: its median is 14.6, so these seem to be per cent; wanted is the time of the library / the time of the kernel' --offline percent.csv
speedups 1 1 >less.csv
refused 'less.csv: column torch.matmul: its median is 0.146, so these seem to be quotients less 1; wanted is' --offline less.csv
speedups 1 1.2 >below.csv
refused 'is no quotient of times, which is above 0; wanted is' --offline below.csv

# A run beside numbers by another clock: the page says it where it shows them.
run() { expect 0 "$GEMMGATE" run --device host --shapes 32x32x32,16x64x16 --seed 1 --warmup 0.02 --duration 0.1 --visits 2 --candidates set --lens "$1" -o "$2"; }
mkdir set
cp "$SOURCE"/candidates/examples/host/{half.h,blocked.c} set
run call EVENTS
run wait CLOCK
beside() { # OURS THEIRS LENS-THERE SENTENCES
    expect 0 "$GEMMGATE" report "$1" --published "$2"
    grep -q '^| candidate | lens | mode | baseline | shapes | lens there | mean % there | mean % here | order | quotient | near | faster in both | only there | only here | in neither | others |' "$1/report/report.md" || fail "$1: another head"
    grep -q "^| blocked | .* | offline | openblas-max | 2 | $3 | " "$1/report/report.md" || fail "$1: the table does not say $3"
    [ "$(grep -c '^\*\*Two clocks\.\*\* Where \*lens there\* is not \*lens\*' "$1/report/report.md")" = "$4" ] || fail "$1 beside $2: two clocks?"
}
beside EVENTS CLOCK wait 1
beside CLOCK EVENTS call 1
beside EVENTS EVENTS call 0

# Speedups of what scripts/measure.py has written: a library's own loop, and one with all; quotients of speeds, and of times.
waterfall=$SOURCE/reports/validations/waterfall
loop() { printf '32x32x32,%s,%s,9,%s,1,1,%s\n32x32x32,%s,cuda_l2_h100_fp32,9,%s,1,1,1\n' "$1" "$2" "$3" "$4" "$1" "$5"; }
{
    echo shape,loop,function,records,mean_tflops,mean_ms,median_ms,mean_quotient
    loop pair-matmul matmul 2 1.25 3
    loop pair-tn hgemm_cublaslt_auto_tuning_tn 2 2.5 5
    loop pair-nn hgemm_cublaslt_auto_tuning_nn 2 2.25 6
    loop four matmul 2 1.75 5
    loop server-matmul matmul 4 1.75 5
    loop direct-matmul matmul 1 1 1
} >loops.csv
while read -r kind way speedups; do
    "$waterfall/scripts/speedups" loops.csv "$kind" "$way" >theirs.csv
    expect 0 "$GEMMGATE" import cuda-l2 --offline theirs.csv -o "LOOPS-$kind-$way"
    found=$(paste -d= <(column "LOOPS-$kind-$way/ratios.csv" baseline) <(column "LOOPS-$kind-$way/ratios.csv" speedup) | sort | paste -sd' ')
    [ "$found" = "$speedups" ] || fail "$kind, $way: $found"
done <<'SPEEDUPS'
pair speeds cublaslt-autotune-max=1.5 cublaslt-autotune-nn=2 cublaslt-autotune-tn=1.5 torch-matmul=0.5
pair quotients cublaslt-autotune-max=1.25 cublaslt-autotune-nn=1.25 cublaslt-autotune-tn=1.5 torch-matmul=0.25
four speeds torch-matmul=1.5
four quotients torch-matmul=0.75
server speeds torch-matmul=0.25
SPEEDUPS
expect 1 "$waterfall/scripts/speedups" loops.csv pair

# The steps between two numbers, beside the data of a waterfall: the last one is the ratio of the report.
printf '[defaults]\nlibrary = openblas-max\nmode = offline\nlens = call\nrefused = omit\nrun = EVENTS\n
[paper]\nmean = paper\n\n[robust]\nmean = geometric\n' >chain.ini
expect 0 "$waterfall/steps.py" chain.ini
ratio=$(awk -F, '$5 == "robust" { print $6 }' out) wanted=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i }
    $c["baseline"] == "openblas-max" && $c["lens"] == "call" { printf "%.4f", $c["geomean_ratio"] }' EVENTS/report/table1.csv)
[ "$ratio" = "$wanted" ] || { cat out >&2; fail "the step has the ratio $ratio, the report $wanted"; }
awk -F, '$5 == "paper" { first = $6 } $5 == "robust" { d = $9 * first / $6 - 1; exit !(d < 1e-3 && d > -1e-3) }' out || fail 'the change is no quotient'
for size in 'below 2^31' 'below 2^26'; do sed "1d; s/,all,/,$size,/" out; done | cat out - >wanted
expect 0 "$waterfall/steps.py" --by-size chain.ini
cmp wanted out || fail 'other steps by size'
mkdir PLAIN
cp EVENTS/checks.csv PLAIN
awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i } NR > 1 { $c["plain_ratio"] = 2 } 1' EVENTS/ratios.csv >PLAIN/ratios.csv
sed '/^run/s/EVENTS/PLAIN/; $s/$/\nratio = plain_ratio/' chain.ini >plain.ini
expect 0 "$waterfall/steps.py" plain.ini
grep -q ',robust,2\.0000,' out || { cat out >&2; fail 'the column of ratio is another one'; }
echo ok
