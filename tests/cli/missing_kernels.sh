#!/usr/bin/env bash
# A shape that a suite asks for and no kernel serves is said in the last line and has a row; so is a kernel that only one
# of two releases has.
# Covers: bench/command reports/rows reports/gate reports/sections tests/cli/missing_kernels.sh
. "$(dirname "$0")/lib.sh"

fast=(--device host --suite shapes.csv --seed 5 --visits 2 --warmup 0.01 --duration 0.05 --baselines openblas-nn)
printf 'm,n,k\n64,64,64\n96,96,96\n' >shapes.csv
mkdir old new
cp "$SOURCE"/candidates/examples/host/half.h old
cp "$SOURCE"/candidates/examples/host/blocked.c old/64x64x64.c
cp old/64x64x64.c old/96x96x96.c
cp old/half.h old/64x64x64.c new
missing='1 of 2 shapes has no kernel: 96x96x96'

# last TEXT: the last line of stderr ends with it.
last() { [[ $(tail -n 1 err) == *"$1" ]] || { cat err >&2; fail "the last line does not end with: $1"; }; }

expect 0 "$GEMMGATE" check --device host --suite shapes.csv --candidates new -o CHECKED
[ "$(cat out)" = "CHECKED: 1 of 1 kernels on shapes passed; $missing" ] || { cat out >&2; fail 'check does not say which shape has no kernel'; }
expect 0 "$GEMMGATE" check --device host --suite shapes.csv --candidates old -o WHOLE
[ "$(cat out)" = 'WHOLE: 2 of 2 kernels on shapes passed' ] || { cat out >&2; fail 'shapes are missed that have a kernel'; }
expect 0 "$GEMMGATE" check --device host --suite shapes.csv -o LIBRARIES
[ "$(cat out)" = 'LIBRARIES: no kernel was checked, only libraries' ] || { cat out >&2; fail 'libraries are asked for kernels'; }

expect 0 "$GEMMGATE" run "${fast[@]}" --candidates new -o RUN
[ "$(cat out)" = RUN ] || { cat out >&2; fail 'a run prints more than its folder'; }
last "; $missing"
expect 0 "$GEMMGATE" report RUN
told "$missing."
grep -q "^\*\*$missing\.\*\*\$" RUN/report/report.md || fail 'the page does not say it'
grep -qE '^96,96,96,(,)*no-kernel$' RUN/report/shapes.csv || { cat RUN/report/shapes.csv >&2; fail 'the shape has no row'; }

# Both ways, in one run and in two.
expect 0 "$GEMMGATE" compare old new "${fast[@]}" -o GONE
last "; $missing; 1 gone: 96x96x96 old"
told "$missing; 1 gone: 96x96x96 old."
grep -q '^missing,96,96,96,old,.*,the earlier set had this kernel$' GONE/compare/compare.csv && grep -q '^| missing | 96x96x96 | `old` |' GONE/compare/compare.md ||
    { cat GONE/compare/compare.md >&2; fail 'the kernel that is gone has no row'; }
expect 0 "$GEMMGATE" compare new old "${fast[@]}" -o ADDED
last '; 1 added: 96x96x96 old'
! grep -q 'has no kernel' err || { cat err >&2; fail 'the new release has a kernel for each shape'; }
grep -q '^added,96,96,96,old,' ADDED/compare/compare.csv || { cat ADDED/compare/compare.csv >&2; fail 'the kernel that is added has no row'; }
expect 0 "$GEMMGATE" run "${fast[@]}" --candidates old -o BOTH
expect 0 "$GEMMGATE" compare BOTH RUN -o TWO
last "; $missing; 1 gone: 96x96x96 new"
grep -q '^missing,96,96,96,new,' TWO/compare.csv || { cat TWO/compare.csv >&2; fail 'of two runs the kernel that is gone has no row'; }
expect 0 "$GEMMGATE" compare RUN BOTH
last '; 1 added: 96x96x96 old'
expect 0 "$GEMMGATE" compare old old "${fast[@]}" -o SAME
! grep -q 'of the new release' err out || { cat out err >&2; fail 'something is missed where all is compared'; }
# An earlier kernel that failed is no kernel that was not there.
mkdir broken
cp old/* broken
echo 'no C' >broken/96x96x96.c
expect 0 "$GEMMGATE" compare broken old "${fast[@]}" -o MENDED
last '; 1 earlier refused: 96x96x96 old'
grep -q '^added,96,96,96,old,.*the earlier kernel was refused: no-compile' MENDED/compare/compare.csv || { cat MENDED/compare/compare.csv >&2; fail 'the earlier kernel has no outcome'; }

# Kernels that serve no shape are not checked, which is no success.
mkdir unserving
printf '#include "%s/tests/adversarial/host/claims-f16.c"\n' "$SOURCE" >unserving/any.c
expect 2 "$GEMMGATE" check --device host --suite shapes.csv --candidates unserving -o NOTHING
[[ $(cat out) == 'NOTHING: 0 of 2 kernels on shapes passed; 2 unsupported, the first: 64x64x64 any says that it does not serve this problem'*'; 2 of 2 shapes have no kernel: 64x64x64, 96x96x96' ]] ||
    { cat out >&2; fail 'it does not say that nothing was checked'; }
echo ok
