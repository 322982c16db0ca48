#!/usr/bin/env bash
# Wrong input: a message that names the cause, exit 2, and nothing half-written.
. "$(dirname "$0")/lib.sh"

refuse() { # TEXT ARGS...
    local text=$1
    shift
    expect 2 "$GEMMGATE" "$@"
    says "$text"
    [ ! -e RUN ] || fail "a run directory was left behind by: $*"
}
run() { # TEXT ARGS...
    local text=$1
    shift
    refuse "$text" run --device host -o RUN "$@"
}

expect 2 "$GEMMGATE"
refuse 'unknown command fly; `gemmgate --help` lists them' fly
refuse 'unknown command rnu; `gemmgate --help` lists them' rnu
expect 0 "$GEMMGATE" help verify
grep -q '^usage: gemmgate verify RUN' out || { cat out >&2; fail 'help verify does not tell of it'; }
expect 0 "$GEMMGATE" --version
if [ -c /dev/full ] && "$GEMMGATE" --help >/dev/full 2>err; then
    fail 'help that was not written was'
fi
refuse '-o RUN is wanted' run --device host --shapes 64x64x64
run '--suite or --shapes is wanted'
run 'not both' --suite smoke --shapes 64x64x64
run 'no-such-suite' --suite no-such-suite
run 'sizes must be positive' --shapes 0x64x64
run 'sizes must be positive' --shapes 64x-64x64
run 'over the largest' --shapes 64x64x99999999999999999999
run 'MxNxK' --shapes 64x64
run 'host memory' --shapes 1048576x1048576x64
run '--sample 3: suite' --shapes 64x64x64,64x64x128 --sample 3
run 'unknown baseline' --shapes 64x64x64 --baselines cublas-xx
run 'named twice' --shapes 64x64x64 --baselines openblas-nn,openblas-nn
run 'f16' --shapes 64x64x64 --accumulate f16 --baselines openblas-nn
run 'offline or server' --shapes 64x64x64 --mode online
run 'lenses call and wait only' --shapes 64x64x64 --lens device
run 'call, device, stream or wait is wanted' --shapes 64x64x64 --lens latency
run 'fast or paper' --shapes 64x64x64 --protocol quick
run 'warm or cold' --shapes 64x64x64 --cache hot
run 'a number from' --shapes 64x64x64 --precision 0
run 'whole number' --shapes 64x64x64 --visits 1.5
run 'a number from' --shapes 64x64x64 --duration nan
run 'a number from' --shapes 64x64x64 --warmup -1
run 'whole number' --shapes 64x64x64 --seed -1
run 'host, cuda or cuda:N is wanted' --shapes 64x64x64 --device tpu
run '--shapes 32x32x32: 64x64x64 is given already; one is taken, so leave one out' --shapes 64x64x64 --shapes 32x32x32
for option in suite candidates against cutlass; do
    run "--$option two: one is given already" --shapes 64x64x64 --$option one --$option two
done
refuse '--policy two: ' gate --policy "$SOURCE/ci/policies/merge.ini" --policy two
run 'run takes no --policy; that is an option of: gate' --shapes 64x64x64 --policy x
run '--output two: RUN is given already' --shapes 64x64x64 -o two
run 'no-such-folder' --shapes 64x64x64 --candidates no-such-folder
mkdir empty && run 'empty' --shapes 64x64x64 --candidates empty

# Names of kernels that are those of other arms, or of what is derived: refused before anything is measured.
honest="#include \"$SOURCE/tests/adversarial/both/honest.c\""
named() { # TEXT FOLDER FILE ARGS...: what is no text in a name is a blank in the message
    local text=$1 folder=$2 file=$3
    shift 3
    mkdir "$folder"
    echo "$honest" >"$folder/$file"
    run "$(LC_ALL=C tr '\n\351' '  ' <<<"$folder/" | head -c "$((${#folder} + 1))")$file: the kernel would be called '$text" --shapes 64x64x64 --candidates "$folder" "$@"
    rm -r "$folder"
}
shape=64x64x64.c
named "openblas-nn', as a library is: rename the file" kernels openblas-nn.c
named "openblas-tn', as a library is" kernels openblas-tn.c --baselines openblas-nn
named "openblas-max', as a library is" kernels openblas-max.c
named "openblas-max', as a library is: give the set another name" openblas-max $shape
named "previous', as the earlier release is" kernels previous.c
named "previous', as the earlier release is" kernels previous.c --against "$SOURCE/candidates/examples/host"
named "aa:openblas-nn', as a control is" aa:openblas-nn $shape
named "delay:x', as a control is" delay:x $shape
named "@visit', as what is noted beside the samples is" @visit $shape
named $'caf \', which, at 63 bytes at most, is no UTF-8' $'caf\351' $shape
named $'a b\', which, at 63 bytes at most, is no UTF-8' $'a\nb' $shape
# Not those that only resemble them, nor an earlier release in such a folder.
mkdir previous near
for name in openblas openblas-n openblas-maxi my-openblas-nn cublas-mine previous2; do
    echo "$honest" >near/$name.c
done
cp near/openblas.c previous/$shape
expect 0 "$GEMMGATE" check --device host --shapes 64x64x64 --candidates near --against previous -o NEAR
grep -q no-compile NEAR/checks.csv && fail 'a kernel of a name that is free does not compile'

expect 77 "$GEMMGATE" run --device cuda:99 --shapes 64x64x64 -o RUN

# Without --device: the first of the devices that are there.
best=$("$GEMMGATE" devices | awk '$1 == "host" || $1 ~ /^cuda:[0-9]/ { sub(/:.*/, "", $1); print $1; exit }')
expect 0 "$GEMMGATE" check --shapes 16x16x16 -o BEST
grep -q "\"device\": \"$best\"" BEST/plan.json || fail "it was not measured on $best"

printf 'm,n,k\n64,64,64\n' >good.csv
expect 0 "$GEMMGATE" check --device host --suite good.csv -o OK
printf '\357\273\277m,n,k\r\n64,64,64\r\n' >bom.csv
expect 0 "$GEMMGATE" check --device host --suite bom.csv -o BOM
printf 'm,n\n64,64\n' >column.csv
run 'column.csv' --suite column.csv
printf 'm,n,k\n64,64,nan\n' >nan.csv
run 'nan.csv:2' --suite nan.csv
printf 'm,n,k\n64,64,64\n64,64,64\n' >twice.csv
run 'twice.csv:3' --suite twice.csv
printf 'm,n,k\n64,64,0\n' >zero.csv
run 'zero.csv:2' --suite zero.csv

expect 2 "$GEMMGATE" check --device host --shapes 64x64x64 -o OK
says 'OK'
expect 2 "$GEMMGATE" check --device host --shapes 64x64x128 --resume -o OK
says 'shapes'
mkdir notrun && expect 2 "$GEMMGATE" report notrun
says 'notrun'
expect 0 "$GEMMGATE" run --device host --shapes 16x16x16 --baselines openblas-nn --warmup 0 \
    --duration 0.05 --candidates "$SOURCE/candidates/examples/host" -o TIMED
# Without gnuplot there are no pictures: a page is one all the same, says so, and is no error.
expect 0 env PATH=/nonexistent "$GEMMGATE" report TIMED
[ "$(grep -c 'gnuplot is not installed' err)" = 1 ] || { cat err >&2; fail 'report does not say once that nothing is drawn'; }
grep -q 'Not drawn' TIMED/report/report.html || { cat out >&2; fail 'the page of a report does not say that nothing is drawn'; }
LC_ALL=C expect 0 "$GEMMGATE" report TIMED
[ ! -s err ] || { cat err >&2; fail 'a report has something to say of its figures'; }
expect 2 "$GEMMGATE" list candidates
expect 2 "$GEMMGATE" build --candidates one --candidates two
says '--candidates two: one is given already'
expect 2 "$GEMMGATE" profile TIMED
says 'unknown command profile'
expect 2 "$GEMMGATE" report TIMED --claims one --claims two
says '--claims two: one is given already'
expect 2 "$GEMMGATE" import cuda-l2 --offline one --offline two -o RUN
says '--offline two: one is given already'

# Every command tells how it is called.
while read -ra command; do
    expect 0 "$GEMMGATE" "${command[@]}" --help
    grep -qi "^usage: gemmgate ${command[*]}" out || { cat out >&2; fail "${command[*]} --help does not tell"; }
    expect 2 "$GEMMGATE" "${command[@]}" --no-such-option
    grep -q "gemmgate ${command[*]}" err || { cat err >&2; fail "${command[*]} misused does not tell"; }
done < <("$GEMMGATE" --help | sed -n 's/^  \([a-z][a-z0-9-]*\( [a-z][a-z0-9-]*\)\?\)  .*/\1/p')
expect 0 "$GEMMGATE" -h

# An option that would change nothing is refused.
run '--qps is of server mode' --shapes 64x64x64 --qps 5
expect 2 "$GEMMGATE" gate TIMED --visits 7
says '--visits: TIMED is measured already'
expect 2 "$GEMMGATE" gate TIMED --entry v1
says '--entry v1: of which store?'
expect 2 "$GEMMGATE" compare TIMED TIMED --baseline openblas-tn
says '--baseline openblas-tn: TIMED and TIMED have no kernel measured against it'
expect 2 "$GEMMGATE" compare TIMED --baseline openblas-nn
says '--baseline openblas-nn: two runs are compared'
set=$SOURCE/candidates/examples/host
expect 2 "$GEMMGATE" compare "$set" "$set" --device host --shapes 16x16x16 --seed 1 --shard 1/2 -o SHARD
says 'compare takes no --shard; that is an option of: run, check'

# build: what does not compile is a result, but a build that cannot compile anything is none.
mkdir broken cuda
echo 'no C' >broken/a.c
echo 'no C' >broken/b.c
expect 2 "$GEMMGATE" build --candidates broken
says 'build: broken: none of its 2 files made a kernel'
grep -q '^0 of 2 compiled; 2 failed:' out || fail 'the build does not tell of each file'
echo 'int good;' >broken/good.c
expect 2 "$GEMMGATE" build --candidates broken
told 'it exports no symbol gemmgate_kernel, which a kernel of gemmgate.h has; of another function gemmgate.ini says how it is called (call = ...)'
grep -q '^0 of 3 compiled; 3 failed:' out || { cat out >&2; fail 'a file that is no kernel counts as one'; }
echo 'int gemmgate_kernel;' >broken/good.c
expect 0 "$GEMMGATE" build --candidates broken
grep -q '^1 of 3 compiled; 2 failed: why stands behind .failed. above$' out ||
    { cat out >&2; fail 'the build does not tell what it has compiled, and what not'; }
# One that is stopped leaves no compiler at work.
cat >slow-cc <<'END'
#!/bin/sh
case $* in *good.c*) sleep 300 & echo $! >"$BEGAN" && wait ;; esac
exec cc "$@"
END
chmod +x slow-cc
mkdir slow && cp broken/good.c slow
BEGAN=$PWD/began CC=$PWD/slow-cc "$GEMMGATE" build --no-sandbox --candidates slow --cache-dir fresh >out 2>err &
until [ -s began ]; do sleep 0.05; done
kill -TERM $!
status=0 && wait $! || status=$?
[ $status = 75 ] || { cat err >&2; fail "a build that is stopped ends with $status"; }
says 'stopped while compiling; what is compiled is kept'
lives() { grep -q '^State:.[^Z]' "/proc/$(cat began)/status" 2>/dev/null; }
for _ in {1..60}; do ! lives || sleep 0.05; done
! lives || fail 'a compiler goes on'
echo >cuda/kernel.cu
cp broken/good.c cuda
refuse 'cuda/kernel.cu is a CUDA source: name the architecture with --arch' build --candidates cuda
expect 0 env NVCC=false "$GEMMGATE" build --candidates cuda --arch 90a
echo ok
