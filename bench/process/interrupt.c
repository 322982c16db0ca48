#include "bench/process/interrupt.h"

#include <signal.h>
#include <stddef.h>
#include <unistd.h>

#include "bench/base/error.h"

volatile int interrupted;

static void interrupt(int signal_number) {
    (void)signal_number;
    interrupted = 1;
}

static void end(int signal_number) {
    static const char said[] = "gemmgate: interrupted\n";
    (void)signal_number;
    (void)!write(STDERR_FILENO, said, sizeof said - 1);
    _exit(EXIT_INTERRUPTED);
}

/* A SIGHUP that is ignored, as under nohup, stays so. */
static void handle(void (*handler)(int)) {
    struct sigaction action = {.sa_handler = handler}, before;
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, &before);
    if (before.sa_handler == SIG_IGN)
        sigaction(SIGHUP, &before, NULL);
    action.sa_flags = (int)SA_RESETHAND;
    sigaction(SIGINT, &action, NULL);
}

void interrupt_end(void) {
    handle(end);
}

void interrupt_catch(void) {
    handle(interrupt);
}
