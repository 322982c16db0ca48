/* The language of judge and runner: one request, one reply, over a socket. Bulk data goes through a
 * shared memory file. Both programs come from one build; WIRE_VERSION catches a mixed pair.
 *
 * A request is a head and the fields of its verb, a union member of the same name: what a verb does
 * not have cannot be set or read by mistake. Requests are made by wire_VERB_request() only. */
#ifndef BENCH_PROCESS_WIRE_H
#define BENCH_PROCESS_WIRE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "bench/base/element.h"
#include "bench/base/shape.h"
#include "bench/base/words.h"
#include "bench/device/device.h"
#include "candidates/gemmgate.h"
#include "correctness/contract/facts.h"
#include "correctness/numbers/philox_words.h"

#define WIRE_VERSION 50
#define WIRE_SOCKET_FD 3 /* in the runner: what a child keeps (bench/base/child.h) */
#define WIRE_SHARED_FD 4
#define WIRE_ARMS 32 /* baselines and candidate in one loop, at most */
#define WIRE_NAME 64
#define WIRE_TEXT 512
#define WIRE_ALGORITHMS 128 /* of a baseline, at most: those behind these are not ranked */
#define WIRE_RECORDED 16    /* calls in a recording, at most */
#define WIRE_SUSPECTS 2     /* kernels under test: a candidate and its earlier release */

enum wire_verb {
    WIRE_DESCRIBE = 1, /* list the devices of all kinds, or the compiled-in baselines */
    WIRE_OPEN,         /* open the device */
    WIRE_SHAPE,        /* allocate the operands of one shape on it, and forget those before */
    WIRE_ADD,          /* load and set up an arm; of a baseline's algorithms one is chosen */
    WIRE_CALL,   /* one call on checked inputs; its C goes to the shared memory, or a seal of it */
    WIRE_TIME,   /* timed blocks; samples go to the shared memory */
    WIRE_RECORD, /* a sequence of calls as bytes that another process can carry out, or facts */
    WIRE_REPEAT, /* calls behind each other, while the judge reads what the card draws */
    WIRE_PRODUCT /* a reference product goes to the shared memory; before any arm is added */
};

/* The kinds of arms. A twin is a second set-up of a baseline, with the algorithm of the first. A
 * recording is what RECORD has made of a candidate, and lies in the shared memory. */
#define WIRE_EMPTY "@empty" /* the baseline that does nothing; as SAMPLES_EMPTY */
enum wire_arm { ARM_BASELINE, ARM_CANDIDATE, ARM_TWIN, ARM_RECORDING };

#define WIRE_FAILED 255 /* above every rank */

enum wire_poison { WIRE_POISON_NONE, WIRE_POISON_B_ROW, WIRE_POISON_B_COL };

/* The copies of B. */
enum wire_copy { WIRE_B_ROW = 1, WIRE_B_COL = 2 };

struct wire_describe {
    int32_t baselines; /* 1: those, 0: the devices */
};

/* How many entries the list has in the shared memory. */
struct wire_describe_reply {
    uint64_t count;
};

/* One a device, and one for a kind that has none. */
struct wire_device {
    char kind[16];
    int32_t ordinal; /* -1: there is none of this kind, and `why` says it */
    char why[WIRE_TEXT];
    struct device_info info;
};

struct wire_baseline {
    char name[WIRE_NAME];
    int32_t device, accumulate; /* enum gemm_device; bits of enum gemm_accumulate */
    int32_t elements;           /* bits 1 << enum element */
    int32_t autotuned;
    int32_t one_row; /* 1: it serves a C of one row alone */
};

struct wire_open {
    char device_kind[16];
    int32_t ordinal;        /* of the visible ones */
    int32_t element;        /* enum element: of all operands that this process will make */
    struct gpu_alone alone; /* the GPU to see alone, if any */
    int32_t rehearse;       /* 1 for a library's first product, too */
    int32_t fixed;          /* 1 for operands at addresses that are the same in every process;
                             * there no kernel may use a stream of its own */
    int32_t record;         /* 1 to watch the process for WIRE_RECORD; with fixed only */
};

struct wire_shape {
    struct shape shape;
    int32_t accumulate; /* enum gemm_accumulate */
    uint64_t workspace_bytes;
    int32_t finite_c; /* 1: C holds the largest number before a call, and not NaN */
    int32_t inputs;   /* enum timed_inputs: what timed calls multiply */
};

/* What is done about a baseline's algorithms: one is taken untimed, by its number; one is chosen, in
 * the paper's way; or all are ranked, and none is chosen. */
enum { WIRE_CHOOSE = -1, WIRE_RANK = -2 };
struct wire_tune {
    int32_t variant;                     /* a number, or one of these */
    int32_t lens;                        /* enum lens */
    int32_t cache;                       /* enum cache */
    int32_t stream_calls;                /* in an interval of a LENS_MANY */
    int32_t warmup_rounds, timed_rounds; /* the paper's way */
    uint64_t seed;
};

struct wire_add {
    int32_t kind;     /* enum wire_arm */
    char name[1024];  /* the baseline's name, or the candidate's .so */
    int32_t twin_of;  /* ARM_TWIN: the number of the first */
    int32_t sandbox;  /* ARM_CANDIDATE, ARM_RECORDING: 1 to lock the process in first */
    int32_t delayed;  /* 0, or by how many planted delays TIME slows the arm down */
    int32_t operands; /* ARM_CANDIDATE, ARM_RECORDING: enum layout_operands */
    uint32_t fill;  /* ARM_CANDIDATE: the words that its memory holds until the kernel writes it */
    uint64_t bytes; /* ARM_RECORDING: its size, */
    struct shape padded;   /* ... and the operands' size, as the recorder's reply to ADD told it */
    struct wire_tune tune; /* ARM_BASELINE that has algorithms */
};
struct wire_add_reply {
    int32_t arm; /* its number from now on; -1: a recording that the text says cannot be one */
    char name[WIRE_NAME];
    int32_t variants; /* 0 where there is nothing to choose, */
    int32_t variant;  /* ... else the chosen one; the reply's text begins with its name */
    uint8_t rank[WIRE_ALGORITHMS]; /* of each, 0: the fastest; WIRE_FAILED: it did not run */
    struct shape padded;           /* the operands' size after the arm's tile */
    double setup_seconds;          /* 0: its setup has not run */
    uint64_t held_bytes;     /* on the host device: what its setup has allocated and not freed */
    char sandbox[WIRE_TEXT]; /* what locks the process in, and what is missing */
    int32_t calls;           /* of an ARM_RECORDING */
};

struct wire_call {
    int32_t arm;
    int32_t call;       /* ARM_RECORDING: which of its calls. The first one begins them again. */
    int32_t input_kind; /* enum input_kind */
    int32_t poison;     /* enum wire_poison: a copy of B that is all NaN */
    uint64_t seed;
    uint64_t secret; /* not 0: the reply has a seal, which is keyed with it, and C does not come */
};
struct wire_call_reply {
    double seconds;          /* of launch and sync, by the wall clock */
    uint64_t held_bytes;     /* as of wire_add_reply, with what the arm's calls have left it with */
    uint64_t changed_inputs; /* elements of A and both B that differ from what was filled */
    uint64_t changed_guards; /* elements of the guard zones that were written */
    uint64_t seal;           /* of C, where it is asked for */
};

/* How one interval is read. */
struct wire_interval {
    int32_t cache;          /* enum cache */
    int32_t stream_calls;   /* calls in one interval of a LENS_MANY */
    int32_t behind;         /* of these, so many come behind the one whose C is looked at */
    double planted_seconds; /* a delay inside the intervals of delayed arms */
    double gap_seconds;     /* the device is idle for so long before the interval */
};

struct wire_time {
    int32_t lenses; /* bits 1 << enum lens */
    struct wire_interval interval;
    int32_t server; /* 1 for random idle gaps before each call */
    double qps;
    double seconds;       /* stop starting blocks after this long ... */
    uint64_t most_blocks; /* ... or this many ... */
    uint64_t first_block; /* ... and number them from here */
    uint64_t seed;
    int32_t arm_count; /* the arms to visit */
    int32_t arms[WIRE_ARMS];
    /* For each of them the copies of B that it reads, as bits of enum wire_copy. 0: those that the
     * runner knows a library to read. */
    int32_t reads[WIRE_ARMS];
    uint32_t left_out; /* bits of those that are not timed: their samples are NaN */
    /* Indices in arms: whose C is looked at, and whose it is compared with; -1: none. */
    int32_t suspects[WIRE_SUSPECTS], suspect_count, library;
    double tolerance[WIRE_SUSPECTS]; /* largest |C - C'| that two right products may differ by */
    uint64_t coarse[WIRE_SUSPECTS];  /* elements of C that may be coarse beside C' */
};
struct wire_time_reply {
    int32_t failed_arm; /* -1: none */
    uint64_t blocks;    /* complete ones, in the shared memory: see wire_block_floats */
    /* So many passes were looked at. One of them is drawn: the judge gets a few elements of the C
     * of each suspect, from the place that visit_taken says. `call` is the number of that C among
     * calls in a row. */
    uint64_t looked, pass;
    int32_t call;
    uint16_t taken[WIRE_SUSPECTS][PHILOX_GROUP];
};

/* So many calls that are not kept, then those that are, each on inputs of its own by the number of
 * its call and into a C of its own. Then these again, not kept: a kernel whose bits differ from
 * call to call shows it.
 *
 * In a process that was not opened to record, the recorder is attached now. The calls are counted
 * alone, and all have the operands and the C of the first: there are facts, and nothing else. Where
 * it cannot be attached the outcome is UNRECORDED. */
struct wire_record {
    int32_t arm, unkept, calls;
    uint64_t seed, secret; /* secret: what seals are keyed with */
};
struct wire_record_reply {
    int32_t recordable; /* 0: the reply's text says why not */
    uint64_t bytes;     /* in the shared memory, whose end has the facts of setup and all calls */
    uint64_t seals[WIRE_RECORDED], again[WIRE_RECORDED];
};

/* So many calls of the arm, of which none waits for another, on the operands that the last blocks
 * have left. */
struct wire_repeat {
    int32_t arm;
    uint64_t calls; /* or as many as are launched in ... */
    double seconds;
};
struct wire_repeat_reply {
    uint64_t calls; /* that were made */
    double seconds; /* until the device was idle again, by the host's clock */
};

/* C = A*B in FP32 of the shape's inputs that (input_kind, seed) make, m*n floats. */
struct wire_product {
    int32_t input_kind; /* enum input_kind */
    uint64_t seed;
};

/* The verbs, and the member of a request that says the rest. */
#define WIRE_REQUESTS(X)                                                                           \
    X(DESCRIBE, describe)                                                                          \
    X(OPEN, open)                                                                                  \
    X(SHAPE, shape)                                                                                \
    X(ADD, add)                                                                                    \
    X(CALL, call)                                                                                  \
    X(TIME, time)                                                                                  \
    X(RECORD, record)                                                                              \
    X(REPEAT, repeat)                                                                              \
    X(PRODUCT, product)

struct wire_request {
    uint32_t version, verb;
    uint64_t nonce; /* to be given back: a reply written beforehand cannot have it */
    union {
#define X(verb, member) struct wire_##member member;
        WIRE_REQUESTS(X)
#undef X
    };
};

struct wire_reply {
    uint32_t version, verb; /* of the request */
    uint64_t nonce;
    int32_t status;  /* 0 done; -1 the runner's own fault, see text */
    int32_t outcome; /* enum outcome of the arm concerned */
    char text[WIRE_TEXT];
    union {
        struct wire_describe_reply describe;
        struct wire_add_reply add;
        struct wire_call_reply call;
        struct wire_time_reply time;
        struct wire_record_reply record;
        struct wire_repeat_reply repeat;
    };
};

/* wire_call_request((struct wire_call){...}) and so on. Whatever is not set is zero, to the last
 * byte: a request lands in a process that a kernel can read. */
#define X(which, member)                                                                           \
    static inline struct wire_request wire_##member##_request(struct wire_##member fields) {       \
        struct wire_request request;                                                               \
        memset(&request, 0, sizeof request);                                                       \
        request.verb = WIRE_##which;                                                               \
        request.member = fields;                                                                   \
        return request;                                                                            \
    }
WIRE_REQUESTS(X)
#undef X

/* Columns of an arm in a block: its times, and by a LENS_HOST_TIME what its launches took the host.
 */
size_t wire_lens_columns(enum lens lens);

/* Whether the request leaves the slot of arms out: then all its samples are NaN. */
static inline bool wire_is_left_out(const struct wire_time *request, int slot) {
    return request->left_out >> slot & 1;
}

/* Floats of a block in the shared memory: by lens, in the order of their bits, the seconds of each
 * arm, negative where the hold before the interval gave up; behind those of a LENS_HOST_TIME the
 * seconds that each arm's launch took the host. */
size_t wire_block_floats(const struct wire_time *request);

/* Where facts lie in a shared memory of so many bytes, not aligned. */
static inline void *wire_facts(void *shared, size_t bytes) {
    return (char *)shared + bytes - sizeof(struct facts);
}

/* Blocks that have room in a shared memory of so many bytes. Behind them the runner tells the number
 * of the arm that is in hand: who reads it knows at whose interval a process has died. */
size_t wire_block_room(const struct wire_time *request, size_t bytes);
static inline volatile int32_t *wire_in_hand(void *shared, size_t bytes) {
    return (int32_t *)shared + bytes / sizeof(int32_t) - 1;
}

/* Ends every text of a reply within its field: the other side may have written anything. */
void wire_end_texts(struct wire_reply *reply);

/* Whole messages, restarting after signals. 0, or -1 with errno set (EPIPE: the other side is
 * gone). */
int wire_send(int fd, const void *message, size_t size);
int wire_receive(int fd, void *message, size_t size);

#endif
