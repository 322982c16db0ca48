/* What is made of the rows of replays: accusations, the report's section, the gate's demand, and
 * verify, which finds a verdict that the numbers do not give. */
#include "reports/rows/replays.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "bench/base/files.h"
#include "reports/page/write_markdown.h"
#include "reports/run/verify.h"
#include "reports/sections/sections.h"
#include "tests/support/doubles.h"
#include "tests/support/made_runs.h"

#define SHAPE ((struct shape){64, 64, 64})

/* "wf": tries whose C is wrong, and that are faster natively; s same and agreeing, l natively
 * slower, u same and not compared, b other bits, n not replayable, r right and agreeing, o as f but
 * of other kernels than natively, k as f where the native kernels are not known. */
static void add_tries(struct rows *rows, const char *tries) {
    for (int i = 0; tries[i]; i++) {
        struct replay_row row = replays_row(SHAPE, "mine", i + 1);
        const bool timed = strchr("fslrok", tries[i]) != NULL;
        strcpy(row.result, tries[i] == 'w'   ? "wrong"
                           : tries[i] == 'b' ? "bits"
                           : tries[i] == 'n' ? "no"
                           : tries[i] == 'r' ? "right"
                                             : "same");
        row.native_ratio = 1.25;
        row.native_sd = 0.002;
        row.native_rounds = 4;
        row.error = 0.001;
        row.clock_step = 0;
        row.side_by_side = 1;
        row.ratio = !timed ? NAN : strchr("fok", tries[i]) ? 1.0 : tries[i] == 'l' ? 1.5 : 1.25;
        strcpy(row.kernels, "1");
        strcpy(row.native_kernels, tries[i] == 'o' ? "2" : tries[i] == 'k' ? "" : "1");
        replays_judge(&row);
        assert_int_equal(rows_add_replay(rows, &row), 0);
    }
}

static void it_takes_three_tries_to_accuse(void **state) {
    (void)state;
    static const struct {
        const char *tries, *accusation;
        int last; /* the try that counts */
    } cases[] = {
        {"s", "", 1},        {"f", "", 1},       {"fff", "", 3},      {"ffs", "", 3},
        {"fnnnff", "", 6},   {"fnnnnn", "", 1},  {"w", "", 1},        {"ww", "", 2},
        {"www", "wrong", 3}, {"bbb", "bits", 3}, {"bwb", "wrong", 3}, {"wws", "", 3},
        {"wwr", "", 3},      {"wwn", "", 3},     {"wwws", "", 4},     {"n", "", 1},
        {"nnn", "", 3},      {"wufff", "", 5},   {"u", "", 1},        {"l", "", 1},
        {"lll", "", 3},      {"r", "", 1},       {"sw", "", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct rows rows = {0};
        add_tries(&rows, cases[i].tries);
        if (strcmp(replays_accuse(&rows, SHAPE, "mine"), cases[i].accusation) != 0)
            fail_msg("%s: %s", cases[i].tries, replays_accuse(&rows, SHAPE, "mine"));
        const struct replay_row *last = replays_last(&rows, SHAPE, "mine");
        if (!last || last->number != cases[i].last)
            fail_msg("%s: the try that counts is %g", cases[i].tries, last ? last->number : 0);
        assert_string_equal(replays_accuse(&rows, SHAPE, "other"), "");
        assert_null(replays_last(&rows, SHAPE, "other"));
        rows_free(&rows);
    }
}

static void a_row_has_what_follows_from_its_numbers(void **state) {
    (void)state;
    struct rows rows = {0};
    add_tries(&rows, "fsnw");
    const struct replay_row *row = rows.replays;
    assert_double_near(row[0].faster, 0.25, 1e-12);
    assert_string_equal(row[0].verdict, "differs");
    assert_double_near(row[1].faster, 0, 1e-12);
    /* exp(sqrt((3.182446 * 0.002 * sqrt(1.25))^2 + (1.959964 * 0.02)^2 + (1.959964 * 0.001)^2)) *
     * 1.02 - 1 */
    assert_double_near(row[1].allowed, 0.061508, 1e-5);
    for (int i = 2; i < 4; i++) {
        assert_true(isnan(row[i].faster) && isnan(row[i].allowed));
        assert_string_equal(row[i].verdict, "");
    }
    rows_free(&rows);
}

/* A kernel that waits for the device in each call has no native time by that lens. */
static void a_native_time_may_be_missing(void **state) {
    (void)state;
    float values[] = {1e-5f, 2e-5f, 1.1e-5f, 2.1e-5f, 1e-5f, 2e-5f};
    struct samples samples = {.mode = "offline",
                              .lens = "device",
                              .columns = {"lib", "mine"},
                              .column_count = 2,
                              .blocks = 3,
                              .values = values};
    struct replay_row row = replays_row(SHAPE, "mine", 1);
    assert_true(replays_is_native(&samples));
    strcpy(row.result, "same");
    strcpy(row.baseline, "lib");
    row.ratio = 0.5;
    replays_compare(&samples, &row);
    assert_double_near(row.native_ratio, 0.5, 0.03);
    assert_double_near(row.native_seconds, 2e-5, 1e-9);
    assert_string_equal(row.verdict, "agrees");
    for (int i = 1; i < 6; i += 2)
        values[i] = -values[i];
    replays_compare(&samples, &row);
    assert_true(isnan(row.native_ratio));
    assert_string_equal(row.verdict, "");
    assert_non_null(strstr(row.note, "times: natively all samples hold host time"));
    strcpy(samples.lens, "call");
    assert_false(replays_is_native(&samples));
    strcpy(samples.lens, "device");
    strcpy(samples.mode, "server");
    assert_false(replays_is_native(&samples));
}

/* As measured on an H200 with 132 SMs, four rounds: natively and replayed the kernels took the same
 * time, and the library beside them did not. Both kernels are honest. */
static void a_library_that_moves_accuses_nobody(void **state) {
    (void)state;
    static const struct {
        struct shape shape;
        double native, replayed, native_ratio, ratio, sd, error, step, faster;
        const char *note;
    } cases[] = {
        {{2048, 128, 12288},
         114.496e-6,
         115.584e-6,
         0.191662118,
         0.161814190,
         0.00595921453,
         0.00120992,
         0.00174344939,
         0.184458,
         "by torch-matmul: natively 21.94 us, replayed 18.7 us"},
        {{256, 2048, 16384},
         61.6960e-6,
         63.8720e-6,
         0.512670962,
         0.480357409,
         0.00350062298,
         0.00104984798,
         0.00153165315,
         0.0672698,
         "by the kernel: natively 61.7 us, replayed 63.87 us"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        float values[12];
        struct samples samples = {.mode = "offline",
                                  .lens = "device",
                                  .columns = {"torch-matmul", "mine"},
                                  .column_count = 2,
                                  .blocks = 6,
                                  .values = values};
        for (int b = 0; b < 6; b++) {
            values[2 * b] = (float)(cases[i].native * cases[i].native_ratio);
            values[2 * b + 1] = (float)cases[i].native;
        }
        struct rows rows = {0};
        for (int number = 1; number <= 3; number++) {
            struct replay_row row = replays_row(cases[i].shape, "mine", number);
            strcpy(row.result, "same");
            strcpy(row.baseline, "torch-matmul");
            row.device_seconds = cases[i].replayed;
            row.ratio = cases[i].ratio;
            row.error = cases[i].error;
            replays_compare(&samples, &row);
            assert_string_equal(row.verdict, "differs");
            assert_double_near(row.faster, cases[i].faster, 1e-4);
            if (!strstr(row.note, cases[i].note))
                fail_msg("note: %s", row.note);
            assert_int_equal(rows_add_replay(&rows, &row), 0);
        }
        assert_string_equal(replays_accuse(&rows, cases[i].shape, "mine"), "");
        rows_free(&rows);
    }
}

/* As Markdown. */
static const char *section_of(const struct rows *rows) {
    static char text[8192];
    const struct report report = {.rows = rows};
    struct document *page = document_new("a page");
    FILE *out = fmemopen(text, sizeof text, "w");
    section_replays(page, &report);
    assert_int_equal(write_markdown(out, page), 0);
    fclose(out);
    document_free(page);
    return text;
}

static void page_says(const char *page, const char *words) {
    if (!strstr(page, words))
        fail_msg("the page lacks \"%s\": %s", words, page);
}

static void a_report_says_how_many_and_why_not(void **state) {
    (void)state;
    struct rows rows = {0};
    assert_null(strstr(section_of(&rows), "Replays"));
    static const struct {
        const char *result, *why;
        double ratio;
    } kernels[] = {{"same", "", 1.25},
                   {"same", "", 1.24},
                   {"right", "", 1.5},
                   {"same", "", NAN},
                   {"no", "it uses managed memory (cuMemAllocManaged)", NAN},
                   {"no", "it uses managed memory (cuMemPrefetch)", NAN},
                   {"no", "recorded: the process crashed", NAN}};
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        struct replay_row row = replays_row((struct shape){64, 64, 64 + (int64_t)i}, "mine", 1);
        strcpy(row.result, kernels[i].result);
        strcpy(row.why, kernels[i].why);
        row.ratio = kernels[i].ratio;
        row.native_ratio = 1.25;
        row.native_rounds = 1;
        replays_judge(&row);
        assert_int_equal(rows_add_replay(&rows, &row), 0);
    }
    struct replay_row overlaps = rows.replays[0]; /* is in no number of times */
    overlaps.shape.m = 32;
    overlaps.ratio = 0.7;
    overlaps.side_by_side = 2;
    replays_judge(&overlaps);
    assert_int_equal(rows_add_replay(&rows, &overlaps), 0);
    const char *page = section_of(&rows);
    page_says(page, "\n## Replays\n");
    page_says(page, "5 of 8 kernels (62 %)");
    page_says(page, "4 with the native bits, 1 right");
    page_says(page, "+0.0 % (median of 3), at most +0.8 % (64x64x65 mine)");
    page_says(page, "1 of 3, which is no accusation");
    page_says(page,
              "| it uses managed memory | 2 | 64x64x68 mine |\n| recorded | 1 | 64x64x70 mine |");
    rows_free(&rows);
}

/* Kernels 0 to 2 of a run, against the kernels before. */
static const char *judged(const char *a, const char *b, double replayed) {
    struct made run = {.kernels = {{.replay = "same"}, {.replay = a}, {.replay = b}}};
    run.kernels[1].replayed = replayed;
    files_remove_tree(scratch_path("run"));
    make("run", &run);
    return judge(NULL, false);
}

static void a_policy_may_require_replays(void **state) {
    (void)state;
    assert_string_equal(judged("no", NULL, 1), "pass");
    policy.replay_required = true;
    assert_string_equal(judged("same", "right", 1), "pass");
    assert_string_equal(judged("same", "right", 0.5), "pass"); /* natively slower */
    assert_string_equal(judged("same", "no", 1), "inconclusive");
    assert_reason("1 of 3 kernels are not confirmed by a replay, which the policy requires; the "
                  "first: 256x256x64 mine: it uses managed memory (cuMemAllocManaged)");
    assert_string_equal(judged(NULL, "no", 1), "inconclusive");
    assert_reason("2 of 3 kernels");
    assert_reason("128x64x32 mine: nothing was replayed (--replay off)");
    assert_string_equal(judged("same", "same", 2), "inconclusive");
    assert_reason("its ratio natively is 100.0 % higher than replayed");
    struct made run = {.kernels = {{.replay = "same"}, {.replay = "same", .hidden = true}}};
    files_remove_tree(scratch_path("run"));
    make("run", &run);
    assert_string_equal(judge(NULL, false), "inconclusive");
    assert_reason("128x64x32 mine: the kernels that it launches while it is timed are not known");
}

static size_t differences(void) {
    struct verify_counts counts;
    assert_int_equal(verify_count(scratch_path("run"), &counts), 0);
    return counts.differences;
}

/* Rewrites a file of the run with the first `from` replaced, in the unit and in the run. */
static void forge(const char *name, const char *from, const char *to) {
    static const char *const folders[] = {"run/units/128x64x32.mine/%s", "run/%s"};
    for (int i = 0; i < 2; i++) {
        char path[128], text[16384];
        snprintf(path, sizeof path, folders[i], name);
        FILE *file = fopen(scratch_path(path), "r");
        assert_non_null(file);
        text[fread(text, 1, sizeof text - 1, file)] = 0;
        fclose(file);
        char *row = strstr(text, "\n128,64,32,mine,"), *at = row ? strstr(row, from) : NULL;
        assert_non_null(at);
        file = fopen(scratch_path(path), "w");
        fprintf(file, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
        assert_int_equal(fclose(file), 0);
    }
}

static void verify_derives_verdicts_again(void **state) {
    (void)state;
    judged("same", "no", 2);
    assert_int_equal(differences(), 0);
    forge("replays.csv", ",differs,", ",agrees,");
    assert_true(differences() > 0);
    judged("same", "no", 2);
    forge("replays.csv", ",0.625,", ",1.25,"); /* the replayed ratio */
    assert_true(differences() > 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_takes_three_tries_to_accuse),
        cmocka_unit_test(a_row_has_what_follows_from_its_numbers),
        cmocka_unit_test(a_native_time_may_be_missing),
        cmocka_unit_test(a_library_that_moves_accuses_nobody),
        cmocka_unit_test(a_report_says_how_many_and_why_not),
        TEST(a_policy_may_require_replays),
        TEST(verify_derives_verdicts_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
