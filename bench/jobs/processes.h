/* Processes that serve one unit after the other. Opening a device takes longer than a visit does. All
 * units of a process are in the same visit, so that visits of a unit are independent.
 *
 * An *own process* has loaded a kernel's library, or libraries alone. One of each set waits. A kernel that fails where
 * another was before it is tried once more in a process of its own. The *stage* is a process of ours
 * that loads no candidate. It carries out recordings beside the libraries. It is replaced when a recording
 * has spoiled it. */
#ifndef BENCH_JOBS_PROCESSES_H
#define BENCH_JOBS_PROCESSES_H

#include "bench/jobs/unit_context.h"

/* Units that a process serves at most. */
#define OWN_PROCESS_UNITS 16
#define STAGE_UNITS 96

/* Processes that hold a shape's operands where others wait: those of both sets, and the stage. */
#define OWN_PROCESS_BESIDE 3

/* The visit of the checks. */
#define OWN_PROCESS_CHECKS (-1)

/* Beside UNIT_CANDIDATE and UNIT_PREVIOUS: one that loads no kernel. */
enum { OWN_PROCESS_LIBRARIES = UNIT_KERNELS };

/* Puts a process that has taken the unit's shape into the context: the one that waits for units of the
 * set in that visit, else a fresh one. alone: a fresh one. 0, or -1
 * after error(). */
int own_process_take(struct unit_context *context, int set, int visit, bool alone);

/* The context's process waits for the next unit, and is stopped meanwhile. Where the device has no room for it beside the stage, it
 * ends. */
void own_process_leave(struct unit_context *context, int set, int visit);

/* Has the session's stage ready for the unit's shape, with nothing else on it. 0, or -1 after
 * error(). */
int stage_take(struct unit_context *context);

/* Puts a kernel's recording, which must fit, into the memory shared with it: the request makes an
 * arm of it. */
struct wire_request stage_load_request(const struct unit_context *context,
                                       const struct recorded *recorded);

/* Is done with it: the next one is a fresh process. */
void stage_drop(struct unit_context *context);

/* How many processes of the session wait: warm ones, the stage, own ones. */
int processes_waiting(const struct device_session *session);

/* Ends those that wait, and those that leave. */
void processes_end(struct device_session *session);

#endif
