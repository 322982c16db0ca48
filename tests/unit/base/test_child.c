/* Programs that run beside this one: alone, and several at once. */
#include "bench/base/child.h"

#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>

#include "bench/base/clock.h"
#include "bench/base/error.h"
#include "tests/support/says.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

static const char *arguments[] = {"/bin/sh", "-c", NULL, NULL};

static struct child_program shell(const char *script) {
    arguments[2] = script;
    return (struct child_program){.arguments = arguments, .output = -1};
}

/* What the script prints, with the program's other members as they are. */
static const char *printed(struct child_program program, struct child *child) {
    static char text[256];
    program.output = open(scratch_path("out"), O_RDWR | O_CREAT | O_TRUNC, 0666);
    assert_true(program.output >= 0);
    assert_int_equal(child_run(child, &program, 60), 0);
    const ssize_t size = pread(program.output, text, sizeof text - 1, 0);
    assert_true(size >= 0);
    text[size] = 0;
    close(program.output);
    return text;
}

TEST(a_program_has_what_it_is_given) {
    struct child child;
    struct child_program program = shell("read x; pwd; echo $TMPDIR $LC_ALL; echo e >&2; exit 3");
    char want[1200];
    program.folder = scratch;
    program.scratch = "/some/where";
    program.locale = "C.UTF-8";
    snprintf(want, sizeof want, "%s\n/some/where C.UTF-8\ne\n", scratch);
    assert_string_equal(printed(program, &child), want);
    assert_int_equal(child.fate, CHILD_ENDED);
    assert_int_equal(WEXITSTATUS(child.status), 3);
    assert_true(child.seconds > 0 && child.seconds < 60 && child.peak_bytes > 1e5);
    program.quiet = true;
    want[strlen(want) - 2] = 0; /* without the last line */
    assert_string_equal(printed(program, &child), want);
}

/* Of what this process holds open and ignores, it gets nothing. */
TEST(a_program_gets_no_descriptor_and_no_signal) {
    struct child child;
    assert_int_equal(dup2(2, 77), 77);
    void (*before)(int) = signal(SIGPIPE, SIG_IGN);
    assert_string_equal(printed(shell("[ -e /proc/$$/fd/77 ] || echo closed"), &child), "closed\n");
    printed(shell("kill -PIPE $$"), &child);
    assert_true(WIFSIGNALED(child.status) && WTERMSIG(child.status) == SIGPIPE);
    printed(shell("kill -TERM $$; exit 4"), &child); /* a scheduler's is not for it */
    assert_int_equal(WEXITSTATUS(child.status), 4);
    signal(SIGPIPE, before);
    close(77);
}

TEST(a_program_writes_so_much_at_most) {
    struct child child;
    struct child_program program = shell("head -c 5000 /dev/zero");
    program.most_bytes = 4096;
    printed(program, &child);
    assert_int_not_equal(child.status, 0);
    program.most_bytes = 5000;
    printed(program, &child);
    assert_int_equal(child.status, 0);
}

static int refuse(const char *folder) {
    return error("no sandbox in %s", folder);
}

TEST(a_program_that_cannot_be_says_so) {
    struct child child;
    struct child_program program = shell("exit 0");
    program.scratch = "/some/where";
    program.confine = refuse;
    assert_string_equal(printed(program, &child), "gemmgate: no sandbox in /some/where\n");
    assert_int_equal(WEXITSTATUS(child.status), CHILD_NOT_CONFINED);
    const char *const none[] = {"/no/such/program", NULL};
    program = (struct child_program){.arguments = none, .output = -1};
    assert_int_equal(child_run(&child, &program, 60), 0);
    assert_int_equal(WEXITSTATUS(child.status), CHILD_NOT_RUN);
    program = shell("exit 0");
    program.folder = scratch_path("nowhere");
    printed(program, &child);
    assert_int_equal(WEXITSTATUS(child.status), CHILD_NOT_RUN);
}

static int allow(const char *folder) {
    return strcmp(folder, "/some/where") == 0 ? 0 : -1;
}

TEST(a_program_that_is_locked_in_runs) {
    struct child child;
    struct child_program program = shell("echo in $TMPDIR");
    program.scratch = "/some/where";
    program.confine = allow;
    assert_string_equal(printed(program, &child), "in /some/where\n");
    assert_int_equal(child.status, 0);
}

/* As in a process whose parent ignored SIGCHLD: the kernel waits for its children itself. */
TEST(a_child_that_is_lost_is_an_error) {
    struct child child;
    const struct child_program program = shell("exit 0");
    void (*before)(int) = signal(SIGCHLD, SIG_IGN);
    assert_int_equal(child_start(&child, &program), 0);
    assert_says(child_end(&child, CHILD_STOPPED), -1, "cannot wait for process");
    assert_true(WIFEXITED(child.status) && WEXITSTATUS(child.status) == 255);
    signal(SIGCHLD, before);
}

TEST(its_folder_is_removed) {
    char kept[PATH_MAX];
    scratch_put("work/a/b", "x");
    stderr_catch();
    child_remove_folder(scratch_path("work"));
    child_remove_folder(scratch_path("work"));
    stderr_says("");
    assert_int_equal(access(scratch_path("work"), F_OK), -1);
    assert_non_null(getcwd(kept, sizeof kept));
    assert_int_equal(mkdir(scratch_path("here"), 0777), 0);
    assert_int_equal(chdir(scratch_path("here")), 0);
    stderr_catch();
    child_remove_folder("."); /* which cannot be removed by this name */
    stderr_says("warning: . cannot be removed");
    assert_int_equal(chdir(kept), 0);
}

/* What it started is killed with it: the last of those that hold the fifo open. */
TEST(a_program_that_takes_too_long_is_killed) {
    struct child child;
    char script[256];
    assert_int_equal(mkfifo(scratch_path("fifo"), 0600), 0);
    struct pollfd fifo = {.fd = open(scratch_path("fifo"), O_RDONLY | O_NONBLOCK)};
    snprintf(script, sizeof script, "exec 3> %s; sleep 1000 & exec sleep 1000",
             scratch_path("fifo"));
    const struct child_program program = shell(script);
    assert_int_equal(child_run(&child, &program, 0.5), 0);
    assert_int_equal(child.fate, CHILD_TOO_LONG);
    assert_true(child.seconds >= 0.5 && child.seconds < 60);
    assert_int_equal(poll(&fifo, 1, 10000), 1);
    assert_int_equal(fifo.revents, POLLHUP);
    close(fifo.fd);
    assert_int_equal(child_end(&child, CHILD_STOPPED), 0); /* once more does nothing */
    assert_int_equal(child.fate, CHILD_TOO_LONG);
}

TEST(programs_are_found_along_the_path) {
    char path[PATH_MAX], kept[PATH_MAX], list[PATH_MAX], want[600];
    snprintf(kept, sizeof kept, "%s", getenv("PATH"));
    scratch_put("one/tool", "not to be executed");
    scratch_put("two/tool", "x");
    scratch_put("after/tool", "x");
    scratch_put("one/dir/x", "x");
    assert_int_equal(chmod(scratch_path("two/tool"), 0755), 0);
    assert_int_equal(chmod(scratch_path("after/tool"), 0755), 0);
    snprintf(list, sizeof list, "%s/one:%s/two", scratch, scratch);
    setenv("PATH", list, 1);
    snprintf(want, sizeof want, "%s/two/tool", scratch);
    assert_true(child_find("tool", scratch_path("after"), path));
    assert_string_equal(path, want);
    assert_true(child_find(want, NULL, path));
    assert_false(child_find("dir", NULL, path));
    assert_string_equal(path, "");
    assert_false(child_find(scratch_path("one/tool"), NULL, path));
    snprintf(list, sizeof list, "%s/one", scratch);
    setenv("PATH", list, 1);
    assert_false(child_find("tool", NULL, path));
    assert_true(child_find("tool", scratch_path("after"), path));
    setenv("PATH", kept, 1);
}

enum { JOBS = 6 };

/* What a pool did, in order, as "+JOB" and "-JOB", and how many ran at most. */
struct record {
    struct child children[JOBS];
    const char *scripts[JOBS]; /* NULL: nothing to run */
    double bytes[JOBS];
    bool again[JOBS];
    enum child_fate fates[JOBS];
    char text[256];
    int runs, most;
    int fail; /* the job that cannot be started, or -1 */
    volatile int stop;
};

static void note(struct record *record, char mark, size_t job) {
    const size_t used = strlen(record->text);
    snprintf(record->text + used, sizeof record->text - used, "%c%zu", mark, job);
    record->runs += mark == '+' ? 1 : -1;
    record->most = record->runs > record->most ? record->runs : record->most;
}

static int start(void *context, size_t job, struct child **child) {
    struct record *record = context;
    if ((int)job == record->fail)
        return error("it cannot be started");
    if (!record->scripts[job])
        return 0;
    const struct child_program program = shell(record->scripts[job]);
    *child = &record->children[job];
    note(record, '+', job);
    return child_start(*child, &program);
}

static int end(void *context, size_t job) {
    struct record *record = context;
    note(record, '-', job);
    record->fates[job] = record->children[job].fate;
    if (record->scripts[job][0] == ':')
        record->stop = 1;
    if (!record->again[job])
        return 0;
    record->again[job] = false;
    return CHILD_AGAIN;
}

static double needs(void *context, size_t job) {
    return ((struct record *)context)->bytes[job];
}

static int run(struct record *record, size_t most, double memory, double limit_seconds) {
    const struct child_pool pool = {.count = JOBS,
                                    .most = most,
                                    .limit_seconds = limit_seconds,
                                    .memory = memory,
                                    .stop = &record->stop,
                                    .context = record,
                                    .needs = memory < INFINITY ? needs : NULL,
                                    .start = start,
                                    .end = end};
    return child_pool_run(&pool);
}

TEST(as_many_run_as_may) {
    for (int most = 0; most <= 4; most++) {
        struct record record = {.fail = -1};
        for (int i = 0; i < JOBS; i++)
            record.scripts[i] = i == 2 ? NULL : "sleep 0.03";
        assert_int_equal(run(&record, (size_t)most, INFINITY, 60), 0);
        assert_int_equal(record.most, most > 1 ? most : 1);
        assert_int_equal(record.runs, 0);
        for (int i = 0; i < JOBS; i++)
            assert_int_equal(record.fates[i], i == 2 ? CHILD_NONE : CHILD_ENDED);
        if (most <= 1)
            assert_string_equal(record.text, "+0-0+1-1+3-3+4-4+5-5");
    }
}

/* Job 3 needs more than there is, and runs with no other. */
TEST(memory_is_shared) {
    struct record record = {.fail = -1, .bytes = {2, 1, 2, 9, 1, 3}};
    for (int i = 0; i < JOBS; i++)
        record.scripts[i] = "sleep 0.03";
    assert_int_equal(run(&record, 9, 3, 60), 0);
    assert_int_equal(record.most, 2);
    /* The first three may end in any order. */
    const char *third = strstr(record.text, "+3-3+4-4+5-5");
    assert_non_null(third);
    assert_int_equal(third - record.text, strlen("+0-0+1-1+2-2"));
}

TEST(a_job_may_run_again_alone) {
    struct record record = {.fail = -1, .again = {true}};
    for (int i = 0; i < JOBS; i++)
        record.scripts[i] = i == 0 ? "true" : "sleep 0.2";
    assert_int_equal(run(&record, 3, INFINITY, 60), 0);
    const char *again = strstr(strstr(record.text, "-0"), "+0");
    assert_non_null(again);
    assert_memory_equal(again, "+0-0", 4);
    for (const char *c = strstr(record.text, "-0"); c < again; c++)
        assert_int_not_equal(*c, '+'); /* nobody starts while it waits */
    assert_int_equal(record.runs, 0);
}

TEST(a_slow_job_is_killed) {
    struct record record = {.fail = -1};
    for (int i = 0; i < JOBS; i++)
        record.scripts[i] = i == 1 ? "sleep 1000" : "true";
    assert_int_equal(run(&record, 2, INFINITY, 1), 0);
    for (int i = 0; i < JOBS; i++)
        assert_int_equal(record.fates[i], i == 1 ? CHILD_TOO_LONG : CHILD_ENDED);
}

TEST(a_pool_is_stopped) {
    struct record record = {.fail = -1, .scripts = {"sleep 1000", ":", "sleep 1000", "true"}};
    const double begun = clock_seconds();
    assert_int_equal(run(&record, 3, INFINITY, 60), 1);
    assert_true(clock_seconds() - begun < 30);
    assert_int_equal(record.fates[0], CHILD_STOPPED);
    assert_int_equal(record.fates[1], CHILD_ENDED);
    assert_int_equal(record.fates[2], CHILD_STOPPED);
    assert_int_equal(record.fates[3], CHILD_NONE);
    assert_int_equal(record.runs, 0);
}

TEST(a_pool_ends_with_what_cannot_be_started) {
    struct record record = {.fail = 2, .scripts = {"sleep 1000", "sleep 1000", "true", "true"}};
    assert_says(run(&record, 9, INFINITY, 60), -1, "it cannot be started");
    assert_int_equal(record.fates[0], CHILD_STOPPED);
    assert_int_equal(record.fates[1], CHILD_STOPPED);
    assert_int_equal(record.fates[3], CHILD_NONE);
}

TESTS_BETWEEN(scratch_make, scratch_remove)
