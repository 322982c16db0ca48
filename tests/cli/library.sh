#!/usr/bin/env bash
# --library: other releases of a library beside the program's own, named by their version, also where they are
# called alike; what cannot be had is told.
. "$(dirname "$0")/lib.sh"
export GEMMGATE_CACHE=$scratch/cache
fakes=${FAKE_OPENBLAS:?the folder with openblas-alone, openblas-first and openblas-second}
alone=$fakes/openblas-alone first=$fakes/openblas-first second=$fakes/openblas-second
on_host=(--device host --warmup 0.02 --duration 0.2 --visits 2)

# One, with layouts and products like the program's own. Its code is not taken for that of another.
expect 0 "$GEMMGATE" list baselines --library "$alone"
grep -q '^openblas@9.1.0-serial-tn  *host' out || { cat out >&2; fail 'it is not listed'; }
expect 0 "$GEMMGATE" run "${on_host[@]}" --shapes 32x32x32,33x17x65 --library "$alone" -o ONE
[ "$(column ONE/checks.csv kernel | sort -u | paste -sd' ')" = 'openblas-nn openblas-tn openblas@9.1.0-serial-nn openblas@9.1.0-serial-tn' ] ||
    fail 'others were measured'
[ "$(column ONE/checks.csv outcome | sort -u)" = ok ] || { cat ONE/checks.csv >&2; fail 'a product is wrong'; }
# Without a kernel under test the releases are compared: the naive one is slower than the program's own.
[ "$(awk -F, 'NR > 1 { print $4 ">" $5 }' ONE/ratios.csv | sort -u | paste -sd' ')" = \
    'openblas@9.1.0-serial-max>openblas-max openblas@9.1.0-serial-nn>openblas-nn openblas@9.1.0-serial-tn>openblas-tn' ] ||
    { cat ONE/ratios.csv >&2; fail 'the releases are not compared'; }
expect 0 "$GEMMGATE" verify ONE
expect 0 "$GEMMGATE" report ONE
tr -d ' \n' <ONE/manifest.json | grep '"libraries":\[{"library":"OpenBLAS","release":"9.1.0-serial","folder":"' >/dev/null || fail 'the manifest does not tell'

# Two that need helpers of one name, at once: each has its own, in copies that a later process finds.
expect 0 "$GEMMGATE" list baselines --library "$first,$second"
for version in 9.2.0 9.3.0; do
    grep -q "^openblas@$version-serial-nn " out || { cat out >&2; fail "$version has the other's helper"; }
done
copies=$(find "$GEMMGATE_CACHE/libraries" -type f | wc -l)
[ "$copies" = 4 ] && [ "$(ls "$GEMMGATE_CACHE/libraries" | wc -l)" = 2 ] || fail "$copies files were copied"
mkdir set
cp "$SOURCE"/candidates/examples/host/{simd.c,half.h} set/
expect 0 "$GEMMGATE" run "${on_host[@]}" --shapes 32x32x32 --library "$second,$first" --candidates set -o BOTH \
    --baselines openblas-nn,openblas@9.2.0-serial-nn,openblas@9.3.0-serial-tn
grep -q ',simd,openblas@9.3.0-serial-tn,' BOTH/ratios.csv && grep -q ',simd,openblas@9.2.0-serial-nn,' BOTH/ratios.csv ||
    fail 'a kernel should be compared with either'
! grep -q 'openblas@9.3.0-serial-tn,openblas' BOTH/ratios.csv || fail 'libraries are compared beside a kernel'

# Copies that cannot be made leave nothing.
cp -r "$first" spoiled
chmod u+w spoiled/*
: >spoiled/libfakehelper.so.1
expect 2 "$GEMMGATE" list baselines --library "$alone,spoiled"
says 'fakehelper.so.1: is no ELF library'
[ "$(ls "$GEMMGATE_CACHE/libraries" | wc -l)" = 4 ] || { ls "$GEMMGATE_CACHE/libraries" >&2; fail 'a part of a copy is left'; }

# What cannot be had.
refused() {
    expect 2 "$GEMMGATE" run "${on_host[@]}" --shapes 32x32x32 --library "$1" -o NONE
    says "$2"
    [ ! -e NONE ] || fail 'a run was made'
}
mkdir empty odd other lacking
refused empty '--library empty: no library is there, nor in its lib or lib64: '
refused nowhere '--library nowhere: no library is there'
refused "$alone,$alone" 'OpenBLAS 9.1.0-serial is given twice'
echo 'no library' >odd/libopenblas.so
refused odd 'odd/libopenblas.so: is no ELF library'
cp "$alone/libopenblas.so.0" other/libopenblas.so.0
printf '\363' | dd of=other/libopenblas.so.0 bs=1 seek=18 conv=notrunc status=none # RISC-V
refused other 'other/libopenblas.so.0: is a library for another architecture'
cp "$first/libfakehelper.so.1" lacking/libopenblas.so
refused lacking 'lacks cblas_sgemm'
refused ",$alone" 'begins with no folder'
own=$(ldd "$(dirname "$GEMMGATE")/gemmgate-runner" | awk '$1 ~ /^libopenblas/ { print $3 }')
if [ -n "$own" ]; then # else it is a part of the program
    mkdir own
    cp -L "$own" own/
    refused own 'is the release that gemmgate uses itself'
fi

# Where the machine has another build of OpenBLAS, it is one, too.
for other in /usr/lib/*/openblas-serial /usr/lib/*/openblas-openmp; do
    [ -e "$other/libopenblas.so.0" ] && [ "$(realpath "$other/libopenblas.so.0")" != "$(realpath "$own")" ] || continue
    expect 0 "$GEMMGATE" check --device host --shapes 64x64x64 --library "$other" -o "$(basename "$other")"
    [ "$(column "$(basename "$other")/checks.csv" outcome | sort -u)" = ok ] || fail "$other makes wrong products"
done
