#!/usr/bin/env bash
# A suite of real calls, which says how often each shape is called, and the query of the manual for the time of all calls.
. "$(dirname "$0")/lib.sh"

mkdir set
cp "$SOURCE/candidates/examples/host/blocked.c" "$SOURCE/candidates/examples/host/half.h" set/

printf 'm,n,k,count\n64,64,64,1000\n128,128,128,2\n64,64,64,500\n' >calls.csv
quick=(--device host --suite calls.csv --warmup 0 --duration 0.1)
expect 0 "$GEMMGATE" run "${quick[@]}" --visits 2 --candidates set -o RUN
expect 0 "$GEMMGATE" report RUN

# calls of each shape x the median of times.csv, and that x the speedup of ratios.csv.
want=$(awk -F, 'FNR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
                FILENAME ~ /times/ && $c["kernel"] == "blocked" { t[$1] = ($1 == 64 ? 1500 : 2) * $c["median"]; own += t[$1] }
                FILENAME ~ /ratios/ && $c["baseline"] == "openblas-max" { library += t[$1] * (1 + $c["speedup"]) }
                END { printf "%g %g", own, library }' RUN/times.csv RUN/ratios.csv)
sed -n '/^awk -F, .FNR == 1/,/^ *END /p' "$SOURCE/reports/README.md" | sed 's/"device"/"call"/; s/cublas-max/openblas-max/' >query.sh
expect 0 bash query.sh
read -r own _ _ _ _ library _ <out
awk -v want="$want" -v own="$own" -v library="$library" 'function near(a, b) { return a > 0 && a / b < 1.001 && a / b > 0.999 }
    BEGIN { split(want, w, " "); exit !(near(own, w[1]) && near(library, w[2])) }' || { cat out >&2; fail "the query of the manual does not give $want"; }
echo ok
