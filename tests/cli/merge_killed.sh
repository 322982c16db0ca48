#!/usr/bin/env bash
# merge and import that are killed leave no RUN, and work when they are called again. What merge cannot look at is not
# taken for absent.
. "$(dirname "$0")/lib.sh"

# Killed where the manifest, which comes last, is about to get its name.
cat >killed.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <string.h>
int rename(const char *from, const char *to) {
    int (*real)(const char *, const char *) = (int (*)(const char *, const char *))dlsym(RTLD_NEXT, "rename");
    if (strstr(to, "/manifest.json"))
        raise(SIGKILL);
    return real(from, to);
}
END
cc -shared -fPIC -o killed.so killed.c -ldl
killed() { expect 137 env LD_PRELOAD="$scratch/killed.so" "$GEMMGATE" "$@"; }

mkdir set
cp "$SOURCE"/candidates/examples/host/{half.h,blocked.c} set
for i in 1 2; do
    expect 0 "$GEMMGATE" run --device host --seed 1 --warmup 0.02 --duration 0.1 --visits 2 --lens call \
        --shapes 32x32x32,16x64x16 --candidates set --shard $i/2 -o S$i
done
echo 'mnk,torch.matmul,cuBLAS-tn,cuBLAS-nn,cuBLAS-max,cuBLASLt-heuristic-tn,cuBLASLt-heuristic-nn,cuBLASLt-heuristic-max,cuBLASLt-auto-tuning-tn,cuBLASLt-auto-tuning-nn,cuBLASLt-auto-tuning-max
64_64_64,1,1,1,1,1,1,1,1,1,1' >speedups.csv

killed merge S1 S2 -o MERGED
[ ! -e MERGED ] && [ -d MERGED.part ] || fail 'the run has its name before it is whole'
touch MERGED.part/units/left
expect 0 "$GEMMGATE" merge S1 S2 -o MERGED/
[ ! -e MERGED.part ] && [ ! -e MERGED/units/left ] || fail 'something of the merge that was killed is left'
expect 0 "$GEMMGATE" verify MERGED
expect 2 "$GEMMGATE" merge S1 S2 -o MERGED
says 'MERGED exists; choose another name'

killed import cuda-l2 --offline speedups.csv -o THEIRS
[ ! -e THEIRS ] || fail 'the import has its name before it is whole'
mkdir THEIRS # an empty folder counts as absent
expect 0 "$GEMMGATE" import cuda-l2 --offline speedups.csv -o THEIRS
[ ! -e THEIRS.part ] || fail 'something of the import that was killed is left'
expect 0 "$GEMMGATE" report THEIRS
expect 2 "$GEMMGATE" import cuda-l2 --offline speedups.csv -o THEIRS
says 'THEIRS exists; choose another name'

# A file on the way is no run.
touch file
expect 2 "$GEMMGATE" merge S1 S2 -o file/RUN
says 'file/RUN: cannot make the run directory: Not a directory'

# Another process fills it.
mkdir OTHER.part
expect 2 flock OTHER.part "$GEMMGATE" merge S1 S2 -o OTHER
says 'OTHER.part: another gemmgate'
[ -d OTHER.part ] && [ ! -e OTHER ] || fail 'the folder of another process was taken'

# Half of a run is a run, which a later merge or run can go on with.
expect 3 "$GEMMGATE" merge S1 -o HALF
[ -d HALF ] && [ ! -e HALF.part ] || fail 'no half'

# A name that leads nowhere is there, and cannot be looked at.
looped() { # FILE
    cp -r S1 LOOPED
    rm -rf "LOOPED/$1"
    ln -s "$(basename "$1")" "LOOPED/$1"
    expect 2 "$GEMMGATE" merge LOOPED S2 -o NONE
    says "LOOPED/$1: Too many levels of symbolic links"
    [ ! -e NONE ] && [ ! -e NONE.part ] || fail "$1 was taken for absent"
    rm -r LOOPED
}
looped command.json
looped manifest.json
looped "units/$(ls S1/units)"
echo ok
