/* The process that makes reference products on a device: a runner that never loads a kernel under
 * test and serves nothing else. A kernel can reach neither its memory nor what it answers with. One
 * serves all shapes. */
#ifndef BENCH_PROCESS_REFERENCE_PROCESS_H
#define BENCH_PROCESS_REFERENCE_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/process/runner_process.h"
#include "correctness/numbers/input.h"

/* All zero means: there is none. */
struct reference_process {
    struct runner_process process;
    size_t room;        /* floats that a product of each kind may have */
    struct shape shape; /* of the products that are there */
    struct {
        bool made;
        uint64_t seed;
    } product[INPUT_KINDS];
};

/* Starts it, with room for products of so many elements, and waits until it has opened the device.
 * 0, or -1 after error(); there is none then. */
int reference_process_start(struct reference_process *reference, const struct wire_open *open,
                            size_t elements);

bool reference_process_is_there(const struct reference_process *reference);

/* Whether the product is. */
bool reference_process_has(const struct reference_process *reference, struct shape shape,
                           enum input_kind kind, uint64_t seed);

/* C = A*B in FP32 of the inputs that (kind, seed) make, m*n floats, which are there until another
 * shape, or another seed of the kind, is asked for, or the process ends. Waits at most so long.
 * NULL after error(); the process has ended then. */
const float *reference_process_product(struct reference_process *reference, struct shape shape,
                                       enum input_kind kind, uint64_t seed, double seconds);

/* Safe where there is none. */
void reference_process_end(struct reference_process *reference);

#endif
