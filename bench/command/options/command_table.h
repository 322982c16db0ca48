/* The commands, one entry each: what they are called with, and what --help says of them. Their
 * options are in option_table.h, their functions in main.c. */
#ifndef BENCH_COMMAND_OPTIONS_COMMAND_TABLE_H
#define BENCH_COMMAND_OPTIONS_COMMAND_TABLE_H

#include <stdint.h>
#include <stdio.h>

/* In the order in which --help lists them. */
#define COMMANDS(X)                                                                                \
    X(RUN, run)                                                                                    \
    X(CHECK, check)                                                                                \
    X(BUILD, build)                                                                                \
    X(GATE, gate)                                                                                  \
    X(COMPARE, compare)                                                                            \
    X(AGREE, agree)                                                                                \
    X(WINNERS, winners)                                                                            \
    X(REPORT, report)                                                                              \
    X(VERIFY, verify)                                                                              \
    X(MERGE, merge)                                                                                \
    X(IMPORT_CUDA_L2, import_cuda_l2)                                                              \
    X(IMPORT, import)                                                                              \
    X(BASELINE_PROMOTE, baseline_promote)                                                          \
    X(BASELINE_LIST, baseline_list)                                                                \
    X(HISTORY, history)                                                                            \
    X(DEVICES, devices)                                                                            \
    X(LIST_BASELINES, list_baselines)                                                              \
    X(LIST_SUITES, list_suites)                                                                    \
    X(LIST_CANDIDATES, list_candidates)                                                            \
    X(LIST_COLUMNS, list_columns)

enum command_id {
#define X(id, function) COMMAND_##id,
    COMMANDS(X)
#undef X
        COMMAND_COUNT
};

struct command {
    const char *name;      /* one word, or two: "baseline promote" */
    const char *group;     /* under which --help lists it */
    const char *summary;   /* a line, without a full stop */
    const char *arguments; /* "RUN"; of several ways to call it one a line; "" for none */
    int least, most;       /* how many arguments; -1: any number */
    const char *about;     /* more of it, with the exit statuses that are its own; "" for none */
    const char *example;   /* a command line or more, one a line */
};
extern const struct command command_table[COMMAND_COUNT];

/* The command that words[0] and, where its name has two words, words[1] name. Takes them off and
 * returns its number; else COMMAND_COUNT. */
enum command_id command_find(int *count, char ***words);

#endif
