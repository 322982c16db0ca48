#include "bench/run/run.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/base/text.h"
#include "correctness/numbers/input.h"
#include "reports/gate/gate.h"

enum { MOST_TIMES = 5 };

/* Fresh visits of the suspects alone, on other inputs and in another order: what made them suspects
 * does not count again. */
static int confirm(const struct plan *first, const struct run_call *call,
                   const struct gate_suspects *suspects) {
    struct plan plan = *first;
    struct run_call second = *call;
    char folder[PATH_MAX];
    plan.only = suspects->ids;
    plan.only_count = suspects->count;
    plan.visits = (int)suspects->visits;
    plan.all_visits = true; /* no look ends them */
    /* Times are those of all visits: a visit has as long as it had, or less where all would have
     * more than MOST_TIMES as long. What differs between visits is more than what is not known
     * within one. */
    const double times = fmin((double)plan.visits / first->visits, MOST_TIMES);
    plan.duration_seconds *= times;
    if (plan.protocol == PROTOCOL_FAST)
        plan.warmup_seconds *= times;
    plan.seed = seed_derive(plan.seed, SEED_CONFIRM, 0);
    if (files_join(folder, call->run, "confirm") < 0)
        return EXIT_TROUBLE;
    second.run = folder;
    second.gate = NULL;
    second.command_line = NULL;
    text_print_line(stderr,
                    "%zu of the kernels are not shown to be as fast as they must be: %zu fresh "
                    "visits of each, about %.0f s",
                    suspects->count, suspects->visits, (double)suspects->count * suspects->seconds);
    return run_plan(&plan, &second);
}

int gate_run(const struct plan *plan, const struct run_call *call, const struct gate_call *gate) {
    struct run_call told = *call;
    struct gate_suspects suspects = {0};
    told.gate = gate->against ? gate : NULL;
    int status = run_plan(plan, &told);
    if (status != EXIT_PASS || call->shards)
        return status;
    if (gate_screen(gate, &suspects) < 0)
        return EXIT_TROUBLE;
    if (suspects.count > 0)
        status = confirm(plan, call, &suspects);
    gate_suspects_free(&suspects);
    return status;
}
