#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/command/options/option_help.h"
#include "bench/command/options/option_parse.h"
#include "bench/command/options/option_table.h"
#include "bench/command/options/spelling.h"
#include "tests/support/doubles.h"
#include "tests/support/stderr.h"

#define WORDS 16

/* Parses "--a b c" as that command; words are kept for the settings to point into. */
static enum option_parse parse(enum command_id command, const char *line,
                               struct settings *settings) {
    static char kept[512];
    static char *words[WORDS + 1];
    int count = 0;
    snprintf(kept, sizeof kept, "%s", line);
    for (char *word = strtok(kept, " "); word && count < WORDS; word = strtok(NULL, " "))
        words[count++] = word;
    words[count] = NULL;
    return option_parse(command, count, words, settings);
}

static void refused(enum command_id command, const char *line, const char *why) {
    struct settings settings;
    stderr_catch();
    const enum option_parse result = parse(command, line, &settings);
    stderr_says(why);
    if (result != OPTION_PARSE_WRONG)
        fail_msg("not refused: %s", line);
}

static struct settings accepted(enum command_id command, const char *line) {
    struct settings settings;
    if (parse(command, line, &settings) != OPTION_PARSE_DONE)
        fail_msg("refused: %s", line);
    return settings;
}

/* A command line that the command accepts, to be gone on with. */
static const char *enough(enum command_id command) {
    static const char *const lines[COMMAND_COUNT] = {[COMMAND_RUN] = "-o R",
                                                     [COMMAND_CHECK] = "-o R",
                                                     [COMMAND_BUILD] = "--candidates C",
                                                     [COMMAND_AGREE] = "A B",
                                                     [COMMAND_REPORT] = "R",
                                                     [COMMAND_PROFILE] =
                                                         "R --shapes S --candidates C",
                                                     [COMMAND_REWARD] = "R",
                                                     [COMMAND_VERIFY] = "R",
                                                     [COMMAND_MERGE] = "A B -o R",
                                                     [COMMAND_IMPORT_CUDA_L2] = "-o R",
                                                     [COMMAND_BASELINE_PROMOTE] = "R --store S",
                                                     [COMMAND_BASELINE_LIST] = "--store S",
                                                     [COMMAND_BASELINE_SHOW] = "N --store S",
                                                     [COMMAND_HISTORY] = "--store S",
                                                     [COMMAND_LIST_CANDIDATES] = "D"};
    return lines[command] ? lines[command] : "";
}

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
    {"rounds", 1, 100},
    {"qps", 0.01, 1e6},
    {"workspace", 0, 1048576},
    {"autotune-warmup", 0, 1e6},
    {"autotune-rounds", 1, 1e6},
    {"call-timeout", 0.01, 86400},
    {"setup-timeout", 0.01, 86400},
    {"shape-timeout", 0.01, 86400},
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

static void numbers_are_taken_within_their_bounds_and_no_further(void **state) {
    (void)state;
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

static void what_is_no_number_is_refused(void **state) {
    (void)state;
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

static void a_seed_is_any_number_of_64_bits(void **state) {
    (void)state;
    assert_true(accepted(COMMAND_RUN, "-o R --seed 18446744073709551615").seed == UINT64_MAX);
    assert_true(accepted(COMMAND_RUN, "-o R --seed 0x10").seed == 16);
    assert_true(accepted(COMMAND_RUN, "-o R --seed 0").seed == 0);
    refused(COMMAND_RUN, "-o R --seed 18446744073709551616", "from 0 to 2^64-1");
    refused(COMMAND_RUN, "-o R --seed -1", "from 0 to 2^64-1");
    refused(COMMAND_RUN, "-o R --seed 1.5", "from 0 to 2^64-1");
}

static void words_are_those_of_the_row(void **state) {
    (void)state;
    for (size_t i = 0; i < option_count; i++) {
        const struct option_row *row = &option_table[i];
        const enum command_id command = first_command(row);
        char line[128];
        for (int w = 0; w < row->word_count; w++) {
            snprintf(line, sizeof line, "%s --%s %s", enough(command), row->name, row->words[w]);
            const struct settings settings = accepted(command, line);
            const int value = *(const int *)((const char *)&settings + row->offset);
            assert_int_equal(value, row->type == OPTION_WORDS ? 1 << w : w);
        }
        if (row->word_count == 0)
            continue;
        snprintf(line, sizeof line, "%s --%s %s.", enough(command), row->name, row->words[0]);
        refused(command, line, " or ");
        snprintf(line, sizeof line, "%s --%s %.2s", enough(command), row->name, row->words[0]);
        refused(command, line, " is wanted");
    }
    assert_int_equal(accepted(COMMAND_RUN, "-o R --lens stream,call").lenses, 5);
    refused(COMMAND_RUN, "-o R --lens call,", "--lens call,: call or device or stream is wanted");
    refused(COMMAND_RUN, "-o R --lens latency", "call or device or stream is wanted");
}

static void defaults_are_those_of_the_table(void **state) {
    (void)state;
    const struct settings run = accepted(COMMAND_RUN, "-o R");
    assert_string_equal(run.baselines, "all");
    assert_string_equal(settings_accumulates[run.accumulate], "f32");
    assert_int_equal(run.protocol, 0);
    assert_double_near(run.precision_percent, 1, 0);
    assert_double_near(run.qps, 100, 0);
    assert_double_near(run.workspace_mib, 32, 0);
    assert_double_near(run.setup_timeout_seconds, 60, 0);
    assert_double_near(run.alpha, 1, 0);
    assert_double_near(run.beta, 0, 0);
    assert_int_equal(run.tune_warmup, 50);
    assert_int_equal(run.tune_rounds, 100);
    assert_false(SETTINGS_GIVEN(&run, rounds));
    assert_true(SETTINGS_GIVEN(&run, output));
    assert_null(accepted(COMMAND_GATE, "").baselines);
    assert_string_equal(accepted(COMMAND_PROFILE, enough(COMMAND_PROFILE)).device, "cuda:0");
    assert_null(run.device);
    assert_string_equal(accepted(COMMAND_PROFILE, enough(COMMAND_PROFILE)).baseline, "cublas-max");
    assert_double_near(accepted(COMMAND_REWARD, "R").alpha, 1, 0);
}

/* What the default is must itself be allowed. */
static void defaults_can_be_given(void **state) {
    (void)state;
    for (size_t i = 0; i < option_count; i++) {
        const struct option_row *row = &option_table[i];
        const enum command_id command = first_command(row);
        struct settings before;
        char line[128];
        if (!row->initial)
            continue;
        assert_null(row->otherwise);
        option_defaults(command, &before);
        snprintf(line, sizeof line, "%s --%s %s", enough(command), row->name, row->initial);
        const struct settings after = accepted(command, line);
        if (row->type == OPTION_REAL)
            assert_double_near(*(const double *)((const char *)&after + row->offset),
                               *(const double *)((const char *)&before + row->offset), 0);
        else if (row->type != OPTION_TEXT)
            assert_int_equal(*(const int *)((const char *)&after + row->offset),
                             *(const int *)((const char *)&before + row->offset));
    }
}

static void rows_make_sense(void **state) {
    (void)state;
    for (size_t i = 0; i < option_count; i++) {
        const struct option_row *row = &option_table[i];
        char value[OPTION_VALUE];
        assert_true(row->commands != 0);
        assert_int_equal(row->needed & ~row->commands, 0);
        assert_true(row->commands < (uint32_t)1 << COMMAND_COUNT);
        assert_true(strlen(row->name) + 3 < OPTION_SPELLING);
        assert_true(row->help && *row->help);
        assert_true(!has_bounds(row) || row->least < row->most);
        assert_true((row->type == OPTION_FLAG) == (*option_value(row, value) == 0));
        assert_true(strlen(value) < OPTION_VALUE - 1);
        assert_true(row->last_counts || row->type == OPTION_TEXT); /* the refusal names the text */
        for (size_t j = 0; j < i; j++) /* no command takes two of one name, or of one letter */
            if (row->commands & option_table[j].commands) {
                assert_string_not_equal(row->name, option_table[j].name);
                assert_true(!row->letter || row->letter != option_table[j].letter);
            }
    }
}

/* What each command takes, said once more; those of `run` that a gate and a comparison take, too,
 * are MEASURING. */
#define MEASURING                                                                                  \
    " suite shapes sample cutlass baselines accumulate device mode lens protocol precision"        \
    " warmup duration rounds cache arrival qps seed workspace autotune autotune-warmup"            \
    " autotune-rounds count-padding policy no-audit reference no-sandbox memcheck call-timeout"    \
    " setup-timeout shape-timeout alpha beta output resume cache-dir jobs "

static void commands_take_their_options_and_no_others(void **state) {
    (void)state;
    static const char *const takes[COMMAND_COUNT] = {
        [COMMAND_RUN] = MEASURING "candidates against shard fail-on renamed ",
        [COMMAND_CHECK] = MEASURING "candidates against shard fail-on ",
        [COMMAND_GATE] = MEASURING "candidates against release entry absolute renamed changed ",
        [COMMAND_COMPARE] = MEASURING "margin weights baseline renamed ",
        [COMMAND_BUILD] =
            " candidates cutlass arch cache-dir jobs no-sandbox suite shapes sample seed fail-on ",
        [COMMAND_AGREE] = " json ",
        [COMMAND_REPORT] = " claims published again ",
        [COMMAND_PROFILE] = " shapes candidates cutlass baseline device ",
        [COMMAND_REWARD] = " alpha beta baseline ",
        [COMMAND_MERGE] = " output ",
        [COMMAND_IMPORT_CUDA_L2] = " offline server output ",
        [COMMAND_BASELINE_PROMOTE] = " store name force ",
        [COMMAND_BASELINE_LIST] = " store json ",
        [COMMAND_BASELINE_SHOW] = " store json ",
        [COMMAND_HISTORY] = " store shape baseline figure ",
        [COMMAND_DEVICES] = " json ",
        [COMMAND_LIST_BASELINES] = " json ",
        [COMMAND_LIST_SUITES] = " json ",
        [COMMAND_LIST_CANDIDATES] = " cutlass json "};
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

static void an_option_goes_where_its_row_says(void **state) {
    (void)state;
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

static void a_name_is_written_in_four_ways(void **state) {
    (void)state;
    static const char *const lines[] = {"-o R", "-oR", "--output R", "--output=R"};
    for (int i = 0; i < 4; i++)
        assert_string_equal(accepted(COMMAND_RUN, lines[i]).output, "R");
    assert_string_equal(accepted(COMMAND_RUN, "-o R --candidates=a=b").candidates, "a=b");
    assert_double_near(accepted(COMMAND_RUN, "-o R --warmup 1 --warmup=2").warmup_seconds, 2, 0);
}

static void arguments_stand_anywhere(void **state) {
    (void)state;
    const struct settings merge = accepted(COMMAND_MERGE, "A -o R B -- -o --C");
    assert_int_equal(merge.argument_count, 4);
    assert_string_equal(merge.arguments[0], "A");
    assert_string_equal(merge.arguments[1], "B");
    assert_string_equal(merge.arguments[2], "-o");
    assert_string_equal(merge.arguments[3], "--C");
    assert_null(merge.arguments[4]);
    assert_string_equal(merge.output, "R");
    assert_string_equal(accepted(COMMAND_REPORT, "-").arguments[0], "-");
}

static void arguments_are_counted(void **state) {
    (void)state;
    refused(COMMAND_REPORT, "", "report: RUN is wanted; see `gemmgate report --help`");
    refused(COMMAND_REPORT, "A B", "report: too many arguments: B");
    refused(COMMAND_RUN, "-o R A", "run: too many arguments: A");
    refused(COMMAND_MERGE, "-o R", "merge: SHARD... is wanted");
    refused(COMMAND_COMPARE, "A B C", "compare: too many arguments: C");
    assert_int_equal(accepted(COMMAND_COMPARE, "A B").argument_count, 2);
    assert_int_equal(accepted(COMMAND_GATE, "").argument_count, 0);
}

/* One argument too few, and one too many, beside all options that are needed. */
static void every_command_counts_its_arguments(void **state) {
    (void)state;
    static const struct {
        enum command_id command;
        const char *line;
    } few[] = {{COMMAND_AGREE, "A"},
               {COMMAND_REPORT, ""},
               {COMMAND_PROFILE, "--shapes S --candidates C"},
               {COMMAND_REWARD, ""},
               {COMMAND_VERIFY, ""},
               {COMMAND_MERGE, "-o R"},
               {COMMAND_BASELINE_PROMOTE, "--store S"},
               {COMMAND_BASELINE_SHOW, "--store S"},
               {COMMAND_LIST_CANDIDATES, ""}};
    static const struct {
        enum command_id command;
        const char *line;
    } many[] = {{COMMAND_RUN, "A -o R"},
                {COMMAND_CHECK, "A -o R"},
                {COMMAND_BUILD, "A --candidates C"},
                {COMMAND_GATE, "A B"},
                {COMMAND_COMPARE, "A B C"},
                {COMMAND_REPORT, "A B"},
                {COMMAND_PROFILE, "A B --shapes S --candidates C"},
                {COMMAND_REWARD, "A B"},
                {COMMAND_VERIFY, "A B"},
                {COMMAND_IMPORT_CUDA_L2, "A -o R"},
                {COMMAND_BASELINE_PROMOTE, "A B --store S"},
                {COMMAND_BASELINE_LIST, "A --store S"},
                {COMMAND_BASELINE_SHOW, "A B --store S"},
                {COMMAND_HISTORY, "A --store S --shape X"},
                {COMMAND_DEVICES, "A"},
                {COMMAND_LIST_BASELINES, "A"},
                {COMMAND_LIST_SUITES, "A"},
                {COMMAND_LIST_CANDIDATES, "A B"}};
    for (size_t i = 0; i < sizeof few / sizeof *few; i++)
        refused(few[i].command, few[i].line, " is wanted; see `gemmgate ");
    for (size_t i = 0; i < sizeof many / sizeof *many; i++)
        refused(many[i].command, many[i].line, ": too many arguments: ");
    for (int id = 0; id < COMMAND_COUNT; id++)
        accepted((enum command_id)id, enough((enum command_id)id));
    assert_int_equal(accepted(COMMAND_AGREE, "A B C D").argument_count, 4);
    assert_int_equal(accepted(COMMAND_MERGE, "A B C -o R").argument_count, 3);
}

static void what_is_needed_is_asked_for(void **state) {
    (void)state;
    for (size_t i = 0; i < option_count; i++)
        for (int id = 0; id < COMMAND_COUNT; id++) {
            const struct option_row *row = &option_table[i];
            char why[OPTION_SPELLING + 16], spelling[OPTION_SPELLING];
            if (!option_is_needed(row, (enum command_id)id))
                continue;
            snprintf(why, sizeof why, "%s ", option_spelling(row, spelling));
            /* Arguments alone: other needed options may be asked for first, but one is. */
            refused((enum command_id)id, command_table[id].least > 0 ? "A" : "", "is wanted: ");
            assert_non_null(strstr(enough((enum command_id)id), why));
        }
    refused(COMMAND_RUN, "", "run: -o RUN is wanted: the run directory to make");
}

static void an_unknown_option_is_refused_and_the_meant_one_named(void **state) {
    (void)state;
    refused(COMMAND_RUN, "-o R --sead 1", "run takes no --sead; did you mean --seed?");
    refused(COMMAND_RUN, "-o R --candidate C", "did you mean --candidates?");
    refused(COMMAND_RUN, "-o R --qsp 5", "did you mean --qps?");
    refused(COMMAND_RUN, "-o R --no-adit", "did you mean --no-audit?");
    refused(COMMAND_RUN, "-o R --zzzzzz", "run takes no --zzzzzz; `gemmgate run --help`");
    refused(COMMAND_RUN, "-o R -x", "run takes no -x");
    refused(COMMAND_COMPARE, "A B --shard 1/2",
            "compare takes no --shard; that is an option of: "
            "run, check");
    refused(COMMAND_VERIFY, "R --seed=1", "that is an option of: run, check, build, gate, compare");
}

static void a_value_is_wanted_or_not(void **state) {
    (void)state;
    refused(COMMAND_RUN, "-o", "run: a value is wanted: -o RUN");
    refused(COMMAND_RUN, "--candidates --seed 1 -o R", "a value is wanted: --candidates DIR");
    refused(COMMAND_RUN, "-o R --candidates=", "a value is wanted: --candidates DIR");
    refused(COMMAND_RUN, "-o R --accumulate", "a value is wanted: --accumulate f32|f16");
    refused(COMMAND_RUN, "-o R --resume=yes", "--resume takes no value");
    assert_true(accepted(COMMAND_RUN, "-o R --resume --memcheck").memcheck);
}

/* Of settings the last counts; of what names things one is taken. */
static void repeated_options_are_refused_unless_the_last_counts(void **state) {
    (void)state;
    static const char *const last_counts[] = {"sample",
                                              "baselines",
                                              "accumulate",
                                              "device",
                                              "mode",
                                              "lens",
                                              "protocol",
                                              "precision",
                                              "warmup",
                                              "duration",
                                              "rounds",
                                              "cache",
                                              "arrival",
                                              "qps",
                                              "seed",
                                              "workspace",
                                              "autotune",
                                              "count-padding",
                                              "no-audit",
                                              "reference",
                                              "no-sandbox",
                                              "autotune-warmup",
                                              "autotune-rounds",
                                              "call-timeout",
                                              "setup-timeout",
                                              "shape-timeout",
                                              "memcheck",
                                              "margin",
                                              "release",
                                              "entry",
                                              "absolute",
                                              "fail-on",
                                              "alpha",
                                              "beta",
                                              "resume",
                                              "shard",
                                              "arch",
                                              "cache-dir",
                                              "jobs",
                                              "json",
                                              NULL};
    for (size_t i = 0; i < option_count; i++) {
        const struct option_row *row = &option_table[i];
        int found = 0;
        while (last_counts[found] && strcmp(last_counts[found], row->name) != 0)
            found++;
        if (strcmp(row->name, "baseline") != 0) /* history's is one of two kinds */
            assert_int_equal(row->last_counts, last_counts[found] != NULL);
        const enum command_id command = first_command(row);
        char line[128], why[128];
        if (row->last_counts)
            continue;
        snprintf(line, sizeof line, "--%s one --%s two", row->name, row->name);
        snprintf(why, sizeof why, "--%s two: one is given already", row->name);
        refused(command, line, why);
    }
    assert_int_equal(accepted(COMMAND_RUN, "-o R --rounds 2 --rounds 3").rounds, 3);
    static const enum command_id several[] = {COMMAND_COMPARE, COMMAND_REWARD, COMMAND_PROFILE};
    for (int i = 0; i < 3; i++) {
        char line[128];
        snprintf(line, sizeof line, "%s --baseline a --baseline b", enough(several[i]));
        assert_string_equal(accepted(several[i], line).baseline, "b");
    }
    refused(COMMAND_HISTORY, "--store S --shape X --baseline a --baseline b", "a is given already");
    refused(COMMAND_RUN, "-o R --output S", "--output S: R is given already");
}

/* What a function prints. */
static char *printed(void (*print)(FILE *out, enum command_id command), enum command_id command) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    print(out, command);
    fclose(out);
    return text;
}

/* Runs of blanks and line breaks as one blank, so that texts can be found. */
static void unwrap(char *text) {
    char *to = text;
    for (const char *from = text; *from; from++)
        if ((*from != ' ' && *from != '\n') || (to > text && to[-1] != ' '))
            *to++ = *from == '\n' ? ' ' : *from;
    *to = 0;
}

static void help_has_every_option_with_its_default(void **state) {
    (void)state;
    for (int id = 0; id < COMMAND_COUNT; id++) {
        char *text = printed(help_command, (enum command_id)id);
        char start[128];
        snprintf(start, sizeof start, "usage: gemmgate %s", command_table[id].name);
        assert_int_equal(strncmp(text, start, strlen(start)), 0);
        unwrap(text);
        for (size_t i = 0; i < option_count; i++) {
            const struct option_row *row = &option_table[i];
            const char *fallback = row->initial ? row->initial : row->otherwise;
            char want[1024], value[OPTION_VALUE];
            const bool needed = option_is_needed(row, (enum command_id)id);
            option_value(row, value);
            snprintf(want, sizeof want, "--%s%s%s %s%s%s%s%s", row->name, *value ? " " : "", value,
                     row->help, needed ? " (required)" : "", fallback ? " (default: " : "",
                     fallback ? fallback : "", fallback ? ")" : "");
            if (!strstr(text, want) == option_is_of(row, (enum command_id)id))
                fail_msg("gemmgate %s --help: %s", command_table[id].name, want);
        }
        free(text);
    }
}

/* The last that it tells, each line by itself. */
static void help_ends_with_examples(void **state) {
    (void)state;
    for (int id = 0; id < COMMAND_COUNT; id++) {
        char *text = printed(help_command, (enum command_id)id), want[512];
        const char *example = command_table[id].example, *second = strchr(example, '\n');
        if (second)
            snprintf(want, sizeof want, "\nExamples\n    %.*s\n    %s\n", (int)(second - example),
                     example, second + 1);
        else
            snprintf(want, sizeof want, "\nExample\n    %s\n", example);
        assert_string_equal(text + strlen(text) - strlen(want), want);
        free(text);
    }
}

static void help_keeps_to_80_columns(void **state) {
    (void)state;
    for (int id = 0; id < COMMAND_COUNT; id++) {
        char *text = printed(help_command, (enum command_id)id), *rest = text, *line;
        while ((line = strsep(&rest, "\n"))) {
            if (strlen(line) > 80 && strncmp(line, "usage:", 6) != 0)
                fail_msg("gemmgate %s --help: %s", command_table[id].name, line);
            assert_true(!*line || line[strlen(line) - 1] != ' ');
        }
        free(text);
    }
}

static void help_names_every_command(void **state) {
    (void)state;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    help_program(out);
    help_family(out, "list");
    fclose(out);
    for (int id = 0; id < COMMAND_COUNT; id++) {
        char line[160];
        snprintf(line, sizeof line, "\n  %-17s %s\n", command_table[id].name,
                 command_table[id].summary);
        if (!strstr(text, line))
            fail_msg("gemmgate --help lacks %s", command_table[id].name);
    }
    assert_non_null(strstr(text, "\n\nusage: gemmgate list suites [OPTION...]\n"));
    assert_non_null(strstr(text, "usage: gemmgate list candidates DIR [OPTION...]\n"));
    assert_null(strstr(text, "usage: gemmgate baseline"));
    free(text);
}

static void help_is_asked_for_anywhere_but_behind_dashes(void **state) {
    (void)state;
    struct settings settings;
    assert_int_equal(parse(COMMAND_RUN, "--help", &settings), OPTION_PARSE_HELP);
    assert_int_equal(parse(COMMAND_RUN, "--rounds 2 -h", &settings), OPTION_PARSE_HELP);
    assert_int_equal(parse(COMMAND_RUN, "--options", &settings), OPTION_PARSE_LIST);
    assert_string_equal(accepted(COMMAND_REPORT, "-- --help").arguments[0], "--help");
}

static void programs_read_a_line_an_option(void **state) {
    (void)state;
    char *text = printed(help_options, COMMAND_RUN);
    size_t lines = 0, rows = 0;
    for (const char *at = text; *at; at = strchr(at, '\n') + 1) {
        const char *end = strchr(at, '\n');
        int tabs = 0;
        for (const char *c = at; c < end; c++)
            tabs += *c == '\t';
        assert_int_equal(tabs, 7);
        lines++;
    }
    for (size_t i = 0; i < option_count; i++)
        rows += option_is_of(&option_table[i], COMMAND_RUN);
    assert_int_equal(lines, rows);
    assert_non_null(strstr(
        text, "\nrounds\t\twhole\tR\t1\t100\t\t"
              "fresh processes a shape, each at another time: all shapes once, then all again\n"));
    assert_non_null(strstr(text, "\noutput\to\ttext\tRUN\t\t\t\tthe run directory to make\n"));
    assert_non_null(strstr(text, "\nlens\t\twords\tcall,device,stream\t\t\t\twhich interval"));
    assert_non_null(strstr(text, "\nresume\t\tflag\t\t\t\t\tgo on"));
    free(text);
}

static void commands_have_one_word_or_two(void **state) {
    (void)state;
    char *two[] = {"baseline", "promote", "R", NULL}, *one[] = {"run", "promote", NULL};
    char *none[] = {"baseline", "remove", NULL}, **words = two;
    int count = 3;
    assert_int_equal(command_find(&count, &words), COMMAND_BASELINE_PROMOTE);
    assert_int_equal(count, 1);
    assert_ptr_equal(words, two + 2);
    words = one;
    count = 2;
    assert_int_equal(command_find(&count, &words), COMMAND_RUN);
    assert_int_equal(count, 1);
    words = none;
    count = 2;
    assert_int_equal(command_find(&count, &words), COMMAND_COUNT);
    count = 1;
    assert_int_equal(command_find(&count, &words), COMMAND_COUNT);
    assert_true(command_is_family("baseline"));
    assert_false(command_is_family("base"));
    for (int id = 0; id < COMMAND_COUNT; id++) {
        assert_true(command_table[id].name && *command_table[id].summary);
        assert_true(*command_table[id].example);
        assert_true(command_table[id].least == 0 || *command_table[id].arguments);
    }
}

static void spelling_counts_changes(void **state) {
    (void)state;
    assert_int_equal(spelling_distance("seed", "seed"), 0);
    assert_int_equal(spelling_distance("sead", "seed"), 1);
    assert_int_equal(spelling_distance("sed", "seed"), 1);
    assert_int_equal(spelling_distance("seeed", "seed"), 1);
    assert_int_equal(spelling_distance("eed", "seed"), 1);
    assert_int_equal(spelling_distance("aseed", "seed"), 1);
    assert_int_equal(spelling_distance("qsp", "qps"), 1);
    assert_int_equal(spelling_distance("cadidats", "candidates"), 2);
    assert_int_equal(spelling_distance("qx", "qps"), SPELLING_FAR);
    assert_int_equal(spelling_distance("warmup", "rounds"), SPELLING_FAR);
    assert_int_equal(
        spelling_distance("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "a"),
        SPELLING_FAR);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_make_sense),
        cmocka_unit_test(numbers_are_taken_within_their_bounds_and_no_further),
        cmocka_unit_test(what_is_no_number_is_refused),
        cmocka_unit_test(a_seed_is_any_number_of_64_bits),
        cmocka_unit_test(words_are_those_of_the_row),
        cmocka_unit_test(defaults_are_those_of_the_table),
        cmocka_unit_test(defaults_can_be_given),
        cmocka_unit_test(commands_take_their_options_and_no_others),
        cmocka_unit_test(an_option_goes_where_its_row_says),
        cmocka_unit_test(a_name_is_written_in_four_ways),
        cmocka_unit_test(arguments_stand_anywhere),
        cmocka_unit_test(arguments_are_counted),
        cmocka_unit_test(every_command_counts_its_arguments),
        cmocka_unit_test(what_is_needed_is_asked_for),
        cmocka_unit_test(an_unknown_option_is_refused_and_the_meant_one_named),
        cmocka_unit_test(a_value_is_wanted_or_not),
        cmocka_unit_test(repeated_options_are_refused_unless_the_last_counts),
        cmocka_unit_test(help_has_every_option_with_its_default),
        cmocka_unit_test(help_ends_with_examples),
        cmocka_unit_test(help_keeps_to_80_columns),
        cmocka_unit_test(help_names_every_command),
        cmocka_unit_test(help_is_asked_for_anywhere_but_behind_dashes),
        cmocka_unit_test(programs_read_a_line_an_option),
        cmocka_unit_test(commands_have_one_word_or_two),
        cmocka_unit_test(spelling_counts_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
