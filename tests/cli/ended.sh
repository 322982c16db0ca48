#!/usr/bin/env bash
# Who ends the program early: a signal before anything is measured. openblas.sh has the library that ends it.
. "$(dirname "$0")/lib.sh"

run=(run --device host --suite smoke --candidates "$SOURCE/candidates/examples/host" -o RUN)
# soon SIGNAL STATUS WORDS...: the signal comes when the program's options are read.
soon() {
    local signal=$1 status=$2
    shift 2
    printf '#include <signal.h>\n#include <stddef.h>\nchar *getcwd(char *at, size_t size) { (void)at, (void)size; raise(%s); return NULL; }\n' \
        "$signal" >soon.c
    ${CC:-cc} -shared -fPIC -o "soon-$signal.so" soon.c
    expect "$status" env LD_PRELOAD="$scratch/soon-$signal.so" "$GEMMGATE" "$@"
}

for signal in SIGTERM SIGINT SIGHUP; do
    soon $signal 75 "${run[@]}"
    says 'gemmgate: interrupted'
    soon $signal 75 build "$SOURCE/candidates/examples/host"
    [ ! -e RUN ] || fail "$signal: a run that was not begun is there"
done
# A command that measures nothing dies of it, as any program.
soon SIGTERM 143 list suites
soon SIGINT 130 list suites
echo ok
