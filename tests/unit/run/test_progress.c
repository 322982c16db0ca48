/* What is said on stderr as units end. */
#include "bench/run/progress.h"

#include <math.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/base/error.h"
#include "tests/support/fake_runner.h"
#include "tests/support/stderr.h"
#include "tests/support/test.h"

static struct progress progress;

static void says(const char *words) {
    stderr_says(words);
    stderr_catch();
}

static void says_bytes(long bytes) {
    assert_int_equal(fseek(stderr_caught, 0, SEEK_END), 0);
    assert_int_equal(ftell(stderr_caught), bytes);
}

static void says_nothing(void) {
    says_bytes(0);
}

/* So many units of so many visits; of those that are there the first are whole, and the next one
 * has begun. */
static void start(size_t units, int visits, size_t there, int begun) {
    struct work_item items[64];
    struct work_list list = {.items = items,
                             .mine = units,
                             .unit_count = units,
                             .there = there,
                             .visits = (size_t)begun};
    for (int visit = WORK_CHECKS; visit < visits; visit++)
        for (size_t i = there; i < units; i++)
            if (i > there || begun == 0 || visit >= begun)
                items[list.count++] = (struct work_item){i, visit};
    fake_reset();
    stderr_catch();
    progress_start(&progress, &list, visits);
}

static void step(const char *unit, int visit, bool ended, const char *result, double seconds) {
    progress_step(&progress, &(struct progress_turn){.unit = unit,
                                                     .result = result,
                                                     .visit = visit,
                                                     .ended = ended,
                                                     .refused = strcmp(result, "nan") == 0,
                                                     .seconds = seconds});
}

static int end(void **state) {
    (void)state;
    progress_free(&progress);
    return 0;
}

/* Where the last line is a minute old, and for what fails. */
TEST_WITH(a_line_a_minute, NULL, end) {
    start(10, 1, 4, 0);
    says("resuming: 4 of 10 units are there already\n");
    assert_int_equal(progress.terminal, 0);
    progress_unit(&progress, "several", WORK_CHECKS); /* not on a terminal */
    fake.now += 600;                                  /* compiling is no unit's time */
    step("64x64x64", WORK_CHECKS, false, "checked", 5);
    says("checks, 5/10 64x64x64: checked (unknown time left)\n");
    step("8x8x8", WORK_CHECKS, true, "nan", 5);
    says("checks, 6/10 8x8x8: nan (unknown time left)\n");
    for (int i = 0; i < 4; i++)
        step("9x9x9", WORK_CHECKS, false, "checked", 5);
    says("checks, 10/10 9x9x9: checked (unknown time left)\n");
    fake.now += 59;
    step("9x9x9", 0, true, "ok", 30);
    says_nothing();
    fake.now += 1;
    step("64x64x64", 0, true, "ok", 3570);
    says("7/10 64x64x64: ok (1 h 30 min left)\n");
    fake.now -= 60;
    fake.now += 3060;
    progress_end(&progress);
    says("3 units in 1 h 01 min\n");
    fake.now -= 3660 - 59.4;
    progress_end(&progress);
    says("3 units in 59 s\n");
    fake.now += 0.1;
    progress_end(&progress);
    stderr_says("3 units in 1 min 00 s\n");
}

/* A unit that ends early has no more visits. */
TEST_WITH(visits_are_counted, NULL, end) {
    start(5, 4, 1, 3);
    says("resuming: 1 of 5 units are there already, and 3 of the 16 visits of the others\n");
    step("8x8x8", WORK_CHECKS, true, "nan", 4);
    says("checks, 3/5 8x8x8: nan (unknown time left)\n");
    step("64x64x64", WORK_CHECKS, false, "checked", 2);
    says_nothing();
    step("16x16x16", WORK_CHECKS, false, "checked", 2);
    says("checks, 5/5 16x16x16: checked (unknown time left)\n");
    step("16x16x16", 0, false, "measured", 7);
    says_nothing(); /* 64x64x64 is left */
    step("64x64x64", 0, false, "measured", 3);
    says("visit 1 of 4, 5/5 64x64x64: measured (35 s left)\n");
    fake.now += 10;
    progress_end(&progress);
    stderr_says("1 unit in 10 s\n");
}

/* What began in another run tells nothing of checks. */
TEST_WITH(a_run_may_go_on_in_a_later_visit, NULL, end) {
    start(2, 3, 1, 1);
    says("resuming: 1 of 2 units are there already, and 1 of the 3 visits of the others\n");
    step("64x64x64", 1, false, "measured", 5);
    says("visit 2 of 3, 2/2 64x64x64: measured (5 s left)\n");
}

/* The clock of the wall, by which the end is told. */
time_t __wrap_time(time_t *now);
time_t __wrap_time(time_t *now) {
    (void)now;
    return 12 * 3600;
}

/* One line, which moves; what fails leaves a line of its own, and so does a message. */
TEST_WITH(a_line_moves_on_a_terminal, NULL, end) {
    setenv("TZ", "UTC", 1);
    start(4, 1, 0, 0);
    progress.terminal = 200;
    progress_unit(&progress, "several", WORK_CHECKS);
    says("\r\033[Kchecks, 0/4, unknown time left: several");
    step("64x64x64", WORK_CHECKS, true, "nan", 1);
    says("\r\033[Kchecks, 1/4 64x64x64: nan (unknown time left)\n");
    for (int i = 0; i < 3; i++)
        step("8x8x8", WORK_CHECKS, false, "checked", 1);
    stderr_catch();
    progress_unit(&progress, "8x8x8", 0);
    says("\r\033[K1/4, unknown time left: 8x8x8");
    step("8x8x8", 0, true, "1.050 of the speed of lib", 120);
    says("\r\033[K2/4, 4 min 00 s left, ends 12:04: 8x8x8");
    warning("busy");
    says("\r\033[Kgemmgate: warning: busy\n");
    progress.terminal = 30;
    progress_unit(&progress, "16x16x16", 0);
    says_bytes((long)strlen("\r\033[K") + 29);
    says("\r\033[K2/4, 4 min 00 s left, ends 12");
    progress_end(&progress);
    stderr_says("\r\033[K2 units in ");
}

static const char *summary(const struct unit *unit, const struct rows *rows) {
    static char text[RUNDIR_TEXT];
    progress_summary(unit, rows, text);
    return text;
}

TEST(a_unit_in_a_few_words) {
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
    strcpy(checks[0].outcome, "unsupported"); /* a library's call that is for other shapes */
    assert_string_equal(summary(&unit, &rows), "ok");
    strcpy(checks[0].candidate, "lib");
    assert_string_equal(summary(&unit, &rows), "lib unsupported");
    rows.check_count = 2;
    assert_string_equal(summary(&unit, &rows), "mine crashed: signal 11");
    *checks[1].detail = 0;
    assert_string_equal(summary(&unit, &rows), "mine crashed");
    rows.ratios = ratios;
    rows.ratio_count = 4;
    assert_string_equal(summary(&unit, &rows), "1.051 of the speed of lib-max by device, offline");
    /* A gate is about the earlier set. */
    struct ratio_row beside[] = {
        {.baseline = "previous", .ratio = 0.97, .lens = "call", .mode = "offline"},
        {.baseline = "previous", .ratio = 0.98, .lens = "device", .mode = "offline"},
        {.baseline = "lib-max", .ratio = 1.0512, .lens = "device", .mode = "offline"}};
    rows.ratios = beside;
    rows.ratio_count = 3;
    assert_string_equal(summary(&unit, &rows),
                        "0.980 of the speed of the earlier set by device, offline");
    rows.ratios = ratios;
    rows.ratio_count = 4;
    /* As where every call waits for the device. */
    ratios[1].ratio = ratios[2].ratio = ratios[3].ratio = NAN;
    assert_string_equal(summary(&unit, &rows), "1.500 of the speed of lib-nn by call, offline");
    ratios[0].ratio = NAN;
    assert_string_equal(summary(&unit, &rows), "mine crashed");
    unit.candidate = NULL;
    assert_string_equal(summary(&unit, &rows), "mine crashed");
}
