#include "bench/process/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/fs.h>
#include <sched.h>
#include <seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/process/landlock.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_LEAK_CHECK 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define HAS_LEAK_CHECK 1
#endif
#ifdef HAS_LEAK_CHECK
#include <sanitizer/lsan_interface.h>
#endif

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void lack(struct sandbox_report *report, const char *what, const char *why) {
    size_t length = strlen(report->missing);
    snprintf(report->missing + length, sizeof report->missing - length, "%s%s (%s)",
             length ? "; " : "", what, why);
}

/* --- limits --- */

static int data_bytes(uint64_t *bytes) {
    char value[64];
    unsigned long long kib;
    files_value("/proc/self/status", "VmData", ':', value, sizeof value);
    if (sscanf(value, "%llu kB", &kib) != 1)
        return error("/proc/self/status has no line VmData; is /proc mounted?");
    *bytes = kib * 1024;
    return 0;
}

/* 0 leaves the limit as it is. The hard one is so much above the soft one. */
static int lower(__rlimit_resource_t resource, const char *name, uint64_t soft, uint64_t above) {
    struct rlimit limit;
    if (soft == 0)
        return 0;
    if (getrlimit(resource, &limit) < 0)
        return error("getrlimit %s: %s", name, strerror(errno));
    if (soft + above < limit.rlim_max)
        limit.rlim_max = soft + above;
    limit.rlim_cur = soft < limit.rlim_max ? soft : limit.rlim_max;
    return setrlimit(resource, &limit) < 0
               ? error("setrlimit %s to %llu: %s", name, (unsigned long long)limit.rlim_cur,
                       strerror(errno))
               : 0;
}

static int enter_limits(const struct sandbox_limits *limits) {
    const struct rlimit no_core = {0, 0}; /* it would be a file of gigabytes */
    uint64_t mapped = 0;
    if (limits->memory_bytes && data_bytes(&mapped) < 0)
        return -1;
    if (setrlimit(RLIMIT_CORE, &no_core) < 0)
        return error("setrlimit RLIMIT_CORE to 0: %s", strerror(errno));
    /* A handler of SIGXCPU has a second. */
    return lower(RLIMIT_DATA, "RLIMIT_DATA", limits->memory_bytes + mapped, 0) < 0 ||
                   lower(RLIMIT_FSIZE, "RLIMIT_FSIZE", limits->file_bytes, 0) < 0 ||
                   lower(RLIMIT_NOFILE, "RLIMIT_NOFILE", limits->descriptors, 0) < 0 ||
                   lower(RLIMIT_CPU, "RLIMIT_CPU", limits->cpu_s, 1) < 0
               ? -1
               : 0;
}

/* --- Landlock and capabilities --- */

/* Of root's capabilities a runner keeps that of reading. With others a kernel could lock the GPU's
 * clocks by NVML, which outlasts the run. CUDA works without any, as for every other user. A compiler
 * may need to write where its user cannot, and gives up the way into other processes alone. */
static int renounce(enum sandbox_profile profile) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3];
    uint32_t kept[_LINUX_CAPABILITY_U32S_3] = {0};
    if (syscall(SYS_capget, &header, sets) < 0)
        return error("sandbox: capabilities cannot be read: %s", strerror(errno));
    if (profile == SANDBOX_COMPILER)
        memset(kept, 0xff, sizeof kept);
    kept[CAP_TO_INDEX(CAP_SYS_PTRACE)] &= ~CAP_TO_MASK(CAP_SYS_PTRACE);
    kept[CAP_TO_INDEX(CAP_DAC_READ_SEARCH)] |= CAP_TO_MASK(CAP_DAC_READ_SEARCH);
    for (size_t i = 0; i < COUNT(sets); i++) {
        sets[i].effective &= kept[i];
        sets[i].permitted &= kept[i];
        sets[i].inheritable &= kept[i];
    }
    return syscall(SYS_capset, &header, sets) < 0
               ? error("sandbox: capabilities cannot be given up: %s", strerror(errno))
               : 0;
}

void sandbox_shut_memory(void) {
    if (landlock_abi() == 0)
        prctl(PR_SET_DUMPABLE, 0);
}

static int enter_landlock(enum sandbox_profile profile, const char *scratch,
                          struct sandbox_report *report) {
    const int abi = landlock_abi();
    if (abi == 0) {
        lack(report, "Landlock", strerror(errno));
        return 0;
    }
    if (abi < 3)
        lack(report, "truncating files", "Landlock ABI below 3");
    if (abi < 6 && profile == SANDBOX_COMPILER)
        lack(report, "signals", "Landlock ABI below 6");
    report->landlock = landlock_enter(profile == SANDBOX_COMPILER, scratch) == 0;
    return report->landlock ? 0 : -1;
}

/* --- seccomp --- */

/* Deny lists, since what CUDA's driver calls is its own affair and changes: what is not named is
 * allowed. KILL is for what no library does by accident after setup, so that the signal is evidence
 * of an attack; REFUSE for what a library may try and do without. */
#define KILL SCMP_ACT_KILL_PROCESS
#define REFUSE SCMP_ACT_ERRNO(EPERM)
#define UNKNOWN SCMP_ACT_ERRNO(ENOSYS)
#define RUNNER (1u << SANDBOX_RUNNER)
#define COMPILER (1u << SANDBOX_COMPILER)
#define BOTH (RUNNER | COMPILER)

/* The kernel reads the low half of a 32-bit argument, so the high half must not hide it. */
#define IS(argument, value)                                                                        \
    { argument, SCMP_CMP_MASKED_EQ, 0xffffffff, value }
#define HAS(argument, bits)                                                                        \
    { argument, SCMP_CMP_MASKED_EQ, bits, bits }
#define LACKS(argument, bits)                                                                      \
    { argument, SCMP_CMP_MASKED_EQ, bits, 0 }
#define IS_NOT(argument, value)                                                                    \
    { argument, SCMP_CMP_NE, value, 0 }

#define ANY                                                                                        \
    { 0, 0, 0, 0 }
#define OWN_PROCESS UINT64_MAX

static const struct rule {
    unsigned profiles;
    uint32_t action;
    struct scmp_arg_cmp when;
    const char *calls[24];
} rules[] = {
    /* Other processes' memory and descriptors: the judge's, with its results. */
    {BOTH, KILL, ANY, {"ptrace", "process_vm_readv", "process_vm_writev", "pidfd_getfd"}},
    /* The machine itself: the runner may be root. */
    {BOTH, KILL, ANY, {"mount",        "umount2",       "pivot_root",      "chroot",
                       "open_tree",    "move_mount",    "fsopen",          "fsconfig",
                       "fsmount",      "fspick",        "mount_setattr",   "setns",
                       "unshare",      "kexec_load",    "kexec_file_load", "init_module",
                       "finit_module", "delete_module", "reboot",          "swapon",
                       "swapoff"}},
    /* New processes outlive deadlines and are not seen by the audit. */
    {RUNNER, KILL, ANY, {"execve", "execveat", "fork", "vfork"}},
    /* Ways round the other rules: a queue of calls that no filter sees, files by number, and big
     * pieces of kernel where holes are found. Profilers and runtimes probe some of them. */
    {BOTH,
     REFUSE,
     ANY,
     {"io_uring_setup", "io_uring_enter", "io_uring_register", "open_by_handle_at", "bpf",
      "perf_event_open", "userfaultfd", "keyctl", "add_key", "request_key", "process_madvise",
      "process_mrelease", "iopl", "ioperm", "acct", "quotactl"}},
    /* Root's way to keep others waiting for a file. */
    {BOTH, REFUSE, ANY, {"fanotify_init", "fanotify_mark"}},
    /* Locks of a folder of results, which the judge takes. */
    {RUNNER, REFUSE, ANY, {"flock"}},
    /* Clocks: slewing the system's makes every kernel faster. */
    {BOTH, REFUSE, ANY, {"clock_settime", "clock_adjtime", "adjtimex", "settimeofday"}},
    /* The network, and local services: the resolver asks for nscd and copes without. */
    {BOTH, REFUSE, ANY, {"connect", "bind", "listen", "accept", "accept4"}},
    /* The judge's socket is there already; a new datagram pair could send anywhere local. */
    {RUNNER, REFUSE, ANY, {"socket", "socketpair"}},
    /* Who compiles kills the compiler's group, to leave nothing running. */
    {COMPILER, REFUSE, ANY, {"setsid", "setpgid"}},
    /* Landlock does not cover these. */
    {RUNNER,
     REFUSE,
     ANY,
     {"chmod", "fchmod", "fchmodat", "chown", "lchown", "fchown", "fchownat", "setxattr",
      "lsetxattr", "fsetxattr", "removexattr", "lremovexattr", "fremovexattr", "utime", "utimes",
      "utimensat", "futimesat"}},
    /* Who it is: a process that changes that no longer dies with the judge. */
    {BOTH,
     REFUSE,
     ANY,
     {"setuid", "setgid", "setreuid", "setregid", "setresuid", "setresgid", "setfsuid", "setfsgid",
      "setgroups", "capset"}},
    /* The machine's names, and where other processes have their memory. */
    {BOTH, REFUSE, ANY, {"sethostname", "setdomainname", "migrate_pages", "move_pages"}},
    /* Turns: of the judge, and of the thread that times libraries, too. */
    {RUNNER,
     REFUSE,
     ANY,
     {"setpriority", "ioprio_set", "sched_setscheduler", "sched_setparam", "sched_setattr"}},
    /* Root may raise even its hard limits. */
    {RUNNER, REFUSE, ANY, {"setrlimit"}},
    /* What outlives the process: a kernel could leave its answers for the next. */
    {RUNNER, REFUSE, ANY, {"shmget", "msgget", "semget", "mq_open"}},
    /* Signals by ways that do not name the process in the first argument. */
    {RUNNER, REFUSE, ANY, {"tkill", "pidfd_send_signal"}},
    /* A signal's handler works while others are timed. */
    {RUNNER, REFUSE, ANY, {"alarm", "setitimer", "timer_create"}},
    {RUNNER, KILL, LACKS(0, CLONE_THREAD), {"clone"}},
    /* A user namespace hands out every capability. A thread cannot be given one. */
    {COMPILER, REFUSE, HAS(0, CLONE_NEWUSER), {"clone"}},
    /* Typing into the terminal that gemmgate was started from. */
    {BOTH, REFUSE, IS(1, TIOCSTI), {"ioctl"}},
    {BOTH, REFUSE, IS(1, TIOCLINUX), {"ioctl"}},
    /* Root's: nobody can write to the file system, or change the file, any more. */
    {BOTH, REFUSE, IS(1, FIFREEZE), {"ioctl"}},
    {BOTH, REFUSE, IS(1, FITHAW), {"ioctl"}},
    {RUNNER, REFUSE, IS(1, FS_IOC_SETFLAGS), {"ioctl"}},
    {RUNNER, REFUSE, IS(1, FS_IOC_FSSETXATTR), {"ioctl"}},
    /* Who opens the file waits for its lease to end; who changes the folder sends a signal. */
    {RUNNER, REFUSE, IS(1, F_SETLEASE), {"fcntl"}},
    {RUNNER, REFUSE, IS(1, F_NOTIFY), {"fcntl"}},
    /* The judge's limits, and again one's own. */
    {BOTH, REFUSE, IS_NOT(0, 0), {"prlimit64"}},
    {RUNNER, REFUSE, IS_NOT(2, 0), {"prlimit64"}},
    {COMPILER, REFUSE, IS_NOT(0, AF_UNIX), {"socket"}},
    /* The judge's cores. */
    {RUNNER, REFUSE, IS_NOT(0, 0), {"sched_setaffinity"}},
    /* To die with the judge, and not to be looked into. */
    {RUNNER, REFUSE, IS(0, PR_SET_PDEATHSIG), {"prctl"}},
    {RUNNER, REFUSE, IS(0, PR_SET_DUMPABLE), {"prctl"}},
    {RUNNER, REFUSE, IS(0, PR_SET_PTRACER), {"prctl"}},
    /* A descriptor's events can be any signal to any process. */
    {RUNNER, REFUSE, IS(1, F_SETOWN), {"fcntl"}},
    {RUNNER, REFUSE, IS(1, F_SETOWN_EX), {"fcntl"}},
    {RUNNER, REFUSE, IS(1, F_SETSIG), {"fcntl"}},
    /* To ask for a signal's handler is no harm. */
    {RUNNER, REFUSE, IS_NOT(1, 0), {"rt_sigaction"}},
    /* A thread may signal its own process: abort() does. */
    {RUNNER,
     REFUSE,
     IS_NOT(0, OWN_PROCESS),
     {"kill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo"}},
    /* Its flags lie in memory, where no filter looks; without it libraries use clone. */
    {BOTH, UNKNOWN, ANY, {"clone3"}},
};

/* System calls younger than this file: a kernel that has them looks like one that has not, which
 * libraries know how to live with. 512 starts x86's other numbering. */
enum { FIRST_UNKNOWN = 452, LAST_UNKNOWN = 511 };

/* libseccomp's levels of what the kernel has: 2 is TSYNC, 3 (Linux 4.14) killing a process, 4
 * (Linux 4.17) the choice about speculative stores. Some containers' kernels are at 2. */
static uint32_t available(uint32_t action) {
    return action == KILL && seccomp_api_get() < 3 ? REFUSE : action;
}

/* Adds a rule for one of its calls. A call that this processor lacks needs none. */
static int deny(scmp_filter_ctx filter, const struct rule *rule, const char *call) {
    struct scmp_arg_cmp when = rule->when;
    const unsigned conditions = when.op != 0;
    const int number = seccomp_syscall_resolve_name(call);
    if (number == __NR_SCMP_ERROR)
        return error("sandbox: this libseccomp does not know %s: 2.5.4 does", call);
    if (when.datum_a == OWN_PROCESS)
        when.datum_a = (scmp_datum_t)getpid();
    const int status =
        seccomp_rule_add_array(filter, available(rule->action), number, conditions, &when);
    return status < 0 ? error("sandbox: a rule for %s: %s", call, strerror(-status)) : 0;
}

static int fill_filter(scmp_filter_ctx filter, unsigned profile) {
    for (const struct rule *rule = rules; rule < rules + COUNT(rules); rule++)
        for (const char *const *call = rule->calls; rule->profiles & profile && *call; call++)
            if (deny(filter, rule, *call) < 0)
                return -1;
    for (int number = FIRST_UNKNOWN; number <= LAST_UNKNOWN; number++) {
        const int status = seccomp_rule_add(filter, UNKNOWN, number, 0);
        if (status < 0)
            return error("sandbox: a rule for system call %d: %s", number, strerror(-status));
    }
    return 0;
}

static int set(scmp_filter_ctx filter, enum scmp_filter_attr attribute, uint32_t value,
               const char *name) {
    int status = seccomp_attr_set(filter, attribute, value);
    return status < 0 ? error("sandbox: seccomp, %s: %s", name, strerror(-status)) : 0;
}

static int load_filter(scmp_filter_ctx filter, unsigned profile) {
    /* Calls in another processor's numbering would pass every rule. */
    if (set(filter, SCMP_FLTATR_ACT_BADARCH, available(KILL), "other architectures") < 0 ||
        set(filter, SCMP_FLTATR_CTL_TSYNC, 1, "all threads") < 0 ||
        /* A tree, not a list: the driver's ioctls pass through it. */
        set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2, "order") < 0 ||
        /* The guard against speculative stores would slow what is to be timed. */
        (seccomp_api_get() >= 4 && set(filter, SCMP_FLTATR_CTL_SSB, 1, "speculative stores") < 0) ||
        fill_filter(filter, profile) < 0)
        return -1;
    int status = seccomp_load(filter);
    return status < 0 ? error("sandbox: seccomp: %s", strerror(-status)) : 0;
}

static int enter_seccomp(enum sandbox_profile profile, struct sandbox_report *report) {
    if (seccomp_api_get() < 2) {
        lack(report, "seccomp", "no filters for all threads");
        return 0;
    }
    if (available(KILL) != KILL)
        lack(report, "death by SIGSYS", "EPERM instead");
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    const int status =
        filter ? load_filter(filter, 1u << profile) : error("sandbox: seccomp: out of memory");
    seccomp_release(filter);
    report->seccomp = status == 0;
    return status;
}

int sandbox_enter(enum sandbox_profile profile, const char *scratch,
                  const struct sandbox_limits *limits, struct sandbox_report *report) {
    memset(report, 0, sizeof *report);
#ifdef HAS_LEAK_CHECK
    if (profile == SANDBOX_RUNNER)
        __lsan_do_leak_check();
#endif
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
        return error("sandbox: no_new_privs: %s", strerror(errno));
    /* seccomp takes the way to limits away. */
    if (enter_limits(limits) < 0 || enter_landlock(profile, scratch, report) < 0 ||
        renounce(profile) < 0 || enter_seccomp(profile, report) < 0)
        return -1;
    return 0;
}

int confine_compiler(const char *scratch) {
    /* Far beyond what a compile takes: only a runaway meets them. Time is a process's own, for one
     * that the builder cannot find and kill. */
    const struct sandbox_limits limits = {
        .memory_bytes = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE),
        .file_bytes = (uint64_t)8 << 30, /* nvcc writes more than 256 MiB for some uses of CuTe */
        .descriptors = 1024,
        .cpu_s = 2 * 3600,
    };
    struct sandbox_report report;
    return sandbox_enter(SANDBOX_COMPILER, scratch, &limits, &report);
}
