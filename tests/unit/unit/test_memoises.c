/* Visits of the stage, seen in whole units: what is timed there, who keeps products, and which
 * recordings are carried out. */
#include "bench/unit/stage_visit.h"

#include "bench/context/stage.h"
#include "bench/unit/memoises.h"
#include "tests/support/doubles.h"
#include "tests/support/test.h"
#include "tests/support/whole_units.h"

static int open_stage(void **state) {
    fake_unit(state);
    on_stage();
    return 0;
}

/* The stage is still there for the next unit. */
static void run_staged(void) {
    unit_result_free(&result);
    fake.asked = 0;
    assert_int_equal(run_all(), 0);
}

static const struct samples *samples_by(enum lens lens) {
    for (int i = 0; i < result.series_count; i++)
        if (result.series[i].lens == lens)
            return &result.series[i].samples;
    return NULL;
}

static int count_found(const char *finding) {
    int count = 0;
    for (size_t i = 0; i < result.rows.audit_count; i++)
        count += strcmp(result.rows.audits[i].finding, finding) == 0;
    return count;
}

/* Requests to time calls in a row with wholly new operands. */
static int count_whole(void) {
    int count = 0;
    for (int i = 0; i < fake.asked; i++)
        count += fake.log[i].verb == WIRE_TIME && fake.log[i].time.interval.whole;
    return count;
}

TEST_WITH(device_times_are_of_the_stage, open_stage, fake_unit_end) {
    run_staged();
    became("mine", "ok");
    assert_int_equal(samples_by(LENS_DEVICE)->place, PLACE_STAGE);
    assert_int_equal(samples_by(LENS_STREAM)->place, PLACE_STAGE);
    assert_int_equal(samples_by(LENS_CALL)->place, PLACE_UNBOUNDED);
    for (int i = 0; i < fake.asked; i++) /* where the kernel's library is none of them is timed */
        if (fake.log[i].verb == WIRE_TIME && fake.log[i].time.lenses & 1 << LENS_CALL)
            assert_false(fake.log[i].time.lenses & words_lenses_with(LENS_HELD));
}

/* In the last visit that was timed before. */
static int calls_in_a_row(void) {
    int calls = 0;
    for (int i = 0; i < fake.asked; i++)
        if (fake.log[i].verb == WIRE_TIME && !fake.log[i].time.interval.whole &&
            fake.log[i].time.lenses & 1 << LENS_STREAM)
            calls = fake.log[i].time.interval.stream_calls;
    return calls;
}

TEST_WITH(a_kernel_that_keeps_products_has_no_stream, open_stage, fake_unit_end) {
    kernel->whole = (MEMOISES_TIMES + 0.01 - 1) * 80e-6;
    run_staged();
    became("mine", "ok");
    assert_int_equal(count_found("memoises"), 1);
    assert_string_equal(result.rows.audits[result.rows.audit_count - 1].kernel, "mine");
    assert_null(samples_by(LENS_STREAM));
    assert_non_null(samples_by(LENS_DEVICE));
    for (size_t i = 0; i < result.rows.ratio_count; i++)
        assert_string_not_equal(result.rows.ratios[i].lens, "stream");
    /* Once, by that lens, in as many calls in a row. */
    assert_int_equal(count_whole(), 1);
    for (int i = 0; i < fake.asked; i++)
        if (fake.log[i].verb == WIRE_TIME && fake.log[i].time.interval.whole) {
            /* Of as many arms as before, whose products are examined as before. */
            const struct wire_time *whole = &fake.log[i].time, *few = &fake.log[i - 1].time;
            assert_int_equal(fake.log[i - 1].verb, WIRE_TIME);
            assert_false(few->interval.whole);
            assert_int_equal(whole->lenses, 1 << LENS_STREAM);
            assert_int_equal(whole->interval.stream_calls, calls_in_a_row());
            assert_int_equal(whole->arm_count, few->arm_count);
            assert_memory_equal(whole->arms, few->arms, sizeof whole->arms);
            assert_int_equal(whole->suspect_count, 1);
            assert_int_equal(whole->reference, few->reference);
            assert_memory_equal(whole->tolerance, few->tolerance, sizeof whole->tolerance);
        }
}

/* What new operands cost a library, too, is no sign of it. */
TEST_WITH(honest_kernels_keep_their_stream, open_stage, fake_unit_end) {
    kernel->whole = (MEMOISES_TIMES - 0.01 - 1) * 80e-6;
    run_staged();
    assert_int_equal(count_whole(), 1);
    assert_int_equal(count_found("memoises"), 0);
    assert_non_null(samples_by(LENS_STREAM));
    kernel->whole = 80e-6;
    nn->whole = 100e-6;
    tn->whole = 120e-6;
    run_staged();
    assert_int_equal(count_whole(), 1);
    assert_int_equal(count_found("memoises"), 0);
    kernel->whole = 0; /* nor is what disturbed the library in a few calls */
    nn->whole = tn->whole = -50e-6;
    run_staged();
    assert_int_equal(count_found("memoises"), 0);
}

TEST_WITH(nobody_is_asked_where_no_calls_in_a_row_are_timed, open_stage, fake_unit_end) {
    kernel->whole = 80e-6;
    plan.lenses = plan.precise = 1 << LENS_CALL | 1 << LENS_DEVICE;
    run_staged();
    assert_int_equal(count_whole(), 0);
    assert_int_equal(count_found("memoises"), 0);
}

/* How many visits of the stage began before the one with wholly new operands. */
static int visit_of_the_look(void) {
    int visit = -1;
    for (int i = 0; i < fake.asked; i++) {
        visit += fake.log[i].verb == WIRE_LOAD && fake.log[i + 1].verb != WIRE_PLAY;
        if (fake.log[i].verb == WIRE_TIME && fake.log[i].time.interval.whole)
            return visit;
    }
    return -1;
}

/* A kernel that is honest in its first visit, or while its recording is young, gains nothing. */
TEST_WITH(the_visit_is_drawn_among_those_that_there_are_at_least, open_stage, fake_unit_end) {
    int visits = 0;
    plan.rounds = 9;
    for (plan.seed = 1; plan.seed <= 3; plan.seed++) {
        run_staged();
        assert_int_equal(count_whole(), 1);
        assert_in_range(visit_of_the_look(), 0, 5);
        visits |= 1 << visit_of_the_look();
    }
    assert_int_not_equal(visits & (visits - 1), 0); /* more than one */
}

/* The ratio to the candidate would be one of a number that is none. */
TEST_WITH(an_earlier_release_that_keeps_products_has_no_stream_either, open_stage, fake_unit_end) {
    with_earlier();
    old->whole = 90e-6;
    run_staged();
    became("mine", "ok");
    became("previous", "ok");
    assert_int_equal(count_whole(), 1); /* for both */
    assert_int_equal(count_found("memoises"), 1);
    assert_string_equal(result.rows.audits[result.rows.audit_count - 1].kernel, RUNDIR_PREVIOUS);
    assert_null(samples_by(LENS_STREAM));
}

/* So that it holds what the process that was timed has chosen. */
TEST_WITH(a_kernel_that_tunes_itself_is_recorded_in_each_of_its_processes, open_stage,
          fake_unit_end) {
    plan.rounds = 7; /* own are those of number 0, 3 and 6 */
    run_staged();
    assert_int_equal(fake_count(WIRE_RECORD, "mine.so"), 1);
    tunes_itself();
    run_staged();
    became("mine", "ok");
    assert_int_equal(fake_count(WIRE_RECORD, "mine.so"), 3);
    assert_int_equal(result.rows.replay_count, 3);
    for (int i = 0; i < 3; i++)
        assert_double_near(result.rows.replays[i].number, i + 1, 0);
}

/* Tells recordings apart: each is by its number longer, by bytes that nobody reads. */
static void lengthen(const struct wire_request *request, struct wire_reply *reply, void *shared) {
    (void)shared;
    if (request->verb == WIRE_RECORD)
        reply->record.bytes += 8 * (uint64_t)fake_count(WIRE_RECORD, "");
}

/* Bytes of the recording that the n-th visit was given. */
static uint64_t bytes_of_visit(int n) {
    for (int i = 0; i < fake.asked; i++)
        if (fake.log[i].verb == WIRE_LOAD && fake.log[i + 1].verb != WIRE_PLAY && n-- == 0)
            return fake.log[i].load.bytes;
    return 0;
}

static int broken; /* the number of the recording that cannot be carried out; 0: none */

static void lengthen_and_break(const struct wire_request *request, struct wire_reply *reply,
                               void *shared) {
    lengthen(request, reply, shared);
    if (request->verb == WIRE_RECORD && fake_count(WIRE_RECORD, "") == broken)
        reply->record.replayable = 0;
}

TEST_WITH(the_last_recording_is_carried_out, open_stage, fake_unit_end) {
    static const uint64_t carried_out[7] = {0, 0, 0, 1, 1, 1, 2}; /* by each visit, from 0 on */
    plan.rounds = 7;
    tunes_itself();
    fake.edit = lengthen_and_break;
    broken = 0;
    run_staged();
    became("mine", "ok");
    for (int visit = 0; visit < 7; visit++)
        assert_int_equal(bytes_of_visit(visit) - bytes_of_visit(0), 8 * carried_out[visit]);
}

/* Its calls are no longer what was recorded: what is left are times of its own process. */
TEST_WITH(who_cannot_be_recorded_again_has_no_times_of_the_stage, open_stage, fake_unit_end) {
    plan.rounds = 7;
    tunes_itself();
    fake.edit = lengthen_and_break;
    broken = 2;
    run_staged();
    became("mine", "unrecorded");
    assert_non_null(strstr(check_of("mine")->detail, "round 4 of 7: "));
    assert_string_equal(result.rows.replays[1].result, "no");
    assert_null(samples_by(LENS_DEVICE));
    assert_null(samples_by(LENS_STREAM));
    assert_non_null(samples_by(LENS_CALL));
}
