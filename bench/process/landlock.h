/* Landlock is Linux's way for a process to give up rights of its own. A ruleset names rights that
 * are taken away, and the paths where they stay. A process that has entered a ruleset never leaves
 * it. A process that enters several has only the rights that all of them allow. A ruleset holds for
 * the calling thread and for what that thread starts afterwards. */
#ifndef BENCH_PROCESS_LANDLOCK_H
#define BENCH_PROCESS_LANDLOCK_H

#include <linux/landlock.h>
#include <stdint.h>

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

/* The rights that are taken away, in bits of the kernel: its struct landlock_ruleset_attr as of ABI
 * 6. Older kernels want what they do not know to be zero. */
struct landlock_rules {
    uint64_t files, ports, scopes;
};

/* The kernel's version of the interface; 0 and errno where it is not built in, not switched on at
 * boot, or taken away by a container. */
int landlock_abi(void);

/* A new ruleset, a descriptor for the caller to close, or -1 after error(). */
int landlock_open(const struct landlock_rules *rules);

/* The rights stay for that path, and for all below it if it is a folder. 0, or -1 after error(). */
int landlock_allow(int ruleset, const char *path, uint64_t rights);

/* Enters it. Sets no_new_privs, without which only root can. 0, or -1 after error(). */
int landlock_enter(int ruleset);

#endif
