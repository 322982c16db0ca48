#include "bench/command/options/option_help.h"

#include <string.h>

#include "bench/command/options/option_table.h"

#define WIDTH 80  /* of a line of help */
#define INDENT 26 /* of an option's text */
#define ROOM 1024 /* for an option's text */

/* Prints the words of the text, with lines broken at WIDTH and indented; `at` is the column that
 * the line has come to. */
static void put_wrapped(FILE *out, const char *text, size_t at, size_t indent) {
    bool first = true;
    while (*text) {
        const size_t length = strcspn(text, " ");
        if (!first && at + 1 + length > WIDTH) {
            fprintf(out, "\n%*s", (int)indent, "");
            at = indent;
            first = true;
        }
        at += (size_t)fprintf(out, "%s%.*s", first ? "" : " ", (int)length, text);
        first = false;
        text += length + (text[length] == ' ');
    }
    putc('\n', out);
}

/* "  -o, --output RUN" and the text, from the next line on where the name is long. */
static void put_row(FILE *out, enum command_id command, const struct option_row *row) {
    const struct option_text *says = &row->text;
    const char *fallback = says->initial ? says->initial
                           : says->tell  ? says->tell()
                                         : says->otherwise;
    char value[OPTION_VALUE], text[ROOM];
    option_value(row, value);
    const int used = row->letter ? fprintf(out, "  -%c, --%s %s", row->letter, row->name, value)
                                 : fprintf(out, "  --%s %s", row->name, value);
    if (used >= INDENT - 1)
        putc('\n', out);
    fprintf(out, "%*s", used >= INDENT - 1 ? INDENT : INDENT - used, "");
    snprintf(text, sizeof text, "%s%s%s%s%s", says->help,
             option_is_needed(row, command) ? " (required)" : "", fallback ? " (default: " : "",
             fallback ? fallback : "", fallback ? ")" : "");
    put_wrapped(out, text, INDENT, INDENT);
}

static void put_group(FILE *out, enum command_id command, enum option_group group) {
    bool any = false;
    for (size_t i = 0; i < option_count; i++) {
        const struct option_row *row = &option_table[i];
        if (row->group != group || !option_is_of(row, command))
            continue;
        if (!any)
            fprintf(out, "\n%s\n", option_group_titles[group]);
        any = true;
        put_row(out, command, row);
    }
}

/* Each way to call it, a line each: "usage: gemmgate NAME ARGUMENTS NEEDED [OPTION...]". */
static void put_usage(FILE *out, enum command_id command) {
    const char *line = command_table[command].arguments;
    char spelling[OPTION_SPELLING], value[OPTION_VALUE];
    bool more = false;
    for (const char *start = line;; line += *line == '\n') {
        const size_t length = strcspn(line, "\n");
        fprintf(out, "%s gemmgate %s%s%.*s",
                line == start ? "usage:" : "   or:", command_table[command].name, length ? " " : "",
                (int)length, line);
        for (size_t i = 0; i < option_count; i++) {
            const struct option_row *row = &option_table[i];
            more |= option_is_of(row, command) && !option_is_needed(row, command);
            if (option_is_needed(row, command))
                fprintf(out, " %s %s", option_spelling(row, spelling), option_value(row, value));
        }
        fprintf(out, "%s\n", more ? " [OPTION...]" : "");
        line += length;
        if (!*line)
            return;
    }
}

static void put_examples(FILE *out, const char *lines) {
    fprintf(out, strchr(lines, '\n') ? "\nExamples\n" : "\nExample\n");
    while (*lines) {
        const size_t length = strcspn(lines, "\n");
        fprintf(out, "    %.*s\n", (int)length, lines);
        lines += length + (lines[length] == '\n');
    }
}

void help_command(FILE *out, enum command_id id) {
    const struct command *command = &command_table[id];
    put_usage(out, id);
    fprintf(out, "\n%c%s.\n", command->summary[0] & ~0x20, command->summary + 1);
    if (*command->about)
        put_wrapped(out, command->about, 0, 0);
    for (int group = 0; group < OPTION_GROUP_COUNT; group++)
        put_group(out, id, (enum option_group)group);
    put_examples(out, command->example);
}

void help_program(FILE *out) {
    const char *group = "";
    fprintf(out,
            "gemmgate measures half-precision matrix-multiply kernels beside NVIDIA's libraries\n"
            "and judges whether they are right, and whether they are faster.\n\n"
            "usage: gemmgate COMMAND [ARGUMENT...] [OPTION...]\n");
    for (int id = 0; id < COMMAND_COUNT; id++) {
        const struct command *command = &command_table[id];
        if (strcmp(group, command->group) != 0)
            fprintf(out, "\n%s\n", command->group);
        group = command->group;
        fprintf(out, "  %-17s %s\n", command->name, command->summary);
    }
    fprintf(out,
            "\nStart with\n"
            "    gemmgate devices\n"
            "    gemmgate run --suite smoke --candidates kernels/ -o runs/first\n"
            "    gemmgate report runs/first\n"
            "\n`gemmgate COMMAND --help` lists the options of a command.\n"
            "Exit status: 0 done, 2 wrong usage or an error, 4 not comparable, 75 interrupted,\n"
            "77 no such device. `check` and `gate` have more of them.\n");
}
