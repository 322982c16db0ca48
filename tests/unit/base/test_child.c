/* A program that runs beside this one. */
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
    assert_true(child.seconds > 0 && child.seconds < 60);
    program.quiet = true;
    want[strlen(want) - 2] = 0; /* without the last line */
    assert_string_equal(printed(program, &child), want);
}

TEST(what_a_program_prints_is_a_text) {
    char *text = child_output(shell("echo one; echo two >&2; echo three"), 60);
    assert_string_equal(text, "one\ntwo\nthree\n");
    free(text);
    text = child_output(shell(":"), 60);
    assert_string_equal(text, "");
    free(text);
    assert_null(child_output(shell("echo one; exit 1"), 60));
    assert_null(child_output(shell("echo one; sleep 100"), 0.2));
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

TESTS_BETWEEN(scratch_make, scratch_remove)
