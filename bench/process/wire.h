/* The language of judge and runner: one request, one reply, over a socket; bulk data goes through a
 * shared memory file. Both programs come from one build; WIRE_VERSION catches a mixed pair. */
#ifndef BENCH_PROCESS_WIRE_H
#define BENCH_PROCESS_WIRE_H

#include <stddef.h>
#include <stdint.h>

#include "bench/base/shape.h"
#include "bench/device/device.h"
#include "candidates/gemmgate.h"

#define WIRE_VERSION 11
#define WIRE_SOCKET_FD 3 /* in the runner */
#define WIRE_SHARED_FD 4
#define WIRE_ARMS 32 /* baselines and candidate in one loop, at most */
#define WIRE_TEXT 512
/* Arrivals that an arm serves in one go in the open loop; each is a block of its own in the
 * samples, and the n-th arrivals of all arms have the same gap before them. */
#define WIRE_ARRIVALS 64
#define WIRE_SUSPECTS 2 /* kernels under test: a candidate and its earlier release */

enum wire_verb {
    WIRE_DEVICE = 1, /* describe the index-th device of all kinds; status 1 past the last */
    WIRE_BASELINE,   /* describe the index-th compiled-in baseline; status 1 past the last */
    WIRE_OPEN,       /* open the device */
    WIRE_SHAPE,      /* allocate the operands of one shape on it */
    WIRE_ADD,        /* load and set up an arm: the baseline or candidate file called `name` */
    WIRE_TUNE,       /* choose among the arm's variants */
    WIRE_CALL,       /* one call on checked inputs; C goes to the shared memory */
    WIRE_TIME,       /* timed blocks; samples go to the shared memory */
    WIRE_TRACE,      /* some calls with all they ask of CUDA recorded, into the shared memory */
    WIRE_PEAK,       /* measure what the device can do at best */
    WIRE_PROFILE     /* a call that nobody looks at, then one that the profiler does */
};

/* What interval is read; see timed_call in runner_time.c. */
enum wire_lens { LENS_CALL, LENS_DEVICE, LENS_STREAM, LENS_LATENCY, LENS_COUNT };

/* The last-level cache before each call: as the calls before left it; swept; as left, but with
 * operands that rotate over copies of twice its size. */
enum wire_cache { CACHE_WARM, CACHE_COLD, CACHE_ROTATE, CACHE_COUNT };

/* What an added arm is. An idle one launches nothing: the floor of a lens. A twin is a baseline of
 * its own with the algorithm of the arm `index`. */
enum wire_arm { ARM_BASELINE, ARM_CANDIDATE, ARM_TWIN, ARM_IDLE };

enum wire_poison { WIRE_POISON_NONE, WIRE_POISON_B_ROW, WIRE_POISON_B_COL };

/* Which padding copies fall into a padded arm's interval. */
enum wire_padding { WIRE_PAD_NN = 1, WIRE_PAD_TN = 2 };

struct wire_request {
    uint32_t version, verb;
    uint64_t nonce;         /* to be given back: a reply written beforehand cannot have it */
    int32_t index;          /* DEVICE, BASELINE: which; TUNE, CALL, PROFILE, ADD of a twin: arm */
    char device_kind[16];   /* OPEN */
    struct gpu_alone alone; /* OPEN: the GPU to see alone, if any */
    int32_t hide;           /* OPEN: 1 to hide the others' device nodes, too */
    int32_t ordinal;        /* OPEN: of the visible ones */
    int32_t trace;          /* OPEN: 1 to record from now on */
    int32_t one_queue;      /* OPEN: 1 where no kernel may use a stream of its own */
    int32_t rehearse;       /* OPEN: 1 for a library's first product, too */
    struct shape shape;     /* SHAPE */
    int32_t accumulate;
    uint64_t workspace_bytes;
    int32_t sandbox;                     /* ADD of a candidate: 1 to lock the process in first */
    int32_t calls;                       /* TRACE */
    int32_t arm;                         /* ADD: enum wire_arm */
    int32_t delayed;                     /* ADD: 1 for an arm that TIME slows down */
    char name[1024];                     /* ADD: baseline's name or candidate's .so */
    int32_t input_kind;                  /* CALL: enum input_kind */
    int32_t poison;                      /* CALL: enum wire_poison, a copy of B that is all NaN */
    uint64_t seed;                       /* TUNE, CALL, TIME, PROFILE */
    int32_t variant;                     /* TUNE: take this one untimed; -1: choose */
    int32_t halving;                     /* TUNE: 1 for successive halving, 0 for the paper's way */
    int32_t warmup_rounds, timed_rounds; /* TUNE, the paper's way */

    /* TIME */
    int32_t lenses;         /* bits 1 << enum wire_lens; LENS_LATENCY only alone */
    int32_t cache;          /* enum wire_cache */
    int32_t stream_calls;   /* calls in one interval of LENS_STREAM */
    double stream_delay;    /* seconds of the delay before it */
    double planted_seconds; /* delay inside the intervals of delayed arms */
    int32_t bare;           /* 1: the same inputs in every block, for the judge to time blocks */
    int32_t server;         /* 1 for random idle gaps before each call */
    double qps;
    double seconds;       /* stop starting blocks after this long ... */
    uint64_t most_blocks; /* ... or this many ... */
    uint64_t first_block; /* ... and number them from here */
    int32_t arm_count;    /* the arms to visit */
    int32_t arms[WIRE_ARMS];
    int32_t padding[WIRE_ARMS]; /* of each of them: bits of enum wire_padding */
    /* Places in arms: whose C is looked at, and whose it is compared with; -1: none. */
    int32_t suspects[WIRE_SUSPECTS], suspect_count, reference;
    double tolerance[WIRE_SUSPECTS]; /* largest |C - C'| that two right products may differ by */
    uint64_t coarse[WIRE_SUSPECTS];  /* elements of C that may be coarse beside C' */
};

struct wire_reply {
    uint32_t version;
    uint64_t nonce;
    int32_t status;  /* 0 done; 1 no such index; -1 the runner's own fault, see text */
    int32_t outcome; /* enum outcome of the arm concerned */
    int32_t arm;     /* ADD: the new arm's number; TIME: which arm failed, or -1 */
    char text[WIRE_TEXT];

    char device_kind[16]; /* DEVICE */
    int32_t ordinal;
    struct device_info info;

    char name[64]; /* BASELINE, ADD */
    int32_t device, accumulate;
    struct shape padded; /* ADD: the operands' size after the arm's tile */
    int32_t variants;    /* ADD: 0 where there is nothing to choose */
    double seconds;      /* ADD: setup; CALL: wall time of launch and sync; TIME: spent in blocks */

    int32_t tried, failed, variant; /* TUNE */

    uint64_t changed_inputs; /* CALL: elements of A and both B that differ from what was filled */
    uint64_t changed_guards; /* CALL: elements of the guard zones that were written */

    /* TIME: complete blocks in shared memory: float32 seconds by block, lens (in the order of their
     * bits) and arm; negative where the host was slower than the delay before the interval. */
    uint64_t blocks;

    /* TIME: the time from stop being reached to the device being idle, in seconds, over so many
     * calls of each: of each suspect the lower quartile, of the reference the upper one. */
    double drain_suspects[WIRE_SUSPECTS], drain_reference;
    int32_t drains;

    uint64_t events, dropped; /* TRACE: struct behaviour_event in the shared memory, and lost */
    char sandbox[WIRE_TEXT];  /* ADD: what locks the process in, and what is missing */

    struct light_rates peak; /* PEAK; all 0 where the device does not know how */
};

/* Whole messages, restarting after signals. 0, or -1 with errno set (EPIPE: the other side is
 * gone). */
int wire_send(int fd, const void *message, size_t size);
int wire_receive(int fd, void *message, size_t size);

#endif
