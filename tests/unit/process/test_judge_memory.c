/* Whether a kernel that nothing but this locks in can write the memory of its judge. */
#include "bench/process/judge_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <seccomp.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/process/landlock.h"
#include "tests/support/test.h"

static int parent_memory_opens(void) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/mem", (int)getppid());
    return open(path, O_WRONLY) >= 0;
}

/* In a judge of its own, without Landlock. Its exit status, or 100 and more for a signal. */
static int judge(int (*act)(void)) {
    int status;
    const pid_t child = fork();
    if (child == 0) {
        scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
        if (!filter ||
            seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SYS_landlock_create_ruleset, 0) ||
            seccomp_load(filter))
            _exit(99);
        _exit(act());
    }
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 100 + WTERMSIG(status);
}

static int kernel_opens(int renounces) {
    int status;
    const pid_t child = fork();
    if (child == 0)
        _exit((renounces && judge_memory_renounce() < 0) ? 50 : parent_memory_opens());
    return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : 51;
}

static int open_to_a_kernel(void) {
    return judge_memory_renounce() < 0 ? 52 : kernel_opens(1); /* nothing sets them apart */
}

static int shut(void) {
    return judge_memory_shut() < 0 ? 53 : kernel_opens(1);
}

static int shut_without_capability(void) {
    return judge_memory_renounce() < 0 ? 54 : shut();
}

static int held_open(void) {
    if (judge_memory_renounce() < 0)
        return 55;
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    if (!filter ||
        seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(prctl), 1,
                         SCMP_A0(SCMP_CMP_EQ, PR_SET_DUMPABLE)) ||
        seccomp_load(filter))
        return 56;
    return judge_memory_shut() < 0 ? 0 : 57;
}

/* What is not shut is open, but for a system that shuts it to all children. */
TEST(is_shut_without_landlock) {
    assert_int_equal(judge(shut), 0);
    assert_int_equal(judge(shut_without_capability), 0);
    if (judge(open_to_a_kernel) == 0)
        skip(); /* kernel.yama.ptrace_scope */
    assert_int_equal(judge(open_to_a_kernel), 1);
    assert_int_equal(judge(held_open), 0);
}

static int with_landlock(void) {
    return judge_memory_shut() < 0 ? 1 : 0;
}

TEST(landlock_is_enough) {
    if (landlock_abi() == 0)
        skip();
    int status;
    const pid_t child = fork();
    if (child == 0)
        _exit(with_landlock() || prctl(PR_GET_DUMPABLE) != 1);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}
