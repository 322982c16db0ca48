/* What --help tells of the commands. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/command/options/option_help.h"
#include "bench/command/options/option_table.h"
#include "tests/support/option_lines.h"
#include "tests/support/test.h"

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

TEST(help_has_every_option_with_its_default) {
    for (int id = 0; id < COMMAND_COUNT; id++) {
        char *text = printed(help_command, (enum command_id)id);
        char start[128];
        snprintf(start, sizeof start, "usage: gemmgate %s", command_table[id].name);
        assert_int_equal(strncmp(text, start, strlen(start)), 0);
        unwrap(text);
        for (size_t i = 0; i < option_count; i++) {
            const struct option_row *row = &option_table[i];
            const struct option_text *says = &row->text;
            const char *fallback = says->initial ? says->initial
                                   : says->tell  ? says->tell()
                                                 : says->otherwise;
            char want[1024], value[OPTION_VALUE];
            const bool needed = option_is_needed(row, (enum command_id)id);
            option_value(row, value);
            snprintf(want, sizeof want, "--%s%s%s %s%s%s%s%s", row->name, *value ? " " : "", value,
                     says->help, needed ? " (required)" : "", fallback ? " (default: " : "",
                     fallback ? fallback : "", fallback ? ")" : "");
            if (!strstr(text, want) == option_is_of(row, (enum command_id)id))
                fail_msg("gemmgate %s --help: %s", command_table[id].name, want);
        }
        free(text);
    }
}

/* The last that it tells, each line by itself. */
TEST(help_ends_with_examples) {
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

TEST(help_keeps_to_80_columns) {
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

TEST(help_names_every_command) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    help_program(out);
    fclose(out);
    for (int id = 0; id < COMMAND_COUNT; id++) {
        char line[160];
        snprintf(line, sizeof line, "\n  %-17s %s\n", command_table[id].name,
                 command_table[id].summary);
        if (!strstr(text, line))
            fail_msg("gemmgate --help lacks %s", command_table[id].name);
    }
    free(text);
}
