#include "bench/base/crash.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
enum { SIGNALS = sizeof signals / sizeof *signals };

static const char *program_name = "";
static _Atomic(const char *) under_way = "nothing";

static void add_text(char line[400], const char *text) {
    strncat(line, text, 400 - strlen(line) - 1);
}

static void add_number(char line[400], uint64_t number, unsigned base) {
    char text[24];
    size_t at = sizeof text - 1;
    text[at] = 0;
    do
        text[--at] = "0123456789abcdef"[number % base];
    while ((number /= base) > 0);
    add_text(line, text + at);
}

/* Nothing here allocates or locks. The handler is gone when it returns: a fault then happens again
 * and ends the process, as abort does. */
static void tell(int number, siginfo_t *info, void *context) {
    (void)context;
    char line[400] = "";
    add_text(line, program_name);
    add_text(line, ": signal ");
    add_number(line, (uint64_t)number, 10);
    if (number == SIGSEGV || number == SIGBUS) {
        add_text(line, " at address 0x");
        add_number(line, (uint64_t)(uintptr_t)info->si_addr, 16);
    }
    add_text(line, " while it was at: ");
    add_text(line, atomic_load(&under_way));
    add_text(line, "\n");
    if (write(STDERR_FILENO, line, strlen(line)) < 0)
        return;
}

void crash_watch(const char *program) {
    static char stack[64 << 10]; /* the one in use may be used up */
    const stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction action = {.sa_sigaction = tell};
    program_name = program;
    action.sa_flags = SA_SIGINFO | (int)SA_RESETHAND;
    if (sigaltstack(&other, NULL) == 0)
        action.sa_flags |= SA_ONSTACK;
    for (int i = 0; i < SIGNALS; i++)
        sigaction(signals[i], &action, NULL);
}

void crash_unwatch(void) {
    for (int i = 0; i < SIGNALS; i++)
        signal(signals[i], SIG_DFL);
    sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL);
}

const char *crash_step(const char *step) {
    return atomic_exchange(&under_way, step);
}
