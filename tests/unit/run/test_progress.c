/* What the progress says of a unit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "bench/run/progress.h"

static struct check_row checks[3];
static struct ratio_row ratios[2];
static const struct candidate candidate;
static const struct unit library = {.candidate = NULL}, kernel = {.candidate = &candidate};
static char said[RUNDIR_TEXT];

static const char *say(const struct unit *unit, size_t check_count, size_t ratio_count) {
    const struct rows rows = {
        .checks = checks, .check_count = check_count, .ratios = ratios, .ratio_count = ratio_count};
    progress_summary(unit, &rows, said);
    return said;
}

static void set_check(struct check_row *row, const char *name, const char *outcome,
                      const char *detail) {
    strcpy(row->kernel, name);
    strcpy(row->outcome, outcome);
    strcpy(row->detail, detail);
}

static void what_failed_is_said_with_its_evidence(void **state) {
    (void)state;
    set_check(&checks[0], "lib-nn", "ok", "");
    set_check(&checks[1], "mine", "crashed", "signal 11");
    set_check(&checks[2], "other", "unsupported", "");
    assert_string_equal(say(&kernel, 1, 0), "ok");
    assert_string_equal(say(&kernel, 2, 0), "mine crashed: signal 11");
    assert_string_equal(say(&kernel, 3, 0), "other unsupported");
}

static void a_speed_is_said_against_the_last_baseline(void **state) {
    (void)state;
    set_check(&checks[0], "mine", "ok", "");
    strcpy(ratios[0].baseline, "first");
    ratios[1].speedup = -0.125;
    strcpy(ratios[1].baseline, "lib-max");
    strcpy(ratios[1].lens, "device");
    strcpy(ratios[1].mode, "offline");
    assert_string_equal(say(&kernel, 1, 2), "-12.5 % against lib-max by device, offline");
    assert_string_equal(say(&library, 1, 2), "ok");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_failed_is_said_with_its_evidence),
        cmocka_unit_test(a_speed_is_said_against_the_last_baseline),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
