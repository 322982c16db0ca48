#!/usr/bin/env bash
# A suite that says how often each shape is called: its traffic stands in the report, in a comparison, in a gate and
# beside the winners, and is what the times give.
. "$(dirname "$0")/lib.sh"

mkdir set
cp "$SOURCE/candidates/examples/host/simd.c" "$SOURCE/candidates/examples/host/half.h" set/

printf 'm,n,k,count\n64,64,64,1000\n128,128,128,2\n64,64,64,500\n' >calls.csv
quick=(--device host --suite calls.csv --warmup 0 --duration 0.1)
expect 0 "$GEMMGATE" run "${quick[@]}" --visits 2 --candidates set -o RUN
expect 0 "$GEMMGATE" report RUN

# calls of each shape x median, of the kernel and of the faster library.
want=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
                { w = $1 == 64 ? 1500 : 2; t = $c["median"] }
                $5 == "simd" { own += w * t }
                $5 != "simd" { if (!($1 in least) || t < least[$1]) least[$1] = t }
                END { printf "%+.1f", 100 * (own / (1500 * least[64] + 2 * least[128]) - 1) }' RUN/times.csv)
got=$(sed -n '/^## Traffic/,/^## [^T]/s/^| `simd` | `offline` | `call` | 2 | 1502 |.* | \([-+0-9.]*\) |$/\1/p' RUN/report/report.md)
[ "${got/−/-}" = "$want" ] || fail "the traffic changes by $got %, and its times say $want %"

expect 0 "$GEMMGATE" winners RUN -o WON
grep -q ',1500$' WON/winners.csv || { cat WON/winners.csv >&2; fail 'the winners have no weights'; }
printf 'm,n,k,weight\n64,64,64,3\n128,128,128,4\n' >weights.csv
expect 0 "$GEMMGATE" winners RUN -o OTHER --weights weights.csv
grep -q ',3$' OTHER/winners.csv || fail 'the weights of a file do not count'

# A release against itself: the time of the traffic is counts x times, not the sum of two times.
expect 0 "$GEMMGATE" compare set set "${quick[@]}" --visits 2 -o COMPARED
gates "$GEMMGATE" gate COMPARED
for file in COMPARED/compare/compare.md COMPARED/gate/gate.json; do
    [ -s "$file" ] || fail "there is no $file"
done
now=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
               { sum += ($1 == 64 ? 1500 : 2) * $c["new_seconds"] } END { print sum }' COMPARED/compare/compare.csv)
grep -o '"new_seconds": [0-9.e-]*' COMPARED/gate/gate.json | sed -n 1p | awk -v now="$now" '
    { d = $2 / now - 1; exit !(d < 1e-4 && d > -1e-4) }' || fail "the gate's traffic is not $now s"
echo ok
