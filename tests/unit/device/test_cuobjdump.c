
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/base/clock.h"
#include "bench/base/error.h"
#include "bench/device/cuobjdump.h"
#include "tests/support/says.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

static struct machine_code code;

static int read_library(const char *so, int limit_seconds, int (*confine)(const char *),
                        const char **why) {
    struct cuobjdump run;
    if (cuobjdump_start(&run, so, confine) < 0)
        return -1;
    while (run.child.fate == CHILD_RUNS && !child_has_ended(run.child.pid) &&
           clock_seconds() - run.child.started < limit_seconds)
        usleep(1000);
    return cuobjdump_end(&run, &code, why);
}

static int forget(void **state) {
    (void)state;
    machine_code_free(&code);
    return 0;
}

/* What is found as cuobjdump from now on. */
static void put_program(const char *text) {
    scratch_put("cuobjdump", "#!/bin/sh\n%s\n", text);
    assert_int_equal(chmod(scratch_path("cuobjdump"), 0755), 0);
    assert_int_equal(setenv("PATH", scratch, 1), 0);
}

TEST_WITH(what_it_prints_is_read, forget, NULL) {
    const char *why = "";
    scratch_put("a kernel's $(file).so", "arch = sm_80\nFunction : k\n/*0*/ FFMA R4 ;\n");
    put_program("[ $# = 2 ] && [ \"$1\" = -sass ] && exec /bin/cat \"$2\"");
    assert_int_equal(read_library(scratch_path("a kernel's $(file).so"), 60, NULL, &why), 0);
    assert_int_equal(code.count, 1);
    assert_int_equal(code.functions[0].counts[MACHINE_FFMA], 1);
}

static int confine(const char *folder) {
    return setenv("CONFINED", folder, 1);
}

static int fail_to_confine(const char *folder) {
    (void)folder;
    return error("no such luck");
}

/* It prints as a function's name the folder it was given, and leaves a file there. */
TEST_WITH(it_is_confined_to_a_folder_that_is_removed, forget, NULL) {
    const char *why = "";
    put_program("[ \"$CONFINED\" = \"$TMPDIR\" ] && : > \"$TMPDIR/left\" && "
                "echo \"Function : $TMPDIR\"");
    assert_int_equal(read_library("/dev/null", 60, confine, &why), 0);
    assert_int_equal(code.count, 1);
    assert_int_equal(code.functions[0].name[0], '/');
    assert_int_equal(access(code.functions[0].name, F_OK), -1);
    forget(state);
    assert_says(read_library("/dev/null", 60, fail_to_confine, &why), -1, "no such luck");
    assert_int_equal(code.count, 0);
}

TEST_WITH(a_failing_cuobjdump_is_told, forget, NULL) {
    static const struct {
        const char *program;
        int limit_seconds;
        const char *why;
    } cases[] = {
        {"echo 'does not contain device code'; exit 255", 60, "cuobjdump fails: "},
        {"kill -9 $$", 60, "cuobjdump fails: "},
        {"i=0; while [ $i -lt 17 ]; do i=$((i + 1)); echo arch = $i; echo 'Function : k'; done", 60,
         "the library has more functions than can be kept"},
        {"/usr/bin/head -c 300000000 /dev/zero", 60, "cuobjdump prints more than can be kept"},
        {"trap '' XFSZ; /usr/bin/head -c 300000000 /dev/zero; exit 0", 60,
         "cuobjdump prints more than can be kept"},
        {"while :; do echo; done", 1, "cuobjdump takes too long"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *why = "";
        forget(state);
        put_program(cases[i].program);
        assert_int_equal(read_library("/dev/null", cases[i].limit_seconds, NULL, &why), 1);
        if (strncmp(why, cases[i].why, strlen(cases[i].why)) != 0)
            fail_msg("%s: %s", cases[i].program, why);
    }
}

/* What it started is killed with it: the last of those that hold the fifo open. */
TEST_WITH(a_slow_cuobjdump_is_killed, forget, NULL) {
    const char *why = "";
    char program[256];
    assert_int_equal(mkfifo(scratch_path("fifo"), 0600), 0);
    struct pollfd fifo = {.fd = open(scratch_path("fifo"), O_RDONLY | O_NONBLOCK)};
    assert_true(fifo.fd >= 0);
    snprintf(program, sizeof program, "exec 3> %s\n/bin/sleep 1000 &\nexec /bin/sleep 1000",
             scratch_path("fifo"));
    put_program(program);
    assert_int_equal(read_library("/dev/null", 2, NULL, &why), 1);
    assert_string_equal(why, "cuobjdump takes too long");
    assert_int_equal(poll(&fifo, 1, 10000), 1);
    assert_int_equal(fifo.revents, POLLHUP);
    close(fifo.fd);
}

TEST_WITH(a_missing_cuobjdump_is_told, forget, forget) {
    const char *why = "";
    if (access("/usr/local/cuda/bin/cuobjdump", F_OK) == 0)
        skip();
    assert_int_equal(unlink(scratch_path("cuobjdump")), 0);
    assert_int_equal(read_library("/dev/null", 60, NULL, &why), 1);
    assert_int_equal(strncmp(why, "no cuobjdump on PATH", 20), 0);
}

TESTS_BETWEEN(scratch_make, scratch_remove)
