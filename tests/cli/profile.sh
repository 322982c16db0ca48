#!/usr/bin/env bash
# A profile of a run, by a fake Nsight Compute on a GPU that is the host.
. "$(dirname "$0")/lib.sh"
host=$GEMMGATE
use_runner "${FAKE_GPU_RUNNER:?a runner whose GPU is the host}"
mkdir set fake
export FAKE_GPU_LOG=$scratch/gpu.log

# Three kernels: one that is right, one that crashes under a profiler, one that is refused.
cp "$SOURCE"/candidates/examples/host/half.h set/
for name in good crash wrong; do
    sed "s/GEMM_HOST/GEMM_CUDA/g; s/blocked/$name/g" "$SOURCE/candidates/examples/host/blocked.c" >set/$name.c
done
sed -i 's|^static int launch(void \*state.*|&\n    if (getenv("FAKE_NCU")) abort();|' set/crash.c
sed -i '1,/^#include/s|^#include|#include <stdio.h>\n&|
    s|^static int launch(void \*state.*|&\n    if (getenv("FAKE_NCU")) fputs("call\\n", stderr);|' set/good.c
sed -i 's|c\[(i0 + i) \* p.n + j0 + j\] = |&1 + |' set/wrong.c
grep -q abort set/crash.c && grep -q '= 1 + narrow' set/wrong.c || fail 'no faults are planted'

# Runs its arguments, then says what ncu would of as many kernels as $KERNELS. It fails when it is asked
# for a metric that $UNKNOWN names, and runs nothing when $UNHEARD does.
cat >fake/ncu <<'NCU'
#!/usr/bin/env bash
echo "$@" >>"$FAKE_GPU_LOG"
while [ "$1" != "${1#--}" ]; do
    case $1 in
    --log-file) log=$2 ;;
    --metrics) metrics=$2 ;;
    --csv) set -- x "$@" ;;
    esac
    shift 2
done
for word in ${UNHEARD-}; do
    case ,$metrics, in *,$word,*)
        echo "==ERROR== Failed to find metric $word" >"$log"
        exit 1 ;;
    esac
done
FAKE_NCU=yes "$@" 2>>"$FAKE_GPU_LOG" || status=$?
exec >"$log"
echo "==PROF== Connected to process 1 ($1)"
if [ -n "${FORBIDDEN-}" ]; then
    echo '==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA GPU Performance Counters on the target device 0.'
    exit 1
fi
for word in ${UNKNOWN-}; do
    case ,$metrics, in *,$word,*)
        echo "==ERROR== Failed to find metric $word"
        exit 1 ;;
    esac
done
[ -z "${status-}" ] || { echo '==ERROR== The application returned an error code ('$status').'; exit $status; }
[ "${KERNELS=1}" != 0 ] || { echo '==WARNING== No kernels were profiled.'; exit 0; }
header='"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC"'
units='"","","","","","","","","","",""'
values='"1","gemmgate-runner","127.0.0.1","void gemm<128, 64>(half *, half *)","1","7","(128, 1, 1)","(4, 2, 1)","0","9.0"'
for metric in ${metrics//,/ }; do
    header+=",\"$metric\""
    case $metric in
    gpu__time*) units+=',"nsecond"' values+=',"12,340"' ;;
    dram__bytes*) units+=',"byte/second"' values+=',"1,500,000,000,000"' ;;
    launch__reg*) units+=',"register/thread"' values+=',"168"' ;;
    launch__shared*) units+=',"byte/block"' values+=',"213,248"' ;;
    *) units+=',"%"' values+=',"45.5"' ;;
    esac
done
printf '%s\n' "==PROF== Disconnected from process 1" "$header" "$units"
for ((i = 0; i < KERNELS; i++)); do echo "\"$i\",$values"; done
NCU
chmod +x fake/ncu

expect 0 "$GEMMGATE" run --device cuda:0 --shapes 32x32x32,48x16x64 --candidates set --lens call \
    --no-audit --warmup 0.02 --duration 0.05 --seed 3 -o RUN
profile() { # STATUS ARGS...
    local status=$1
    shift
    : >gpu.log
    expect "$status" "$GEMMGATE" profile RUN "$@"
}

# Without ncu nothing is started.
mkdir only
cp set/good.c set/half.h only/
if [ ! -x /usr/local/cuda/bin/ncu ] && [ ! -x /usr/bin/ncu ]; then
    PATH=/usr/bin:/bin profile 2 --candidates only --shapes 32x32x32
    says 'no ncu on PATH'
    [ ! -e RUN/profile ] || fail 'something was written without ncu'
fi
PATH=$scratch/fake:$PATH

# The one kernel that is right, beside a library: two calls each, the second between start and stop.
profile 0 --candidates only --shapes 32x32x32
says 'not locked into the sandbox'
[ "$(sed -n '/^[a-z]/p' gpu.log | tr '\n' ' ')" = 'call start call stop start stop ' ] ||
    { cat gpu.log >&2; fail 'not the second call of each between start and stop'; }
grep -q -- '--profile-from-start off --clock-control none --cache-control none --csv --page raw' gpu.log || fail 'ncu counts from the start, at another clock or with other caches'
csv=RUN/profile/profile.csv
[ "$(column $csv kernel | sed 's/-.*//' | tr '\n' ' ')" = 'good cublas ' ] || fail 'not the kernel and a library'
# Behind a function's quoted comma: columns from the right.
[ "$(awk -F, 'NR == 2 { print $(NF - 9), $(NF - 7), $(NF - 1), $NF }' $csv)" = '1.234e-05 1.5e+12 168 213248' ] ||
    { cat $csv >&2; fail 'values'; }

# Beside what the run has by device: 12.34 us, and less what an empty interval reads. The stand-in is timed
# by call alone, so its rows are called so.
grep -q gpu__time_duration out && fail 'times are compared that the run lacks'
cp -r RUN DEVICE
sed -i 's/,offline,call,/,offline,device,/' DEVICE/times.csv DEVICE/units/*/times.csv
awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "median") c = i }
    $5 == "good" { $c = 1.434e-05 } $5 ~ /^cublas-/ { $c = 1.2e-05 } 1' DEVICE/times.csv >times && cp times DEVICE/times.csv
python3 - <<'END'
import json
path = "DEVICE/manifest.json"
m = json.load(open(path))
for one in [m] + m["devices"]:
    one["limits"]["lenses"] = {"device": {"empty_seconds": 1e-6, "null_kernel_seconds": 2e-6}}
json.dump(m, open(path, "w"))
END
expect 0 "$GEMMGATE" profile DEVICE --candidates only --shapes 32x32x32
grep -q '^Of 2 kernels and libraries, .* by -1\.4 % (median; of the sizes 9\.5 %), and by -10\.9 % at worst (cublas-.., 32x32x32)\.$' out ||
    { cat out >&2; fail 'the differences are others'; }
KERNELS=2 expect 0 "$GEMMGATE" profile DEVICE --candidates only --shapes 32x32x32
grep -q 'at worst (cublas-.., 32x32x32)' out && grep -q 'by -50\.7 %' out || { cat out >&2; fail 'the launches of a call are not added up'; }
expect 0 "$GEMMGATE" report DEVICE
grep -q '^| 32x32x32 | good | 2 | 24\.68 | 14\.34 | -45\.9 |$' DEVICE/report/report.md || fail 'the report lacks the times'

# The faster layout by the run's ratios, and what is named instead.
slower() { # LAYOUT: the ratio to the other one is the smallest there is
    awk -F, -v OFS=, -v name="cublas-$1" 'NR == 1 { for (i = 1; i <= NF; i++) { if ($i == "ratio") r = i; if ($i == "baseline") b = i } }
        NR > 1 { if ($b == name) $r = 9; else $r = 0.5 } 1' RUN/ratios.csv >ratios && cp ratios RUN/ratios.csv
}
cp RUN/ratios.csv kept
slower nn
profile 0 --candidates only --shapes 32x32x32
[ "$(column $csv kernel | sed -n 2p)" = cublas-tn ] || fail 'not the faster layout, tn'
slower tn
profile 0 --candidates only --shapes 32x32x32
[ "$(column $csv kernel | sed -n 2p)" = cublas-nn ] || fail 'not the faster layout, nn'
cp kept RUN/ratios.csv
profile 0 --candidates only --shapes 32x32x32 --baseline cublas-tn
[ "$(column $csv kernel | sed -n 2p)" = cublas-tn ] || fail 'not what was named'
profile 2 --candidates only --shapes 32x32x32 --baseline cublaslt-max
says 'no ratio of good to cublaslt-nn'
profile 2 --candidates only --shapes 32x32x32 --baseline openblas-nn
says 'has no openblas-nn beside good'

# Several kernels in a call; what one chip does not have is empty, and said.
KERNELS=3 profile 0 --candidates only --shapes 32x32x32,48x16x64
[ "$(column $csv launch | tr '\n' ' ')" = '1 2 3 1 2 3 1 2 3 1 2 3 ' ] || fail 'not a row a kernel'
UNKNOWN='sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active dram__bytes.sum.per_second' \
    profile 0 --candidates only --shapes 32x32x32
[ "$(awk -F, 'NR == 2 { print $(NF - 7) "-" $(NF - 4) "-" $NF }' $csv)" = --213248 ] || fail 'unknown metrics'
grep -q 'sm__pipe_tensor_cycles_active[^:]*: not known on this device' $csv || fail 'what is missing is not said'
[ "$(grep -c -- --log-file gpu.log)" = 4 ] || fail 'what this chip lacks is asked for again and again'
UNHEARD=l1tex__t_sector_hit_rate.pct profile 0 --candidates only --shapes 32x32x32
says 'l1tex__t_sector_hit_rate.pct is left out'
[ "$(awk -F, 'NR == 2 { print $(NF - 4) "-" $(NF - 3) "-" $NF }' $csv)" = 45.5--213248 ] || fail 'unheard metrics'
UNKNOWN='sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active dram__bytes.sum.per_second' \
    profile 0 --candidates only --shapes 32x32x32
expect 0 "$GEMMGATE" report RUN
grep -q '^## Profile' RUN/report/report.md || fail 'the report has no profile'
grep -q '^| 32x32x32 | good | void gemm.*| 12.34 | 45.5 | – | 45.5 |' RUN/report/report.md || fail 'the report lacks the row'
expect 0 "$GEMMGATE" verify RUN

# What cannot be profiled costs its own rows only.
profile 2 --candidates set --shapes 32x32x32,16x16x16
says '16x16x16: RUN has no good on it'
says '32x32x32: crash, which passed before, does not under ncu'
says '32x32x32: wrong is refused in RUN: inexact'
[ "$(column $csv kernel | sed 's/-.*//' | sort | uniq -c | tr -s ' \n' ' ')" = ' 1 cublas 1 good ' ] ||
    { cat $csv >&2; fail 'rows beside those that failed'; }
before=$(cat $csv)
KERNELS=0 profile 2 --candidates only --shapes 32x32x32
says 'ncu has counted nothing'
FORBIDDEN=1 profile 2 --candidates only --shapes 32x32x32,48x16x64
says 'NVreg_RestrictProfilingToAdminUsers=0'
[ "$(grep -c -- --log-file gpu.log)" = 1 ] || fail 'another try without permission'
[ "$(cat $csv)" = "$before" ] || fail 'a profile of nothing replaces one'
echo '// edited' >>only/good.c
profile 2 --candidates only --shapes 32x32x32
says 'is not the file that RUN has measured'
profile 2 --candidates only --shapes 32x32
profile 2 --candidates none --shapes 32x32x32
profile 2 --shapes 32x32x32
profile 2 --candidates only
profile 2 --candidates only --shapes 32x32x32 --device cuda:9x
says 'cuda:N is wanted'
profile 77 --candidates only --shapes 32x32x32 --device cuda:9
profile 77 --candidates only --shapes 32x32x32 --device host
says 'only GPUs have counters'
mv RUN KEPT

# A run on the host has none.
expect 0 "$host" run --device host --shapes 32x32x32 --warmup 0.02 --duration 0.05 --seed 3 -o RUN \
    --candidates "$SOURCE/candidates/examples/host"
profile 77 --candidates "$SOURCE/candidates/examples/host" --shapes 32x32x32
says 'only GPUs have counters'
echo ok
