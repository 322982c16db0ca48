#include "bench/process/landlock.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bench/base/error.h"

int landlock_abi(void) {
    const long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    return abi < 0 ? 0 : (int)abi;
}

int landlock_open(const struct landlock_rules *rules) {
    const int ruleset = (int)syscall(SYS_landlock_create_ruleset, rules, sizeof *rules, 0);
    return ruleset < 0 ? error("Landlock (ABI %d): %s", landlock_abi(), strerror(errno)) : ruleset;
}

int landlock_allow(int ruleset, const char *path, uint64_t rights) {
    const int file = open(path, O_PATH | O_CLOEXEC);
    if (file < 0)
        return error("Landlock: %s: %s", path, strerror(errno));
    const struct landlock_path_beneath_attr rule = {.allowed_access = rights, .parent_fd = file};
    const int status =
        syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) < 0
            ? error("Landlock refuses a rule for %s: %s", path, strerror(errno))
            : 0;
    close(file);
    return status;
}

int landlock_enter(int ruleset) {
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
        return error("no_new_privs: %s", strerror(errno));
    return syscall(SYS_landlock_restrict_self, ruleset, 0) < 0
               ? error("Landlock (ABI %d): %s", landlock_abi(), strerror(errno))
               : 0;
}
