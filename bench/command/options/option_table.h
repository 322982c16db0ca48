/* Every option of the command line, a row each; the commands that take it are a column. Parser,
 * help, defaults and limits come from here. An option that means something else in another command
 * has a second row of that name; no command takes both. */
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

/* What --help lists it under. */
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

struct option_row {
    const char *name;
    char letter; /* the short form, or 0 */
    enum option_type type;
    size_t offset;            /* of its field in struct settings */
    double least, most;       /* inclusive */
    const char *const *words; /* of WORD and WORDS */
    int word_count;
    const char *value;         /* what --help calls the value; NULL where there is none, or words */
    const char *initial;       /* the default, written as a user would; NULL: there is none */
    const char *otherwise;     /* what happens where it is not given and initial is NULL; or NULL */
    const char *(*tell)(void); /* says the same, of defaults that the command line does not hold */
    const char *help;
    enum option_group group;
    bool last_counts;  /* may be given again, as scripts with defaults do; else that is refused */
    bool of_measuring; /* has no meaning for what is measured already */
    uint32_t commands; /* bits 1 << enum command_id: those that take it ... */
    uint32_t needed;   /* ... and of them, those that cannot do without */
};
extern const struct option_row option_table[];
extern const size_t option_count;

/* The order of --accumulate's words. */
extern const char *const settings_accumulates[2];

/* Those of --reference. */
extern const char *const settings_references[2];
extern const char *const settings_replays[2];

/* The row that a command takes by that name; NULL: none. */
const struct option_row *option_find(enum command_id command, const char *name);

/* Whether the command takes the row, and whether it needs it. */
bool option_is_of(const struct option_row *row, enum command_id command);
bool option_is_needed(const struct option_row *row, enum command_id command);

/* "--output", or "-o" where there is a short form. */
#define OPTION_SPELLING 40
const char *option_spelling(const struct option_row *row, char text[OPTION_SPELLING]);

/* What stands for its value in help: "PERCENT", "f16|f32", "offline,server"; "" for a flag. */
#define OPTION_VALUE 64
const char *option_value(const struct option_row *row, char text[OPTION_VALUE]);

#endif
