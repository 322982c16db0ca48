#!/usr/bin/env bash
# Every planted fault gets an outcome that its first line names, and costs its own row only.
# Covers: bench/checks bench/process bench/runner correctness tests/adversarial tests/cli/outcomes.sh
. "$(dirname "$0")/lib.sh"

# expected SOURCE: the outcomes that ./kernels lists for it, where two devices differ those of its own.
expected() {
    local outcome
    outcome=$(awk -F'\t' -v kernel="${1#"$suite/"}" '$1 == kernel { print $2 }' kernels)
    [[ $1 != *.cu || $outcome != *'(cuda: '* ]] || outcome=${outcome#*'(cuda: '}
    outcome=${outcome%% *}
    echo "${outcome%)}"
}

# expect_outcomes FOLDER SUFFIX LEAST SHAPE COMMAND ARGS...: checks or times a set on the shape and
# compares outcomes with the first lines, which may leave a choice: "expect: nan|replayed".
expect_outcomes() {
    local folder=$1 suffix=$2 least=$3 shape=$4 name want row bad count=0 wrong=0
    shift 4
    run=RUN-$(basename "$(dirname "$folder")")-$(basename "$folder")
    expect 0 "$GEMMGATE" "$1" --shapes "$shape" --candidates "$folder" --seed 8 -o "$run" "${@:2}"
    for source in "$folder"/*"$suffix"; do
        name=$(basename "$source" "$suffix")
        want=$(expected "$source")
        row=$(grep "^${shape//x/,},$name,$name," "$run/checks.csv")
        count=$((count + 1))
        case "|$want|" in
        *"|$(cut -d, -f6 <<<"$row")|"*) continue ;;
        esac
        echo "$name: not '$want' but $row" >&2
        wrong=$((wrong + 1))
    done
    [ "$count" -ge "$least" ] || fail "only $count planted faults were found in $folder"
    # The libraries beside them are untouched by any of it.
    bad=$(awk -F, '$5 ~ /^(openblas|cublas|torch)/ && $6 != "ok"' "$run/checks.csv")
    [ -z "$bad" ] || fail "a baseline was accused: $bad"
    [ "$wrong" = 0 ] || fail "$wrong of $count outcomes of $folder are not what they should be"
    echo "ok: $count outcomes of $folder"
}

# compare_recordings FOLDER RUN: what came of each recording, against "recording: carried out",
# "recording: wrong" or "recording: no: REASON" in the first lines.
compare_recordings() {
    local source name want row result wrong=0
    for source in "$1"/*.cu; do
        name=$(basename "$source" .cu)
        want=$(sed -n '1s/.*recording: \(.*\) \*\/.*/\1/p' "$source")
        row=$(grep "^[0-9]*,[0-9]*,[0-9]*,$name,$name,1," "$2/recordings.csv")
        result=$(cut -d, -f7 <<<"$row")
        case $want,$result in
        carried*,same | carried*,right | wrong*,wrong) continue ;;
        no:*,no) [[ $row != *"${want##*: }"* ]] || continue ;;
        esac
        echo "$name: not '$want' but $row" >&2
        wrong=$((wrong + 1))
    done
    [ "$wrong" = 0 ] || fail "$wrong recordings of $1 are not what they should be"
    echo "ok: recordings of $1"
}

# What is written once for host and CUDA becomes a kernel of each.
mkdir -p tree/tests
cp -r "$SOURCE/tests/adversarial" tree/tests
ln -s "$SOURCE/candidates" tree/candidates
suite=$scratch/tree/tests/adversarial
mkdir "$suite/bf16/cuda"
for source in "$suite"/{,bf16/,timed/}both/*.c; do
    folder=${source%/both/*}
    name=$(basename "$source" .c)
    cp "$source" "$folder/host/$name.c"
    mv "$source" "$folder/cuda/$name.cu"
done
check=(check --fail-on nothing)
"$suite/list" >kernels || fail 'kernels that name no outcome'
expect_outcomes "$suite/host" .c 15 48x40x56 "${check[@]}" --device host --call-timeout 2 --setup-timeout 2
# What a kernel says reaches the log as part of a line, with nothing in it that a CI or a terminal obeys.
says 'said ::error file=honest.c::forged  [2Jall  #[error]is   2Jwell  (status 7)'
! LC_ALL=C grep -qP '^::|\r|\x1b|\xc2\x9b|##\[' err || { cat -v err >&2; fail 'a kernel commands the log'; }
grep -q 'Segmentation' RUN-adversarial-host/checks.csv || fail "the crash's signal is not named"
# Of a kernel that deviates it is said what its accumulator is.
mkdir long
printf '#include "%s/timed/host/f16-accumulate.c"\n' "$suite" >long/f16-accumulate.c
expect 0 "$GEMMGATE" "${check[@]}" --device host --shapes 48x40x4096 --candidates long -o LONG
grep -q ',deviates,"C\[.*; it claims f32 and keeps f16: .* (1536 and -1536, at k = .*, cancel; the other products add up to [-0-9]*/1024)",.*,f32,f16,' LONG/checks.csv ||
    { cat LONG/checks.csv >&2; fail "a sum of 4096 addends in f16 is not seen to be one"; }
# However large C is, the kernel's own wrong product of the probe's inputs excuses nobody.
mkdir large
printf '#include "%s/timed/host/wrong-on-probe.c"\n' "$suite" >large/wrong-on-probe.c
expect 0 "$GEMMGATE" "${check[@]}" --device host --shapes 2049x2048x16 --baselines openblas-nn --candidates large -o LARGE
grep -q ',wrong-on-probe,wrong-on-probe,inexact,' LARGE/checks.csv ||
    { cat LARGE/checks.csv >&2; fail 'a wrong product of the probe passes where C is large'; }
# Of bfloat16: other ranges, and two ways to be narrower than it.
expect_outcomes "$suite/bf16/host" .c 10 192x160x320 "${check[@]}" --device host --element bf16 --call-timeout 5 \
    --setup-timeout 5 --baselines openblas-nn
# Long enough that a kernel that remembers has something to remember.
timed=(run --warmup 0.1 --visits 2 --duration 2.4 --precision 0.01)
expect_outcomes "$suite/timed/host" .c 30 192x160x320 "${timed[@]}" --device host --call-timeout 5 \
    --setup-timeout 5 --baselines openblas-nn
# No process that times has checked: who is honest where it is checked is caught in the first visit.
grep -qE ',later-visits,later-visits,replayed,"?while timed' RUN-timed-host/checks.csv ||
    { grep later-visits RUN-timed-host/checks.csv >&2; fail 'who is honest where it is checked is timed there'; }
if "$GEMMGATE" devices | grep '^cuda:0 ' >/dev/null; then
    gpu=(--device cuda:0 --baselines cublas-nn,cublas-tn --call-timeout 5 --setup-timeout 20)
    expect_outcomes "$suite/cuda" .cu 9 48x40x56 "${check[@]}" "${gpu[@]}"
    expect_outcomes "$suite/bf16/cuda" .cu 7 192x160x320 "${check[@]}" --element bf16 "${gpu[@]}"
    # In its last own process a kernel must get past the 400 calls of late.h: an H100's host made 2,000 blocks a second.
    timed=(run --warmup 0.1 --visits 12 --duration 2.4 --precision 0.01)
    expect_outcomes "$suite/timed/cuda" .cu 50 192x160x320 "${timed[@]}" "${gpu[@]}"
    expect_outcomes "$suite/recording" .cu 17 512x512x512 run --lens device --visits 2 --duration 0.4 --warmup 0.1 "${gpu[@]}"
    compare_recordings "$suite/recording" "$run"
    # Against the stage, by code on the device alone.
    expect_outcomes "$suite/stage" .cu 21 512x512x2048 run --lens device,stream --visits 8 --duration 1.2 --warmup 0.1 "${gpu[@]}"
    ! grep -q ',start-mark,.*,stage,' "$run/ratios.csv" || fail 'the start of an interval can be moved on the stage'
    # Its products are right. What its rows of calls gain is no number.
    ! grep -qE ',made-ahead-checked,[^,]*,offline,stream,' "$run/ratios.csv" || fail 'products that are made ahead have a number'
    # Two releases on one stage: neither can change what the other finds.
    for set in old new; do
        gates "$GEMMGATE" gate "${gpu[@]}" --lens device,stream --shapes 512x512x2048 --visits 8 --duration 16 \
            --candidates "$suite/neighbours/$set" --against "$suite/neighbours/old" -o GATE-$set
        [ "$(grep -cE ',work,(work|previous),ok,' GATE-$set/checks.csv)" = 2 ] ||
            { cat GATE-$set/checks.csv >&2; fail "$set changes what the other release finds"; }
    done
    if command -v compute-sanitizer >/dev/null; then
        expect_outcomes "$suite/memcheck" .cu 2 48x40x56 "${check[@]}" "${gpu[@]}" --memcheck
    fi
fi
