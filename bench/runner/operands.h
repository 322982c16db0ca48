/* The runner's device memory: A, both copies of B and one C an arm, each between guard zones. */
#ifndef BENCH_LAYOUT_OPERANDS_H
#define BENCH_LAYOUT_OPERANDS_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/base/shape.h"
#include "bench/device/device.h"
#include "candidates/gemmgate.h"

/* A buffer of elements with GUARD_BYTES of NaN before it, and as many or more behind it. A stray
 * write changes these zones. A stray read beyond A or B brings NaN into C. In fixed memory
 * the zone behind it ends where its last page does: nothing else is mapped there. */
#define GUARD_BYTES (1 << 20)
struct guarded {
    void *memory;   /* what was allocated */
    uint16_t *data; /* behind the first guard */
    int64_t elements;
    int64_t behind;  /* elements of the second guard */
    uint64_t offset; /* the caller's: where it is to lie in fixed memory (layout.h), 0: anywhere, */
    bool sealed;     /* ... and whether it is sealed there */
};

int guarded_alloc(const struct device_ops *device, void *state, int64_t elements,
                  struct guarded *buffer);

void guarded_free(const struct device_ops *device, void *state, struct guarded *buffer);

/* Adds the number of changed guard elements of so many buffers (any number) to *changed. */
int guarded_check(const struct device_ops *device, void *state,
                  const struct guarded *const *buffers, int count, uint64_t *changed);

/* The inputs of one shape, padded with zeros to `padded`. */
struct inputs {
    enum element element;
    struct shape shape, padded;
    struct guarded a, b_row, b_col;
};

/* The offsets of the three buffers in *inputs are the caller's; else it is all zero. */
int inputs_alloc(const struct device_ops *device, void *state, enum element element,
                 struct shape shape, struct shape padded, struct inputs *inputs);
void inputs_free(const struct device_ops *device, void *state, struct inputs *inputs);

/* Describes how to fill the three matrices from (kind, seed). */
void inputs_fills(const struct inputs *inputs, int32_t kind, uint64_t seed, struct fill fills[3]);

/* Describes what INPUT_SPECIAL has besides: at most INPUTS_SPECIAL fills, to come after the others.
 * Returns their number, and adds to changed how many elements of each matrix they change. */
#define INPUTS_SPECIAL 20
int inputs_special_fills(const struct inputs *inputs, uint64_t seed, struct fill *fills,
                         uint64_t changed[3]);

/* Describes the poisoning of an m*n buffer with NaN. */
struct fill poison_fill(const struct guarded *c, int64_t elements);

#endif
