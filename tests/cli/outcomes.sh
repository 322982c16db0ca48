#!/usr/bin/env bash
# Every planted fault gets the outcome its first line names, and costs its own row only.
. "$(dirname "$0")/lib.sh"

# expect_outcomes FOLDER SUFFIX LEAST ARGS...: checks a set and compares outcomes with the first lines.
expect_outcomes() {
    local folder=$1 suffix=$2 least=$3 count=0 run name want got bad
    shift 3
    run=RUN-$(basename "$folder")
    expect 0 "$GEMMGATE" check --shapes 48x40x56 --candidates "$folder" --seed 7 -o "$run" "$@"
    for source in "$folder"/*"$suffix"; do
        name=$(basename "$source" "$suffix")
        want=$(sed -n '1,5s/.*expect: \([a-z-]*\).*/\1/p' "$source" | head -1)
        [ -n "$want" ] || fail "$name names no expected outcome"
        got=$(grep "^48,40,56,$name,$name," "$run/checks.csv" | cut -d, -f6)
        [ "$got" = "$want" ] || {
            grep "$name" "$run/checks.csv" >&2
            fail "$name: '$got' instead of '$want'"
        }
        count=$((count + 1))
    done
    [ "$count" -ge "$least" ] || fail "only $count planted faults were found in $folder"
    # The libraries beside them are untouched by any of it.
    bad=$(awk -F, '$5 ~ /^(openblas|cublas|torch)/ && $6 != "ok"' "$run/checks.csv")
    [ -z "$bad" ] || fail "a baseline was accused: $bad"
    echo "ok: $count outcomes of $folder"
}

expect_outcomes "$SOURCE/tests/adversarial/host" .c 15 --device host --call-timeout 2 --setup-timeout 2
grep -q 'Segmentation' RUN-host/checks.csv || fail "the crash's signal is not named"
if "$GEMMGATE" devices | grep -q '^cuda:0 '; then
    gpu=(--device cuda:0 --baselines cublas-nn,cublas-tn --call-timeout 5 --setup-timeout 20)
    expect_outcomes "$SOURCE/tests/adversarial/cuda" .cu 9 "${gpu[@]}"
    if command -v compute-sanitizer >/dev/null; then
        expect_outcomes "$SOURCE/tests/adversarial/memcheck" .cu 2 "${gpu[@]}" --memcheck
    fi
fi
