#!/usr/bin/env bash
# What the sandbox takes from a kernel. It tries to keep others waiting for a file, as root can; its setup tells
# which way was open.
. "$(dirname "$0")/lib.sh"
mkdir holds
cp "$SOURCE"/candidates/examples/host/half.h holds
cat >holds/ways.h <<'END'
#include <errno.h>
#include <fcntl.h>
#include <sys/fanotify.h>
#include <sys/file.h>
static int is_refused(int result) { return result < 0 && errno == EPERM; }
static int way(void) {
    const int file = open("/proc/self/exe", O_RDONLY);
    return !is_refused(fanotify_init(FAN_CLASS_CONTENT, O_RDONLY)) ? 2
           : !is_refused(flock(file, LOCK_SH | LOCK_NB))           ? 3
           : !is_refused(fcntl(file, F_SETLEASE, F_RDLCK))         ? 4 : 0;
}
END
sed -e '1i #define _GNU_SOURCE' -e '/^#include "half.h"/a #include "ways.h"' -e 's/return \*state ? 0/return *state ? way()/' \
    "$SOURCE/candidates/examples/host/blocked.c" >holds/blocked.c
grep -q '? way()' holds/blocked.c || fail 'no kernel that tries is made'
check=(check --device host --fail-on nothing --shapes 48x40x56 --candidates holds)
outcome() { grep ',blocked,blocked,' "$1/checks.csv" | cut -d, -f6; }
expect 0 "$GEMMGATE" "${check[@]}" -o LOCKED
[ "$(outcome LOCKED)" = ok ] || { cat LOCKED/checks.csv >&2; fail 'a way is open'; }
# Where there is no sandbox one is.
expect 0 "$GEMMGATE" "${check[@]}" --no-sandbox -o FREE
[ "$(outcome FREE)" = setup-failed ] || { cat FREE/checks.csv >&2; fail 'it tries no way'; }
echo ok
