/* Rows from samples whose every number is known beforehand. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/rows/derive.h"
#include "tests/support/doubles.h"
#include "tests/support/test.h"

enum { BLOCKS = 2000, COLUMNS = 10 };
enum { NN, TN, CANDIDATE, AA, DELAY, LONG, VISIT, CLOCK, DISTURBED };

static float values[BLOCKS * COLUMNS];
static const struct derive_about about = {.shape = {64, 32, 16},
                                          .candidate = "mine",
                                          .cache = "warm",
                                          .light_seconds = 1e-7,
                                          .deviation = 0.5,
                                          .code_length = NAN,
                                          .alpha = 1};

/* The candidate takes 8 us, nn 10, tn 9, and nn with delays of 1 and 5 us 11.5 and 15.5, with a
 * small wave on top that all share but the delays; in the last column one block of four is slow. */
static struct samples some_samples(size_t blocks) {
    struct samples samples = {.mode = "offline",
                              .lens = "device",
                              .columns = {"lib-nn", "lib-tn", "mine", "aa:lib-nn", "delay:lib-nn",
                                          "long-delay:lib-nn", SAMPLES_VISIT, SAMPLES_SM_MHZ,
                                          SAMPLES_DISTURBED, "uneven"},
                              .column_count = COLUMNS,
                              .blocks = blocks,
                              .values = values,
                              .calls = 1,
                              .planted_seconds = 1e-6};
    for (size_t b = 0; b < blocks; b++) {
        const double wave = 1 + 0.01 * sin((double)b * 1.7);
        const double us[COLUMNS] = {10 * wave,
                                    9 * wave,
                                    8 * wave,
                                    10 * wave * (1 + 0.002 * sin((double)b * 2.3)),
                                    10 * wave + 1.5,
                                    10 * wave + 5.5,
                                    0,
                                    1.98e9,
                                    0,
                                    b % 4 ? 10 * wave : 14 * wave};
        for (size_t c = 0; c < COLUMNS; c++)
            values[b * COLUMNS + c] = (float)(us[c] * 1e-6);
        values[b * COLUMNS + CLOCK] = 1980;
    }
    return samples;
}

static struct rows derived(const struct samples *samples) {
    struct rows rows = {0};
    assert_int_equal(derive_unit(samples, 1, &about, &rows), 0);
    return rows;
}

static const struct ratio_row *ratio_of(const struct rows *rows, const char *baseline) {
    for (size_t i = 0; i < rows->ratio_count; i++)
        if (strcmp(rows->ratios[i].baseline, baseline) == 0)
            return &rows->ratios[i];
    fail_msg("no ratio against %s", baseline);
    return NULL;
}

static const struct time_row *time_of(const struct rows *rows, const char *kernel) {
    for (size_t i = 0; i < rows->time_count; i++)
        if (strcmp(rows->times[i].kernel, kernel) == 0)
            return &rows->times[i];
    fail_msg("no times of %s", kernel);
    return NULL;
}

TEST(test_ratios) {
    struct samples samples = some_samples(200);
    samples.place = PLACE_UNBOUNDED;
    struct rows rows = derived(&samples);
    for (size_t i = 0; i < rows.time_count; i++)
        assert_string_equal(rows.times[i].place, "unbounded");
    assert_string_equal(ratio_of(&rows, "lib-nn")->place, "unbounded");
    assert_string_equal(ratio_of(&rows, "lib-max")->place, "unbounded");
    assert_int_equal(rows.ratio_count, 4); /* nn, tn, uneven and the derived max */
    assert_double_near(ratio_of(&rows, "lib-nn")->ratio, 1.25, 1e-6);
    assert_double_near(ratio_of(&rows, "lib-nn")->speedup, 0.25, 1e-6);
    assert_double_near(ratio_of(&rows, "lib-max")->ratio, 1.125, 1e-6);
    assert_string_equal(ratio_of(&rows, "lib-max")->note,
                        "tn is the faster layout; " DERIVE_ONE_VISIT);
    assert_string_equal(ratio_of(&rows, "lib-nn")->note, DERIVE_ONE_VISIT);
    assert_nan(ratio_of(&rows, "lib-nn")->visit_sd);
    assert_string_equal(ratio_of(&rows, "lib-nn")->verdict, "undecided");
    assert_double_near(ratio_of(&rows, "lib-nn")->seconds, 8e-6, 1e-8);
    assert_double_near(ratio_of(&rows, "lib-nn")->baseline_seconds,
                       ratio_of(&rows, "lib-nn")->seconds * ratio_of(&rows, "lib-nn")->ratio, 0);
    assert_double_near(ratio_of(&rows, "lib-nn")->reward, 1.25 - 0.5, 1e-6);
    assert_nan(ratio_of(&rows, "lib-nn")->ci_low);
    rows_free(&rows);
}

/* What the deviation takes away may leave next to nothing: that of the twelve digits that
 * checks.csv has of it. */
TEST(test_reward_of_what_is_stored) {
    struct samples samples = some_samples(200);
    struct rows rows = derived(&samples);
    const double mean = 1 + ratio_of(&rows, "lib-nn")->speedup;
    char text[32];
    rows_free(&rows);
    double reward[2];
    for (int stored = 0; stored < 2; stored++) {
        struct derive_about close = about;
        close.deviation = mean - 3e-7 / 7;
        snprintf(text, sizeof text, "%.12g", close.deviation);
        if (stored)
            close.deviation = strtod(text, NULL);
        rows = (struct rows){0};
        assert_int_equal(derive_unit(&samples, 1, &close, &rows), 0);
        reward[stored] = ratio_of(&rows, "lib-nn")->reward;
        rows_free(&rows);
    }
    assert_double_near(reward[0], 3e-7 / 7, 1e-11);
    assert_true(reward[0] == reward[1]);
}

/* A kernel whose every call waits for the device: no hold can hide it. */
TEST(test_all_marked) {
    struct samples samples = some_samples(BLOCKS);
    for (size_t b = 0; b < BLOCKS; b++)
        values[b * COLUMNS + CANDIDATE] *= -1;
    struct rows rows = derived(&samples);
    const struct time_row *mine = time_of(&rows, "mine");
    assert_true(isnan(mine->median) && isnan(mine->mean) && mine->samples == 0);
    assert_double_near(mine->marked, 1, 0);
    assert_non_null(strstr(mine->note, "a call waits for the device"));
    const struct ratio_row *ratio = ratio_of(&rows, "lib-nn");
    assert_true(isnan(ratio->ratio) && isnan(ratio->ci_low) && isnan(ratio->speedup));
    assert_string_equal(ratio->verdict, "undecided");
    assert_non_null(strstr(ratio->note, "a call waits for the device"));
    assert_double_near(time_of(&rows, "lib-nn")->median, 10e-6, 1e-8);
    rows_free(&rows);
}

/* By the call lens every arm has a column of what its launch took the host. */
TEST(test_host_seconds) {
    struct samples samples = some_samples(BLOCKS);
    strcpy(samples.lens, "call");
    strcpy(samples.columns[COLUMNS - 1], SAMPLES_HOST "mine");
    for (size_t b = 0; b < BLOCKS; b++)
        values[b * COLUMNS + COLUMNS - 1] = 3e-6F;
    struct rows rows = derived(&samples);
    assert_double_near(time_of(&rows, "mine")->host_seconds, 3e-6, 1e-12);
    assert_nan(time_of(&rows, "lib-nn")->host_seconds);
    assert_int_equal(rows.time_count, 3); /* it is no arm */
    rows_free(&rows);
}

TEST(test_times) {
    struct samples samples = some_samples(BLOCKS);
    for (size_t b = 0; b < BLOCKS / 4; b++)
        values[b * COLUMNS + CANDIDATE] = -1e-3F; /* marked: a hold gave up */
    struct rows rows = derived(&samples);
    const struct time_row *mine = time_of(&rows, "mine");
    assert_double_near(mine->samples, BLOCKS - BLOCKS / 4, 0);
    assert_double_near(mine->mean, 8e-6, 1e-7);
    assert_double_near(ratio_of(&rows, "lib-nn")->speedup, 0.25, 1e-3);
    assert_double_near(ratio_of(&rows, "lib-nn")->ratio, 1.25, 1e-3);
    assert_int_equal(rows.time_count, 4); /* controls are no times rows */
    assert_double_near(mine->marked, 0.25, 1e-12);
    assert_double_near(mine->median, 8e-6, 1e-8);
    assert_double_near(mine->cycles, mine->median * 1.98e9, 1);
    assert_double_near(mine->tflops, 2.0 * 64 * 32 * 16 / mine->median * 1e-12, 1e-9);
    assert_true(mine->p99 >= mine->p90 && mine->p90 > mine->median);
    rows_free(&rows);
    samples = some_samples(999);
    rows = derived(&samples);
    assert_true(isnan(time_of(&rows, "mine")->p99)); /* ten samples beyond it are wanted */
    assert_false(isnan(time_of(&rows, "mine")->p90));
    rows_free(&rows);
    samples = some_samples(99);
    rows = derived(&samples);
    assert_true(isnan(time_of(&rows, "mine")->p90));
    rows_free(&rows);
}

static const struct control_row *control_of(const struct rows *rows, const char *control) {
    for (size_t i = 0; i < rows->control_count; i++)
        if (strcmp(rows->controls[i].control, control) == 0)
            return &rows->controls[i];
    fail_msg("no control %s", control);
    return NULL;
}

/* Blocks of four visits. */
static struct samples four_visits(size_t blocks) {
    const struct samples samples = some_samples(blocks);
    for (size_t b = 0; b < blocks; b++)
        values[b * COLUMNS + VISIT] = (float)(4 * b / blocks);
    return samples;
}

/* Visits that leave controls out say nothing of them, and are no reason to doubt the others. */
TEST(controls_of_some_visits_are_of_these_alone) {
    struct samples samples = some_samples(240);
    struct rows whole = {0}, third = {0};
    for (size_t b = 0; b < 240; b++) {
        values[b * COLUMNS + VISIT] = (float)(b / 10);
        for (size_t c = AA; c <= LONG && b / 10 % 3 != 0; c++)
            values[b * COLUMNS + c] = NAN;
    }
    assert_int_equal(derive_unit(&samples, 1, &about, &third), 0);
    size_t kept = 0;
    for (size_t b = 0; b < 240; b++)
        if (b / 10 % 3 == 0)
            memmove(values + kept++ * COLUMNS, values + b * COLUMNS, COLUMNS * sizeof *values);
    samples.blocks = kept;
    assert_int_equal(derive_unit(&samples, 1, &about, &whole), 0);
    for (size_t i = 0; i < third.control_count; i++) {
        const struct control_row *now = &third.controls[i], *then = &whole.controls[i];
        if (strcmp(now->control, "across") == 0)
            continue;
        assert_double_near(now->ratio, then->ratio, 1e-12);
        assert_double_near(now->ci_low, then->ci_low, 1e-12);
        assert_double_near(now->visits, 8, 0);
        assert_string_equal(now->verdict, "ok");
    }
    assert_int_equal(third.control_count, 3);
    for (size_t i = 0; i < third.time_count; i++)
        assert_double_near(third.times[i].marked, 0, 0);
    rows_free(&whole);
    rows_free(&third);
}

TEST(test_controls) {
    struct samples samples = four_visits(200);
    struct rows rows = derived(&samples);
    const struct control_row *aa = control_of(&rows, "aa"), *delay = control_of(&rows, "delay");
    assert_string_equal(aa->verdict, "ok");
    assert_string_equal(aa->baseline, "lib-nn");
    assert_double_near(aa->samples, 200, 0);
    assert_true(isnan(aa->planted) && isnan(aa->found) && isnan(aa->launch));
    assert_true(fabs(aa->speedup) < 1e-4 && aa->error > 0);
    assert_double_near(aa->freedom, 3, 0);
    assert_string_equal(delay->verdict, "ok");
    assert_double_near(delay->ratio, 1, 1e-4);
    assert_double_near(delay->planted, 4e-6, 1e-18);
    assert_double_near(delay->found, 4e-6, 1e-11);
    assert_double_near(delay->launch, 0.5e-6, 1e-10);
    assert_nan(delay->speedup);
    rows_free(&rows);

    /* An A/A pair that differs, and delays that do not show. */
    for (size_t b = 0; b < 200; b++) {
        values[b * COLUMNS + AA] *= 1.01f;
        values[b * COLUMNS + LONG] = values[b * COLUMNS + DELAY] * 1.02f;
    }
    rows = derived(&samples);
    assert_string_equal(control_of(&rows, "aa")->verdict, "off");
    assert_string_equal(control_of(&rows, "delay")->verdict, "missed"); /* 0.2 of 4 us */
    rows_free(&rows);

    /* A delay that is found, and found too long. */
    for (size_t b = 0; b < 200; b++)
        values[b * COLUMNS + LONG] = values[b * COLUMNS + DELAY] + 4.2e-6f;
    rows = derived(&samples);
    assert_string_equal(control_of(&rows, "delay")->verdict, "off");
    assert_double_near(control_of(&rows, "delay")->ratio, 1.05, 1e-4);
    rows_free(&rows);
}

/* One visit has no intervals, and nothing across. Its delays are found or missed all the same, from five
 * blocks on: four that all take longer are two in sixteen cases chance. */
TEST(controls_of_one_visit) {
    for (size_t blocks = 4; blocks <= 5; blocks++) {
        const struct samples few = some_samples(blocks);
        struct rows of_few = derived(&few);
        assert_string_equal(control_of(&of_few, "delay")->verdict,
                            blocks < 5 ? "missed" : "unknown");
        rows_free(&of_few);
    }
    struct samples samples = some_samples(200);
    struct rows rows = derived(&samples);
    assert_int_equal(rows.control_count, 2);
    assert_string_equal(control_of(&rows, "aa")->verdict, "unknown");
    assert_string_equal(control_of(&rows, "aa")->note, DERIVE_ONE_VISIT);
    assert_string_equal(control_of(&rows, "delay")->verdict, "unknown");
    rows_free(&rows);
    for (size_t b = 0; b < 200; b++)
        values[b * COLUMNS + LONG] = values[b * COLUMNS + DELAY] * 1.02f;
    rows = derived(&samples);
    assert_string_equal(control_of(&rows, "delay")->verdict, "missed");
    rows_free(&rows);
}

/* nn over tn is 10 / 9 and moves from visit to visit. Of two and two visits the difference of the
 * means, with Student's t of 2 degrees of freedom, 4.30265, and the pooled variance 5e-6 of a
 * visit.
 */
TEST(test_across) {
    static const double moved[] = {0, 0.002, 0.01, 0.014, 0.03};
    struct samples samples = some_samples(200);
    for (size_t b = 0; b < 200; b++) {
        values[b * COLUMNS + VISIT] = (float)(b / 50);
        values[b * COLUMNS + NN] *= (float)exp(moved[b / 50]);
    }
    struct rows rows = derived(&samples);
    const struct control_row *across = control_of(&rows, "across");
    assert_string_equal(across->baseline, "lib-nn");
    assert_string_equal(across->note, "over lib-tn");
    assert_double_near(log(across->ratio), -0.011, 1e-6);
    assert_double_near(log(across->ci_low), -0.02062102, 1e-6);
    assert_double_near(log(across->ci_high), -0.00137898, 1e-6);
    assert_double_near(across->freedom, 2, 0);
    assert_double_near(across->visits, 4, 0);
    assert_double_near(across->error, 0.00223607, 1e-6);
    assert_string_equal(across->verdict, "ok"); /* 1 to a quarter of a per cent */
    rows_free(&rows);
    for (size_t b = 0; b < 100; b++)
        values[b * COLUMNS + VISIT] = (float)(b / 50);
    samples.blocks = 100; /* two visits: a difference and no interval */
    rows = derived(&samples);
    across = control_of(&rows, "across");
    assert_double_near(log(across->ratio), -0.002, 1e-6);
    assert_true(isnan(across->ci_low) && isnan(across->error) && isnan(across->freedom));
    assert_string_equal(across->verdict, "unknown");
    assert_string_equal(across->note, "over lib-tn; too few visits for an interval");
    rows_free(&rows);
}

TEST(test_environment) {
    struct samples samples = some_samples(200);
    for (size_t b = 0; b < 200; b++) {
        values[b * COLUMNS + DISTURBED] = b < 20;
        values[b * COLUMNS + NN] *= 1 + (b < 20 ? 0.1F : 0.001F) * (float)(b % 7);
        values[b * COLUMNS + VISIT] = (float)(b / 100);
    }
    struct rows rows = derived(&samples);
    assert_string_equal(ratio_of(&rows, "lib-nn")->verdict, "faster");
    assert_double_near(ratio_of(&rows, "lib-nn")->disturbed, 0.1, 1e-12);
    assert_double_near(ratio_of(&rows, "lib-nn")->left_out, 0, 0);
    rows_free(&rows);
    values[20 * COLUMNS + DISTURBED] = 1;
    rows = derived(&samples);
    assert_string_equal(ratio_of(&rows, "lib-nn")->verdict, "environment");
    rows_free(&rows);
}

/* Of three visits of 100 blocks: one is left out where 11 were disturbed, and not where 10 were. Its
 * row of visits.csv stays, without a ratio. */
TEST(a_disturbed_visit_is_left_out) {
    struct samples samples = some_samples(300);
    for (size_t b = 0; b < 300; b++) {
        values[b * COLUMNS + VISIT] = (float)(b / 100);
        values[b * COLUMNS + DISTURBED] = b < 10;
        values[b * COLUMNS + CANDIDATE] *= b < 100 ? 3 : 1;
        values[b * COLUMNS + TN] *= b < 100 ? 3 : 1;
    }
    struct rows rows = derived(&samples);
    assert_double_near(ratio_of(&rows, "lib-nn")->left_out, 0, 0);
    assert_double_near(ratio_of(&rows, "lib-nn")->ratio, 1.25 / cbrt(3), 1e-6);
    rows_free(&rows);
    values[10 * COLUMNS + DISTURBED] = 1;
    rows = derived(&samples);
    const struct ratio_row *row = ratio_of(&rows, "lib-nn");
    assert_double_near(row->left_out, 1, 0);
    assert_double_near(row->visits, 2, 0);
    assert_double_near(row->disturbed, 0, 0);
    assert_double_near(row->ratio, 1.25, 1e-6);
    assert_string_equal(row->note, "1 of 3 visits left out: disturbed");
    assert_string_equal(time_of(&rows, "mine")->note, "1 of 3 visits left out: disturbed");
    assert_double_near(time_of(&rows, "mine")->visits, 2, 0);
    assert_double_near(time_of(&rows, "mine")->samples, 200, 0);
    assert_double_near(ratio_of(&rows, "lib-max")->ratio, 1.125, 1e-6);
    assert_double_near(ratio_of(&rows, "lib-max")->visits, 2, 0);
    assert_double_near(rows.visits[0].left_out, 1, 0);
    assert_nan(rows.visits[0].ratio);
    assert_double_near(rows.visits[1].left_out, 0, 0);
    assert_double_near(rows.visits[1].ratio, 1.25, 1e-6);
    rows_free(&rows);
}

/* Of three visits of which each other number was timed, two are most of them. */
TEST(most_of_the_visits_that_were_timed_remain) {
    struct samples samples = some_samples(300);
    for (size_t b = 0; b < 300; b++) {
        values[b * COLUMNS + VISIT] = (float)(2 * (b / 100));
        values[b * COLUMNS + DISTURBED] = b < 200;
    }
    struct rows rows = derived(&samples);
    const struct ratio_row *row = ratio_of(&rows, "lib-nn");
    assert_double_near(row->timed_visits, 3, 0);
    assert_double_near(row->left_out, 0, 0);
    assert_string_equal(row->verdict, "environment");
    rows_free(&rows);
    for (size_t b = 100; b < 200; b++)
        values[b * COLUMNS + DISTURBED] = 0;
    rows = derived(&samples);
    assert_string_equal(ratio_of(&rows, "lib-nn")->note, "1 of 3 visits left out: disturbed");
    assert_double_near(time_of(&rows, "mine")->visits, 2, 0);
    rows_free(&rows);
}

TEST(test_visits) {
    struct samples samples = some_samples(300);
    for (size_t b = 0; b < 300; b++) {
        values[b * COLUMNS + VISIT] = (float)(b / 100);
        values[b * COLUMNS + NN] *= (float)exp(0.1 * (double)(b / 100)); /* between visits */
    }
    struct rows rows = derived(&samples);
    const struct ratio_row *nn = ratio_of(&rows, "lib-nn");
    assert_double_near(nn->visits, 3, 0);
    assert_double_near(nn->ratio, 1.25 * exp(0.1), 1e-5);
    assert_double_near(nn->visit_sd, 0.1, 1e-5);
    assert_double_near(nn->freedom, 2, 0);
    assert_true(nn->block_error < 1e-5 && nn->clock_step > 0);
    assert_string_equal(nn->note, "");
    /* Student's t with 2 degrees of freedom: 4.303 * 0.1 / sqrt(3). */
    assert_double_near(log(nn->ci_high / nn->ratio), 0.2484, 1e-4);
    assert_int_equal(rows.visit_count, 3 * rows.ratio_count);
    assert_string_equal(rows.visits[1].baseline, "lib-nn");
    assert_double_near(rows.visits[1].visit, 1, 0);
    assert_double_near(rows.visits[1].ratio, 1.25 * exp(0.1), 1e-5);
    struct visits second = derive_ratio(&samples, NN, CANDIDATE, 1, NULL);
    assert_double_near(second.estimate, log(1.25) + 0.1, 1e-6);
    rows_free(&rows);
}

TEST(test_few) {
    struct samples samples = some_samples(4);
    struct rows rows = derived(&samples);
    assert_true(isnan(ratio_of(&rows, "lib-nn")->ci_low));
    assert_string_equal(ratio_of(&rows, "lib-nn")->verdict, "undecided");
    rows_free(&rows);
    samples.blocks = 0;
    rows = derived(&samples);
    assert_true(isnan(time_of(&rows, "mine")->median));
    rows_free(&rows);
}

/* What the event clock says: milliseconds in float32. */
static double read_clock(double seconds) {
    return (double)(float)(seconds * 1e3) / 1e3;
}

/* `stream` as the runner has it: ten calls an interval, less what the changes of operands took,
 * which has three values. */
TEST(test_stream_clock_step) {
    static const double clocks[] = {0.5e-6, 1.024e-6, 32e-9}, calls[] = {1.5e-6, 12e-6, 97e-6};
    for (size_t i = 0; i < 9; i++) {
        const double clock = clocks[i / 3], call = calls[i % 3];
        struct samples samples = {
            .columns = {"lib-nn"}, .column_count = 1, .blocks = 300, .values = values};
        for (size_t b = 0; b < samples.blocks; b++) {
            const double edge = floor(20e-6 / clock) + (double)(b / 10 % 3);
            const double readings = floor(10 * call / clock) + edge + (double)(b * 7 % 5);
            const double seconds = read_clock(readings * clock) - read_clock(edge * clock);
            values[b] = (float)(seconds / 10);
        }
        const double step = derive_clock_step(&samples, 0) * derive_median(&samples, 0);
        assert_double_near(step, clock / 10, clock / 10 * 0.01);
    }
}
