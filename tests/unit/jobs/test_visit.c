/* Visits that are made again, and those that others go on with: nothing is there twice, and nothing
 * is lost. */
#include "bench/jobs/visit.h"

#include <math.h>
#include <signal.h>

#include "tests/support/doubles.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"
#include "tests/support/whole_units.h"

enum { VISITS = 6 };

static int staged_unit(void **state) {
    fake_unit(state);
    on_stage();
    plan.visits = VISITS;
    plan.duration_seconds = 1;
    return 0;
}

static bool is_timed(const char *column) {
    return *column != '@' || strcmp(column, SAMPLES_EMPTY) == 0;
}

/* All that was timed is in the samples: none was thinned. */
static void all_times_are_told(void) {
    for (int i = 0; i < result.series_count; i++) {
        const struct samples *samples = &result.series[i].samples;
        double sum = 0;
        for (size_t b = 0; b < samples->blocks; b++)
            for (size_t a = 0; a < samples->column_count && is_timed(samples->columns[a]); a++)
                if (!isnan(derive_value(samples, b, a)))
                    sum += fabs(derive_value(samples, b, a)) * (double)samples->calls;
        assert_double_near(result.series[i].timed_seconds, sum, 1e-6 * sum);
    }
}

static size_t blocks_timed(void) {
    size_t blocks = 0;
    for (int i = 0; i < result.series_count; i++)
        blocks += result.series[i].samples.blocks;
    return blocks;
}

/* Its process is killed from elsewhere behind its last times, or the stage is. The visit is made
 * again, and nothing is told of it twice. */
TEST_WITH(of_a_visit_that_is_made_again_nothing_is_left, staged_unit, fake_unit_end) {
    for (int staged = 0; staged < 2; staged++) {
        fake_unit_end(state);
        staged_unit(state);
        run();
        const size_t audits = result.rows.audit_count, recordings = result.rows.recording_count;
        const size_t blocks = blocks_timed();
        const double told = result.rows.conditions[0].blocks;
        fake_unit_end(state);
        staged_unit(state);
        struct fake_fault *fault =
            staged ? fake_fail(WIRE_TIME, "", PROCESS_CRASHED)
                   : fake_fail(WIRE_RECORD, "last calls of mine.so", PROCESS_CRASHED);
        fault->staged = staged;
        fault->nth = staged ? 8 : 0;
        fault->code = SIGKILL;
        run();
        became("mine", "ok");
        assert_int_equal(result.rows.audit_count, audits);
        assert_int_equal(result.rows.recording_count, recordings);
        assert_int_equal(visits_of("mine"), VISITS);
        assert_int_equal(blocks_timed(), blocks);
        assert_double_near(result.rows.conditions[0].blocks, told, 0);
        all_times_are_told();
    }
}

/* Its calls are known to be those that were recorded, also where it is recorded once more after its
 * last calls, by a process that has not seen them. */
TEST_WITH(the_work_of_last_calls_is_kept, staged_unit, fake_unit_end) {
    char run_folder[512];
    scratch_make(state);
    scratch_run(run_folder);
    session.run = run_folder;
    plan.precise &= ~(1 << LENS_CALL); /* one own process, in the first visit */
    tunes_itself();
    for (int visit = 1; visit <= VISITS; visit++)
        assert_int_equal(ends_after(&session, visit), visit == VISITS);
    assert_true(result.rows.recording_count > 1);
    for (size_t i = 0; i < result.rows.recording_count; i++)
        assert_string_equal(result.rows.recordings[i].own_kernels,
                            result.rows.recordings[0].own_kernels);
    assert_true(*result.rows.recordings[0].own_kernels);
    scratch_remove(state);
}

/* A recorder that is killed once is of no matter to the next unit. */
TEST_WITH(a_second_try_that_passes_ends_the_matter, staged_unit, fake_unit_end) {
    tunes_itself();
    struct fake_fault *fault = fake_fail(WIRE_RECORD, "mine.so", PROCESS_CRASHED);
    fault->nth = 1; /* behind that of the checks */
    fault->code = SIGKILL;
    run();
    became("mine", "ok");
    assert_int_equal(result.rows.recording_count, 3);
    assert_false(session.killed);
}

/* All visits begin again, also that whose last calls were seen. */
TEST_WITH(last_calls_that_are_seen_again_are_told_once, staged_unit, fake_unit_end) {
    nn->last_facts.seen_count = 1;
    nn->last_facts.seen[0] = (struct facts_seen){.name = "k", .is_kernel = 1, .dependent = 1};
    struct fake_fault *fault = fake_fail(WIRE_ADD, "lib-tn", PROCESS_CRASHED);
    fault->staged = true;
    fault->nth = VISITS - 1;
    fault->code = 11;
    run();
    became("lib-tn", "crashed");
    became("mine", "ok");
    int told = 0;
    for (size_t i = 0; i < result.rows.audit_count; i++)
        told += strcmp(result.rows.audits[i].part, "last-calls") == 0;
    assert_int_equal(told, 1);
}
