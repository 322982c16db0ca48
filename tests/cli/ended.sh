#!/usr/bin/env bash
# Who ends the program early: a signal before anything is measured, and a library that gives up while it is loaded.
. "$(dirname "$0")/lib.sh"

# early NAME CODE: a library, loaded before all others, with that code.
early() {
    printf '#include <signal.h>\n#include <stdio.h>\n#include <stdlib.h>\n%s\n' "$2" >"$1.c"
    ${CC:-cc} -shared -fPIC -o "$1.so" "$1.c"
}
loaded() { printf '__attribute__((constructor)) static void loaded(void) { %s; }' "$1"; }
# ends LIBRARY STATUS WORDS...
ends() {
    local library=$1 status=$2
    shift 2
    expect "$status" env LD_PRELOAD="$scratch/$library.so" "$GEMMGATE" "$@"
}
run=(run --device host --suite smoke --candidates "$SOURCE/candidates/examples/host" -o RUN)

# A status of its own would be that of a regression, or of a pass.
early no-memory "$(loaded 'fputs("no memory for threads\n", stderr); exit(1)')"
ends no-memory 2 "${run[@]}"
says 'no memory for threads'
says 'gemmgate: a library of it has ended the program before it began: is there memory?'
early well "$(loaded 'exit(0)')"
ends well 2 "${run[@]}"
ends well 2 --version

# As soon as the program is there, and when its options are read.
for signal in SIGTERM SIGINT SIGHUP; do
    early "at-once-$signal" "$(loaded "raise($signal)")"
    early "soon-$signal" "char *getcwd(char *at, size_t size) { (void)at, (void)size; raise($signal); return NULL; }"
    for when in at-once soon; do
        ends $when-$signal 75 "${run[@]}"
        says 'gemmgate: interrupted'
        ends $when-$signal 75 build "$SOURCE/candidates/examples/host"
        [ ! -e RUN ] || fail "$when: a run that was not begun is there"
    done
done
# A command that measures nothing dies of it, as any program.
ends soon-SIGTERM 143 list suites
ends soon-SIGINT 130 list suites
echo ok
