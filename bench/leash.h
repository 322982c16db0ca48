/* The judge's hold on one runner process: start, ask with a deadline, learn how it died, kill. */
#ifndef BENCH_LEASH_H
#define BENCH_LEASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "bench/wire.h"

#define LEASH_LINES 2000 /* bytes kept of what the runner printed last */

struct leash {
    pid_t pid; /* 0: no runner */
    int socket, output;
    void *shared; /* the runner writes C and samples here */
    size_t shared_bytes;
    char printed[LEASH_LINES + 1]; /* the tail of its stdout and stderr, NUL-ended */
    size_t printed_length;
    uint64_t nonce; /* of the request sent last */
    bool answered;  /* at least once: the two programs understand each other */
    bool awake;     /* waits for replies without sleeping, for the first AWAKE_SECONDS of each and
                     * where there is more than one core: a sleeper wakes up the later the longer it
                     * slept, by some 100 us on a virtual machine */
};

/* One that never started. */
#define LEASH_NONE ((struct leash){.socket = -1, .output = -1})

/* Starts a fresh gemmgate-runner, found beside this program, in a process group of its own that
 * dies with the judge. shared_bytes of memory are shared with it. 0, or -1 after error(). */
int leash_start(struct leash *leash, size_t shared_bytes);

/* The same under another program, whose arguments come first (NULL-ended, at most 14). */
int leash_start_under(struct leash *leash, size_t shared_bytes, const char *const *program);

/* Hangs up and gives the runner `seconds` to end by itself. Its exit status, or -1 if it was killed
 * or had to be. What it printed meanwhile is added to `printed`. */
int leash_finish(struct leash *leash, double seconds);

enum leash_answer {
    LEASH_ANSWERED,  /* *reply is filled */
    LEASH_TIMED_OUT, /* the deadline passed; the runner has been killed */
    LEASH_EXITED,    /* it ended by exit; *code is its status */
    LEASH_CRASHED,   /* a signal killed it; *code is the signal */
    LEASH_FORGED, /* the reply was not the runner's: the kernel in it has written on the socket */
    LEASH_TROUBLE /* our own fault, said through error(); the runner has been killed */
};

/* Sends the request and waits at most `seconds` for the reply. */
enum leash_answer leash_ask(struct leash *leash, const struct wire_request *request, double seconds,
                            struct wire_reply *reply, int *code);

/* The two halves of that, for what several runners are to do side by side: one answer is waited for
 * per request. 0, or -1 after error(); a runner that is gone is found out by leash_await. */
int leash_send(struct leash *leash, const struct wire_request *request);
enum leash_answer leash_await(struct leash *leash, double seconds, struct wire_reply *reply,
                              int *code);

/* Seconds that the runner's main thread and the judge's have been ready to run without a core to
 * run on, since they began; NaN where the system does not tell. */
double leash_waited(const struct leash *leash);

/* Kills the runner's process group and does not wait for it to be gone; leash_end does. Safe on a
 * leash that never started. */
void leash_kill(struct leash *leash);

/* Kills the runner's process group and frees everything. Safe on a leash that never started. */
void leash_end(struct leash *leash);

#endif
