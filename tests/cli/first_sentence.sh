#!/usr/bin/env bash
# What a report says first: how many kernels were refused; of published numbers, which claims differ from them. Nothing
# that was imported is called measured.
. "$(dirname "$0")/lib.sh"

head='mnk,torch.matmul,cuBLAS-tn,cuBLAS-nn,cuBLAS-max,cuBLASLt-heuristic-tn,cuBLASLt-heuristic-nn'
head+=',cuBLASLt-heuristic-max,cuBLASLt-auto-tuning-tn,cuBLASLt-auto-tuning-nn,cuBLASLt-auto-tuning-max'
printf '%s\n64_64_64,1.2,1.1,1.1,1.1,1,1,1,1,1,0.9\n128_64_64,1.4,1.3,1.3,1.3,1,1,1,1,1,1.1\n' "$head" \
    >cuda_l2_mine_speedup_offline.csv
expect 0 "$GEMMGATE" import cuda-l2 --offline cuda_l2_mine_speedup_offline.csv -o THEIRS

claims() { # SET TORCH CUBLAS: what is claimed of the set
    echo set,gpu,accumulate,lens,suite,shapes,quantity,mode,baseline,percent,tolerance,text,source
    echo "$1,A100,f16,wait,,2,speedup,offline,torch-matmul,$2,3,28.6 % faster than torch.matmul,a paper"
    echo "$1,A100,f16,wait,,2,speedup,offline,cublas-max,$3,3,20 % faster than cuBLAS,a paper"
    echo "$1,A100,f16,wait,,2,wins,offline,cublaslt-autotune-max,50,3,faster on half of them,a paper"
}
claims mine 28.6 20 >claims.csv
expect 0 "$GEMMGATE" report THEIRS --claims claims.csv
grep -qx '3 of 3 claims agree with the published numbers within 1.4 points.' out ||
    { cat out >&2; fail 'stdout does not say first how far they are apart'; }
grep -qx 'torch-matmul  *2  *+[0-9.]*' out || { cat out >&2; fail 'verdicts are counted where none was given'; }
page=THEIRS/report/report.md
grep -A2 '^## Verdict' "$page" | tail -n 1 | grep -q '^\[3 of 3 claims\](#claims) \*\*agree with ' || fail 'the page begins otherwise'
grep -q '| 28.6 % faster .* | 28.6 | 30.0 | 2 of 2 | \*\*differs\*\* by +1.4 points |' "$page" || fail 'no difference'
grep -q '| faster on half .* | 50.0 | 50.0 | 2 of 2 | \*\*agrees\*\* |' "$page" || fail 'wins do not agree'
! grep -q 'measured here, %\|not confirmed' "$page" || fail 'published numbers are called measured'

claims mine 30 20 >claims.csv
expect 0 "$GEMMGATE" report THEIRS --claims claims.csv
grep -qx '3 of 3 claims agree with the published numbers.' out || { cat out >&2; fail 'they agree'; }

# A difference beyond the tolerance is one.
claims mine 30 10 >claims.csv
expect 0 "$GEMMGATE" report THEIRS --claims claims.csv
grep -qx '1 of 3 claims differ from the published numbers by more than their tolerance, by up to 10.0 points.' out || { cat out >&2; fail 'they differ'; }

# Claims about other kernels are refused, and nothing is written.
rm -r THEIRS/report
claims theirs 30 10 >claims.csv
expect 2 "$GEMMGATE" report THEIRS --claims claims.csv
says 'claims.csv: is about the kernels theirs, and the run holds published results of CUDA-L2: cuda_l2_mine_speedup_offline.csv'
[ ! -e THEIRS/report ] || fail 'a page was written'

# Of a set that does not compile nothing was timed, and the first sentence says why.
mkdir broken
echo 'no C' >broken/blocked.c
expect 6 env OPENBLAS_CORETYPE=Nehalem "$GEMMGATE" run --device host --shapes 32x32x32,16x16x16 --candidates broken --fail-on refused -o BROKEN
expect 0 "$GEMMGATE" report BROKEN
[ "$(grep -v '/' out | sed -n 3p)" = '2 of 2 kernels on shapes were refused and are in no number.' ] || { cat out >&2; fail 'stdout does not begin with it'; }
grep -A2 '^## Verdict' BROKEN/report/report.md | tail -n 1 | grep -q '^\[2 of 2 kernels on shapes\](#refused) \*\*were refused\*\*' || fail 'the page begins otherwise'
# What a kernel would be compared with is named, and who chose it.
grep -qE '^\| OpenBLAS \| [0-9.]+, one thread, with its kernels for \*\*[A-Za-z0-9_]+\*\*, which OPENBLAS.*_CORETYPE asks for \|$' BROKEN/report/report.md ||
    { grep OpenBLAS BROKEN/report/report.md >&2; fail 'the kernels of OpenBLAS are not named'; }
echo ok
