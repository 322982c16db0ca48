#!/usr/bin/env bash
# Every planted fault gets the outcome its first line names, and costs its own row only.
. "$(dirname "$0")/lib.sh"

expect 0 "$GEMMGATE" check --device host --shapes 48x40x56 --candidates "$SOURCE/tests/adversarial/host" \
    --call-timeout 2 --setup-timeout 2 --seed 7 -o RUN
count=0
for source in "$SOURCE"/tests/adversarial/host/*.c; do
    name=$(basename "$source" .c)
    want=$(sed -n '1,5s/.*expect: \([a-z-]*\).*/\1/p' "$source" | head -1)
    [ -n "$want" ] || fail "$name names no expected outcome"
    got=$(grep "^48,40,56,$name,$name," RUN/checks.csv | cut -d, -f6)
    [ "$got" = "$want" ] || { grep "$name" RUN/checks.csv >&2; fail "$name: '$got' instead of '$want'"; }
    count=$((count + 1))
done
[ "$count" -ge 15 ] || fail "only $count planted faults were found"
# The libraries beside them are untouched by any of it.
bad=$(awk -F, '$5 ~ /^openblas/ && $6 != "ok"' RUN/checks.csv)
[ -z "$bad" ] || fail "a baseline was accused: $bad"
grep -q 'Segmentation' RUN/checks.csv || fail "the crash's signal is not named"
echo "ok: $count outcomes"
