/* For tests of options: command lines, accepted and refused. Include after cmocka.h. */
#ifndef TESTS_SUPPORT_OPTION_LINES_H
#define TESTS_SUPPORT_OPTION_LINES_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/command/options/option_parse.h"
#include "tests/support/asserts.h"
#include "tests/support/stderr.h"

#define WORDS 16

/* Parses "--a b c" as that command; words are kept for the settings to point into. */
__attribute__((unused)) static enum option_parse parse(enum command_id command, const char *line,
                                                       struct settings *settings) {
    static char kept[512];
    static char *words[WORDS + 1];
    int count = 0;
    snprintf(kept, sizeof kept, "%s", line);
    for (char *word = strtok(kept, " "); word && count < WORDS; word = strtok(NULL, " "))
        words[count++] = word;
    words[count] = NULL;
    return option_parse(command, count, words, NULL, settings);
}

__attribute__((unused)) static void refused(enum command_id command, const char *line,
                                            const char *why) {
    struct settings settings;
    stderr_catch();
    const enum option_parse result = parse(command, line, &settings);
    stderr_says(why);
    if (result != OPTION_PARSE_WRONG)
        fail_msg("not refused: %s", line);
}

__attribute__((unused)) static struct settings accepted(enum command_id command, const char *line) {
    struct settings settings;
    if (parse(command, line, &settings) != OPTION_PARSE_DONE)
        fail_msg("refused: %s", line);
    return settings;
}

/* A command line that the command accepts, to be gone on with. */
__attribute__((unused)) static const char *enough(enum command_id command) {
    static const char *const lines[COMMAND_COUNT] = {[COMMAND_RUN] = "-o R",
                                                     [COMMAND_CHECK] = "-o R",
                                                     [COMMAND_BUILD] = "--candidates C",
                                                     [COMMAND_AGREE] = "A B",
                                                     [COMMAND_WINNERS] = "R",
                                                     [COMMAND_REPORT] = "R",
                                                     [COMMAND_VERIFY] = "R",
                                                     [COMMAND_MERGE] = "A B -o R",
                                                     [COMMAND_IMPORT_CUDA_L2] = "-o R",
                                                     [COMMAND_IMPORT] = "T F -o R",
                                                     [COMMAND_BASELINE_PROMOTE] = "R --store S",
                                                     [COMMAND_BASELINE_LIST] = "--store S",
                                                     [COMMAND_HISTORY] = "--store S",
                                                     [COMMAND_LIST_CANDIDATES] = "D"};
    return lines[command] ? lines[command] : "";
}

#endif
