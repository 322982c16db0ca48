#!/usr/bin/env bash
# What differs where there are GPUs, tried on some that are the host: which of them a runner sees, a shard on
# each, and the lenses of a gate.
# Covers: ci/gpus bench/run bench/device bench/process bench/runner/requests/open* tests/support/fake_*
. "$(dirname "$0")/lib.sh"
export GEMMGATE_CACHE=$scratch/cache
use_runner "${FAKE_GPU_RUNNER:?a runner whose GPU is the host}"
mkdir set
export FAKE_GPUS=3 FAKE_GPU_OPENS=$scratch/opens
cp "$SOURCE"/candidates/examples/host/half.h set/
sed 's/GEMM_HOST/GEMM_CUDA/g' "$SOURCE/candidates/examples/host/blocked.c" >set/blocked.c
few_visits >few.ini
set -- --candidates set --no-sandbox --visits 1 --warmup 0.05 --duration 0.2

# opened: who was opened while kernels were measured, each once. Floors are measured first, by all.
opened() { grep -v "of ${CUDA_VISIBLE_DEVICES-all}$" opens | sort -u | paste -sd,; }
each_alone='0 of GPU-fake-0,0 of GPU-fake-1,0 of GPU-fake-2'

gpus=$SOURCE/ci/gpus
expect 0 "$gpus" 0,1,2 run -o ALL --shapes 64x64x64,64x64x128,64x128x64 "$@"
[ "$(opened)" = "$each_alone" ] || { cat opens >&2; fail 'not every runner saw its GPU alone'; }
[ "$(column ALL/conditions.csv device | sed 's/.* //' | sort | paste -sd,)" = cuda:0,cuda:1,cuda:2 ] || fail 'not every GPU has measured'
[ ! -e ALL.shards ] || fail 'shards stay behind'
expect 0 "$GEMMGATE" verify ALL
expect 2 "$gpus" 0,1,2 run -o ALL --shapes 64x64x64 "$@"
says 'ALL exists'
expect 2 "$gpus" 0,1 run -o NONE --shapes 64x64x64 --device cuda:1 "$@"
says '--device: the shards choose that themselves'
gates "$gpus" 0,1 gate -o GATED --shapes 64x64x64,64x64x128 --against set "$@" --visits 2 --policy few.ini --seed 7
grep -q '"seed": "7"' GATED/plan.json && [ -s GATED/gate/gate.json ] || fail 'a gate of two GPUs has no verdict'

# A gate that was stopped in its confirmation, when its shards are one run, goes on by the same words; other words leave
# what it has come to.
cp -r GATED WHOLE
rm -r GATED/gate
sed -i 's/"complete": true/"complete": false/' GATED/manifest.json
gates "$gpus" 0,1 gate -o GATED --shapes 64x64x64,64x64x128 --against set "$@" --visits 2 --policy few.ini
says 'resuming: 2 of 2 units are there already'
[ -s GATED/gate/gate.json ] || fail 'a gate that is gone on with has no verdict'
expect 2 "$gpus" 0,1 gate -o WHOLE --shapes 64x64x64 --against set "$@" --visits 2
! grep -q '"verdict": "error"' WHOLE/gate/gate.json || fail 'other words overwrite a verdict'

# A shard has cores near its GPU, as the system tells them; where it does not, an equal part of all.
pin=$(type -P taskset) cores=$(taskset -cp $$ | sed 's/.*: //')
first=${cores%%[,-]*} last=${cores##*[,-]}
mkdir near
printf '#!/bin/sh\necho "$6=$2" >>dealt\n' >near/taskset
printf '#!/bin/sh\necho "00000000:0$2:0A.0"\n' >near/nvidia-smi
printf '#!/bin/sh\ncase $1 in */0000:01:0a.0/local_cpulist) echo %s ;; */0000:0[02]:0a.0/*) echo %s ;; *) exec /bin/cat "$@" ;; esac\n' \
    "$last" "$first,$last,99999" >near/cat
chmod +x near/*
dealt() { # GPUS DEVICE=CORES...
    rm -f dealt
    GEMMGATE=true PATH=$PWD/near:$PATH expect 0 "$pin" -c "$first,$last" "$gpus" "$1" run -o NEAR
    [ "$(sort dealt | paste -sd' ')" = "${*:2}" ] || fail "cores are dealt out as $(sort dealt | paste -sd' '), not ${*:2}"
}
dealt 0,1,2 "cuda:0=$first" "cuda:1=$last" "cuda:2=$last"
CUDA_VISIBLE_DEVICES=1,2 dealt 0 "cuda:0=$last"
dealt 1,7 "cuda:1=$first" "cuda:7=$last"

# No times of one GPU go by the name of another.
FAKE_GPU_STUBBORN=1 expect 2 "$GEMMGATE" run --device cuda:2 --shapes 64x64x64 "$@" -o STUBBORN
says 'CUDA shows another GPU than the one asked for'

export CUDA_VISIBLE_DEVICES=2,0
: >opens
"$GEMMGATE" run --device cuda:1 --shapes 64x64x64 "$@" -o SECOND
[ "$(opened)" = '0 of GPU-fake-0' ] || { cat opens >&2; fail 'the second of the visible GPUs is another'; }
[ "$(tail -n +2 SECOND/conditions.csv | cut -d, -f6)" = cuda:1 ] || fail 'it goes by another name'

# Where there is but one, nothing is changed.
export CUDA_VISIBLE_DEVICES=1
: >opens
"$GEMMGATE" run --device cuda --shapes 64x64x64 "$@" -o ONE
[ "$(sort -u opens)" = '0 of 1' ] || { cat opens >&2; fail 'a single GPU is not taken as it is'; }

# A call under compute-sanitizer, here none, is not locked in, and who asks for it is told.
printf '#!/bin/sh\nshift 6\nexec "$@"\n' >bin/compute-sanitizer
chmod +x bin/compute-sanitizer
memcheck() { # RUN ARGS...
    PATH=$PWD/bin:$PATH expect 0 "$GEMMGATE" check --device cuda --shapes 64x64x64 --candidates set --memcheck "${@:2}" -o "$1"
    grep -q ',blocked,blocked,ok,' "$1/checks.csv" || { cat "$1/checks.csv" >&2; fail 'nothing passes under a sanitizer that finds nothing'; }
}
memcheck SANITIZED
says '--memcheck: calls under compute-sanitizer are not locked into the sandbox'
grep -q '"sandbox": "no_new_privs .*; none under --memcheck"' SANITIZED/manifest.json ||
    { grep '"sandbox"' SANITIZED/manifest.json >&2; fail 'the manifest has all kernels locked in'; }
memcheck OPEN --no-sandbox
grep -q '"sandbox": "none: --no-sandbox"' OPEN/manifest.json || fail 'the manifest has another sandbox'

# A recorder opens the GPU while the libraries are checked. Where it cannot, a fresh one does. On one core units are checked
# one after the other. So the GPU is opened for the libraries and the kernels of both units, for who records
# each, once in vain, for the stage of the checks and that of the visit, and for who times each.
: >opens
FAKE_GPU_BUSY=2 taskset -c "${cores%%[,-]*}" "$GEMMGATE" run --device cuda --shapes 64x64x64,64x64x128 "$@" -o AHEAD
[ "$(wc -l <opens)" = 9 ] || { cat opens >&2; fail 'the GPU is not opened 9 times'; }
[ "$(grep -c ',ok,' AHEAD/checks.csv)" = 6 ] || { cat AHEAD/checks.csv >&2; fail 'a spare that failed has cost a row'; }

# The runner that has listed the GPUs, the only one yet when there is a plan, stays until the run ends.
hold "$scratch/KEPT/units/64x64x64.blocked"
"$GEMMGATE" run --device cuda --shapes 64x64x64,64x64x128,64x128x64 "$@" -o KEPT &
judge=$!
there() { until [ -e "$1" ]; do kill -0 $judge && sleep 0.005 || fail "the run ended without $1"; done; }
there KEPT/plan.json
keeper=$(pgrep -o -P $judge)
there KEPT/units/64x64x64.blocked
kill -0 "$keeper" || fail 'nobody keeps what the driver has set up for the GPUs'
go
wait $judge
! kill -0 "$keeper" 2>/dev/null || fail 'who kept the GPUs outlives the run'

# Where a GPU takes one process at a time, each waits for the one before. No kernel is recorded there, which is told, and
# all is timed by call.
exclusive=(run --device cuda --shapes 64x64x64,64x64x128 "$@" --visits 3)
FAKE_GPU_EXCLUSIVE=$scratch/lock expect 5 "$GEMMGATE" "${exclusive[@]}" -o EXCLUSIVE
says "no process can be had that records a kernel's calls: the device cannot be opened; --lens call does without"
FAKE_GPU_EXCLUSIVE=$scratch/lock expect 0 "$GEMMGATE" "${exclusive[@]}" --lens call -o BYCALL
[ "$(grep -c ',ok,' BYCALL/checks.csv)" = 6 ] || { cat BYCALL/checks.csv >&2; fail 'a GPU in exclusive mode cannot be used'; }
[ "$(grep -c ',not recorded on this machine: the device cannot be opened' BYCALL/checks.csv)" = 2 ] ||
    { cat BYCALL/checks.csv >&2; fail 'it is not said why nothing is recorded there'; }
[ "$(column BYCALL/times.csv place | sort -u)" = unbounded ] || { cat BYCALL/times.csv >&2; fail 'something bounds the calls'; }

# A shard that is killed is told, and the same words go on with what is there.
unset CUDA_VISIBLE_DEVICES
slow=(0,1 run --shapes 64x64x64,64x64x128,64x128x64,128x64x64 "$@" --visits 3 --duration 0.6 -o KILLED)
hold "$scratch/KILLED.shards/1/units/.*.visits/1"
"$gpus" "${slow[@]}" 2>err &
script=$!
held $script
pkill -9 -P "$script" -f 'KILLED.shards/1 '
go
got=0
wait $script || got=$?
[ $got = 137 ] || { cat err >&2; fail "a killed shard ends the script with $got"; }
says 'shard 1 on GPU 0 ended with 137'
[ ! -e KILLED ] || fail 'a run is made of what is not whole'
expect 0 "$gpus" "${slow[@]}"
expect 0 "$GEMMGATE" verify KILLED
[ "$(column KILLED/checks.csv outcome | sort -u)" = ok ] || { cat KILLED/checks.csv >&2; fail 'not all was measured'; }

# A gate is precise by the lens that it judges and in the ratio of new to old, and of the others takes five blocks
# a visit at most. One of the two has a process of the kernels' own, for call.
blocks() { awk -F, -v lens="$2" '$7 == lens && $5 == "previous" { print $10 }' "$1/times.csv"; }
gates "$GEMMGATE" gate --device cuda --shapes 64x64x64 --against set "$@" --visits 2 --duration 1 --precision 0.01 --policy few.ini -o GATE
[ "$(blocks GATE call)" -le 5 ] && [ "$(blocks GATE stream)" -le 10 ] && [ "$(blocks GATE device)" -gt 10 ] ||
    { cat GATE/times.csv >&2; fail 'a lens that is not judged has as much as the one that is'; }
{ few_visits && echo 'lens = call'; } >policy.ini
gates "$GEMMGATE" gate --device cuda --shapes 64x64x64 --against set "$@" --visits 2 --duration 1 --precision 0.01 --policy policy.ini \
    -o LENS
[ "$(blocks LENS device)" -le 10 ] && [ "$(blocks LENS call)" -gt 10 ] ||
    { cat LENS/times.csv >&2; fail 'the lens of the policy is not the one that is judged'; }
grep -A1 '"precise_lenses": \[' LENS/plan.json | grep '"call"' >/dev/null || fail 'the plan does not say which lens is judged'
grep -q '"precise_ratios": "previous"' LENS/plan.json || fail 'a gate of two releases needs their ratio alone'

# Where libraries must be beaten, all ratios are wanted.
{ few_visits && printf '[gate.must]\ncublas-nn = all\n'; } >policy.ini
gates "$GEMMGATE" gate --device cuda --shapes 64x64x64 --against set "$@" --visits 2 --policy policy.ini -o MUST
grep -q '"precise_ratios": "all"' MUST/plan.json || fail 'the ratio to a library that must be beaten is not wanted'
echo ok
