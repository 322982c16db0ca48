/* Command lines: names, values, arguments, and what is said of a wrong one. */

#include <stdio.h>
#include <string.h>

#include "bench/command/options/option_parse.h"
#include "bench/command/options/option_table.h"
#include "tests/support/doubles.h"
#include "tests/support/option_lines.h"
#include "tests/support/test.h"

TEST(a_name_is_written_in_four_ways) {
    static const char *const lines[] = {"-o R", "-oR", "--output R", "--output=R"};
    for (int i = 0; i < 4; i++)
        assert_string_equal(accepted(COMMAND_RUN, lines[i]).output, "R");
    assert_string_equal(accepted(COMMAND_RUN, "-o R --candidates=a=b").candidates, "a=b");
    assert_double_near(accepted(COMMAND_RUN, "-o R --warmup 1 --warmup=2").plan.warmup_seconds, 2,
                       0);
}

TEST(arguments_stand_anywhere) {
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

TEST(arguments_are_counted) {
    refused(COMMAND_REPORT, "", "report: RUN is wanted; see `gemmgate report --help`");
    refused(COMMAND_VERIFY, "A B", "verify: too many arguments: B");
    refused(COMMAND_RUN, "-o R A", "run: too many arguments: A");
    refused(COMMAND_MERGE, "-o R", "merge: SHARD... is wanted");
    assert_int_equal(accepted(COMMAND_WINNERS, "A B C").argument_count, 3);
    assert_int_equal(accepted(COMMAND_COMPARE, "A B").argument_count, 2);
    assert_int_equal(accepted(COMMAND_GATE, "").argument_count, 0);
}

/* One argument too few, and one too many, beside all options that are needed. */
TEST(every_command_counts_its_arguments) {
    static const struct {
        enum command_id command;
        const char *line;
    } few[] = {{COMMAND_AGREE, "A"},
               {COMMAND_WINNERS, ""},
               {COMMAND_IMPORT, "T -o R"},
               {COMMAND_REPORT, ""},
               {COMMAND_VERIFY, ""},
               {COMMAND_MERGE, "-o R"},
               {COMMAND_BASELINE_PROMOTE, "--store S"},
               {COMMAND_LIST_CANDIDATES, ""}};
    static const struct {
        enum command_id command;
        const char *line;
    } many[] = {{COMMAND_RUN, "A -o R"},
                {COMMAND_CHECK, "A -o R"},
                {COMMAND_BUILD, "A --candidates C"},
                {COMMAND_VERIFY, "A B"},
                {COMMAND_IMPORT_CUDA_L2, "A -o R"},
                {COMMAND_IMPORT, "A B C -o R"},
                {COMMAND_BASELINE_LIST, "A --store S"},
                {COMMAND_HISTORY, "A --store S"},
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
    assert_int_equal(accepted(COMMAND_REPORT, "A --again B C").argument_count, 2);
    assert_int_equal(accepted(COMMAND_MERGE, "A B C -o R").argument_count, 3);
}

TEST(what_is_needed_is_asked_for) {
    for (size_t i = 0; i < option_count; i++)
        for (int id = 0; id < COMMAND_COUNT; id++) {
            const struct option_row *row = &option_table[i];
            char why[OPTION_SPELLING + 16], spelling[OPTION_SPELLING];
            if (!option_is_needed(row, (enum command_id)id))
                continue;
            snprintf(why, sizeof why, "%s ", option_spelling(row, spelling));
            /* Arguments alone: other needed options may be asked for first, but one is. */
            refused((enum command_id)id,
                    command_table[id].least > 1 ? "A B"
                    : command_table[id].least   ? "A"
                                                : "",
                    "is wanted: ");
            assert_non_null(strstr(enough((enum command_id)id), why));
        }
    refused(COMMAND_RUN, "", "run: -o RUN is wanted: the run directory to make");
}

TEST(an_unknown_option_is_refused) {
    refused(COMMAND_RUN, "-o R --zzzzzz", "run takes no --zzzzzz; `gemmgate run --help`");
    refused(COMMAND_RUN, "-o R -x", "run takes no -x");
    refused(COMMAND_COMPARE, "A B --shard 1/2",
            "compare takes no --shard; that is an option of: "
            "run, check");
    refused(COMMAND_VERIFY, "R --seed=1", "that is an option of: run, check, build, gate, compare");
}

TEST(a_value_is_wanted_or_not) {
    refused(COMMAND_RUN, "-o", "run: a value is wanted: -o RUN");
    refused(COMMAND_RUN, "--candidates --seed 1 -o R", "a value is wanted: --candidates DIR");
    refused(COMMAND_RUN, "-o R --candidates=", "a value is wanted: --candidates DIR");
    refused(COMMAND_RUN, "-o R --accumulate", "a value is wanted: --accumulate f32|f16");
    refused(COMMAND_RUN, "-o R --resume=yes", "--resume takes no value");
    assert_true(accepted(COMMAND_RUN, "-o R --resume --memcheck").plan.memcheck);
}

TEST(help_is_asked_for_anywhere_but_behind_dashes) {
    struct settings settings;
    assert_int_equal(parse(COMMAND_RUN, "--help", &settings), OPTION_PARSE_HELP);
    assert_int_equal(parse(COMMAND_RUN, "--visits 2 -h", &settings), OPTION_PARSE_HELP);
    assert_string_equal(accepted(COMMAND_REPORT, "-- --help").arguments[0], "--help");
}

TEST(commands_have_one_word_or_two) {
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
    for (int id = 0; id < COMMAND_COUNT; id++) {
        assert_true(command_table[id].name && *command_table[id].summary);
        assert_true(*command_table[id].example);
        assert_true(command_table[id].least == 0 || *command_table[id].arguments);
    }
}
