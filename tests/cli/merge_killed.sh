#!/usr/bin/env bash
# merge and import that are killed leave no run, and can be called again. What merge cannot look at is not
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
shard() { # NUMBER RUN
    expect 0 "$GEMMGATE" run --device host --seed 1 --warmup 0.02 --duration 0.1 --visits 2 --lens call \
        --shapes 32x32x32,16x64x16 --candidates set --shard "$1/2" -o "$2"
}
shard 1 S1
shard 2 S2
echo 'mnk,torch.matmul,cuBLAS-tn,cuBLAS-nn,cuBLAS-max,cuBLASLt-heuristic-tn,cuBLASLt-heuristic-nn,cuBLASLt-heuristic-max,cuBLASLt-auto-tuning-tn,cuBLASLt-auto-tuning-nn,cuBLASLt-auto-tuning-max
64_64_64,1,1,1,1,1,1,1,1,1,1' >speedups.csv

killed merge S1 S2 -o MERGED
[ ! -e MERGED ] || fail 'there is a run before its end'
expect 2 flock MERGED.part "$GEMMGATE" merge S1 S2 -o MERGED
says 'MERGED.part: another gemmgate'
# What is left may be of other shards: nothing of it is taken.
expect 3 "$GEMMGATE" merge S2 -o MERGED/
[ "$(ls MERGED/units)" = "$(ls S2/units)" ] || { ls MERGED/units >&2; fail 'a unit that no shard has is there'; }
expect 2 "$GEMMGATE" merge S1 S2 -o MERGED
says 'MERGED exists; choose another name'
killed merge S1 S2 -o OTHERS
shard 1 AGAIN
expect 0 "$GEMMGATE" merge AGAIN S2 -o OTHERS
expect 0 "$GEMMGATE" verify OTHERS
[ ! -e OTHERS.part ] || fail 'something is left'

killed import cuda-l2 --offline speedups.csv -o THEIRS
expect 0 "$GEMMGATE" import cuda-l2 --offline speedups.csv -o THEIRS
expect 0 "$GEMMGATE" report THEIRS
expect 2 "$GEMMGATE" import cuda-l2 --offline speedups.csv -o THEIRS
says 'THEIRS exists; choose another name'
mkdir EMPTY # counts as absent
expect 0 "$GEMMGATE" import cuda-l2 --offline speedups.csv -o EMPTY

# A file on the way is no run.
touch file
expect 2 "$GEMMGATE" merge S1 S2 -o file/RUN
says 'file/RUN: cannot make the run directory: Not a directory'

# Half of a run is a run, which a later merge or run can go on with.
expect 3 "$GEMMGATE" merge S1 -o HALF
[ -d HALF ] || fail 'no half'

# A name that leads nowhere is there, and cannot be looked at.
looped() { # FILE
    cp -r S1 LOOPED
    rm -rf "LOOPED/$1"
    ln -s "$(basename "$1")" "LOOPED/$1"
    expect 2 "$GEMMGATE" merge LOOPED S2 -o NONE
    says "LOOPED/$1: Too many levels of symbolic links"
    [ ! -e NONE ] || fail "$1 was taken for absent"
    rm -r LOOPED
}
looped command.json
looped manifest.json
looped "units/$(ls S1/units)"
echo ok
