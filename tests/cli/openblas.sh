#!/usr/bin/env bash
# Nothing that OpenBLAS writes while it is loaded reaches the user, and the program loads it only where it is wanted.
# The library is a stand-in that writes a line on every machine, whatever the processor is.
. "$(dirname "$0")/lib.sh"
export LD_LIBRARY_PATH=${FAKE_OPENBLAS:?the folder with the stand-in}
mkdir set
cp "$SOURCE"/candidates/examples/host/{half.h,blocked.c} set
measure=(check --device host --shapes 32x32x32 --candidates set)

# refused TEXT COMMAND...: one line on stderr, which holds the text.
refused() {
    local text=$1
    shift
    expect 2 "$@"
    says "$text"
    [ "$(wc -l <err)" = 1 ] || { cat err >&2; fail "more than a line: $*"; }
}

expect 0 "$GEMMGATE" "${measure[@]}" -o RUN
grep -q '"openblas": "OpenBLAS 9.1.0 ' RUN/manifest.json || fail 'the stand-in was not loaded'
! grep 'not known' out err || fail 'its line reached the user'
refused 'RUN exists; choose another name' "$GEMMGATE" "${measure[@]}" -o RUN
expect 0 "$GEMMGATE" devices
! grep 'not known' out err || fail 'its line reached the user'
[ ! -s err ] || { cat err >&2; fail 'something stands on stderr'; }

# Another release is measured by LD_LIBRARY_PATH, and is told from the first.
run=(run --device host --shapes 32x32x32 --candidates set --warmup 0 --duration 0.05 --visits 2)
expect 0 "$GEMMGATE" "${run[@]}" -o THEIRS
expect 0 env -u LD_LIBRARY_PATH "$GEMMGATE" "${run[@]}" -o OURS
expect 4 "$GEMMGATE" compare OURS THEIRS
says 'openblas: here OpenBLAS 9.1.0 NO_AFFINITY, there OpenBLAS '
expect 0 "$GEMMGATE" report THEIRS
grep -q '^| OpenBLAS | 9.1.0, ' THEIRS/report/report.md || fail 'the report does not name the release'

# A library that ends the program while it is loaded is a fault (2), and no regression (1).
ended='libopenblas.so.0 ended the program while it was loaded: it lacks memory or threads; with OPENBLAS_NUM_THREADS=1'
expect 2 env FAKE_OPENBLAS_ENDS=gemmgate "$GEMMGATE" "${measure[@]}" -o STOPPED
says "$ended"
export FAKE_OPENBLAS_ENDS=gemmgate-runner
expect 2 "$GEMMGATE" "${measure[@]}" -o NONE
says "$ended"
[ ! -e NONE ] || fail 'a run was made'
# An existing RUN, a typo and what needs no product are told before it is loaded.
refused 'RUN exists; choose another name' "$GEMMGATE" "${measure[@]}" -o RUN
refused 'check takes no --store' "$GEMMGATE" "${measure[@]}" --store 3 -o NONE
expect 0 "$GEMMGATE" list suites
expect 0 "$GEMMGATE" verify RUN
unset FAKE_OPENBLAS_ENDS

# So is a file that is no library.
mkdir broken
echo 'no library' >broken/libopenblas.so.0
export LD_LIBRARY_PATH=$scratch/broken
expect 2 "$GEMMGATE" "${measure[@]}" -o NONE
says 'libopenblas.so.0: file too short; apt-get install libopenblas0'
