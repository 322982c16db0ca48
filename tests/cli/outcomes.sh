#!/usr/bin/env bash
# Every planted fault gets an outcome that its first line names, and costs its own row only.
. "$(dirname "$0")/lib.sh"

# expect_outcomes FOLDER SUFFIX LEAST SHAPE COMMAND ARGS...: checks or times a set on the shape and
# compares outcomes with the first lines, which may leave a choice: "expect: nan|replayed".
expect_outcomes() {
    local folder=$1 suffix=$2 least=$3 shape=$4 count=0 wrong=0 run name want got bad
    shift 4
    run=RUN-$(basename "$(dirname "$folder")")-$(basename "$folder")
    expect 0 "$GEMMGATE" "$1" --shapes "$shape" --candidates "$folder" --seed 8 -o "$run" "${@:2}"
    for source in "$folder"/*"$suffix"; do
        name=$(basename "$source" "$suffix")
        want=$(sed -n '1,5s/.*expect: \([a-z|-]*\).*/\1/p' "$source" | head -1)
        [ -n "$want" ] || fail "$name names no expected outcome"
        got=$(grep "^${shape//x/,},$name,$name," "$run/checks.csv" | cut -d, -f6)
        case "|$want|" in
        *"|$got|"*) ;;
        *)
            grep "$name" "$run/checks.csv" >&2
            echo "$name: '$got' instead of '$want'" >&2
            wrong=$((wrong + 1))
            ;;
        esac
        count=$((count + 1))
    done
    [ "$wrong" = 0 ] || fail "$wrong of $count outcomes of $folder are not what they should be"
    [ "$count" -ge "$least" ] || fail "only $count planted faults were found in $folder"
    # The libraries beside them are untouched by any of it.
    bad=$(awk -F, '$5 ~ /^(openblas|cublas|torch)/ && $6 != "ok"' "$run/checks.csv")
    [ -z "$bad" ] || fail "a baseline was accused: $bad"
    echo "ok: $count outcomes of $folder"
}

suite=$SOURCE/tests/adversarial
expect_outcomes "$suite/host" .c 15 48x40x56 check --device host --call-timeout 2 --setup-timeout 2
grep -q 'Segmentation' RUN-adversarial-host/checks.csv || fail "the crash's signal is not named"
# Of a kernel that deviates it is said what its accumulator is.
mkdir long
printf '#include "%s/timed/host/f16-accumulate.c"\n' "$suite" >long/f16-accumulate.c
expect 0 "$GEMMGATE" check --device host --shapes 48x40x4096 --candidates long -o LONG
grep -q ',deviates,"C\[.*; it claims f32 and keeps f16",.*,f32,f16,' LONG/checks.csv ||
    { cat LONG/checks.csv >&2; fail "a sum of 4096 addends in f16 is not seen to be one"; }
# Long enough that a kernel that remembers has something to remember.
timed=(run --warmup 0.1 --duration 0.8 --precision 0.01)
expect_outcomes "$suite/timed/host" .c 30 192x160x320 "${timed[@]}" --device host --call-timeout 5 \
    --setup-timeout 5 --baselines openblas-nn
if "$GEMMGATE" devices | grep -q '^cuda:0 '; then
    gpu=(--device cuda:0 --baselines cublas-nn,cublas-tn --call-timeout 5 --setup-timeout 20)
    expect_outcomes "$suite/cuda" .cu 9 48x40x56 check "${gpu[@]}"
    expect_outcomes "$suite/timed/cuda" .cu 40 192x160x320 "${timed[@]}" "${gpu[@]}"
    if command -v compute-sanitizer >/dev/null; then
        expect_outcomes "$suite/memcheck" .cu 2 48x40x56 check "${gpu[@]}" --memcheck
    fi
fi
