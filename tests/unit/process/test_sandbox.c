/* Every case is tried in a child of its own twice: free, where it must not end as in the sandbox,
 * and locked in. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/random.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "bench/process/sandbox.h"
#include "tests/support/says.h"
#include "tests/support/scratch.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* How a child ended: an errno (0: it did what it tried) or, from 1000 on, a signal. */
enum { UNTRIED = -1, SIGNAL = 1000, KILLED = SIGNAL + SIGSYS, NOT_ENTERED = 254 };

static struct sandbox_report *report; /* of the last sandbox, shared with the children */
static struct sandbox_report have;    /* what this machine gives */
static char inside[512], outside[512];

static int ending(pid_t pid) {
    int status;
    assert_true(pid > 0);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WIFSIGNALED(status) ? SIGNAL + WTERMSIG(status) : WEXITSTATUS(status);
}

static int free_end(int (*attempt)(void)) {
    pid_t pid = fork();
    if (pid == 0)
        _exit(attempt());
    return ending(pid);
}

static int limited_end(enum sandbox_profile profile, const struct sandbox_limits *limits,
                       int (*attempt)(void)) {
    pid_t pid = fork();
    if (pid == 0)
        _exit(sandbox_enter(profile, inside, limits, report) < 0 ? NOT_ENTERED : attempt());
    return ending(pid);
}

static int locked_end(enum sandbox_profile profile, int (*attempt)(void)) {
    static const struct sandbox_limits none;
    return limited_end(profile, &none, attempt);
}

/* Where the kernel cannot kill a process by a filter the call fails. */
static int expected(int end) {
    return end == KILLED && seccomp_api_get() < 3 ? EPERM : end;
}

static int nothing(void) {
    return 0;
}

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

static void each_call(void **state) {
    (void)state;
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

static int result(long status) {
    return status < 0 ? errno : 0;
}

static int start_process(void) {
    pid_t pid = fork();
    if (pid == 0)
        _exit(0);
    return pid < 0 ? errno : ending(pid);
}

static int run_program(void) {
    return system("exit 0") == 0 ? 0 : errno;
}

static int trace_parent(void) {
    return result(ptrace(PTRACE_TRACEME, 0, NULL, NULL));
}

static int open_socket(void) {
    return result(socket(AF_INET, SOCK_STREAM, 0));
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

static int make_file(const char *folder, const char *name) {
    char path[600];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    int fd = open(path, O_WRONLY | O_CREAT, 0666);
    if (fd < 0)
        return errno;
    int status = write(fd, "x", 1) == 1 ? 0 : errno;
    close(fd);
    return status;
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
    {"F_SETOWN", own_events, EPERM, 0, 0, false},
    {"F_SETOWN_EX", own_events_ex, EPERM, 0, 0, false},
    {"F_SETSIG", choose_signal, EPERM, 0, 0, false},
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
    {"write outside", write_outside, EACCES, EACCES, 1, false},
    {"overwrite outside", overwrite_outside, EACCES, EACCES, 1, false},
    {"remove outside", remove_outside, EACCES, EACCES, 1, false},
    {"rename outside", rename_outside, EACCES, EACCES, 2, false},
    {"truncate outside", truncate_outside, EACCES, EACCES, 3, false},
    {"write /dev/shm", write_shm, EACCES, EACCES, 1, false},
    {"write parent's memory", write_parent_memory, EACCES, EACCES, 1, true},
    {"read parent's memory", read_parent_memory, EACCES, EACCES, 1, true},
    {"device request", ask_device, EACCES, EACCES, 5, false},
    {"device file", raw_device_inside, EACCES, EACCES, 1, true},
};

static void each_attempt(void **state) {
    (void)state;
    for (const struct attempt *try = attempts; try < attempts + COUNT(attempts); try++) {
        if (try->landlock_abi ? have.landlock_abi < try->landlock_abi : !have.seccomp)
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

/* --- what works --- */

static void *answer(void *argument) {
    *(int *)argument = 42;
    return NULL;
}

static int use_threads(void) {
    pthread_t thread;
    int value = 0;
    return pthread_create(&thread, NULL, answer, &value) || pthread_join(thread, NULL) ||
           value != 42;
}

static int use_memory(void) {
    char *block = malloc(1 << 20);
    char *map = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int file = memfd_create("test", MFD_CLOEXEC);
    if (!block || map == MAP_FAILED || file < 0 || ftruncate(file, 4096) < 0)
        return 1;
    memset(block, 1, 1 << 20);
    memset(map, 1, 1 << 20);
    int status = mprotect(map, 4096, PROT_READ) || block[9] != map[9] || munmap(map, 1 << 20);
    free(block);
    return status;
}

static int read_file(void) {
    char line[64];
    FILE *file = fopen("/proc/self/status", "r");
    if (!file || !fgets(line, sizeof line, file))
        return 1;
    fclose(file);
    return access(outside, R_OK) || open(scratch_path("outside/old"), O_RDONLY) < 0;
}

static int write_inside(void) {
    char from[600], to[600];
    snprintf(from, sizeof from, "%s/folder/file", inside);
    snprintf(to, sizeof to, "%s/file", inside);
    return mkdir(scratch_path("inside/folder"), 0777) || make_file(inside, "folder/file") ||
           truncate(from, 0) || symlink("file", scratch_path("inside/link")) || rename(from, to) ||
           unlink(to) || unlink(scratch_path("inside/link")) ||
           rmdir(scratch_path("inside/folder"));
}

static int write_null(void) {
    int fd = open("/dev/null", O_RDWR | O_TRUNC);
    return fd < 0 || write(fd, "x", 1) != 1;
}

static int load_library(void) {
    void *library = dlopen("libresolv.so.2", RTLD_NOW);
    return !library || !dlsym(library, "ns_name_pton") || dlclose(library);
}

static int wait_and_look(void) {
    struct timespec t = {0, 1000};
    cpu_set_t cores;
    return nanosleep(&t, NULL) || clock_gettime(CLOCK_REALTIME, &t) || sched_yield() ||
           sched_getaffinity(0, sizeof cores, &cores) || prctl(PR_SET_NAME, "locked in") ||
           getrlimit(RLIMIT_NOFILE, &(struct rlimit){0});
}

static volatile sig_atomic_t signalled;

static void on_signal(int number) {
    signalled = number;
}

static int signal_oneself(void) {
    signal(SIGUSR1, on_signal);
    return kill(getpid(), SIGUSR1) || signalled != SIGUSR1 ||
           pthread_kill(pthread_self(), SIGUSR1) || raise(SIGUSR1);
}

static void what_works(void **state) {
    static const struct {
        const char *name;
        int (*attempt)(void);
    } works[] = {
        {"threads", use_threads}, {"memory", use_memory},     {"read", read_file},
        {"write", write_inside},  {"/dev/null", write_null},  {"dlopen", load_library},
        {"wait", wait_and_look},  {"signal", signal_oneself},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(works); i++)
        for (enum sandbox_profile profile = SANDBOX_RUNNER; profile <= SANDBOX_COMPILER;
             profile++) {
            int end = locked_end(profile, works[i].attempt);
            if (end != 0)
                fail_msg("%s: profile %d ends with %d", works[i].name, profile, end);
        }
}

static int die_by_abort(void) {
    abort();
}

static int die_by_fault(void) {
    signal(SIGSEGV, SIG_DFL); /* cmocka's handler is not wanted here */
    return *(volatile int *)mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

/* Whatever a sanitizer or a library does at exit. */
static int leave_by_exit(void) {
    exit(7);
}

static void deaths_keep_their_names(void **state) {
    (void)state;
    assert_int_equal(locked_end(SANDBOX_RUNNER, die_by_abort), SIGNAL + SIGABRT);
    assert_int_equal(locked_end(SANDBOX_RUNNER, die_by_fault), SIGNAL + SIGSEGV);
    assert_int_equal(locked_end(SANDBOX_RUNNER, leave_by_exit), 7);
}

static int pair[2];

static int talk(void) {
    char word[4];
    struct iovec part = {word, sizeof word};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    return recv(pair[1], word, sizeof word, MSG_WAITALL) != sizeof word ||
           memcmp(word, "ping", sizeof word) != 0 || write(pair[1], "po", 2) != 2 ||
           send(pair[1], "n", 1, MSG_NOSIGNAL) != 1 ||
           (memcpy(word, "g", 1), part.iov_len = 1, sendmsg(pair[1], &message, 0)) != 1;
}

static void inherited_socket(void **state) {
    char word[4];
    (void)state;
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    assert_int_equal(write(pair[0], "ping", 4), 4);
    assert_int_equal(locked_end(SANDBOX_RUNNER, talk), 0);
    assert_int_equal(recv(pair[0], word, sizeof word, MSG_WAITALL), sizeof word);
    assert_memory_equal(word, "pong", 4);
    close(pair[0]);
    close(pair[1]);
}

/* --- threads that run already --- */

static pthread_barrier_t locked;

static void *open_socket_later(void *argument) {
    pthread_barrier_wait(&locked);
    *(int *)argument = open_socket();
    return NULL;
}

static int old_thread(void) {
    static const struct sandbox_limits none;
    pthread_t thread;
    int end = -1;
    pthread_barrier_init(&locked, NULL, 2);
    if (pthread_create(&thread, NULL, open_socket_later, &end) ||
        sandbox_enter(SANDBOX_RUNNER, inside, &none, report) < 0)
        return NOT_ENTERED;
    pthread_barrier_wait(&locked);
    return pthread_join(thread, NULL) ? 100 : end;
}

static void seccomp_holds_old_threads(void **state) {
    (void)state;
    if (!have.seccomp)
        skip();
    assert_int_equal(free_end(old_thread), EPERM);
}

/* --- limits --- */

static int write_much(void) {
    char page[4096] = {0};
    int fd = open(scratch_path("inside/much"), O_WRONLY | O_CREAT, 0666);
    for (int i = 0; i < 16; i++)
        if (write(fd, page, sizeof page) != sizeof page)
            return errno;
    return 0;
}

static int take_memory(size_t bytes) {
    return mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) ==
                   MAP_FAILED
               ? errno
               : 0;
}

static int take_half(void) {
    return take_memory(32u << 20);
}

static int take_twice(void) {
    return take_memory(128u << 20);
}

static int open_many(void) {
    for (int i = 0; i < 64; i++)
        if (dup(0) < 0)
            return errno;
    return 0;
}

static int limits_read_back(void) {
    struct rlimit core, cpu;
    return getrlimit(RLIMIT_CORE, &core) || core.rlim_max != 0 || getrlimit(RLIMIT_CPU, &cpu) ||
           cpu.rlim_cur < 100 || cpu.rlim_cur > 110 || cpu.rlim_max != cpu.rlim_cur + 1;
}

static int threads_read_back(void) {
    struct rlimit threads;
    return getrlimit(RLIMIT_NPROC, &threads) || threads.rlim_max != 5;
}

static void limits_hold(void **state) {
    const struct sandbox_limits files = {.file_bytes = 32768}, memory = {.memory_bytes = 64u << 20},
                                descriptors = {.descriptors = 32}, cpu = {.cpu_s = 100},
                                threads = {.user_threads = 5};
    (void)state;
    assert_int_equal(free_end(write_much), 0);
    assert_int_equal(limited_end(SANDBOX_RUNNER, &files, write_much), SIGNAL + SIGXFSZ);
    assert_true(report->limits);
    assert_int_equal(free_end(take_twice), 0);
    /* More than the limit is mapped already, as CUDA does. */
    void *before =
        mmap(NULL, 128u << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(before, MAP_FAILED);
    assert_int_equal(limited_end(SANDBOX_RUNNER, &memory, take_half), 0);
    assert_int_equal(limited_end(SANDBOX_RUNNER, &memory, take_twice), ENOMEM);
    assert_int_equal(limited_end(SANDBOX_COMPILER, &memory, take_twice), ENOMEM);
    assert_int_equal(munmap(before, 128u << 20), 0);
    assert_int_equal(free_end(open_many), 0);
    assert_int_equal(limited_end(SANDBOX_RUNNER, &descriptors, open_many), EMFILE);
    assert_int_not_equal(free_end(limits_read_back), 0);
    assert_int_equal(limited_end(SANDBOX_RUNNER, &cpu, limits_read_back), 0);
    assert_null(strstr(report->missing, "threads"));
    assert_int_equal(limited_end(SANDBOX_COMPILER, &threads, threads_read_back), 0);
    if (geteuid() == 0)
        assert_non_null(strstr(report->missing, "limit on threads (root)"));
}

/* --- a compiler --- */

static const char *object;

static int compile(void) {
    close(STDERR_FILENO); /* the second one complains */
    execlp("cc", "cc", "-c", "-o", object, scratch_path("source.c"), (char *)NULL);
    return errno;
}

static void compilers_work(void **state) {
    const struct sandbox_limits limits = {
        .memory_bytes = 2ull << 30, .file_bytes = 1u << 30, .descriptors = 256, .cpu_s = 60};
    (void)state;
    setenv("TMPDIR", inside, 1);
    scratch_put("source.c", "int one(void) { return 1; }\n");
    object = scratch_path("inside/one.o");
    assert_int_equal(limited_end(SANDBOX_COMPILER, &limits, compile), 0);
    assert_int_equal(access(object, R_OK), 0);
    object = scratch_path("outside/one.o");
    if (have.landlock) {
        assert_int_not_equal(limited_end(SANDBOX_COMPILER, &limits, compile), 0);
        assert_int_not_equal(access(object, F_OK), 0);
    }
}

/* --- the report --- */

static void report_names_what_is_missing(void **state) {
    (void)state;
    assert_int_equal(locked_end(SANDBOX_RUNNER, nothing), 0);
    assert_true(report->no_new_privs);
    assert_true(report->limits);
    assert_int_equal(!report->landlock, strstr(report->missing, "Landlock") != NULL);
    assert_int_equal(!report->seccomp, strstr(report->missing, "seccomp") != NULL);
    assert_int_equal(report->landlock, report->landlock_abi > 0);
    have = *report;
}

/* A kernel, or a container, without Landlock. */
static int no_landlock(void) {
    static const struct sandbox_limits none;
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    if (!filter ||
        seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SYS_landlock_create_ruleset, 0) ||
        seccomp_load(filter))
        return 100;
    seccomp_release(filter);
    return sandbox_enter(SANDBOX_RUNNER, inside, &none, report) < 0 ? NOT_ENTERED : open_socket();
}

static int connect_somewhere(void) {
    struct sockaddr_in nowhere = {
        .sin_family = AF_INET, .sin_port = htons(1), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    return result(
        connect(socket(AF_INET, SOCK_STREAM, 0), (struct sockaddr *)&nowhere, sizeof nowhere));
}

static int no_seccomp(void) {
    static const struct sandbox_limits none;
    if (seccomp_api_set(1) < 0)
        return 100;
    return sandbox_enter(SANDBOX_RUNNER, inside, &none, report) < 0 ? NOT_ENTERED
                                                                    : connect_somewhere();
}

static int no_killing(void) {
    static const struct sandbox_limits none;
    if (seccomp_api_set(2) < 0)
        return 100;
    return sandbox_enter(SANDBOX_RUNNER, inside, &none, report) < 0 ? NOT_ENTERED : start_process();
}

static void layers_may_lack(void **state) {
    (void)state;
    if (!have.seccomp)
        skip();
    assert_int_equal(free_end(no_landlock), EPERM);
    assert_false(report->landlock);
    assert_int_equal(report->landlock_abi, 0);
    assert_true(report->seccomp && report->limits && report->no_new_privs);
    assert_non_null(strstr(report->missing, "Landlock (Function not implemented)"));
    assert_int_equal(free_end(connect_somewhere), ECONNREFUSED);
    assert_int_equal(free_end(no_seccomp), have.landlock_abi >= 4 ? EACCES : ECONNREFUSED);
    assert_false(report->seccomp);
    assert_non_null(strstr(report->missing, "seccomp (no filters for all threads)"));
    assert_int_equal(free_end(no_killing), EPERM);
    assert_true(report->seccomp);
    assert_non_null(strstr(report->missing, "death by SIGSYS (EPERM instead)"));
}

static void no_such_scratch(void **state) {
    static const struct sandbox_limits none;
    struct sandbox_report unused;
    (void)state;
    if (!have.landlock)
        skip();
    pid_t pid = fork();
    if (pid == 0) {
        stderr_catch();
        int status = sandbox_enter(SANDBOX_RUNNER, scratch_path("none"), &none, &unused);
        stderr_says("/none: No such file or directory");
        _exit(status == -1 && !unused.landlock && !unused.seccomp ? 0 : 1);
    }
    assert_int_equal(ending(pid), 0);
}

static int make_folders(void **state) {
    if (scratch_make(state) < 0)
        return -1;
    snprintf(inside, sizeof inside, "%s", scratch_path("inside"));
    snprintf(outside, sizeof outside, "%s", scratch_path("outside"));
    scratch_put("outside/old", "x");
    report = mmap(NULL, sizeof *report, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return report == MAP_FAILED ? -1 : mkdir(inside, 0777);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(report_names_what_is_missing), /* first: the others ask its report */
        cmocka_unit_test(each_call),
        cmocka_unit_test(each_attempt),
        cmocka_unit_test(what_works),
        cmocka_unit_test(deaths_keep_their_names),
        cmocka_unit_test(inherited_socket),
        cmocka_unit_test(seccomp_holds_old_threads),
        cmocka_unit_test(limits_hold),
        cmocka_unit_test(compilers_work),
        cmocka_unit_test(layers_may_lack),
        cmocka_unit_test(no_such_scratch),
    };
    return cmocka_run_group_tests(tests, make_folders, scratch_remove);
}
