/* Locks the calling process in, for good: what it may still do is compute, use memory and threads,
 * read files, and write below one folder.
 *
 * Who is locked in gives up root's capabilities: a runner all but that of reading, a compiler that of
 * looking into other processes (CAP_SYS_PTRACE). Where there is no Landlock, the judge shuts its
 * memory (sandbox_shut_memory).
 *
 * There are four layers, and the operating system may lack any of them: no_new_privs; limits
 * (rlimits); Landlock, which limits where files are written, renamed and removed; seccomp, which
 * takes system calls away.
 *
 * The limits and seccomp, with no_new_privs, hold for every thread, also for those that run
 * already. Landlock and the loss of capabilities hold for the CALLING THREAD and for the threads and
 * processes that it starts afterwards. They do not hold for threads that exist already (CUDA's and
 * OpenBLAS's): code that makes one of them run its own code can do what the user can. So the runner enters on the
 * thread that will load and call the candidate, after the device is open and the baselines are set
 * up (both need what the sandbox takes away) and before dlopen, whose constructors are the
 * candidate's code already. Descriptors opened before stay usable, the socket to the judge among
 * them.
 *
 * Under AddressSanitizer leaks are looked for at SANDBOX_RUNNER's entry and never again, since the
 * search at exit forks and traces. */
#ifndef BENCH_PROCESS_SANDBOX_H
#define BENCH_PROCESS_SANDBOX_H

#include <stdbool.h>
#include <stdint.h>

enum sandbox_profile {
    /* The process that loads a candidate: threads, but no process, exec, socket or signal to
     * another. A call that only an attack makes kills it by SIGSYS; the other ones fail with
     * EPERM. */
    SANDBOX_RUNNER,
    /* The child about to exec a compiler: processes and pipes, no network, no process group but its
     * own. TMPDIR must lie below its scratch folder. Modes, owners and times of files outside it
     * are not protected. */
    SANDBOX_COMPILER
};

/* 0 leaves a limit as it is. The runner cannot change them afterwards, not even as root. */
struct sandbox_limits {
    /* Private memory beyond what is mapped at entry: CUDA and the sanitizers map terabytes. Shared
     * mappings, memory files among them, do not count. */
    uint64_t memory_bytes;
    uint64_t file_bytes;  /* of any one file; more is SIGXFSZ */
    uint64_t descriptors; /* open at once */
    uint64_t cpu_s;       /* of all threads, in all; more is SIGXCPU, then SIGKILL */
};

struct sandbox_report {
    bool seccomp, landlock; /* the other layers are always there */
    char missing[256];      /* what this machine could not give, "; " between; "" if nothing */
};

/* Locks the process in; there is no way out. Writing is possible below `scratch`, a folder (NULL:
 * nowhere), and to the devices the profile needs. 0, and *report says what was achieved; -1 after
 * error() when a layer that the kernel has could not be set up: the process is then half locked and
 * must not run what it was to be protected from. */
int sandbox_enter(enum sandbox_profile profile, const char *scratch,
                  const struct sandbox_limits *limits, struct sandbox_report *report);

/* For the judge, before it locks anybody in. A process may write the memory of another one of its
 * user through /proc. Landlock forbids that to all that are locked in. Where there is none, the
 * calling process lets nobody do so who lacks CAP_SYS_PTRACE. */
void sandbox_shut_memory(void);

/* For build_options.confine: the calling process, about to become a compiler, may write below the
 * scratch folder only, has no network and so much memory, time and disk. 0, or -1 after error(). */
int confine_compiler(const char *scratch);

#endif
