/* What a process that is locked in can still do when its kernels are set up, and what it cannot. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <time.h>

#include "tests/support/sandboxed.h"

#if defined(__SANITIZE_ADDRESS__)
#define HAS_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_ADDRESS_SANITIZER 1
#endif
#endif

enum { BYTES = 1 << 20 };
static char *memory; /* writable, of its own */
static atomic_int asked, answered;

static void *answer(void *unused) {
    while (!atomic_load(&asked))
        nanosleep(&(struct timespec){0, 100000}, NULL);
    free(malloc(BYTES)); /* from an arena of its own */
    atomic_store(&answered, 1);
    return unused;
}

/* A thread that was there before works on. */
static int use_thread(void) {
    atomic_store(&asked, 1);
    for (int i = 0; i < 10000 && !atomic_load(&answered); i++)
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    return !atomic_load(&answered);
}

static int use_memory(void) {
    char *large = malloc((size_t)64 << 20);
    if (!large)
        return 1;
    memset(large, 1, (size_t)64 << 20);
    large = realloc(large, (size_t)128 << 20);
    const int status = !large || large[5] != 1;
    free(large);
    char *anew = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return status || anew == MAP_FAILED || munmap(anew, BYTES) ||
           mprotect(memory, BYTES, PROT_READ | PROT_WRITE);
}

static int say(void) {
    return dprintf(2, "%s", "") < 0;
}

static int end_by_abort(void) {
    abort();
}

static int new_thread(void) {
    pthread_t thread;
    return pthread_create(&thread, NULL, answer, NULL);
}

static int map_code(void) {
    return result(mmap(NULL, BYTES, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) ==
                          MAP_FAILED
                      ? -1
                      : 0);
}

static int make_code(void) {
    return result(mprotect(memory, BYTES, PROT_READ | PROT_WRITE | PROT_EXEC));
}

static int shut_memory(void) {
    return result(mprotect(memory, BYTES, PROT_NONE));
}

static int keep_from_writing(void) {
    return result(mprotect(memory, BYTES, PROT_READ));
}

static int give_back(void) {
    return result(madvise(memory, BYTES, MADV_DONTNEED));
}

__attribute__((unused)) static int map_over(void) {
    return result(mmap(memory, BYTES, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED
                      ? -1
                      : 0);
}

static int move_away(void) {
    return result(
        mremap(memory, BYTES, BYTES, MREMAP_MAYMOVE | MREMAP_DONTUNMAP) == MAP_FAILED ? -1 : 0);
}

static int choose_nodes(void) {
    return result(syscall(SYS_set_mempolicy, -1L, 0L, 0L)); /* no such policy */
}

static int take_key(void) {
    return result(syscall(SYS_pkey_alloc, 0L, -1L)); /* no such rights */
}

static int read_file(void) {
    return result(open("/proc/self/maps", O_RDONLY));
}

static int make_memory_file(void) {
    return result(memfd_create("test", 0));
}

static int copy_descriptor(void) {
    return result(dup(0));
}

static int copy_descriptor_otherwise(void) {
    return result(fcntl(0, F_DUPFD, 100));
}

static int make_event(void) {
    return result(eventfd(0, 0));
}

static int make_poll(void) {
    return result(epoll_create1(0));
}

static int open_socket_again(void) {
    return open_socket();
}

static int handle_signal(void) {
    return result(signal(SIGUSR1, SIG_IGN) == SIG_ERR ? -1 : 0);
}

static int (*attempt)(void);

static int settled(void) {
    pthread_t thread;
    memory = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED || pthread_create(&thread, NULL, answer, NULL) != 0 ||
        sandbox_settle() < 0)
        return NOT_ENTERED;
    return attempt();
}

static int locked_in(void) {
    memory = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NOT_ENTERED : attempt();
}

/* What fails must be free before: else it is not this filter's doing. */
static void each_attempt(void **state) {
    static const struct {
        const char *name;
        int (*attempt)(void);
        int end;
    } attempts[] = {
        {"a thread that is there", use_thread, 0},
        {"memory", use_memory, 0},
        {"words", say, 0},
        {"abort", end_by_abort, SIGNAL + SIGABRT},
        {"a new thread", new_thread, EPERM},
        {"mapped code", map_code, EPERM},
        {"code made of memory", make_code, EPERM},
        {"memory without access", shut_memory, EPERM},
        {"memory that is read only", keep_from_writing, EPERM},
        {"a key of memory", take_key, EPERM},
        {"pages given back", give_back, EPERM},
#ifndef HAS_ADDRESS_SANITIZER /* which takes its memory in this way */
        {"memory mapped over", map_over, EPERM},
#endif
        {"pages moved away", move_away, EPERM},
        {"nodes of memory", choose_nodes, EPERM},
        {"a file", read_file, EPERM},
        {"a memory file", make_memory_file, EPERM},
        {"a copy of a descriptor", copy_descriptor, EPERM},
        {"the same by fcntl", copy_descriptor_otherwise, EPERM},
        {"an event", make_event, EPERM},
        {"a set of descriptors", make_poll, EPERM},
    };
    (void)state;
    if (!have.seccomp)
        skip();
    for (size_t i = 0; i < COUNT(attempts); i++) {
        attempt = attempts[i].attempt;
        const int end = locked_end(SANDBOX_RUNNER, settled);
        if (end != attempts[i].end)
            fail_msg("%s ends with %d, not %d", attempts[i].name, end, attempts[i].end);
        if (end == EPERM && locked_end(SANDBOX_RUNNER, locked_in) == EPERM)
            fail_msg("%s fails before, too", attempts[i].name);
    }
}

/* The first filter stays. */
static void what_was_refused_stays_so(void **state) {
    (void)state;
    if (!have.seccomp)
        skip();
    attempt = open_socket_again;
    assert_int_equal(locked_end(SANDBOX_RUNNER, settled), EPERM);
    attempt = handle_signal;
    assert_int_equal(locked_end(SANDBOX_RUNNER, settled), EPERM);
    attempt = start_process;
    assert_int_equal(locked_end(SANDBOX_RUNNER, settled), expected(KILLED));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_attempt),
        cmocka_unit_test(what_was_refused_stays_so),
    };
    return cmocka_run_group_tests(tests, sandboxed_make, scratch_remove);
}
