/* Runner: a kernel's calls as bytes that another process can carry out, and the facts of them. */
#include "bench/runner/requests/requests.h"

#include <stdio.h>
#include <string.h>

#include "bench/base/outcome.h"
#include "bench/record/recorder.h"
#include "bench/runner/interval.h"
#include "correctness/numbers/input.h"

int runner_launch_unkept(struct runner *runner, const struct arm *arm,
                         const struct gemm_args *args) {
    const bool recorded = runner->recording && !arm->baseline;
    if (recorded)
        recorder_begin_call(NULL);
    const int status = runner_launch(arm, args);
    if (recorded)
        recorder_end();
    return status;
}

/* What becomes of a call's device work. */
enum keep { UNKEPT, KEPT, COUNTED };

static void begin_call(enum keep keep, const struct gemm_args *args) {
    if (keep == COUNTED)
        recorder_begin_counted();
    else
        recorder_begin_call(keep == KEPT ? args : NULL);
}

/* One call on inputs of its number; its operands and its C are those of that call in a row. False
 * with the reply filled where it failed. */
static bool record_call(struct runner *runner, struct arm *arm, const struct wire_record *request,
                        int number, int call, enum keep keep, struct wire_reply *reply) {
    const uint64_t seed = seed_derive(request->seed, SEED_BLOCK, (uint64_t)number);
    const char *why;
    if (runner_write_operands(runner, call, INPUT_NORMAL, seed) < 0 ||
        runner_empty_row(runner, runner->row_count) < 0 ||
        runner->device->sync(runner->device_state, &why) < 0) {
        runner_fault(reply, "fresh inputs could not be made");
        return false;
    }
    const struct gemm_args args = runner_args(runner, arm, call, &runner->row[call]);
    begin_call(keep, &args);
    const int status = runner_launch(arm, &args);
    recorder_end();
    runner_forget_left(runner);
    return runner_await(runner, arm, status, reply);
}

/* The calls of the sequence, and a seal of what each has left in its C. False with the reply filled
 * where one failed. */
static bool call_all(struct runner *runner, struct arm *arm, const struct wire_record *request,
                     enum keep keep, uint64_t *seals, struct wire_reply *reply) {
    for (int i = 0; i < request->calls; i++) {
        if (!record_call(runner, arm, request, i, i, keep, reply))
            return false;
        if (runner_seal(runner, arm, &runner->row[i], request->secret, &seals[i]) < 0) {
            runner_fault(reply, "an output cannot be looked at");
            return false;
        }
    }
    return true;
}

/* Copies the facts, and says of the calls whether they can be carried out elsewhere. */
static void tell(struct runner *runner, const char *why, struct wire_reply *reply) {
    static struct facts facts;
    char refused[RECORDING_WHY];
    recorder_tell(&facts, refused);
    memcpy(wire_facts(runner->shared, runner->shared_bytes), &facts, sizeof facts);
    reply->record.recordable = !*refused && !*why;
    snprintf(reply->text, sizeof reply->text, "%s", *why ? why : refused);
}

/* The facts alone: of calls of a process that has long called the arm, or of a library's. */
static void tell_facts(struct runner *runner, struct arm *arm, const struct wire_record *request,
                       struct wire_reply *reply) {
    const char *cannot = "";
    if (!runner->recording && recorder_start(true, &cannot) != 0) {
        reply->outcome = OUTCOME_UNRECORDED;
        snprintf(reply->text, sizeof reply->text, "%s", cannot);
        return;
    }
    if (runner_row(runner, 1, runner_output_elements(arm)) < 0) {
        reply->outcome = OUTCOME_NO_MEMORY;
        snprintf(reply->text, sizeof reply->text, "no room for an output");
        return;
    }
    const int calls = request->unkept + request->calls;
    int call = 0;
    while (call < calls && record_call(runner, arm, request, call, 0,
                                       runner->recording         ? COUNTED
                                       : call >= request->unkept ? KEPT
                                                                 : UNKEPT,
                                       reply))
        call++;
    if (call == calls)
        tell(runner, "", reply);
}

void runner_record(struct runner *runner, const struct wire_record *request,
                   struct wire_reply *reply) {
    struct arm *arm = &runner->arms[request->arm];
    char why[RECORDING_WHY] = "";
    const int calls = request->calls;
    if (!runner->recording || arm->baseline) {
        tell_facts(runner, arm, request, reply);
        return;
    }
    if (calls < 1 || runner_row(runner, calls, runner_output_elements(arm)) < 0) {
        runner_fault(reply, "no room for operands and an output of every call");
        return;
    }
    for (int i = 0; i < request->unkept; i++)
        if (!record_call(runner, arm, request, calls + i, i % calls, UNKEPT, reply))
            return;
    recorder_keep_memory();
    if (!call_all(runner, arm, request, KEPT, reply->record.seals, reply) ||
        !call_all(runner, arm, request, UNKEPT, reply->record.again, reply))
        return;
    recorder_write(runner->shared, runner->shared_bytes - sizeof(struct facts),
                   &reply->record.bytes, why);
    tell(runner, why, reply);
}
