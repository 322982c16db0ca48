#include "bench/checks/memcheck.h"

#include <stdio.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/context/unit_runner.h"
#include "bench/process/clean_text.h"
#include "correctness/numbers/input.h"

int memcheck_call(struct unit_context *context, struct arm_state *arm) {
    static struct wire_reply reply;
    struct runner_process process = PROCESS_NONE;
    struct wire_add add = {.kind = ARM_CANDIDATE};
    int code = 0;
    double limit = 120 + 100 * unit_call_limit(context);
    snprintf(add.name, sizeof add.name, "%s", arm->built->so);
    struct wire_request request = wire_add_request(add);
    if (unit_open_runner_as(context, &process, RUNNER_MEMCHECK, &reply) < 0 || reply.status != 0) {
        process_end(&process);
        return error("--memcheck: is compute-sanitizer on PATH?");
    }
    enum process_answer answer = process_ask(&process, &request, limit, &reply, &code);
    if (answer == PROCESS_ANSWERED && reply.outcome == OUTCOME_OK) {
        request =
            wire_call_request((struct wire_call){.arm = reply.add.arm, .input_kind = INPUT_BINARY});
        answer = process_ask(&process, &request, limit, &reply, &code);
    }
    if (answer == PROCESS_ANSWERED)
        code = process_finish(&process, 120);
    clean_text(process.printed);
    if (code == RUNNER_MEMCHECK_FOUND || strstr(process.printed, "Invalid __")) {
        arm_describe(arm, process.printed, "compute-sanitizer --tool memcheck");
        arm->outcome = OUTCOME_MEMCHECK;
    } else if (answer != PROCESS_ANSWERED || code != 0) {
        snprintf(arm->row.note, sizeof arm->row.note,
                 "memcheck did not end well (%d), though the call alone did: %.300s", code,
                 process.printed);
    }
    process_end(&process);
    return 0;
}
