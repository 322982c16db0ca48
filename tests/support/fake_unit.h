/* For tests of bench/jobs: a plan, a session and a unit whose kernels are those of fake_runner.h.
 * Two libraries, the candidate "mine" and its earlier release; a test changes what it is about.
 * Include after cmocka.h. */
#ifndef TESTS_SUPPORT_FAKE_UNIT_H
#define TESTS_SUPPORT_FAKE_UNIT_H

#include <stdlib.h>
#include <string.h>

#include "bench/jobs/processes.h"
#include "bench/jobs/unit_reference.h"
#include "correctness/numbers/input.h"
#include "tests/support/fake_runner.h"

#define SHAPE ((struct shape){24, 16, 48})

static struct plan plan;
static struct candidate mine, earlier;
static struct built built[2];
static struct device_session session;
static struct unit unit;
static struct unit_result result;
static struct unit_context context;                /* of the unit, without a runner yet */
static struct fake_kernel *nn, *tn, *kernel, *old; /* what the arms do */

static inline int fake_unit(void **state) {
    (void)state;
    unit_reference_free(&session); /* of a unit that was not ended */
    free(session.libraries);
    free(session.finalists);
    fake_reset();
    nn = fake_add("lib-nn", 100e-6);
    tn = fake_add("lib-tn", 120e-6);
    kernel = fake_add("mine.so", 80e-6);
    old = fake_add("old.so", 90e-6);
    nn->reads = FAKE_ROW;
    tn->reads = FAKE_COL;
    fake.harness = 10e-6;
    plan = (struct plan){.device_kind = "host",
                         .accumulate = GEMM_F32,
                         .baselines = {"lib-nn", "lib-tn"},
                         .baseline_count = 2,
                         .modes = {true, false},
                         .lenses = 1 << LENS_CALL | 1 << LENS_DEVICE,
                         .precise = 1 << LENS_CALL | 1 << LENS_DEVICE,
                         .protocol = PROTOCOL_FAST,
                         .warmup_seconds = 1,
                         .duration_seconds = 8,
                         .precision = 0.01,
                         .visits = 2,
                         .qps = 1000,
                         .seed = 7,
                         .setup_timeout_seconds = 60,
                         .sandbox = true,
                         .alpha = 1};
    static struct shape shapes[1];
    shapes[0] = SHAPE;
    plan.suite.shapes = shapes;
    plan.suite.count = 1;
    mine = (struct candidate){.label = "mine",
                              .file = "mine.c",
                              .path = "/nowhere/mine.c",
                              .type = CANDIDATE_C,
                              .source_hash = "abc",
                              .traits = {.length = 321, -1, -1, -1, -1, -1}};
    earlier = mine;
    strcpy(earlier.file, "old.c");
    built[0] = (struct built){.outcome = BUILD_OK, .so = "mine.so"};
    built[1] = (struct built){.outcome = BUILD_OK, .so = "old.so"};
    session = (struct device_session){.plan = &plan,
                                      .label = "host",
                                      .built = {&built[0], &built[1]},
                                      .stage.process = PROCESS_NONE,
                                      .leaving = PROCESS_NONE};
    unit = (struct unit){.shape = SHAPE, .candidate = &mine};
    memset(&result, 0, sizeof result);
    context = (struct unit_context){.session = &session,
                                    .plan = &plan,
                                    .unit = &unit,
                                    .seed = 77,
                                    .result = &result,
                                    .own = -1,
                                    .process = PROCESS_NONE,
                                    .checked = {.kernel = {-1, -1}}};
    return 0;
}

/* The GPU that the fake is then. Calls are watched there. */
static inline void on_gpu(void) {
    kernel->last_facts.last.digest = old->last_facts.last.digest = 5;
    strcpy(plan.device_kind, "cuda");
}

/* In its first call each kernel tries nine kernels, and keeps one. */
__attribute__((unused)) static void tunes_itself(void) {
    kernel->facts = old->facts =
        (struct facts){.calls = 8, .first = {.kernels = 9}, .most = {.kernels = 1}};
}

/* And with all lenses. */
static inline void on_stage(void) {
    on_gpu();
    plan.lenses = plan.precise = 1 << LENS_CALL | 1 << LENS_DEVICE | 1 << LENS_STREAM;
}

static inline void with_earlier(void) {
    unit.previous = &earlier;
}

static inline int fake_unit_end(void **state) {
    (void)state;
    process_end(&context.process);
    processes_end(&session);
    unit_reference_free(&session);
    free(session.finalists);
    free(session.libraries);
    session.finalists = NULL;
    session.finalist_count = 0;
    session.libraries = NULL;
    for (int i = 0; i < UNIT_KERNELS; i++)
        recorded_forget(&context.recorded[i]);
    unit_result_free(&result);
    return 0;
}

#endif
