/* The judge's hold on one runner process: start, ask with a deadline, learn how it died, kill. */
#ifndef BENCH_PROCESS_RUNNER_PROCESS_H
#define BENCH_PROCESS_RUNNER_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "bench/process/wire.h"

#define PROCESS_LINES 2000 /* bytes kept of what the runner printed last */

struct runner_process {
    pid_t pid; /* 0: no runner */
    int socket, output;
    void *shared; /* the runner writes C and samples here */
    size_t shared_bytes;
    char printed[PROCESS_LINES + 1]; /* the tail of its stdout and stderr, NUL-ended */
    size_t printed_length;
    uint64_t nonce; /* of the request sent last, */
    uint32_t verb;  /* and what it was */
    bool answered;  /* at least once: the two programs understand each other */
};

/* One that never started. */
#define PROCESS_NONE ((struct runner_process){.socket = -1, .output = -1})

/* Starts a fresh gemmgate-runner, found beside this program, in a process group of its own that
 * dies with the judge. shared_bytes of memory are shared with it. Threads of OpenMP sleep in it
 * between parallel regions (OMP_WAIT_POLICY): spinning ones take a core from what is timed. 0, or
 * -1 after error(). */
int process_start(struct runner_process *process, size_t shared_bytes);

/* The same under another program, whose arguments come first (NULL-ended, at most 20). */
int process_start_under(struct runner_process *process, size_t shared_bytes,
                        const char *const *program);

/* Hangs up and gives the runner `seconds` to end by itself. Its exit status, or -1 if it was killed
 * or had to be. Its output of that time is added to `printed`. */
int process_finish(struct runner_process *process, double seconds);

enum process_answer {
    PROCESS_ANSWERED,  /* *reply is filled */
    PROCESS_TIMED_OUT, /* the deadline passed; the runner has been killed */
    PROCESS_EXITED,    /* it ended by exit; *code is its status */
    PROCESS_CRASHED,   /* a signal killed it; *code is the signal */
    PROCESS_FORGED, /* the reply was not the runner's: the kernel in it has written on the socket */
    PROCESS_TROUBLE /* our own fault, or an interrupt (interrupt.h) that the reply has not come soon
                       after; said through error(); the runner has been killed */
};

/* Sends the request and waits at most `seconds` for the reply. */
enum process_answer process_ask(struct runner_process *process, const struct wire_request *request,
                                double seconds, struct wire_reply *reply, int *code);

/* The two halves of that, for what several runners are to do side by side: one answer is waited for
 * per request. 0, or -1 after error(); a runner that is gone is found out by process_await. */
int process_send(struct runner_process *process, const struct wire_request *request);
enum process_answer process_await(struct runner_process *process, double seconds,
                                  struct wire_reply *reply, int *code);

/* Neither waits: whether the process has ended or never started; whether it has, or process_await
 * has something to read. */
bool process_has_ended(const struct runner_process *process);
bool process_has_spoken(const struct runner_process *process);

/* A process that waits is stopped: no thread that a kernel has left in it runs while others are timed. */
void process_stop(const struct runner_process *process);
void process_go_on(const struct runner_process *process);

/* Kills the runner's process group and does not wait for it to be gone; process_end does. Safe on a
 * process that never started. */
void process_kill(struct runner_process *process);

/* Kills the runner's process group and frees everything. Safe on a process that never started. */
void process_end(struct runner_process *process);

#endif
