/* Checking the arms of a unit, once, before anything is timed: set-up, products, audits. What is
 * found is in context->checked, and in the result's rows of audits. */
#ifndef BENCH_CHECKS_CHECKS_H
#define BENCH_CHECKS_CHECKS_H

#include "bench/context/unit_context.h"

/* The baselines of the plan, but for those that have been lost. One that takes the runner down is
 * lost: EVENT_LIBRARY_LOST. */
enum unit_event checks_libraries(struct unit_context *context);

/* The earlier release of the candidate. Where it takes the runner down: EVENT_PREVIOUS_FAILED. */
enum unit_event checks_previous(struct unit_context *context);

/* The candidate. Whatever becomes of it is its outcome: EVENT_OK. */
enum unit_event checks_candidate(struct unit_context *context);

#endif
