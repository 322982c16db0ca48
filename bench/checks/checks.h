/* Checking the arms of a unit: set-up, products and audits once, before anything is timed, and
 * whether the times can be those of the work once it is. What is found is in context->checked, and
 * in the result's rows of audits. */
#ifndef BENCH_CHECKS_CHECKS_H
#define BENCH_CHECKS_CHECKS_H

#include <stdbool.h>
#include <stddef.h>

#include "bench/context/unit_context.h"
#include "bench/process/wire.h"

/* The baselines of the plan, in the unit's runner. Whatever becomes of one is its outcome; one that
 * takes the runner down leaves the others in a fresh one. 0 or TROUBLE. */
int checks_libraries(struct unit_context *context);

/* The earlier release of the candidate, in a runner of its own, so that nothing that it does there
 * is the candidate's. Whatever becomes of it is its outcome. 0 or TROUBLE. */
int checks_previous(struct unit_context *context);

/* The candidate, beside the libraries. Whatever becomes of it is its outcome. 0 or TROUBLE. */
int checks_candidate(struct unit_context *context);

/* values_check.c: the check of numbers that standard normals do not have (correctness/numbers/values.h). */

/* Calls of a kernel that is right and gives the same bits each time. */
#define VALUES_CALLS 5

/* Asks the arm, a candidate that has passed the check of normal inputs. What a library of this run
 * gets wrong is not asked of it: the row's note says so. The outcome VALUES is the kernel's fault.
 * Returns the outcome or TROUBLE. */
int values_check(struct unit_context *context, struct arm_state *arm);

/* credible.c: whether the times of the kernels under test can be those of their work. */

/* The least that the product can take on the device of the first round; NaN: not known. */
double credible_light_seconds(const struct unit_context *context);

/* Once all visits are made: no kernel is faster than the device can be, nor than its own single
 * calls allow. One that is gets an outcome that says so, and has no times. */
void credible_look(struct unit_context *context);

/* last_calls.c: the last calls of the process that has timed a unit, watched more closely than timed calls can
 * be. */

/* After the last round, on a GPU: the calls of kernels under test are recorded in the process that
 * was timed, and those of the libraries, of which it is told which launch kernels that may begin
 * early. *failed is the kernel that did what the policy rejects. Returns OK, UNRECORDED or TROUBLE.
 */
int last_calls_watch(struct unit_context *context, struct arm_state **failed);

/* taken.c: the judge's own look at timed products: of a pass that is drawn it makes a few elements of C from
 * the seed of the inputs. What a library makes of the same A and B does not show that these were
 * what they should have been: a kernel that reaches what they are made of can empty them for all.
 */

/* Whether what was taken of the suspect's C is as near to the product as request->tolerance allows,
 * or that is not known. Else text says what is off. Not for two threads at once. */
bool taken_is_right(const struct wire_time *request, const struct wire_time_reply *told,
                    enum element element, struct shape shape, int suspect, char *text, size_t size);

#endif
