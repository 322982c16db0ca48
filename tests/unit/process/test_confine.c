/* A compiler is locked into its scratch folder. */
#include "bench/process/sandbox.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "tests/support/scratch.h"
#include "tests/support/test.h"

/* What `locked` returns in a process that is locked into the scratch folder "in". */
static int in_confinement(int (*locked)(void)) {
    int status = 0;
    const pid_t pid = fork();
    if (pid == 0)
        _exit(confine_compiler(scratch_path("in")) < 0 ? 99 : locked());
    assert_true(pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status));
    return WEXITSTATUS(status);
}

static struct rlimit before[5];

static int writes(const char *name) {
    return open(scratch_path(name), O_WRONLY | O_CREAT, 0666) >= 0;
}

static int writes_inside(void) {
    return writes("in/file");
}

static int writes_outside(void) {
    return writes("file");
}

static int gains_no_privileges(void) {
    return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1;
}

TEST(a_compiler_gains_no_privileges) {
    scratch_put("in/there", "x");
    assert_int_equal(in_confinement(gains_no_privileges), 1);
}

TEST(a_compiler_writes_into_its_folder_only) {
    scratch_put("in/there", "x");
    assert_int_equal(in_confinement(writes_inside), 1);
    assert_int_equal(access(scratch_path("in/file"), F_OK), 0);
    if (in_confinement(writes_outside) == 1)
        skip(); /* a kernel without Landlock */
    assert_int_equal(access(scratch_path("file"), F_OK), -1);
}

/* What the test has mapped at most: the sanitizers map terabytes. */
#ifdef __SANITIZE_ADDRESS__
#define MAPPED ((rlim_t)1 << 46)
#else
#define MAPPED ((rlim_t)1 << 30)
#endif

/* How many of these limits are as wanted, each unless a smaller one was there before. */
static int has_limits(void) {
    const rlim_t memory = (rlim_t)sysconf(_SC_PHYS_PAGES) * (rlim_t)sysconf(_SC_PAGESIZE);
    const struct {
        int resource;
        rlim_t least, most;
    } wanted[] = {{RLIMIT_DATA, memory, memory + MAPPED}, /* beside what was mapped before */
                  {RLIMIT_FSIZE, (rlim_t)256 << 20, (rlim_t)256 << 20},
                  {RLIMIT_NOFILE, 1024, 1024},
                  {RLIMIT_CPU, 7200, 7210}, /* and what this process has used */
                  {RLIMIT_CORE, 0, 0}};
    int right = 0;
    for (int i = 0; i < 5; i++) {
        struct rlimit limit;
        if (getrlimit((__rlimit_resource_t)wanted[i].resource, &limit) == 0)
            right += limit.rlim_cur <= wanted[i].most &&
                     (limit.rlim_cur >= wanted[i].least || limit.rlim_cur == before[i].rlim_cur);
    }
    return right;
}

/* A runaway meets limits that no compile comes near to. */
TEST(a_compiler_has_limits) {
    static const int resources[] = {RLIMIT_DATA, RLIMIT_FSIZE, RLIMIT_NOFILE, RLIMIT_CPU,
                                    RLIMIT_CORE};
    for (int i = 0; i < 5; i++)
        assert_int_equal(getrlimit((__rlimit_resource_t)resources[i], &before[i]), 0);
    scratch_put("in/there", "x");
    assert_int_equal(in_confinement(has_limits), 5);
}

TESTS_BETWEEN(scratch_make, scratch_remove)
