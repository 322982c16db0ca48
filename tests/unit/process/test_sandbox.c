/* What works in the sandbox, what its limits are, and what it reports. */

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <seccomp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "bench/process/landlock.h"
#include "tests/support/sandboxed.h"
#include "tests/support/says.h"
#include "tests/support/test.h"

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

/* The runner cannot choose a handler, but one that is there works. */
static int signal_oneself(void) {
    return kill(getpid(), SIGUSR1) || signalled != SIGUSR1 ||
           pthread_kill(pthread_self(), SIGUSR1) || raise(SIGUSR1);
}

TEST(what_works) {
    static const struct {
        const char *name;
        int (*attempt)(void);
    } works[] = {
        {"threads", use_threads}, {"memory", use_memory},     {"read", read_file},
        {"write", write_inside},  {"/dev/null", write_null},  {"dlopen", load_library},
        {"wait", wait_and_look},  {"signal", signal_oneself},
    };
    signal(SIGUSR1, on_signal);
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
    return *(volatile int *)mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

/* Whatever a sanitizer or a library does at exit. */
static int leave_by_exit(void) {
    exit(7);
}

TEST(deaths_keep_their_names) {
    signal(SIGSEGV, SIG_DFL); /* cmocka's handler is not wanted here */
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

TEST(inherited_socket) {
    char word[4];
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

TEST(seccomp_holds_old_threads) {
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

TEST(limits_hold) {
    const struct sandbox_limits files = {.file_bytes = 32768}, memory = {.memory_bytes = 64u << 20},
                                descriptors = {.descriptors = 32}, cpu = {.cpu_s = 100};
    assert_int_equal(free_end(write_much), 0);
    assert_int_equal(limited_end(SANDBOX_RUNNER, &files, write_much), SIGNAL + SIGXFSZ);
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
}

/* --- a compiler --- */

static const char *object;

static int compile(void) {
    close(STDERR_FILENO); /* the second one complains */
    execlp("cc", "cc", "-c", "-o", object, scratch_path("source.c"), (char *)NULL);
    return errno;
}

TEST(compilers_work) {
    const struct sandbox_limits limits = {
        .memory_bytes = 2ull << 30, .file_bytes = 1u << 30, .descriptors = 256, .cpu_s = 60};
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

/* What the locked in attempt ends with, where a compiler is confined. */
static int confined_end(int (*attempt)(void)) {
    const pid_t pid = fork();
    if (pid == 0)
        _exit(confine_compiler(inside) < 0 ? NOT_ENTERED : attempt());
    return ending(pid);
}

static int gains_no_privileges(void) {
    return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1;
}

static int write_into_both(void) {
    return make_file(inside, "confined") ? 100 : make_file(outside, "confined");
}

TEST(a_compiler_is_confined_to_its_folder) {
    assert_int_equal(confined_end(gains_no_privileges), 1);
    assert_int_equal(confined_end(write_into_both), have.landlock ? EACCES : 0);
}

/* What the test has mapped at most: the sanitizers map terabytes. */
#ifdef __SANITIZE_ADDRESS__
#define MAPPED ((rlim_t)1 << 46)
#else
#define MAPPED ((rlim_t)1 << 30)
#endif

static struct rlimit before[5];

/* How many of these limits are as wanted, each unless a smaller one was there before. */
static int has_limits(void) {
    const rlim_t memory = (rlim_t)sysconf(_SC_PHYS_PAGES) * (rlim_t)sysconf(_SC_PAGESIZE);
    const struct {
        int resource;
        rlim_t least, most;
    } wanted[] = {{RLIMIT_DATA, memory, memory + MAPPED}, /* beside what was mapped before */
                  {RLIMIT_FSIZE, (rlim_t)8 << 30, (rlim_t)8 << 30},
                  {RLIMIT_NOFILE, 1024, 1024},
                  {RLIMIT_CPU, 7200, 7210}, /* and what this process has used */
                  {RLIMIT_CORE, 0, 0}};
    int right = 0;
    for (int i = 0; i < 5; i++) {
        struct rlimit limit;
        if (getrlimit((__rlimit_resource_t)wanted[i].resource, &limit) == 0)
            right += limit.rlim_cur <= wanted[i].most &&
                     (limit.rlim_cur >= wanted[i].least || limit.rlim_cur == before[i].rlim_cur);
    }
    return right;
}

/* A runaway meets limits that no compile comes near to. */
TEST(a_compiler_has_limits) {
    static const int resources[] = {RLIMIT_DATA, RLIMIT_FSIZE, RLIMIT_NOFILE, RLIMIT_CPU,
                                    RLIMIT_CORE};
    for (int i = 0; i < 5; i++)
        assert_int_equal(getrlimit((__rlimit_resource_t)resources[i], &before[i]), 0);
    assert_int_equal(confined_end(has_limits), 5);
}

/* --- the report --- */

TEST(report_names_what_is_missing) {
    assert_int_equal(!have.landlock, strstr(have.missing, "Landlock") != NULL);
    assert_int_equal(!have.seccomp, strstr(have.missing, "seccomp") != NULL);
    assert_int_equal(have.landlock, landlock_abi() > 0);
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

TEST(layers_may_lack) {
    if (!have.seccomp)
        skip();
    assert_int_equal(free_end(no_landlock), EPERM);
    assert_false(report->landlock);
    assert_true(report->seccomp);
    assert_non_null(strstr(report->missing, "Landlock (Function not implemented)"));
    assert_int_equal(free_end(connect_somewhere), ECONNREFUSED);
    assert_int_equal(free_end(no_seccomp), landlock_abi() >= 4 ? EACCES : ECONNREFUSED);
    assert_false(report->seccomp);
    assert_non_null(strstr(report->missing, "seccomp (no filters for all threads)"));
    assert_int_equal(free_end(no_killing), EPERM);
    assert_true(report->seccomp);
    assert_non_null(strstr(report->missing, "death by SIGSYS (EPERM instead)"));
}

TEST(no_such_scratch) {
    static const struct sandbox_limits none;
    struct sandbox_report unused;
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

TESTS_BETWEEN(sandboxed_make, scratch_remove)
