/* Recordings of kernels with runners that are faked: what becomes of bits, products and recordings,
 * and that whatever fails on our side accuses nobody. */
#include "bench/checks/recording_check.h"

#include <math.h>

#include <stdio.h>

#include "bench/checks/checks.h"
#include "bench/checks/credible.h"
#include "bench/jobs/processes.h"
#include "bench/jobs/unit_reference.h"
#include "bench/runner/layout.h"
#include "tests/support/checked_arms.h"
#include "tests/support/doubles.h"
#include "tests/support/says.h"
#include "tests/support/test.h"

enum { SHAPE_CALLS = 8 };

/* On a GPU; the device lens is timed. */
static int open_gpu(void **state) {
    fake_unit(state);
    on_gpu();
    if (unit_open_runner(&context) < 0)
        return -1;
    return checks_libraries(&context) == 0 ? 0 : -1;
}

static const struct recording_row *row_is(size_t at, const char *word, const char *why) {
    assert_true(at < result.rows.recording_count);
    const struct recording_row *row = &result.rows.recordings[at];
    assert_string_equal(row->result, word);
    if (!strstr(row->why, why))
        fail_msg("why lacks \"%s\": %s", why, row->why);
    assert_double_near(row->number, (double)at + 1, 0);
    return row;
}

TEST_WITH(a_recording_is_carried_out, open_gpu, fake_unit_end) {
    outcome_is(check_candidate(), OUTCOME_OK, "");
    const struct recording_row *row = row_is(0, "same", "");
    assert_int_equal(result.rows.recording_count, 1);
    assert_string_equal(row->candidate, "mine");
    assert_string_equal(row->kernel, "mine");
    assert_double_near(row->same_calls, SHAPE_CALLS, 0);
    assert_int_equal(fake_count(WIRE_ADD, "mine.so"), 2);
    const struct wire_record *record = &fake_last(WIRE_RECORD, "mine.so")->record;
    assert_int_equal(record->calls, SHAPE_CALLS);
    assert_in_range(record->unkept, 64 + SHAPE_CALLS, 255 + SHAPE_CALLS);
    /* The stage is told the inputs of the recording, then one call's that it has not seen, and then
     * those of the probe. */
    int at = 0, drawn = 0;
    for (int i = 0; i < fake.asked; i++) {
        const struct wire_call *call = &fake.log[i].call;
        if (fake.log[i].verb != WIRE_CALL || strcmp(fake.asked_of[i], "recording of mine.so") != 0)
            continue;
        if (at < 2 * SHAPE_CALLS) {
            const uint64_t seed = seed_derive(record->seed, SEED_BLOCK, (uint64_t)call->call);
            assert_int_equal(call->call, at % SHAPE_CALLS);
            assert_int_equal(call->input_kind, INPUT_NORMAL);
            drawn += call->seed != seed;
            assert_true(call->secret == (call->seed == seed ? record->secret : 0));
            assert_true(at >= SHAPE_CALLS || call->seed == seed);
        }
        at++;
    }
    assert_int_equal(drawn, 1);
    assert_true(fake_last(WIRE_ADD, "recording of mine.so")->add.bytes > 64);
    assert_int_equal(fake_last(WIRE_ADD, "recording of mine.so")->add.sandbox, 1);
    /* It is kept for the stage. */
    const struct recorded *kept = &context.recorded[UNIT_CANDIDATE];
    assert_non_null(kept->bytes);
    assert_int_equal(kept->size, fake_last(WIRE_ADD, "recording of mine.so")->add.bytes);
    assert_int_equal(kept->calls, SHAPE_CALLS);
    assert_int_equal(kept->padded.m, unit.shape.m);
    assert_false(kept->stored);
    assert_null(context.recorded[UNIT_PREVIOUS].bytes);
}

/* How the recorder and the stage open the device. */
TEST_WITH(players_open_the_device_at_fixed_places, open_gpu, fake_unit_end) {
    check_candidate();
    int recorders = 0, players = 0;
    for (int i = 0; i < fake.asked; i++) {
        const struct wire_open *open = &fake.log[i].open;
        if (fake.log[i].verb != WIRE_OPEN)
            continue;
        recorders += open->record && open->fixed;
        players += !open->record && open->fixed && open->rehearse;
    }
    assert_int_equal(recorders, 1);
    assert_int_equal(players, 1);
}

/* Between two visits another shape's reference products may have taken the place of this one's. */
TEST_WITH(a_later_recorder_makes_reference_products_before_the_kernel_is_there, open_gpu,
          fake_unit_end) {
    outcome_is(check_candidate(), OUTCOME_OK, "");
    unit_reference_free(&session);
    session.reference_on_device = true;
    const int before = fake.asked;
    assert_int_equal(recording_check(&context, unit_candidate(&context)), OUTCOME_OK);
    row_is(1, "same", "");
    static const enum wire_verb asked[] = {WIRE_OPEN, WIRE_SHAPE, WIRE_PRODUCT, WIRE_PRODUCT,
                                           WIRE_ADD};
    for (int i = 0; i < 5; i++)
        assert_int_equal(fake.log[before + i].verb, asked[i]);
}

/* In a row of its own, at operands of its own. */
TEST_WITH(an_earlier_release_is_recorded, open_gpu, fake_unit_end) {
    with_earlier();
    old->padded = (struct shape){64, 64, 64};
    assert_int_equal(checks_kernel(&context, UNIT_PREVIOUS), 0);
    assert_string_equal(row_is(0, "same", "")->kernel, RUNDIR_PREVIOUS);
    assert_string_equal(row_is(0, "same", "")->candidate, "mine");
    assert_int_equal(fake_last(WIRE_ADD, "recording of old.so")->add.operands, LAYOUT_PREVIOUS);
    assert_int_equal(fake_last(WIRE_ADD, "old.so")->add.operands, LAYOUT_PREVIOUS);
    assert_non_null(context.recorded[UNIT_PREVIOUS].bytes);
    assert_null(context.recorded[UNIT_CANDIDATE].bytes);
    outcome_is(check_candidate(), OUTCOME_OK, "");
    assert_int_equal(result.rows.recording_count, 2);
    assert_string_equal(result.rows.recordings[1].kernel, "mine");
    assert_int_equal(fake_last(WIRE_ADD, "recording of mine.so")->add.operands, LAYOUT_CANDIDATE);
    assert_non_null(context.recorded[UNIT_CANDIDATE].bytes);
}

/* Both are carried out in one process, where both read the same pages. */
TEST_WITH(kernels_of_one_padding_are_recorded_at_the_same_operands, open_gpu, fake_unit_end) {
    with_earlier();
    old->padded = kernel->padded = (struct shape){64, 64, 64};
    assert_int_equal(checks_kernel(&context, UNIT_PREVIOUS), 0);
    outcome_is(check_candidate(), OUTCOME_OK, "");
    for (int i = 0; i < UNIT_KERNELS; i++)
        assert_int_equal(context.recorded[i].operands, LAYOUT_PREVIOUS);
    assert_int_equal(fake_last(WIRE_ADD, "recording of mine.so")->add.operands, LAYOUT_PREVIOUS);
}

/* The candidate has nothing to do with that. */
TEST_WITH(an_earlier_release_may_lie, open_gpu, fake_unit_end) {
    with_earlier();
    fake.recording.error = 100;
    assert_int_equal(checks_kernel(&context, UNIT_PREVIOUS), 0);
    outcome_is(unit_previous(&context), OUTCOME_DISHONEST, "carried out without its library");
    fake.recording.error = 0;
    outcome_is(check_candidate(), OUTCOME_OK, "");
    assert_null(context.recorded[UNIT_PREVIOUS].bytes);
}

/* One row says why, and one sentence of the checks. */
static void is_unrecorded(const char *why) {
    outcome_is(check_candidate(), OUTCOME_UNRECORDED, "calls: the kernel cannot be recorded: ");
    row_is(0, "no", why);
    assert_non_null(strstr(unit_candidate(&context)->row.detail, why));
    assert_int_equal(result.rows.recording_count, 1);
    assert_null(context.recorded[UNIT_CANDIDATE].bytes);
}

TEST_WITH(who_cannot_be_recorded_is_told_why, open_gpu, fake_unit_end) {
    fake.recording.record.recordable = 0;
    fake.recording.why = "it uses managed memory";
    is_unrecorded("it uses managed memory");
    assert_int_equal(fake_count(WIRE_ADD, "recording of mine.so"), 0);
}

TEST_WITH(a_player_may_refuse, open_gpu, fake_unit_end) {
    fake.recording.add.arm = -1;
    fake.recording.why = "a launch has attribute 99";
    is_unrecorded("a launch has attribute 99");
}

/* Each of what a try asks, failing in each way. */
TEST_WITH(a_process_that_ends_has_recorded_nothing, open_gpu, fake_unit_end) {
    static const struct {
        enum wire_verb verb;
        enum process_answer answer;
        const char *why;
    } faults[] = {
        {WIRE_ADD, PROCESS_CRASHED, "loaded: signal 0 (Unknown signal 0); printed: oh"},
        {WIRE_ADD, PROCESS_EXITED, "loaded: exit status 0; printed: oh"},
        {WIRE_CALL, PROCESS_CRASHED, "carried out: signal 0 (Unknown signal 0); printed: oh"},
        {WIRE_CALL, PROCESS_TIMED_OUT, "carried out: killed after "},
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        fake_unit_end(state);
        assert_int_equal(open_gpu(state), 0);
        fake_fail(faults[i].verb, "recording of mine.so", faults[i].answer)->printed = "oh";
        is_unrecorded(faults[i].why);
    }
}

TEST_WITH(a_fault_of_ours_is_no_kernels, open_gpu, fake_unit_end) {
    static const enum wire_verb verbs[] = {WIRE_RECORD, WIRE_ADD, WIRE_CALL};
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
        fake_unit_end(state);
        assert_int_equal(open_gpu(state), 0);
        struct fake_fault *fault =
            fake_fail(verbs[i], verbs[i] == WIRE_RECORD ? "mine.so" : "recording of mine.so",
                      PROCESS_ANSWERED);
        fault->status = -1;
        fault->text = "no room";
        assert_says(checks_kernel(&context, UNIT_CANDIDATE), TROUBLE, ": no room");
        assert_int_equal(result.rows.recording_count, 0);
    }
}

/* A recording takes dozens of calls, which a busy machine does not make in the time of one. */
TEST_WITH(each_call_of_a_sequence_has_its_time, open_gpu, fake_unit_end) {
    const double one = unit_call_limit(&context), all = 2 * recording_check_calls(&context) + 1;
    outcome_is(check_candidate(), OUTCOME_OK, "");
    for (int i = 0; i < fake.asked; i++) {
        if (fake.log[i].verb == WIRE_RECORD)
            assert_double_near(fake.limit[i], all * one, 1e-9);
        if (fake.log[i].verb == WIRE_CALL)
            assert_double_near(fake.limit[i], one, 1e-9);
    }
}

TEST_WITH(what_fails_is_told_in_its_words, open_gpu, fake_unit_end) {
    struct fake_fault *fault = fake_fail(WIRE_CALL, "recording of mine.so", PROCESS_ANSWERED);
    fault->outcome = OUTCOME_DEVICE_ERROR;
    fault->text = "an illegal memory access";
    is_unrecorded("carried out: an illegal memory access");
}

TEST_WITH(who_answers_for_the_recorder_is_a_liar, open_gpu, fake_unit_end) {
    fake_fail(WIRE_RECORD, "", PROCESS_FORGED);
    outcome_is(check_candidate(), OUTCOME_DISHONEST, "in its process's stead");
}

TEST_WITH(a_recording_that_cannot_be_there_is_none, open_gpu, fake_unit_end) {
    fake.recording.record.bytes = UINT64_C(1) << 40;
    is_unrecorded("a recording that cannot be there");
}

TEST_WITH(another_number_of_calls_is_none, open_gpu, fake_unit_end) {
    fake.recording.add.calls = 7;
    is_unrecorded("another number of calls");
}

/* In its own process it keeps what it claims. */
TEST_WITH(what_was_recorded_may_keep_less_than_is_claimed, open_gpu, fake_unit_end) {
    fake.recording.f16 = true;
    outcome_is(check_candidate(), OUTCOME_PRECISION, "it claims f32; as it was recorded: ");
    row_is(0, "no", "as it was recorded");
    assert_int_equal(fake_last(WIRE_CALL, "recording of mine.so")->call.input_kind, INPUT_PROBE);
    assert_null(context.recorded[UNIT_CANDIDATE].bytes);
}

/* The first call is the one that is timed by device. */
TEST_WITH(the_call_that_is_timed_is_always_asked, open_gpu, fake_unit_end) {
    fake.recording.f16_first = true;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        context.seed = seed;
        unit_reference_free(&session);
        outcome_is(check_candidate(), OUTCOME_PRECISION, "it claims f32; as it was recorded: ");
    }
}

/* A recording that holds the products of the inputs that it was made on. */
TEST_WITH(a_forged_recording_has_a_wrong_product, open_gpu, fake_unit_end) {
    fake.recording.error = 100;
    outcome_is(check_candidate(), OUTCOME_DISHONEST,
               "carried out without its library, in two of two processes: C[0][0] = ");
    for (size_t i = 0; i < 2; i++)
        row_is(i, "wrong", "bound");
    assert_int_equal(result.rows.recording_count, 2);
    assert_int_equal(fake_count(WIRE_RECORD, "mine.so"), 2);
    assert_null(context.recorded[UNIT_CANDIDATE].bytes);
}

TEST_WITH(other_bits_of_a_steady_kernel_are_a_lie, open_gpu, fake_unit_end) {
    fake.recording.play[0].seals[2] = fake.recording.play[1].seals[2] = 5;
    outcome_is(check_candidate(), OUTCOME_DISHONEST, "1 of 8 products have other bits");
    assert_double_near(row_is(1, "wrong", "")->same_calls, SHAPE_CALLS - 1, 0);
}

/* Natively, or carried out twice. */
TEST_WITH(a_kernel_whose_bits_differ_each_time_need_only_be_right, open_gpu, fake_unit_end) {
    fake.recording.play[0].seals[2] = fake.recording.play[1].seals[2] = 5;
    fake.recording.record.again[1] = 6;
    outcome_is(check_candidate(), OUTCOME_OK, "");
    row_is(0, "right", "");
    assert_int_equal(result.rows.recording_count, 1);
    fake_unit_end(state);
    assert_int_equal(open_gpu(state), 0);
    for (int i = 0; i < SHAPE_CALLS; i++) /* whichever call is shown */
        fake.recording.play[0].seals[i] = 5 + (uint64_t)i;
    outcome_is(check_candidate(), OUTCOME_OK, "");
    row_is(0, "right", "");
}

/* A kernel that is not steady must be right, too. */
TEST_WITH(an_unsteady_kernel_that_is_wrong_is_found, open_gpu, fake_unit_end) {
    fake.recording.record.again[1] = 6;
    fake.recording.error = 100;
    outcome_is(check_candidate(), OUTCOME_DISHONEST, "off by");
}

/* A race: its own process makes right products, and the stage wrong ones, other ones each time. */
TEST_WITH(who_is_wrong_in_another_way_each_time_is_unstable, open_gpu, fake_unit_end) {
    fake.recording.error = 100;
    for (int i = 0; i < SHAPE_CALLS; i++) /* whichever call is shown */
        fake.recording.play[0].seals[i] = 5 + (uint64_t)i;
    outcome_is(check_candidate(), OUTCOME_UNSTABLE,
               "carried out without its library, in two of two processes: C[0][0] = ");
    for (size_t i = 0; i < 2; i++)
        row_is(i, "wrong", "bound");
}

/* What new memory holds in each process that records, and a kernel that reads it: the product of its own process
 * is wrong where it holds no zeros, or everywhere. */
static struct {
    uint32_t fills[2];
    bool reads_new_memory, is_wrong;
    bool heals; /* the second recording is right */
} planted;
static void plant(const struct wire_request *request, struct wire_reply *reply, void *shared) {
    (void)reply;
    const int recorded = fake_count(WIRE_RECORD, "");
    if (request->verb == WIRE_ADD && recorded < 2)
        planted.fills[recorded] = request->add.fill;
    if (request->verb == WIRE_CALL && recorded > 0 &&
        (planted.is_wrong || (planted.reads_new_memory && planted.fills[recorded - 1])))
        ((uint16_t *)shared)[0] ^= 0x4000;
    if (request->verb == WIRE_RECORD && recorded == 2 && planted.heals)
        fake.recording.error = 0;
}

TEST_WITH(a_second_process_that_is_right_clears, open_gpu, fake_unit_end) {
    memset(&planted, 0, sizeof planted);
    planted.heals = true;
    fake.recording.error = 100;
    fake.edit = plant;
    outcome_is(check_candidate(), OUTCOME_OK, "");
    row_is(0, "wrong", "");
    row_is(1, "same", "");
    assert_int_equal(result.rows.recording_count, 2);
    assert_int_equal(planted.fills[0], RECORDING_UNWRITTEN);
    assert_int_equal(planted.fills[1], 0);
    assert_non_null(context.recorded[UNIT_CANDIDATE].bytes);
}

/* Whether its bits are the same each time or not, and whatever the stage would make of it. */
TEST_WITH(who_is_wrong_where_it_is_recorded_is_unstable_and_no_liar, open_gpu, fake_unit_end) {
    for (int i = 0; i < 4; i++) {
        memset(&planted, 0, sizeof planted);
        planted.reads_new_memory = i % 2;
        planted.is_wrong = !planted.reads_new_memory;
        if (i >= 2)
            fake.recording.record.again[1] = 6;
        fake.edit = plant;
        outcome_is(check_candidate(), OUTCOME_UNSTABLE,
                   "while it was recorded: in its own process C[0][0] = ");
        row_is(0, "wrong", "in its own process C[0][0] = ");
        assert_int_equal(result.rows.recording_count, 1);
        assert_int_equal(fake_count(WIRE_ADD, "recording of mine.so"),
                         0); /* nothing is left to be carried out */
        fake_unit_end(state);
        assert_int_equal(open_gpu(state), 0);
    }
}

TEST_WITH(who_answers_a_call_for_the_recorded_process_is_a_liar, open_gpu, fake_unit_end) {
    check_candidate();
    const int calls = fake_count(WIRE_CALL, "mine.so");
    fake_unit_end(state);
    assert_int_equal(open_gpu(state), 0);
    fake_fail(WIRE_CALL, "mine.so", PROCESS_FORGED)->nth = calls - 1;
    outcome_is(check_candidate(), OUTCOME_DISHONEST, "in its process's stead");
}

/* In the first process, or also in the second. New memory holds the same in both. */
TEST_WITH(who_fails_is_recorded_again, open_gpu, fake_unit_end) {
    for (int fails = 1; fails <= 2; fails++) {
        memset(&planted, 0, sizeof planted);
        for (int i = 0; i < fails; i++) {
            struct fake_fault *fault = fake_fail(WIRE_RECORD, "mine.so", PROCESS_ANSWERED);
            fault->outcome = OUTCOME_LAUNCH_FAILED;
            fault->text = "status 5";
        }
        fake.edit = plant;
        outcome_is(check_candidate(), fails == 1 ? OUTCOME_OK : OUTCOME_UNRECORDED,
                   fails == 1 ? "" : "its calls fail when recorded: status 5");
        row_is(0, "no", "its calls fail when recorded: status 5");
        assert_int_equal(result.rows.recording_count, 2);
        assert_int_equal(context.recorded[UNIT_CANDIDATE].bytes != NULL, fails == 1);
        assert_int_equal(result.rows.audit_count, fails - 1);
        for (int i = 0; i < 2; i++)
            assert_int_equal(planted.fills[i], RECORDING_UNWRITTEN);
        fake_unit_end(state);
        assert_int_equal(open_gpu(state), 0);
    }
}

/* Nor does one process alone show a lie. */
TEST_WITH(who_fails_and_then_is_wrong_is_unstable, open_gpu, fake_unit_end) {
    fake_fail(WIRE_RECORD, "mine.so", PROCESS_CRASHED);
    fake.recording.error = 100;
    outcome_is(check_candidate(), OUTCOME_UNSTABLE,
               "carried out without its library; it failed in another process: C[0][0] = ");
    row_is(0, "no", "signal 0");
    row_is(1, "wrong", "bound");
}

/* Nor does a kernel get away with a wrong product by failing where it is asked again. */
TEST_WITH(who_is_wrong_and_then_fails_is_unstable, open_gpu, fake_unit_end) {
    fake_fail(WIRE_RECORD, "mine.so", PROCESS_CRASHED)->nth = 1;
    fake.recording.error = 100;
    outcome_is(check_candidate(), OUTCOME_UNSTABLE,
               "carried out without its library; it failed in another process: C[0][0] = ");
    row_is(0, "wrong", "bound");
    row_is(1, "no", "signal 0");
}

TEST_WITH(a_call_that_fails_behind_the_recording_ends_it, open_gpu, fake_unit_end) {
    check_candidate();
    const int calls = fake_count(WIRE_CALL, "mine.so");
    fake_unit_end(state);
    assert_int_equal(open_gpu(state), 0);
    struct fake_fault *fault = fake_fail(WIRE_CALL, "mine.so", PROCESS_CRASHED);
    fault->nth = calls - 1;
    fault = fake_fail(WIRE_CALL, "mine.so", PROCESS_CRASHED);
    fault->nth = calls - 1;
    outcome_is(check_candidate(), OUTCOME_UNRECORDED, "called: signal 0 ");
    row_is(0, "no", "called: signal 0 ");
    row_is(1, "no", "called: signal 0 ");
}

/* Every row of the kernel has it: by it a gate knows whether the recorded kernels are those that were timed.
 */
TEST_WITH(the_kernels_that_were_timed_are_noted, open_gpu, fake_unit_end) {
    with_earlier();
    assert_int_equal(checks_kernel(&context, UNIT_PREVIOUS), 0);
    check_candidate();
    recording_check_note_work(&context);
    assert_string_equal(result.rows.recordings[1].own_kernels, ""); /* not known */
    unit_candidate(&context)->work = strtoull(result.rows.recordings[1].kernels, NULL, 16);
    unit_previous(&context)->work = 0xab;
    recording_check_note_work(&context);
    assert_string_equal(result.rows.recordings[0].own_kernels, "00000000000000ab");
    assert_string_equal(result.rows.recordings[1].own_kernels, result.rows.recordings[1].kernels);
    credible_look(&context); /* which is no lie */
    outcome_is(unit_previous(&context), OUTCOME_OK, "");
}

/* By their work, and by the memory that operands of all calls take. */
TEST_WITH(large_shapes_have_short_sequences, open_gpu, fake_unit_end) {
    static const struct {
        struct shape shape;
        int64_t memory_mib;
        int calls;
    } cases[] = {{{64, 64, 64}, 0, 8},          {{64, 64, 64}, 80 << 10, 8},
                 {{4096, 4096, 4096}, 0, 8},    {{4096, 4096, 4096}, 16 << 10, 8},
                 {{4096, 4096, 4096}, 8, 1},    {{4096, 4096, 4096}, 4 << 10, 2},
                 {{16384, 16384, 64}, 0, 6},    {{16384, 16384, 16384}, 0, 2},
                 {{12288, 12288, 12288}, 0, 3}, {{12288, 12288, 12288}, 16 << 10, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        unit.shape = cases[i].shape;
        session.memory_bytes = cases[i].memory_mib << 20;
        assert_int_equal(recording_check_calls(&context), cases[i].calls);
    }
}
