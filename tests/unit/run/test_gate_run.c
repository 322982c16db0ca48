/* A gate measures once, and its suspects a second time. What runs and what screens is played here.
 */
#include "bench/run/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "correctness/numbers/input.h"
#include "reports/gate/gate.h"
#include "tests/support/doubles.h"
#include "tests/support/says.h"
#include "tests/support/test.h"

static struct {
    struct plan plan;
    struct run_call call;
    char run[512];
} runs[2];
static int run_count, statuses[2], screened, freed;
static struct gate_suspects found;
static char *ids[] = {"64x64x64.mine", "8x8x8.mine"};

int run_plan(const struct plan *plan, const struct run_call *call) {
    assert_true(run_count < 2);
    runs[run_count].plan = *plan;
    runs[run_count].call = *call;
    strcpy(runs[run_count].run, call->run);
    return statuses[run_count++];
}

int gate_screen(const struct gate_call *call, struct gate_suspects *suspects) {
    (void)call;
    *suspects = found;
    return screened;
}

void gate_suspects_free(struct gate_suspects *suspects) {
    freed += suspects->count == found.count;
}

static struct plan plan;
static struct gate_call gate;
static const struct run_call call = {.run = "RUN"};

static int begin(void **state) {
    (void)state;
    plan = (struct plan){.visits = 4,
                         .duration_seconds = 8,
                         .warmup_seconds = 2,
                         .seed = 5,
                         .protocol = PROTOCOL_FAST};
    gate = (struct gate_call){.against = "OLD"};
    run_count = screened = freed = statuses[0] = statuses[1] = 0;
    found = (struct gate_suspects){0};
    return 0;
}

TEST_WITH(without_suspects_it_is_one_run, begin, NULL) {
    assert_int_equal(gate_run(&plan, &call, &gate), EXIT_PASS);
    assert_int_equal(run_count, 1);
    assert_ptr_equal(runs[0].call.gate, &gate);
    assert_string_equal(runs[0].run, "RUN");
    assert_double_near(runs[0].plan.duration_seconds, 8, 0);
    assert_int_equal(freed, 1);
    gate.against = NULL;
    run_count = 0;
    assert_int_equal(gate_run(&plan, &call, &gate), EXIT_PASS);
    assert_null(runs[0].call.gate);
}

TEST_WITH(suspects_are_measured_again, begin, NULL) {
    found = (struct gate_suspects){.ids = ids, .count = 2, .visits = 6, .seconds = 2.5};
    statuses[1] = EXIT_INTERRUPTED;
    assert_says(gate_run(&plan, &call, &gate), EXIT_INTERRUPTED,
                "2 of the kernels are not shown to be as fast as they must be: 6 fresh "
                "visits of each, about 5 s\n");
    assert_int_equal(run_count, 2);
    assert_int_equal(freed, 1);
    assert_string_equal(runs[1].run, "RUN/confirm");
    assert_null(runs[1].call.gate);
    const struct plan *second = &runs[1].plan;
    assert_ptr_equal(second->only, ids);
    assert_int_equal(second->only_count, 2);
    assert_int_equal(second->visits, 6);
    assert_true(second->all_visits && !runs[0].plan.all_visits);
    assert_double_near(second->duration_seconds, 12, 0);
    assert_double_near(second->warmup_seconds, 3, 0);
    assert_true(second->seed == seed_derive(5, SEED_CONFIRM, 0));
    plan.protocol = PROTOCOL_PAPER;
    run_count = 0;
    assert_says(gate_run(&plan, &call, &gate), EXIT_INTERRUPTED, "6 fresh visits");
    assert_double_near(runs[1].plan.warmup_seconds, 2, 0); /* of each visit */
}

/* A kernel that tunes itself chooses once a process. */
TEST_WITH(fresh_visits_have_processes_of_their_own, begin, NULL) {
    static const int lenses[] = {LENS_CALL, LENS_DEVICE};
    for (int i = 0; i < 2; i++) {
        found = (struct gate_suspects){.ids = ids, .count = 1, .visits = 6};
        snprintf(plan.device_kind, sizeof plan.device_kind, "cuda");
        plan.lenses = 1 << LENS_CALL | 1 << LENS_DEVICE;
        plan.precise = 1 << lenses[i];
        run_count = 0;
        assert_says(gate_run(&plan, &call, &gate), EXIT_PASS, "6 fresh visits");
        assert_int_equal(runs[1].plan.visits, 6);
        assert_int_equal(plan_anew_every(&runs[1].plan), 1);
    }
}

TEST_WITH(what_ends_the_work_ends_the_gate, begin, NULL) {
    found = (struct gate_suspects){.ids = ids, .count = 1, .visits = 6};
    statuses[0] = EXIT_TROUBLE;
    assert_int_equal(gate_run(&plan, &call, &gate), EXIT_TROUBLE);
    assert_int_equal(run_count, 1);
    statuses[0] = EXIT_PASS;
    screened = -1;
    run_count = 0;
    assert_int_equal(gate_run(&plan, &call, &gate), EXIT_TROUBLE);
    assert_int_equal(run_count, 1);
}
