/* Whether a kernel that nothing but this locks in can write the memory of its judge. */
#include "bench/process/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
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

/* A child that the sandbox locks in: 1 where it can write its judge's memory, 0 where it cannot. */
static int kernel_opens(void) {
    int status;
    const pid_t child = fork();
    if (child == 0) {
        const struct sandbox_limits none = {0};
        struct sandbox_report report;
        _exit(sandbox_enter(SANDBOX_RUNNER, NULL, &none, &report) < 0 ? 50 : parent_memory_opens());
    }
    return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : 51;
}

static int shut(void) {
    sandbox_shut_memory();
    return kernel_opens();
}

/* As where the user is not root. */
static int without_capability(void) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0}};
    return syscall(SYS_capset, &header, none) < 0 ? 52 : 0;
}

static int open_to_a_kernel(void) {
    const int status = without_capability();
    return status ? status : kernel_opens();
}

static int shut_without_capability(void) {
    const int status = without_capability();
    return status ? status : shut();
}

/* Memory that is not shut is open, but for a system that shuts it to all children. */
TEST(is_shut_without_landlock) {
    assert_int_equal(judge(shut), 0);
    assert_int_equal(judge(shut_without_capability), 0);
    if (judge(open_to_a_kernel) == 0)
        skip(); /* kernel.yama.ptrace_scope */
    assert_int_equal(judge(open_to_a_kernel), 1);
}

TEST(landlock_is_enough) {
    if (landlock_abi() == 0)
        skip();
    int status;
    const pid_t child = fork();
    if (child == 0) {
        sandbox_shut_memory();
        _exit(prctl(PR_GET_DUMPABLE) != 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}
