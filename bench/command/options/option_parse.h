/* The command line of one command, by the option table. Not by getopt or argp: they know neither
 * types nor limits nor defaults, so each option would be written again beside the table; they print
 * their own messages, which cannot say what was meant; and they end the program, so that no unit
 * test could see a refusal. */
#ifndef BENCH_COMMAND_OPTIONS_OPTION_PARSE_H
#define BENCH_COMMAND_OPTIONS_OPTION_PARSE_H

#include <stdbool.h>
#include <stddef.h>

#include "bench/command/options/option_table.h"
#include "bench/command/options/settings.h"

enum option_parse {
    OPTION_PARSE_WRONG = -1,
    OPTION_PARSE_DONE,
    OPTION_PARSE_HELP,
    OPTION_PARSE_LIST
};

/* A command line, word after word. The only reader of it: whoever looks for an option asks here. */
struct option_reader {
    enum command_id command;
    int count; /* of words */
    char **words;
    int at;     /* the next word */
    bool ended; /* by --: all that follow are arguments */
};

/* What option_next has read: an argument; an option; or another word that begins with -, as --, -h
 * or one that the command does not take. */
struct option_word {
    char **words; /* of the line: one, or two where a value stands apart */
    int count;
    bool argument;
    const struct option_row *row; /* of an option; else NULL */
    const char *value;            /* of an option; NULL: none */
};

/* False at the end. A word that begins with --, or as a short option of the command, is no value of
 * the option before it. */
bool option_next(struct option_reader *reader, struct option_word *word);

/* Fills the settings from what stands behind the command's name: `--name value`, `--name=value`,
 * `-o value`, `-ovalue`; after `--` all are arguments. Names are written in full, so that a new
 * option never changes what an old script means.
 * Arguments are gathered at the front of `words`, which needs room for a NULL after the last of
 * them, as argv has. Says whether --help or --options was asked for, or that something is wrong,
 * after error(). What several options together mean is not looked at. */
enum option_parse option_parse(enum command_id command, int count, char **words,
                               struct settings *settings);

/* Defaults alone. */
void option_defaults(enum command_id command, struct settings *settings);

#define SPELLING_FAR 3 /* from here on two words have nothing to do with each other */

/* Letters to put in, leave out, change or swap with the next one (optimal string alignment), up to
 * SPELLING_FAR; SPELLING_FAR, too, where more than a third of the longer word would change. */
size_t spelling_distance(const char *typed, const char *meant);

#endif
