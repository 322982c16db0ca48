#!/usr/bin/env bash
# Decoding: a library call that serves one row alone is an arm where there is one row, and says elsewhere that it does not serve.
. "$(dirname "$0")/lib.sh"
. "$SOURCE/tests/support/staged.sh"

expect 0 "$GEMMGATE" list suites
told 'decode 126 linear layers of Llama 3 8B and 70B and Qwen3 8B and 32B, 1, 2, 4, 8, 16, 32 and 64 tokens'

export FAKE_GPU_GEMV=1
few=("${run[@]}" --baselines all --shapes 1x512x256,2x512x256 --candidates right --visits 2)
expect 0 "$GEMMGATE" "${few[@]}" -o FEW
row() { awk -F, -v shape="$2" -v kernel="$3" '$1 "x" $2 "x" $3 == shape && $5 == kernel { print $6 "," $NF }' "$1/checks.csv"; }
for layout in nn tn; do
    [[ $(row FEW 1x512x256 cublas-gemv-$layout) = ok,* ]] || { cat FEW/checks.csv >&2; fail "one row is not served by $layout"; }
    grep -q "^2,512,256,right,cublas-gemv-$layout,unsupported,.*it does not serve this shape" FEW/checks.csv ||
        { cat FEW/checks.csv >&2; fail "two rows are served by $layout"; }
    [ "$(lenses FEW cublas-gemv-$layout)" = call,device,stream ] || { cat FEW/times.csv >&2; fail "it is not timed by $layout"; }
done
[ "$(awk -F, '$4 == "right" && $5 ~ /gemv/ { print $1 }' FEW/ratios.csv | sort -u)" = 1 ] || { cat FEW/ratios.csv >&2; fail 'two rows have a ratio to it'; }
grep -q '^1,512,256,right,cublas-gemv-max,' FEW/ratios.csv || { cat FEW/ratios.csv >&2; fail 'it has no faster layout'; }
# What does the same work as cublas-nn is timed once for both.
by() { awk -F, -v kernel="$1" '$1 == 1 && $5 == kernel && $7 == "device" { print $0 }' FEW/times.csv | cut -d, -f8-; }
[ "$(by cublas-nn)" ] && [ "$(by cublas-nn)" = "$(by cublas-gemv-nn)" ] || { cat FEW/times.csv >&2; fail 'the same work is not one arm'; }
expect 0 "$GEMMGATE" verify FEW
expect 0 "$GEMMGATE" report FEW
! grep -q 'a kernel was asked' FEW/report/report.md || fail 'the page counts a library as a kernel that does not serve'
grep -q 'cublas-gemv-max' FEW/report/table1.csv || fail 'no line of the report has it'
# A library that serves few of the shapes leads no summary.
expect 0 "$GEMMGATE" "${few[@]/all/cublas-nn,cublas-gemv-nn}" -o LED
expect 0 "$GEMMGATE" report LED
led=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } $c["leads"] == 1 { print $c["baseline"], $c["shapes"] }' LED/report/table1.csv)
[ "$led" = 'cublas-nn 2' ] || { cat LED/report/table1.csv >&2; fail "the summary is led by: $led"; }
# Where no shape has one row, no library stands for nothing but one.
expect 0 "$GEMMGATE" "${run[@]/cublas-nn/all}" --shapes 32x32x32 --candidates right --visits 2 -o MANY
! grep -q gemv MANY/checks.csv || { cat MANY/checks.csv >&2; fail 'it is asked where no shape has one row'; }
# Named, it is refused where no call of it sums as the run does.
expect 2 "$GEMMGATE" "${run[@]/cublas-nn/cublas-gemv-nn}" --accumulate f16 --shapes 1x512x256 --candidates right -o NONE
says '--baselines: cublas-gemv-nn cannot accumulate products of f16 in f16'
# Alone it leaves shapes of more rows without a library, and a gate without a control.
expect 2 "$GEMMGATE" gate --device cuda --baselines cublas-gemv-nn,cublas-gemv-tn --shapes 2x512x256 --against right --candidates right -o NONE
says '--baselines cublas-gemv-nn,cublas-gemv-tn: it serves shapes of one row, M = 1, and none has one; name another library, too'
echo ok
