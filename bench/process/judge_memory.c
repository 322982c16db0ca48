#include "bench/process/judge_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/base/error.h"
#include "bench/process/landlock.h"

int judge_memory_renounce(void) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3];
    if (syscall(SYS_capget, &header, sets) < 0)
        return error("the capabilities of the process cannot be read: %s", strerror(errno));
    sets[CAP_TO_INDEX(CAP_SYS_PTRACE)].effective &= ~CAP_TO_MASK(CAP_SYS_PTRACE);
    sets[CAP_TO_INDEX(CAP_SYS_PTRACE)].permitted &= ~CAP_TO_MASK(CAP_SYS_PTRACE);
    sets[CAP_TO_INDEX(CAP_SYS_PTRACE)].inheritable &= ~CAP_TO_MASK(CAP_SYS_PTRACE);
    return syscall(SYS_capset, &header, sets) < 0
               ? error("CAP_SYS_PTRACE cannot be given up: %s", strerror(errno))
               : 0;
}

/* Whether a child that has given up what a kernel gives up can open the caller's memory. What
 * cannot be tried counts as open. */
static int is_open(void) {
    char path[64];
    int status;
    snprintf(path, sizeof path, "/proc/%d/mem", (int)getpid());
    const pid_t child = fork();
    if (child == 0)
        _exit(judge_memory_renounce() < 0 || open(path, O_WRONLY | O_CLOEXEC) >= 0);
    while (child > 0 && waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return 1;
    return child < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0;
}

int judge_memory_shut(void) {
    if (landlock_abi() > 0)
        return 0;
    const char *cause = strerror(errno);
    prctl(PR_SET_DUMPABLE, 0);
    return is_open()
               ? error("this machine has no Landlock (%s), and a kernel could write the memory of "
                       "the process that judges it; add landlock to lsm= where the system boots, "
                       "or have the container allow it; --no-sandbox goes on, with no sandbox",
                       cause)
               : 0;
}
