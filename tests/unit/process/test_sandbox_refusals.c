/* What the sandbox takes away. Every case is tried in a child of its own twice: free, where it must
 * not end as in the sandbox, and locked in. */

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/fs.h>
#include <linux/random.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "bench/process/landlock.h"
#include "tests/support/sandboxed.h"
#include "tests/support/test.h"

/* --- what is taken away, call by call --- */

static const struct call {
    long number;
    const char *name;
    int runner, compiler; /* how it ends; 0: as if free */
} calls[] = {
#define CALL(name, runner, compiler)                                                               \
    { SYS_##name, #name, runner, compiler }
    CALL(ptrace, KILLED, KILLED),
    CALL(process_vm_readv, KILLED, KILLED),
    CALL(process_vm_writev, KILLED, KILLED),
    CALL(pidfd_getfd, KILLED, KILLED),
    CALL(mount, KILLED, KILLED),
    CALL(umount2, KILLED, KILLED),
    CALL(pivot_root, KILLED, KILLED),
    CALL(chroot, KILLED, KILLED),
    CALL(open_tree, KILLED, KILLED),
    CALL(move_mount, KILLED, KILLED),
    CALL(fsopen, KILLED, KILLED),
    CALL(fsconfig, KILLED, KILLED),
    CALL(fsmount, KILLED, KILLED),
    CALL(fspick, KILLED, KILLED),
    CALL(mount_setattr, KILLED, KILLED),
    CALL(setns, KILLED, KILLED),
    CALL(unshare, KILLED, KILLED),
    CALL(kexec_load, KILLED, KILLED),
    CALL(init_module, KILLED, KILLED),
    CALL(finit_module, KILLED, KILLED),
    CALL(delete_module, KILLED, KILLED),
    CALL(reboot, KILLED, KILLED),
    CALL(swapon, KILLED, KILLED),
    CALL(swapoff, KILLED, KILLED),
    CALL(execve, KILLED, 0),
    CALL(execveat, KILLED, 0),
    CALL(io_uring_setup, EPERM, EPERM),
    CALL(io_uring_enter, EPERM, EPERM),
    CALL(io_uring_register, EPERM, EPERM),
    CALL(open_by_handle_at, EPERM, EPERM),
    CALL(bpf, EPERM, EPERM),
    CALL(perf_event_open, EPERM, EPERM),
    CALL(userfaultfd, EPERM, EPERM),
    CALL(keyctl, EPERM, EPERM),
    CALL(add_key, EPERM, EPERM),
    CALL(request_key, EPERM, EPERM),
    CALL(process_madvise, EPERM, EPERM),
    CALL(process_mrelease, EPERM, EPERM),
    CALL(acct, EPERM, EPERM),
    CALL(quotactl, EPERM, EPERM),
    CALL(fanotify_init, EPERM, EPERM),
    CALL(fanotify_mark, EPERM, EPERM),
    CALL(clock_settime, EPERM, EPERM),
    CALL(clock_adjtime, EPERM, EPERM),
    CALL(adjtimex, EPERM, EPERM),
    CALL(settimeofday, EPERM, EPERM),
    CALL(connect, EPERM, EPERM),
    CALL(bind, EPERM, EPERM),
    CALL(listen, EPERM, EPERM),
    CALL(accept, EPERM, EPERM),
    CALL(accept4, EPERM, EPERM),
    CALL(socket, EPERM, EPERM),
    CALL(socketpair, EPERM, 0),
    CALL(fchmod, EPERM, 0),
    CALL(fchmodat, EPERM, 0),
    CALL(fchown, EPERM, 0),
    CALL(fchownat, EPERM, 0),
    CALL(setxattr, EPERM, 0),
    CALL(lsetxattr, EPERM, 0),
    CALL(fsetxattr, EPERM, 0),
    CALL(removexattr, EPERM, 0),
    CALL(lremovexattr, EPERM, 0),
    CALL(fremovexattr, EPERM, 0),
    CALL(utimensat, EPERM, 0),
    CALL(shmget, EPERM, 0),
    CALL(semget, EPERM, 0),
    CALL(mq_open, EPERM, 0),
    CALL(kill, EPERM, 0),
    CALL(tkill, EPERM, 0),
    CALL(tgkill, EPERM, 0),
    CALL(rt_sigqueueinfo, EPERM, 0),
    CALL(rt_tgsigqueueinfo, EPERM, 0),
    CALL(pidfd_send_signal, EPERM, 0),
    CALL(setuid, EPERM, EPERM),
    CALL(setgid, EPERM, EPERM),
    CALL(setreuid, EPERM, EPERM),
    CALL(setregid, EPERM, EPERM),
    CALL(setresuid, EPERM, EPERM),
    CALL(setresgid, EPERM, EPERM),
    CALL(setfsuid, EPERM, EPERM),
    CALL(setfsgid, EPERM, EPERM),
    CALL(setgroups, EPERM, EPERM),
    CALL(capset, EPERM, EPERM),
    CALL(sethostname, EPERM, EPERM),
    CALL(setdomainname, EPERM, EPERM),
    CALL(migrate_pages, EPERM, EPERM),
    CALL(move_pages, EPERM, EPERM),
    CALL(setpriority, EPERM, 0),
    CALL(ioprio_set, EPERM, 0),
    CALL(sched_setaffinity, EPERM, 0),
    CALL(sched_setscheduler, EPERM, 0),
    CALL(sched_setparam, EPERM, 0),
    CALL(sched_setattr, EPERM, 0),
    CALL(setrlimit, EPERM, 0),
    CALL(prlimit64, EPERM, EPERM),
    CALL(setitimer, EPERM, 0),
    CALL(timer_create, EPERM, 0),
    CALL(rt_sigaction, EPERM, 0),
    CALL(clone3, ENOSYS, ENOSYS),
#ifdef SYS_fork
    CALL(chmod, EPERM, 0),
    CALL(chown, EPERM, 0),
    CALL(lchown, EPERM, 0),
    CALL(utime, EPERM, 0),
    CALL(utimes, EPERM, 0),
    CALL(futimesat, EPERM, 0),
    CALL(iopl, EPERM, EPERM),
    CALL(ioperm, EPERM, EPERM),
    CALL(kexec_file_load, KILLED, KILLED),
#endif
#undef CALL
    {451, "a call known today", 0, 0}, /* cachestat */
    {452, "a younger call", ENOSYS, ENOSYS},
    {511, "a call to come", ENOSYS, ENOSYS},
};

static const struct call *current;

/* Arguments that no call takes, so that even the free child does no harm. */
static int call_badly(void) {
    return syscall(current->number, -1L, -1L, -1L, -1L, -1L, -1L) < 0 ? errno : 0;
}

TEST(each_call) {
    if (!have.seccomp)
        skip();
    for (current = calls; current < calls + COUNT(calls); current++) {
        int at_large = free_end(call_badly);
        for (enum sandbox_profile profile = SANDBOX_RUNNER; profile <= SANDBOX_COMPILER;
             profile++) {
            int want = expected(profile == SANDBOX_RUNNER ? current->runner : current->compiler);
            int end = locked_end(profile, call_badly);
            if (want ? end != want : end != at_large)
                fail_msg("%s: profile %d ends with %d, free with %d", current->name, profile, end,
                         at_large);
            /* Root is refused nothing by the kernel, so it shows whose refusal it is; calls that
             * this kernel lacks show nothing. */
            if (geteuid() == 0 && want == at_large && at_large != ENOSYS)
                fail_msg("%s ends with %d without a sandbox too", current->name, at_large);
        }
    }
}

/* --- what is taken away, by argument or by place --- */

static int run_program(void) {
    return system("exit 0") == 0 ? 0 : errno;
}

static int trace_parent(void) {
    return result(ptrace(PTRACE_TRACEME, 0, NULL, NULL));
}

static int open_local_socket(void) {
    return result(socket(AF_UNIX, SOCK_STREAM, 0));
}

static int signal_parent(void) {
    return result(kill(getppid(), 0));
}

static int signal_group(void) {
    return result(kill(0, 0));
}

static int outlive_parent(void) {
    return result(prctl(PR_SET_PDEATHSIG, 0));
}

static int hide_memory(void) {
    return result(prctl(PR_SET_DUMPABLE, 0));
}

static int admit_tracer(void) {
    return result(prctl(PR_SET_PTRACER, 1));
}

/* As one that the driver asks for before it changes clocks. */
static int have_capability(int capability) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3];
    if (syscall(SYS_capget, &header, sets) < 0)
        return errno;
    return sets[CAP_TO_INDEX(capability)].permitted & CAP_TO_MASK(capability) ? 0 : EPERM;
}

static int own_files(void) {
    return have_capability(CAP_CHOWN);
}

static int read_all(void) {
    return have_capability(CAP_DAC_READ_SEARCH);
}

/* The kernel looks at 32 bits of the request; the rest must not hide it. */
static int own_events(void) {
    return result(syscall(SYS_fcntl, 0, 0xffffffff00000000L | F_SETOWN, (long)getppid()));
}

static int own_events_ex(void) {
    struct f_owner_ex owner = {F_OWNER_PID, getppid()};
    return result(fcntl(0, F_SETOWN_EX, &owner));
}

static int choose_signal(void) {
    return result(fcntl(0, F_SETSIG, SIGTERM));
}

static int lease_file(void) {
    char path[600];
    snprintf(path, sizeof path, "%s/old", outside);
    const int fd = open(path, O_RDONLY), end = result(fcntl(fd, F_SETLEASE, F_RDLCK));
    close(fd);
    return end;
}

static int lock_folder(void) {
    const int fd = open(outside, O_RDONLY), end = result(flock(fd, LOCK_EX | LOCK_NB));
    close(fd);
    return end;
}

static int watch_folder(void) {
    const int fd = open(outside, O_RDONLY), end = result(fcntl(fd, F_NOTIFY, 0));
    close(fd);
    return end;
}

/* Of a pipe, which has no file system that could be frozen. */
static int ask_pipe(unsigned long request) {
    int ends[2], number = 0;
    return pipe(ends) < 0 ? 100 : result(ioctl(ends[0], request, &number));
}

static int freeze(void) {
    return ask_pipe(FIFREEZE);
}

static int thaw(void) {
    return ask_pipe(FITHAW);
}

static int make_immutable(void) {
    return ask_pipe(FS_IOC_SETFLAGS);
}

static int make_immutable_by_name(void) {
    return ask_pipe(FS_IOC_FSSETXATTR);
}

/* Neither is a terminal's to take here: free, they fail with another word. */
static int type_into_terminal(void) {
    return result(syscall(SYS_ioctl, 0, 0xffffffff00000000L | TIOCSTI, "x"));
}

static int command_console(void) {
    return result(ioctl(0, TIOCLINUX, "x"));
}

static int fork_by_number(void) {
#ifdef SYS_fork
    long pid = syscall(SYS_fork);
#else
    long pid = syscall(SYS_clone, (long)SIGCHLD, 0L, 0L, 0L, 0L);
#endif
    if (pid == 0)
        _exit(0);
    return pid < 0 ? errno : ending((pid_t)pid);
}

static int fork_by_vfork(void) {
    pid_t pid = vfork();
    if (pid == 0)
        _exit(0);
    return pid < 0 ? errno : ending(pid);
}

static int raise_limit(void) {
    struct rlimit limit;
    return getrlimit(RLIMIT_NOFILE, &limit) < 0 ? 100 : result(setrlimit(RLIMIT_NOFILE, &limit));
}

static int parent_limit(void) {
    struct rlimit limit;
    return result(prlimit(getppid(), RLIMIT_NOFILE, NULL, &limit));
}

static int make_queue(void) {
    int queue = msgget(IPC_PRIVATE, 0600);
    return queue < 0 ? errno : result(msgctl(queue, IPC_RMID, NULL));
}

static int new_user_namespace(void) {
    long pid = syscall(SYS_clone, (long)(CLONE_NEWUSER | SIGCHLD), 0L, 0L, 0L, 0L);
    if (pid == 0)
        _exit(0);
    return pid < 0 ? errno : ending((pid_t)pid);
}

#ifdef __x86_64__
/* getpid by the numbers of x32 and of i386. */
static int x32_call(void) {
    syscall(0x40000000L + 39);
    return 0;
}

static int i386_call(void) {
    long number = 20;
    __asm__ volatile("int $0x80" : "+a"(number) : : "memory");
    return 0;
}
#endif

static int set_alarm(void) {
    return result((int)alarm(1000));
}

static int write_outside(void) {
    return make_file(outside, "new");
}

static int overwrite_outside(void) {
    return make_file(outside, "old");
}

static int remove_outside(void) {
    char path[600];
    snprintf(path, sizeof path, "%s/doomed", outside);
    return result(unlink(path));
}

static int rename_outside(void) {
    char path[600];
    snprintf(path, sizeof path, "%s/moved", outside);
    return make_file(inside, "moving") ? 100 : result(rename(scratch_path("inside/moving"), path));
}

static int truncate_outside(void) {
    char path[600];
    snprintf(path, sizeof path, "%s/old", outside);
    return result(truncate(path, 0));
}

static int write_shm(void) {
    int status = make_file("/dev/shm", "gemmgate_test");
    unlink("/dev/shm/gemmgate_test");
    return status;
}

static int write_parent_memory(void) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/mem", (int)getppid());
    return result(open(path, O_RDWR));
}

static int read_parent_memory(void) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/mem", (int)getppid());
    return result(open(path, O_RDONLY));
}

static int raw_device_inside(void) {
    int status = result(mknod(scratch_path("inside/device"), S_IFCHR | 0666, 0x103));
    unlink(scratch_path("inside/device"));
    return status;
}

static int leave_group(void) {
    return result(setsid());
}

static int ask_device(void) {
    int bits, fd = open("/dev/urandom", O_RDONLY);
    return fd < 0 ? 100 : result(ioctl(fd, RNDGETENTCNT, &bits));
}

static const struct attempt {
    const char *name;
    int (*attempt)(void);
    int runner, compiler; /* how it ends; 0: as if free */
    int landlock_abi;     /* from which Landlock does it; 0: seccomp does */
    bool root;            /* only root can try */
} attempts[] = {
    {"fork", start_process, KILLED, 0, 0, false},
    {"fork by number", fork_by_number, KILLED, 0, 0, false},
    {"vfork", fork_by_vfork, KILLED, 0, 0, false},
    {"exec", run_program, KILLED, 0, 0, false},
    {"ptrace", trace_parent, KILLED, KILLED, 0, false},
    {"socket", open_socket, EPERM, EPERM, 0, false},
    {"local socket", open_local_socket, EPERM, 0, 0, false},
    {"kill parent", signal_parent, EPERM, UNTRIED, 0, false},
    {"kill parent", signal_parent, UNTRIED, EPERM, 6, false},
    {"kill group", signal_group, EPERM, 0, 0, false},
    {"setsid", leave_group, UNTRIED, EPERM, 0, false},
    {"PR_SET_PDEATHSIG", outlive_parent, EPERM, 0, 0, false},
    {"PR_SET_DUMPABLE", hide_memory, EPERM, 0, 0, false},
    {"PR_SET_PTRACER", admit_tracer, EPERM, UNTRIED, 0, false},
    {"CAP_CHOWN", own_files, EPERM, 0, 0, true},
    {"CAP_DAC_READ_SEARCH", read_all, 0, 0, 0, true},
    {"F_SETOWN", own_events, EPERM, 0, 0, false},
    {"F_SETOWN_EX", own_events_ex, EPERM, 0, 0, false},
    {"F_SETSIG", choose_signal, EPERM, 0, 0, false},
    {"F_SETLEASE", lease_file, EPERM, 0, 0, false},
    {"flock", lock_folder, EPERM, 0, 0, false},
    {"F_NOTIFY", watch_folder, EPERM, 0, 0, false},
    {"FIFREEZE", freeze, EPERM, EPERM, 0, true},
    {"FITHAW", thaw, EPERM, EPERM, 0, true},
    {"FS_IOC_SETFLAGS", make_immutable, EPERM, 0, 0, false},
    {"FS_IOC_FSSETXATTR", make_immutable_by_name, EPERM, 0, 0, false},
    {"TIOCSTI", type_into_terminal, EPERM, EPERM, 0, false},
    {"TIOCLINUX", command_console, EPERM, EPERM, 0, false},
    {"setrlimit", raise_limit, EPERM, 0, 0, false},
    {"prlimit parent", parent_limit, EPERM, EPERM, 0, false},
    {"message queue", make_queue, EPERM, 0, 0, false},
    {"user namespace", new_user_namespace, KILLED, EPERM, 0, true},
#ifdef __x86_64__
    {"x32", x32_call, KILLED, KILLED, 0, false},
    {"i386", i386_call, KILLED, KILLED, 0, false},
#endif
#ifdef __x86_64__
    {"alarm", set_alarm, EPERM, 0, 0, false},
#endif
    {"write outside", write_outside, EACCES, EACCES, 1, false},
    {"overwrite outside", overwrite_outside, EACCES, EACCES, 1, false},
    {"remove outside", remove_outside, EACCES, EACCES, 1, false},
    {"rename outside", rename_outside, EACCES, EACCES, 2, false},
    {"truncate outside", truncate_outside, EACCES, EACCES, 3, false},
    {"write /dev/shm", write_shm, EACCES, EACCES, 1, false},
    {"write parent's memory", write_parent_memory, EACCES, EACCES, 0, true},
    {"read parent's memory", read_parent_memory, EACCES, EACCES, 0, true},
    {"device request", ask_device, EACCES, EACCES, 5, false},
    {"device file", raw_device_inside, EACCES, EACCES, 1, true},
};

TEST(each_attempt) {
    for (const struct attempt *try = attempts; try < attempts + COUNT(attempts); try++) {
        if (try->landlock_abi ? landlock_abi() < try->landlock_abi : !have.seccomp)
            continue;
        if (try->root && geteuid() != 0)
            continue;
        for (enum sandbox_profile profile = SANDBOX_RUNNER; profile <= SANDBOX_COMPILER;
             profile++) {
            int want = expected(profile == SANDBOX_RUNNER ? try->runner : try->compiler);
            if (want == UNTRIED)
                continue;
            scratch_put("outside/doomed", "x");
            int end = locked_end(profile, try->attempt);
            scratch_put("outside/doomed", "x");
            int at_large = free_end(try->attempt);
            /* Some containers, and the kernel in a chroot, let nobody have one. */
            if (try->attempt == new_user_namespace && at_large == EPERM)
                continue;
            if (end != (want ? want : at_large) || (want && end == at_large))
                fail_msg("%s: profile %d ends with %d, not %d, and free with %d", try->name,
                         profile, end, want, at_large);
        }
    }
}

TESTS_BETWEEN(sandboxed_make, scratch_remove)
