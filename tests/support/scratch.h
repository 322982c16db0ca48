/* For tests: a folder of their own under /tmp, left and removed as a whole. Include after cmocka.h.
 */
#ifndef TESTS_SUPPORT_SCRATCH_H
#define TESTS_SUPPORT_SCRATCH_H

#include <ftw.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/asserts.h"

static char scratch[64];

static int scratch_make(void **state) {
    (void)state;
    strcpy(scratch, "/tmp/gemmgate_test.XXXXXX");
    return mkdtemp(scratch) ? 0 : -1;
}

static int scratch_remove_one(const char *path, const struct stat *status, int type,
                              struct FTW *where) {
    (void)status, (void)type, (void)where;
    return remove(path);
}

static int scratch_remove(void **state) {
    (void)state;
    return nftw(scratch, scratch_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* Files can grow to so many bytes from now on, as on a full disk: write fails in the same place, with
 * EFBIG. Returns to how many they could. */
__attribute__((unused)) static rlim_t scratch_limit(rlim_t bytes) {
    struct rlimit limit;
    assert_true(signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    const rlim_t before = limit.rlim_cur;
    limit.rlim_cur = bytes;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    return before;
}

/* The name's path; good until the eighth next call. */
static const char *scratch_path(const char *name) {
    static char paths[8][512];
    static unsigned next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s%s%s", scratch, *name ? "/" : "", name);
    return path;
}

/* What a file holds, up to 1 MiB; good until the next call. */
__attribute__((unused)) static char *scratch_read(const char *path) {
    static char text[1 << 20];
    FILE *file = fopen(path, "r");
    if (!file)
        fail_msg("%s cannot be read", path);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    return text;
}

/* A run's folder with room for units; the path is the caller's. */
__attribute__((unused)) static void scratch_run(char run[512]) {
    snprintf(run, 512, "%s", scratch_path("run"));
    assert_int_equal(mkdir(run, 0777), 0);
    assert_int_equal(mkdir(scratch_path("run/units"), 0777), 0);
}

/* Writes a file, and the folders it is in. */
__attribute__((format(printf, 2, 3), unused)) static void scratch_put(const char *name,
                                                                      const char *format, ...) {
    char path[512];
    snprintf(path, sizeof path, "%s", scratch_path(name));
    for (char *slash = path + strlen(scratch); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        mkdir(path, 0777);
        *slash = '/';
    }
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    va_list args;
    va_start(args, format);
    assert_true(vfprintf(file, format, args) >= 0);
    va_end(args);
    assert_int_equal(fclose(file), 0);
}

#endif
