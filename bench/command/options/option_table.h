/* Every option of the command line, a row each. Parser, help, defaults, limits and the list of the
 * commands that take it come from the row. */
#ifndef BENCH_COMMAND_OPTIONS_OPTION_TABLE_H
#define BENCH_COMMAND_OPTIONS_OPTION_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/command/options/settings.h"

enum option_type {
    OPTION_FLAG,    /* bool: true where given; takes no value */
    OPTION_TEXT,    /* const char * */
    OPTION_REAL,    /* double, from least to most */
    OPTION_WHOLE,   /* int, from least to most */
    OPTION_NATURAL, /* uint64_t, any */
    OPTION_WORD,    /* int: which of the words */
    OPTION_WORDS    /* int: a bit for each of the words, which are given with commas */
};

/* The headings of --help. */
#define OPTION_GROUPS(X)                                                                           \
    X(WHAT, "What is measured")                                                                    \
    X(HOW, "How it is timed")                                                                      \
    X(CHECKS, "How kernels are checked")                                                           \
    X(LIMITS, "Time limits")                                                                       \
    X(JUDGED, "How it is judged")                                                                  \
    X(WHERE, "Files and machine")
enum option_group {
#define X(id, title) OPTION_GROUP_##id,
    OPTION_GROUPS(X)
#undef X
        OPTION_GROUP_COUNT
};
extern const char *const option_group_titles[OPTION_GROUP_COUNT];

/* The help of an option. At most one of the last three says what the default is. */
struct option_text {
    const char *help;
    const char *value;         /* what stands for the value; NULL for a flag and for words */
    const char *initial;       /* the default as a user would write it, or NULL */
    const char *otherwise;     /* what happens where the option is not given, or NULL */
    const char *(*tell)(void); /* returns the same, or is NULL */
};

/* Each of `commands`, `needed` and `judging` is a set of bits 1 << enum command_id. */
struct option_row {
    const char *name;
    char letter; /* the short form, or 0 */
    enum option_type type;
    size_t offset;            /* of its field in struct settings */
    double least, most;       /* inclusive */
    const char *const *words; /* of WORD and WORDS; NULL after the last */
    enum option_group group;
    bool once;         /* names something, so that a second one is refused; else the last counts */
    uint32_t commands; /* that take it, */
    uint32_t needed;   /* cannot do without it, */
    uint32_t judging;  /* take it beside a run that is measured already */
    struct option_text text;
};
extern const struct option_row option_table[];
extern const size_t option_count;

/* The words of --accumulate, in the order of the setting's numbers. */
extern const char *const settings_accumulates[];

/* The row that a command takes by that name; NULL: none. */
const struct option_row *option_find(enum command_id command, const char *name);

/* Whether the command takes the row, and whether it needs it. */
bool option_is_of(const struct option_row *row, enum command_id command);
bool option_is_needed(const struct option_row *row, enum command_id command);

/* "--output", or "-o" where there is a short form. */
#define OPTION_SPELLING 40
const char *option_spelling(const struct option_row *row, char text[OPTION_SPELLING]);

/* The word for its value in help: "PERCENT", "f16|f32", "offline,server"; "" for a flag. */
#define OPTION_VALUE 64
const char *option_value(const struct option_row *row, char text[OPTION_VALUE]);

#endif
