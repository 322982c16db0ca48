#include "bench/process/landlock.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <linux/landlock.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bench/base/error.h"

/* Headers of Linux 6.1 lack these. */
#ifndef LANDLOCK_ACCESS_FS_TRUNCATE
#define LANDLOCK_ACCESS_FS_TRUNCATE (1ULL << 14)
#endif
#ifndef LANDLOCK_ACCESS_FS_IOCTL_DEV
#define LANDLOCK_ACCESS_FS_IOCTL_DEV (1ULL << 15)
#endif
#ifndef LANDLOCK_ACCESS_NET_BIND_TCP
#define LANDLOCK_ACCESS_NET_BIND_TCP (1ULL << 0)
#define LANDLOCK_ACCESS_NET_CONNECT_TCP (1ULL << 1)
#endif
#ifndef LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET
#define LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET (1ULL << 0)
#define LANDLOCK_SCOPE_SIGNAL (1ULL << 1)
#endif

/* The rights that are taken away: the kernel's struct landlock_ruleset_attr as of ABI 6. Older kernels
 * want what they do not know to be zero. */
struct rules {
    uint64_t files, ports, scopes;
};

int landlock_abi(void) {
    const long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    return abi < 0 ? 0 : (int)abi;
}

static int failed(const char *what) {
    return error("Landlock (ABI %d): %s: %s", landlock_abi(), what, strerror(errno));
}

/* The rights stay for that path, and for all below it if it is a folder. */
static int allow(int ruleset, const char *path, uint64_t rights) {
    const int file = open(path, O_PATH | O_CLOEXEC);
    if (file < 0)
        return failed(path);
    const struct landlock_path_beneath_attr rule = {.allowed_access = rights, .parent_fd = file};
    const int status =
        syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) < 0
            ? failed(path)
            : 0;
    close(file);
    return status;
}

/* Rights not handled are free: everything may be read, listed and executed. */
static struct rules handled(bool compiles, int abi) {
    struct rules rules = {.files = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                                   LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
                                   LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
                                   LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
                                   LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM};
    if (abi >= 2)
        rules.files |= LANDLOCK_ACCESS_FS_REFER;
    if (abi >= 3)
        rules.files |= LANDLOCK_ACCESS_FS_TRUNCATE;
    if (abi >= 4)
        rules.ports = LANDLOCK_ACCESS_NET_BIND_TCP | LANDLOCK_ACCESS_NET_CONNECT_TCP;
    if (abi >= 5)
        rules.files |= LANDLOCK_ACCESS_FS_IOCTL_DEV;
    /* The runner's signals are seccomp's business: some kernels take a signal to a thread of one's
     * own that is not locked in for one to a stranger. */
    if (abi >= 6)
        rules.scopes = LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | (compiles ? LANDLOCK_SCOPE_SIGNAL : 0);
    return rules;
}

static int allow_paths(int ruleset, uint64_t rights, bool compiles, const char *scratch) {
    const uint64_t device = rights & (LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_TRUNCATE |
                                      LANDLOCK_ACCESS_FS_IOCTL_DEV);
    const uint64_t folder =
        rights & ~(uint64_t)(LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_BLOCK |
                             LANDLOCK_ACCESS_FS_IOCTL_DEV);
    if (allow(ruleset, "/dev/null", device) < 0 || (scratch && allow(ruleset, scratch, folder) < 0))
        return -1;
    if (compiles)
        return 0;
    /* The driver opens its devices again for much that it does; MIG's lie in a folder. */
    glob_t nodes;
    int found = glob("/dev/nvidia*", 0, NULL, &nodes), status = 0;
    if (found == GLOB_NOMATCH)
        return 0;
    if (found != 0)
        return error("sandbox: cannot list /dev");
    for (size_t i = 0; i < nodes.gl_pathc && status == 0; i++)
        status = allow(ruleset, nodes.gl_pathv[i], device);
    globfree(&nodes);
    return status;
}

int landlock_enter(bool compiles, const char *scratch) {
    const struct rules rules = handled(compiles, landlock_abi());
    const int ruleset = (int)syscall(SYS_landlock_create_ruleset, &rules, sizeof rules, 0);
    if (ruleset < 0)
        return failed("no rules");
    int status = allow_paths(ruleset, rules.files, compiles, scratch);
    if (status == 0 && syscall(SYS_landlock_restrict_self, ruleset, 0) < 0)
        status = failed("it cannot be entered");
    close(ruleset);
    return status;
}
