/* The process that has loaded a kernel's library. Opening a device takes longer than a visit does. So one
 * process serves up to OWN_PROCESS_UNITS units of a set, one after the other, all of them in the same
 * visit. A kernel that fails where another was before it is tried once more in a process of its own. */
#ifndef BENCH_CONTEXT_OWN_PROCESS_H
#define BENCH_CONTEXT_OWN_PROCESS_H

#include "bench/context/unit_context.h"

#define OWN_PROCESS_UNITS 16

/* Processes that hold a shape's operands where others wait: those of both sets, and the stage. */
#define OWN_PROCESS_BESIDE 3

/* The visit of the checks. */
#define OWN_PROCESS_CHECKS (-1)

/* Beside UNIT_CANDIDATE and UNIT_PREVIOUS: one that loads no kernel. */
enum { OWN_PROCESS_LIBRARIES = UNIT_KERNELS, OWN_PROCESS_SETS };

/* Puts a process that has taken the unit's shape into the context: the one that waits for units of the
 * set in that visit, else a fresh one. alone: a fresh one. 0, or -1
 * after error(). */
int own_process_take(struct unit_context *context, int set, int visit, bool alone);

/* The context's process waits for the next unit, and is stopped meanwhile. Where the device has no room for it beside the stage, it
 * ends. */
void own_process_leave(struct unit_context *context, int set, int visit);

#endif
