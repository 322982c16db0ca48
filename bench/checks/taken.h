/* The judge's own look at timed products: of a pass that is drawn it makes a few elements of C from
 * the seed of the inputs. What a library makes of the same A and B does not show that these were
 * what they should have been: a kernel that reaches what they are made of can empty them for all.
 */
#ifndef BENCH_CHECKS_TAKEN_H
#define BENCH_CHECKS_TAKEN_H

#include <stdbool.h>
#include <stddef.h>

#include "bench/base/timed_inputs.h"
#include "bench/process/wire.h"

/* Whether what was taken of the suspect's C is as near to the product as request->tolerance allows,
 * or that is not known. Else text says what is off. Not for two threads at once. */
bool taken_is_right(const struct wire_time *request, const struct wire_time_reply *told,
                    enum element element, enum timed_inputs inputs, struct shape shape, int suspect,
                    char *text, size_t size);

#endif
