/* What is said on stderr as units end. */
#include "bench/run/progress.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/fake_runner.h"
#include "tests/support/stderr.h"

static struct progress progress;

static void says(const char *words) {
    stderr_says(words);
    stderr_catch();
}

static void a_line_a_unit(void **state) {
    (void)state;
    fake_reset();
    stderr_catch();
    progress_start(&progress, 10, 1, 4, 0);
    says("resuming: 4 of 10 units are there already\n");
    assert_int_equal(progress.terminal, 0);
    progress_unit(&progress, "64x64x64"); /* not on a terminal */
    fake.now += 30;
    progress_step(&progress, "64x64x64", 1, true, "ok");
    says("5/10 64x64x64: ok (2 min 30 s left)\n");
    fake.now += 3570;
    progress_step(&progress, "8x8x8", 1, true, "nan");
    says("6/10 8x8x8: nan (2 h 00 min left)\n");
    fake.now += 60;
    progress_end(&progress);
    says("2 units in 1 h 01 min\n");
    fake.now -= 3660 - 59.4;
    progress_end(&progress);
    says("2 units in 59 s\n");
    fake.now += 0.1;
    progress_end(&progress);
    stderr_says("2 units in 1 min 00 s\n");
}

/* A unit that ends early has no more rounds. */
static void rounds_are_counted(void **state) {
    (void)state;
    fake_reset();
    stderr_catch();
    progress_start(&progress, 5, 4, 1, 3);
    says("resuming: 1 of 5 units are there already, and 3 of the 16 rounds of the others\n");
    fake.now += 10;
    progress_step(&progress, "64x64x64", 1, false, "round 1 of 4 is measured");
    says("8/20 64x64x64: round 1 of 4 is measured (2 min 00 s left)\n");
    progress_step(&progress, "8x8x8", 4, true, "nan");
    says("12/20 8x8x8: nan (16 s left)\n");
    progress_end(&progress);
    stderr_says("1 units in 10 s\n");
}

static void a_bar_on_a_terminal(void **state) {
    (void)state;
    fake_reset();
    stderr_catch();
    progress_start(&progress, 8, 1, 0, 0);
    progress.terminal = 1;
    progress_unit(&progress, "64x64x64");
    says("\r\033[K[                        ] 0/8, unknown left: 64x64x64");
    fake.now += 10;
    progress_step(&progress, "64x64x64", 1, true, "ok");
    says("\r\033[K1/8 64x64x64: ok (1 min 10 s left)\n");
    progress.done = 2;
    progress_unit(&progress, "8x8x8");
    stderr_says("\r\033[K[######                  ] 2/8, 30 s left: 8x8x8");
}

static const char *summary(const struct unit *unit, const struct rows *rows) {
    static char text[RUNDIR_TEXT];
    progress_summary(unit, rows, text);
    return text;
}

static void a_unit_in_a_few_words(void **state) {
    (void)state;
    struct check_row checks[] = {{.kernel = "lib", .outcome = "ok"},
                                 {.kernel = "mine", .outcome = "crashed", .detail = "signal 11"}};
    struct ratio_row ratios[] = {
        {.baseline = "lib-nn", .ratio = 1.5, .lens = "call", .mode = "offline"},
        {.baseline = "lib-nn", .ratio = 1.2, .lens = "device", .mode = "offline"},
        {.baseline = "lib-max", .ratio = 1.0512, .lens = "device", .mode = "offline"},
        {.baseline = "lib-max", .ratio = 1.3, .lens = "stream", .mode = "offline"}};
    struct rows rows = {.checks = checks, .check_count = 1};
    struct candidate candidate = {.label = "mine"};
    struct unit unit = {.candidate = &candidate};
    assert_string_equal(summary(&unit, &rows), "ok");
    rows.check_count = 2;
    assert_string_equal(summary(&unit, &rows), "mine crashed: signal 11");
    *checks[1].detail = 0;
    assert_string_equal(summary(&unit, &rows), "mine crashed");
    rows.ratios = ratios;
    rows.ratio_count = 4;
    assert_string_equal(summary(&unit, &rows), "1.051 of the speed of lib-max by device, offline");
    /* As where every call waits for the device. */
    ratios[1].ratio = ratios[2].ratio = ratios[3].ratio = NAN;
    assert_string_equal(summary(&unit, &rows), "1.500 of the speed of lib-nn by call, offline");
    ratios[0].ratio = NAN;
    assert_string_equal(summary(&unit, &rows), "mine crashed");
    unit.candidate = NULL;
    assert_string_equal(summary(&unit, &rows), "mine crashed");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_a_unit),
        cmocka_unit_test(rounds_are_counted),
        cmocka_unit_test(a_bar_on_a_terminal),
        cmocka_unit_test(a_unit_in_a_few_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
