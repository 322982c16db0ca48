/* One face for every device the harness can measure on. Used by the runner only: the judge never
 * opens a device. Functions return 0 or -1 after error(), unless stated. */
#ifndef BENCH_DEVICE_DEVICE_H
#define BENCH_DEVICE_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/base/element.h"
#include "bench/base/shape.h"
#include "timing/light.h"

/* A rectangle of elements to be written by the input generator (correctness/numbers/input.h) or by
 * a constant. Storage is row-major with rows_stored rows of ld elements; whatever lies outside the
 * logical matrix is zero. */
struct fill {
    uint16_t *at;
    int64_t rows, cols;  /* logical size: what the generator indexes by */
    int64_t rows_stored; /* >= rows, or >= cols when transposed */
    int64_t ld;          /* >= cols, or >= rows when transposed */
    bool transposed;     /* stored row r, column c is logical (c, r) */
    int32_t matrix;      /* enum input_matrix; 0: every stored element is `constant` */
    int32_t table;       /* which loaded table, or INPUT_PROBE: enum input_kind */
    uint16_t constant;
    uint64_t seed;
    struct shape shape;   /* of the product; for INPUT_PROBE */
    enum element element; /* for INPUT_PROBE: tables have theirs */
};

/* A look at one C, on the device. */
struct look {
    enum element element;
    const uint16_t *c;
    int64_t rows, cols, ld;
    uint64_t secret;       /* what the seal is keyed with */
    const uint16_t *other; /* another C of the same rows and cols, or NULL */
    int64_t other_ld;
    double tolerance; /* C may be so far from the other */
};

/* The counts of a look. */
struct seen {
    uint64_t seal;   /* a hash of all elements and their places: equal only where C is */
    uint64_t nan;    /* elements that are NaN */
    uint64_t off;    /* others that are not known to be as near to the other C as allowed; where the
                      other is NaN or infinite, those that are not the same */
    uint64_t coarse; /* further from the other than twice element_coarse of its last places */
    double deviation; /* largest |C - other| where both are numbers; 0 without another */
};

/* Looks that are kept. */
#define DEVICE_LOOKS 128

/* The GPU that a process is to see alone, "" where it may see all that it can. */
struct gpu_alone {
    char uuid[64]; /* what CUDA_VISIBLE_DEVICES is to be */
    char pci[32];
};

/* The description of one device. Strings are empty and numbers -1 where it cannot say. */
struct device_info {
    char name[128];
    char uuid[64]; /* as NVML writes it: GPU-xxxxxxxx-... */
    char pci[32];  /* domain:bus:device.0 */
    int64_t memory_bytes;
    int32_t exclusive;        /* 1: the driver lets one process at a time open it */
    int32_t units;            /* multiprocessors or CPU cores this process may use */
    int32_t sm;               /* 90 for compute capability 9.0; -1 on the host */
    int64_t l2_bytes;         /* last-level cache, on the host too */
    int32_t driver;           /* CUDA driver version, 13000 for 13.0 */
    int32_t runtime;          /* CUDA runtime version */
    int64_t cublas;           /* cublasGetVersion */
    int64_t cublaslt;         /* cublasLtGetVersion */
    char blas[160];           /* host: OpenBLAS's own description */
    struct light_rates rates; /* what the card can do at best (card_rates.h); 0 on the host */
};

struct device_ops {
    const char *kind; /* "cuda" or "host" */
    int32_t device;   /* enum gemm_device */

    /* How many there are; 0 with a reason in *why (static storage) where there are none. */
    int (*count)(const char **why);
    int (*describe)(int ordinal, struct device_info *info);

    /* Sets runtime, cublas, cublaslt and blas, which need no device. */
    void (*libraries)(struct device_info *info);

    /* Once a process, which it ends with. */
    int (*open)(int ordinal, void **state);

    void *(*stream)(void *state); /* what launch is given */

    /* From now on alloc serves memory at addresses that are the same in every process that asks for
     * the same in the same order. NULL where addresses of the device mean nothing elsewhere.
     * sealing: what alloc seals, and what the device keeps for itself, cannot be written by
     * kernels at the addresses that they are given, or know. */
    int (*fix)(void *state, bool sealing);

    /* 256-byte aligned device memory, of which `bytes` says how much is wanted, and then how much there
     * is. Once memory is fixed it lies so many bytes behind the begin of that, and is sealed if it is to
     * be; offset 0: anywhere. Fails with how much was asked for and how much there was. free accepts
     * NULL. clear gives back all that was served at fixed addresses; what may lie anywhere begins
     * `from` bytes behind their begin then. clear is NULL where fix is. */
    int (*alloc)(void *state, uint64_t offset, bool seal, size_t *bytes, void **memory);
    void (*free)(void *state, void *memory);
    int (*clear)(void *state, uint64_t from);

    /* How much there is to allocate, by whatever process; 0 where that is not known. NULL: the
     * host's, of which the system has as much as is asked for. */
    uint64_t (*room)(void *state);

    /* Copies the 65,536-entry table to the device under the number `kind`. */
    int (*load_table)(void *state, int32_t kind, const uint16_t *table);

    /* Enqueues the fills (any number) on the stream; returns before they are done. They are made in
     * any order, so they must not overlap; those of a later call come after them. */
    int (*fill)(void *state, const struct fill *fills, int count);

    /* Waits, then counts the stored elements that differ from what the fills would write. */
    int (*count_changed)(void *state, const struct fill *fills, int count, uint64_t *changed);

    /* Waits, then copies rows x cols elements with leading dimension ld to a dense host array. */
    int (*copy_out)(void *state, const uint16_t *from, int64_t rows, int64_t cols, int64_t ld,
                    uint16_t *to);

    /* Enqueues a copy of rows x cols elements between two places on the device. */
    int (*copy)(void *state, const uint16_t *from, int64_t from_ld, uint16_t *to, int64_t to_ld,
                int64_t rows, int64_t cols);

    /* Enqueues C = A*B for the shape: A m x k and B k x n of the element, C m x n FP32, all
     * row-major and dense, with sums as correctness/numbers/reference_chunk.h says. NULL: not known
     * how. */
    int (*multiply)(void *state, enum element element, struct shape shape, const uint16_t *a,
                    const uint16_t *b, float *c);

    /* Waits for the whole device. On failure *why (static storage) is the device's own words, and
     * the device is to be taken as lost. Does not call error(). */
    int (*sync)(void *state, const char **why);

    /* Forgets an error that a kernel's code has met and left behind: who asks the device next would
     * be told it. Returns its words (static storage), or NULL where there is none. A device that is
     * lost stays so. NULL where no errors are kept. */
    const char *(*forget)(void *state);

    /* start and stop mark an interval on the stream (events on CUDA, CLOCK_MONOTONIC_RAW on the
     * host); elapsed, after sync, gives its length in seconds. */
    int (*start)(void *state);
    int (*stop)(void *state);
    int (*elapsed)(void *state, double *seconds);

    /* Enqueues a look on the stream, to be kept under a number below DEVICE_LOOKS in the place of
     * what was kept under it. */
    int (*look)(void *state, const struct look *look, int number);

    /* Waits, and copies out the looks 0 .. count-1. */
    int (*looks)(void *state, int count, struct seen *seen);

    /* Enqueues an exclusive or of the elements with words drawn from the key (philox_words of group
     * i for elements 8 * i and on): the same again gives them back. Code that runs on the device later
     * does not find the key. */
    int (*mask)(void *state, uint16_t *at, int64_t elements, uint64_t key);

    /* Keeps the stream busy for `seconds` (at most DEVICE_DELAY_MOST), whatever the host does
     * meanwhile. 0 launches a kernel that does nothing. */
    int (*delay)(void *state, double seconds);

    /* All three are NULL where calls are synchronous. Such a device has no `device` and `stream`
     * lens. hold keeps the stream waiting until let_go is called, so that the device finds
     * everything that is enqueued between the two without a gap. A call that waits for the device
     * would then wait for ever, so a hold gives up after DEVICE_HOLD_SECONDS. gave_up, after sync,
     * says whether the last hold gave up. */
    int (*hold)(void *state);
    void (*let_go)(void *state);
    bool (*gave_up)(void *state);

    /* Undoes what kernels have set aside of the L2 for persistence, and the limits that they
     * raised. */
    int (*reset_persistence)(void *state);

    /* Enqueues reading twice the last-level cache, so that nothing of the operands is left in it,
     * and nothing that has to be written back. */
    int (*sweep)(void *state);

    /* Enqueues reading so many elements: those that fit are in the cache then. */
    int (*touch)(void *state, const uint16_t *at, int64_t elements);
};

#define DEVICE_DELAY_MOST 0.1 /* seconds */

/* A hundred times what a launch costs the host (3 to 10 us). It is short enough that hundreds of
 * holds may give up. */
#define DEVICE_HOLD_SECONDS 1e-3

extern const struct device_ops device_host;
extern const struct device_ops device_cuda; /* in builds with CUDA */

/* NULL-ended; the best device first. */
extern const struct device_ops *const device_kinds[];

#endif
