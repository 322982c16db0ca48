/* What a library of the run gets wrong, too, is held against no kernel. */
#ifndef BENCH_CHECKS_EXCUSE_H
#define BENCH_CHECKS_EXCUSE_H

#include "bench/jobs/unit_context.h"

/* Whether the library, set up in the context's process, gets it wrong. Returns its outcome or
 * TROUBLE. */
typedef int excuse_ask(void *about, struct arm_state *library, bool *wrong);

/* Asks the libraries that have passed, one after the other, in a process that has loaded no kernel.
 * *excuse is the first that gets it wrong; NULL: none does, or nobody can be asked, since the device
 * takes one process at a time. A library that cannot be called there excuses nothing: a kernel whose
 * process lives on may hold what it needs. OK or TROUBLE. */
int excuse_find(struct unit_context *context, excuse_ask *ask, void *about,
                const struct arm_state **excuse);

#endif
