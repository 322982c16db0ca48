#include "bench/process/interrupt.h"

#include <signal.h>

volatile int interrupted;

static void interrupt(int signal_number) {
    (void)signal_number;
    interrupted = 1;
}

void interrupt_catch(void) {
    struct sigaction action = {.sa_handler = interrupt}, before;
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, &before);
    if (before.sa_handler == SIG_IGN)
        sigaction(SIGHUP, &before, NULL);
    action.sa_flags = (int)SA_RESETHAND;
    sigaction(SIGINT, &action, NULL);
}
