/* The rows of the option table: bounds, words, defaults, and which command takes what. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/command/options/option_parse.h"
#include "bench/command/options/option_table.h"
#include "tests/support/doubles.h"
#include "tests/support/option_lines.h"
#include "tests/support/test.h"

static enum command_id first_command(const struct option_row *row) {
    int id = 0;
    while (id < COMMAND_COUNT - 1 && !option_is_of(row, (enum command_id)id))
        id++;
    return (enum command_id)id;
}

/* The bounds as users know them, said once more: those of the table cannot be changed unseen. */
static const struct bound {
    const char *name;
    double least, most;
} bounds[] = {
    {"sample", 1, 1e6},
    {"precision", 0.01, 100},
    {"warmup", 0, 86400},
    {"duration", 0.001, 86400},
    {"visits", 1, 100},
    {"qps", 0.01, 1e6},
    {"peak", 0.001, 1e6},
    {"launch", 0, 1000},
    {"workspace", 0, 1048576},
    {"call-timeout", 0.01, 86400},
    {"setup-timeout", 0.01, 86400},
    {"margin", 0.01, 100},
    {"alpha", 0, 1e9},
    {"beta", 0, 1e9},
    {"jobs", 1, 1024},
};
enum { BOUNDS = sizeof bounds / sizeof *bounds };

static bool has_bounds(const struct option_row *row) {
    return row->type == OPTION_REAL || row->type == OPTION_WHOLE;
}

static const struct bound *bound_of(const struct option_row *row) {
    for (int i = 0; i < BOUNDS; i++)
        if (strcmp(bounds[i].name, row->name) == 0)
            return &bounds[i];
    fail_msg("--%s: this test knows no bounds", row->name);
    return NULL;
}

static void try_value(const struct option_row *row, enum command_id command, double value,
                      const struct bound *bound) {
    char line[128], why[160];
    snprintf(line, sizeof line, "--%s=%.10g %s", row->name, value, enough(command));
    if (value >= bound->least && value <= bound->most) {
        const struct settings settings = accepted(command, line);
        const char *field = (const char *)&settings + row->offset;
        if (row->type == OPTION_REAL)
            assert_double_near(*(const double *)field, value, 1e-9 * fabs(value));
        else
            assert_int_equal(*(const int *)field, (int)value);
        return;
    }
    snprintf(why, sizeof why, "--%s %.10g: a number from %.10g to %.10g is wanted", row->name,
             value, bound->least, bound->most);
    refused(command, line, why);
}

TEST(numbers_are_taken_within_their_bounds_and_no_further) {
    int seen = 0;
    for (size_t i = 0; i < option_count; i++) {
        const struct option_row *row = &option_table[i];
        if (!has_bounds(row))
            continue;
        const struct bound *bound = bound_of(row);
        const double step = row->type == OPTION_WHOLE ? 1 : 1e-4;
        for (int id = 0; id < COMMAND_COUNT; id++) {
            const enum command_id command = (enum command_id)id;
            if (!option_is_of(row, command))
                continue;
            seen++;
            try_value(row, command, bound->least, bound);
            try_value(row, command, bound->most, bound);
            try_value(row, command, bound->least - step, bound);
            try_value(row, command, bound->most + (bound->most > 1e5 ? 1 : step), bound);
        }
    }
    assert_true(seen > BOUNDS);
}

TEST(what_is_no_number_is_refused) {
    static const char *const wrong[] = {"nan", "inf", "-inf", "x", "1x", "1e999", "0x"};
    for (size_t i = 0; i < option_count; i++) {
        const struct option_row *row = &option_table[i];
        const enum command_id command = first_command(row);
        char line[128];
        for (size_t j = 0; has_bounds(row) && j < sizeof wrong / sizeof *wrong; j++) {
            snprintf(line, sizeof line, "%s --%s %s", enough(command), row->name, wrong[j]);
            refused(command, line, "a number from");
        }
        if (row->type != OPTION_WHOLE)
            continue;
        snprintf(line, sizeof line, "%s --%s 2.5", enough(command), row->name);
        refused(command, line, "a whole number is wanted");
    }
}

TEST(a_seed_is_any_number_of_64_bits) {
    assert_true(accepted(COMMAND_RUN, "-o R --seed 18446744073709551615").plan.seed == UINT64_MAX);
    assert_true(accepted(COMMAND_RUN, "-o R --seed 0x10").plan.seed == 16);
    assert_true(accepted(COMMAND_RUN, "-o R --seed 0").plan.seed == 0);
    refused(COMMAND_RUN, "-o R --seed 18446744073709551616", "from 0 to 2^64-1");
    refused(COMMAND_RUN, "-o R --seed -1", "from 0 to 2^64-1");
    refused(COMMAND_RUN, "-o R --seed 1.5", "from 0 to 2^64-1");
}

TEST(words_are_those_of_the_row) {
    for (size_t i = 0; i < option_count; i++) {
        const struct option_row *row = &option_table[i];
        const enum command_id command = first_command(row);
        char line[128];
        for (int w = 0; row->words && row->words[w]; w++) {
            snprintf(line, sizeof line, "%s --%s %s", enough(command), row->name, row->words[w]);
            const struct settings settings = accepted(command, line);
            const int value = *(const int *)((const char *)&settings + row->offset);
            assert_int_equal(value, row->type == OPTION_WORDS ? 1 << w : w);
        }
        if (!row->words)
            continue;
        snprintf(line, sizeof line, "%s --%s %s.", enough(command), row->name, row->words[0]);
        refused(command, line, " or ");
        snprintf(line, sizeof line, "%s --%s %.1s", enough(command), row->name, row->words[0]);
        refused(command, line, " is wanted");
    }
    assert_int_equal(accepted(COMMAND_RUN, "-o R --lens stream,call").plan.lenses, 5);
    refused(COMMAND_RUN, "-o R --lens call,",
            "--lens call,: call, device, stream or wait is wanted");
    refused(COMMAND_RUN, "-o R --lens latency", "call, device, stream or wait is wanted");
}

TEST(defaults_are_those_of_the_table) {
    const struct settings run = accepted(COMMAND_RUN, "-o R");
    assert_null(run.baselines);
    assert_string_equal(settings_accumulates[run.accumulate], "f32");
    assert_int_equal(run.plan.protocol, 0);
    assert_double_near(run.precision_percent, 1, 0);
    assert_double_near(run.plan.qps, 100, 0);
    assert_double_near(run.plan.launch_us, 10, 0);
    assert_double_near(run.workspace_mib, 32, 0);
    assert_double_near(run.plan.setup_timeout_seconds, 60, 0);
    assert_double_near(run.plan.alpha, 1, 0);
    assert_double_near(run.plan.beta, 0, 0);
    assert_false(SETTINGS_GIVEN(&run, plan.visits));
    assert_true(SETTINGS_GIVEN(&run, output));
    assert_null(run.device);
}

/* What the default is must itself be allowed. */
TEST(defaults_can_be_given) {
    for (size_t i = 0; i < option_count * COMMAND_COUNT; i++) {
        const struct option_row *row = &option_table[i / COMMAND_COUNT];
        const enum command_id command = (enum command_id)(i % COMMAND_COUNT);
        const struct option_text *says = &row->text;
        struct settings before;
        char line[128];
        if (!says->initial || !option_is_of(row, command))
            continue;
        option_defaults(command, &before);
        snprintf(line, sizeof line, "%s --%s %s", enough(command), row->name, says->initial);
        const struct settings after = accepted(command, line);
        if (row->type == OPTION_REAL)
            assert_double_near(*(const double *)((const char *)&after + row->offset),
                               *(const double *)((const char *)&before + row->offset), 0);
        else if (row->type != OPTION_TEXT)
            assert_int_equal(*(const int *)((const char *)&after + row->offset),
                             *(const int *)((const char *)&before + row->offset));
    }
}

static void text_makes_sense(const struct option_row *row) {
    const struct option_text *says = &row->text;
    char value[OPTION_VALUE];
    assert_true(says->help && *says->help);
    assert_true(!says->initial + !says->otherwise + !says->tell >= 2);
    assert_true((row->type == OPTION_FLAG) == (*option_value(row, value) == 0));
    assert_true(strlen(value) < OPTION_VALUE - 1);
}

TEST(rows_make_sense) {
    for (size_t i = 0; i < option_count; i++) {
        const struct option_row *row = &option_table[i];
        assert_true(row->commands != 0);
        assert_true(row->commands < (uint32_t)1 << COMMAND_COUNT);
        assert_int_equal((row->needed | row->judging) & ~row->commands, 0);
        assert_true(strlen(row->name) + 3 < OPTION_SPELLING);
        assert_true(!has_bounds(row) || row->least < row->most);
        assert_true(!row->once || row->type == OPTION_TEXT); /* the refusal names the text */
        text_makes_sense(row);
        for (size_t j = 0; j < i; j++) {
            assert_string_not_equal(row->name, option_table[j].name);
            assert_true(!row->letter || row->letter != option_table[j].letter);
        }
    }
}

/* What each command takes, said once more; those of `run` that a gate and a comparison take, too,
 * are MEASURING. */
#define MEASURING                                                                                  \
    " suite shapes sample cutlass baselines element accumulate device mode lens protocol "         \
    "precision"                                                                                    \
    " warmup duration visits cache inputs qps launch seed workspace autotune reference "           \
    "no-sandbox "                                                                                  \
    "memcheck"                                                                                     \
    " call-timeout setup-timeout alpha beta output resume cache-dir jobs "

TEST(commands_take_their_options_and_no_others) {
    static const char *const takes[COMMAND_COUNT] = {
        [COMMAND_RUN] = MEASURING "candidates against shard fail-on renamed energy peak ",
        [COMMAND_CHECK] = MEASURING "candidates against shard fail-on json ",
        [COMMAND_GATE] =
            MEASURING "policy candidates against release entry absolute renamed changed "
                      "shard json peak ",
        [COMMAND_COMPARE] = MEASURING "margin baseline renamed fail-on json peak ",
        [COMMAND_BUILD] =
            " candidates cutlass arch cache-dir jobs no-sandbox suite shapes sample seed fail-on "
            "element ",
        [COMMAND_AGREE] = " json ",
        [COMMAND_REPORT] = " shape claims published again sqlite ",
        [COMMAND_WINNERS] = " mode lens margin output json ",
        [COMMAND_MERGE] = " output ",
        [COMMAND_IMPORT_CUDA_L2] = " offline server output ",
        [COMMAND_IMPORT] = " element accumulate output ",
        [COMMAND_BASELINE_PROMOTE] = " store name force ",
        [COMMAND_BASELINE_LIST] = " store json ",
        [COMMAND_HISTORY] = " store baseline output json ",
        [COMMAND_VERIFY] = " json ",
        [COMMAND_DEVICES] = " json ",
        [COMMAND_LIST_BASELINES] = " json ",
        [COMMAND_LIST_SUITES] = " json ",
        [COMMAND_LIST_CANDIDATES] = " cutlass json ",
        [COMMAND_LIST_COLUMNS] = " json "};
    for (int id = 0; id < COMMAND_COUNT; id++)
        for (size_t i = 0; i < option_count; i++) {
            char name[OPTION_SPELLING];
            snprintf(name, sizeof name, " %s ", option_table[i].name);
            const bool wanted = takes[id] && strstr(takes[id], name);
            const bool taken = option_find((enum command_id)id, option_table[i].name) != NULL;
            if (wanted != taken)
                fail_msg("%s: --%s", command_table[id].name, option_table[i].name);
        }
}

TEST(an_option_goes_where_its_row_says) {
    for (size_t i = 0; i < option_count; i++) {
        const struct option_row *row = &option_table[i];
        const enum command_id command = first_command(row);
        char line[128];
        snprintf(line, sizeof line, "--%s%s %s", row->name, row->type == OPTION_TEXT ? "=x" : "",
                 option_is_needed(row, command) ? "" : enough(command));
        if (option_is_needed(row, command) || row->type > OPTION_TEXT)
            continue;
        const struct settings settings = accepted(command, line);
        const char *field = (const char *)&settings + row->offset;
        assert_true(option_is_given(&settings, row->offset));
        if (row->type == OPTION_FLAG)
            assert_true(*(const bool *)field);
        else
            assert_string_equal(*(const char *const *)field, "x");
    }
}

/* Of settings the last counts; of what names things one is taken. */
TEST(repeated_options_are_refused_unless_the_last_counts) {
    static const char *const last_counts[] = {
        "sample",    "baselines", "baseline",  "element",    "accumulate",   "device",
        "mode",      "lens",      "protocol",  "precision",  "warmup",       "duration",
        "visits",    "cache",     "inputs",    "qps",        "launch",       "seed",
        "workspace", "autotune",  "reference", "no-sandbox", "call-timeout", "setup-timeout",
        "memcheck",  "margin",    "release",   "entry",      "absolute",     "native",
        "fail-on",   "alpha",     "beta",      "resume",     "shard",        "arch",
        "cache-dir", "jobs",      "json",      "energy",     "peak",         NULL};
    for (size_t i = 0; i < option_count; i++) {
        const struct option_row *row = &option_table[i];
        int found = 0;
        while (last_counts[found] && strcmp(last_counts[found], row->name) != 0)
            found++;
        assert_int_equal(!row->once, last_counts[found] != NULL);
        const enum command_id command = first_command(row);
        char line[128], why[128];
        if (!row->once)
            continue;
        snprintf(line, sizeof line, "--%s one --%s two", row->name, row->name);
        snprintf(why, sizeof why, "--%s two: one is given already", row->name);
        refused(command, line, why);
    }
    assert_int_equal(accepted(COMMAND_RUN, "-o R --visits 2 --visits 3").plan.visits, 3);
    assert_string_equal(accepted(COMMAND_HISTORY, "--store S --baseline a --baseline b").baseline,
                        "b");
    refused(COMMAND_RUN, "-o R --output S", "--output S: R is given already");
}
