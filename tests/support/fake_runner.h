/* For tests of bench/jobs: the process layer without processes. Link fake_runner and wrap the
 * judge's clock (tests/CMakeLists.txt does): requests are answered by kernels that are described
 * here, on a clock that stands still but for what they take. */
#ifndef TESTS_SUPPORT_FAKE_RUNNER_H
#define TESTS_SUPPORT_FAKE_RUNNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/jobs/gpu_monitor.h"
#include "bench/process/runner_process.h"
#include "correctness/contract/facts.h"

/* What an arm does; found by the name that WIRE_ADD says. */
struct fake_kernel {
    char name[64];
    bool f16;           /* rounds to binary16 after every 16 of k */
    unsigned reads;     /* which copies of B: bits 1 row, 2 column */
    double error;       /* of its C on normal inputs, at C[0][0] */
    double timed_error; /* of the elements of a timed C that the judge looks at */
    void (*spoil)(uint16_t *c, struct shape shape, const struct wire_call *call);
    int32_t variants;    /* it is autotuned: chooses variant 3 */
    struct shape padded; /* zero: the shape */
    double setup_seconds, call_seconds;
    uint64_t held_bytes, changed_inputs, changed_guards;
    double seconds[LENS_COUNT];     /* an interval */
    double host_seconds;            /* of a launch */
    struct facts facts, last_facts; /* of its calls when it is recorded, and when it is watched */
    char refused[64];               /* why its last calls cannot be recorded */
};

/* How the runner ends, or what it says, when asked this of an arm of that name ("": any) for the
 * n-th time from now. */
struct fake_fault {
    enum wire_verb verb;
    char kernel[64];
    int nth; /* 0: the next time; then never again, unless `always` */
    bool always;
    bool staged; /* only of a process that was opened to play recordings */
    enum process_answer answer;
    int code;
    int32_t status, outcome;
    int32_t failed_arm; /* of WIRE_TIME, or the one in hand, and 1: arm 0, for zero is none */
    double setup_seconds;
    const char *text, *printed;
};

/* What comes of recording and carrying out, for every kernel. */
struct fake_recordings {
    struct wire_record_reply record;
    struct wire_add_reply add; /* of the recording; `arm` is -1 where it cannot be one */
    struct {
        uint64_t seals[WIRE_RECORDED];
    } play[2];       /* of one try: the first time, and every later one */
    const char *why; /* the text of a reply that says `not recordable` */
    double error;    /* of the C that is shown */
    bool f16;        /* what its accumulator is in these calls, */
    bool f16_first;  /* or in the first of them */
};

#define FAKE_LOG 4096

#define FAKE_ROW 1
#define FAKE_COL 2

extern struct fake_runner {
    struct fake_kernel kernels[8];
    struct fake_fault faults[8];
    double now;         /* the judge's clock */
    double harness;     /* seconds of a block's every interval that are not in it */
    double noise;       /* of samples: relative, uniform to both sides */
    double start_takes; /* seconds that process_start_under takes */
    bool no_start;      /* no process can be started */
    struct gpu_monitor_reading reading;
    int silent, lingers; /* so often a runner has not answered yet; a killed one is still there */
    int finish_code;     /* of process_finish */
    struct wire_device devices[4]; /* of the machine; empty kind: no more */
    int cores;                     /* that the process may run on; 0: as it is */
    struct fake_recordings recording;
    void (*edit)(const struct wire_request *request, struct wire_reply *reply, void *shared);

    /* What has happened. */
    struct wire_request log[FAKE_LOG];
    char asked_of[FAKE_LOG][64]; /* the arm's name, where the verb has one */
    double limit[FAKE_LOG];
    int asked_in[FAKE_LOG]; /* the process, by the order in which they were started */
    int left[FAKE_LOG];     /* by process: what was asked of all when it was killed; 0: never */
    int asked;
    int readings; /* of the card */
    int started, ended, killed;
    char program[64]; /* that the last one was started under */
} fake;

/* Forgets everything; then kernels and faults are added. */
void fake_reset(void);
struct fake_kernel *fake_add(const char *name, double seconds);
struct fake_fault *fake_fail(enum wire_verb verb, const char *kernel, enum process_answer answer);

/* How often the verb was asked of an arm of that name ("": any), and the last such request. What is
 * asked of "recording of mine.so" is to add that, or a call of it, and of "last calls of mine.so" to record them late.
 * Blocks are asked of the last kernel under test. */
int fake_count(enum wire_verb verb, const char *kernel);
const struct wire_request *fake_last(enum wire_verb verb, const char *kernel);

#endif
