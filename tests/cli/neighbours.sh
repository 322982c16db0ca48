#!/usr/bin/env bash
# Kernels that share a process, one after the other: what one does to it costs no other its row, and no other's time.
# Covers: bench/jobs bench/run/examine.c bench/runner/runner.c tests/support/fake_*
. "$(dirname "$0")/lib.sh"
host=(run --device host --no-sandbox --baselines openblas-nn --visits 1 --warmup 0.01 --duration 0.1)

# neighbour NAME TEARDOWN [SETUP]: a kernel of the host that is right, and leaves its process so.
neighbour() {
    { tiled 1; cat <<END; } | sed "s/\"tiled\",/\"$1\", .setup = setup, .teardown = teardown,/; s/^#include.*/&\nstatic int setup(const struct gemm_problem *, size_t, void **);\nstatic void teardown(void *);/" >"set/$1.c"
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>
static int setup(const struct gemm_problem *problem, size_t bytes, void **state) {
    (void)problem, (void)bytes, (void)state;
    ${3-}
    return 0;
}
static void teardown(void *state) {
    (void)state;
    $2
}
END
}
all_pass() { # RUN ROWS
    [ "$(column "$1/checks.csv" outcome | sort | uniq -c | tr -s ' \n' ' ')" = " $2 ok " ] ||
        { cat "$1/checks.csv" >&2; fail 'a kernel has failed by another'; }
}

# It ends, or hangs, or closes all where it is taken down.
mkdir set
neighbour a-dies 'abort();'
neighbour b-hangs 'pause();'
neighbour c-closes 'for (int i = 0; i < 64; i++) close(i);'
neighbour d-killed 'raise(SIGKILL);'
neighbour e-quiet ''
expect 0 "$GEMMGATE" "${host[@]}" --shapes 16x16x16,24x24x24 --candidates set --setup-timeout 1 -o TAKEN
all_pass TAKEN 20

# It leaves too little memory for what the next kernel writes to. That is neither a fault of that one nor of ours.
rm -r set
mkdir set
neighbour hoards '' '
    unsigned long pages = 0;
    FILE *self = fopen("/proc/self/statm", "r");
    if (fscanf(self, "%lu", &pages) != 1) return 1;
    fclose(self);
    const rlim_t most = pages * 4096 + (5 << 20);
    if (problem->m == 16 && setrlimit(RLIMIT_AS, &(struct rlimit){most, most}) < 0) return 1;'
expect 0 "$GEMMGATE" check "${host[@]:1:5}" --shapes 16x16x16,2048x1024x16 --candidates set -o HOARDS
all_pass HOARDS 4

# It leaves a thread there, which is stopped while the stage is timed: the kernel looks for it once.
. "$SOURCE/tests/support/staged.sh"
cat >right/right.c <<'END'
#include "product.h"
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
static void *beat(void *none) {
    const int file = open(getenv("BEATS"), O_WRONLY | O_CREAT | O_APPEND, 0600);
    while (write(file, "x", 1) == 1) usleep(1000);
    return none;
}
static int beats(void *state, const struct gemm_args *args) {
    static pthread_t thread;
    if (!thread && pthread_create(&thread, NULL, beat, NULL) != 0) return 8;
    return product(state, args);
}
static long size(void) {
    struct stat file;
    return stat(getenv("BEATS"), &file) == 0 ? file.st_size : 0;
}
KERNEL("right", .launch = beats)
GEMMGATE_EXPORT int fake_kernel(void *state, const struct gemm_args *args) {
    static int looked;
    if (late() && !looked++) {
        const long before = size();
        usleep(100000);
        if (size() != before) return 9;
    }
    return product(state, args);
}
END
BEATS=$scratch/beats expect 0 "$GEMMGATE" "${run[@]}" --shapes 32x32x32 --candidates right --visits 4 -o BEATS
[ -s beats ] || fail 'no thread has run'
all_pass BEATS 2
[ "$(lenses BEATS right)" = call,device,stream ] || { cat BEATS/times.csv >&2; fail 'it is not timed on the stage'; }
echo ok
