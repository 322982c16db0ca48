/* The command line of one command, by the option table. Not by getopt or argp: they know neither
 * types nor limits nor defaults, so each option would be written again beside the table; they print
 * their own messages, which cannot say what was meant; and they end the program, so that no unit
 * test could see a refusal. */
#ifndef BENCH_COMMAND_OPTIONS_OPTION_PARSE_H
#define BENCH_COMMAND_OPTIONS_OPTION_PARSE_H

#include <stddef.h>

#include <jansson.h>

#include "bench/command/options/option_table.h"
#include "bench/command/options/settings.h"

enum option_parse { OPTION_PARSE_WRONG = -1, OPTION_PARSE_DONE, OPTION_PARSE_HELP };

/* Fills the settings from the words behind the command's name: `--name value`, `--name=value`,
 * `-o value`, `-ovalue`. After `--` all words are arguments. A word that begins with --, or as a
 * short option of the command, is no value of the option before it. Names are written in full, so
 * that a new option never changes what an old script means. The arguments are gathered at the front
 * of `words`, which needs room for a NULL after the last of them, as argv has. All words but those
 * of --output and --resume are appended to `remembered`, a list (NULL: they are not). Returns whether
 * --help was asked for, or that something is wrong, after error(). A contradiction of
 * several options is not looked for. */
enum option_parse option_parse(enum command_id command, int count, char **words, json_t *remembered,
                               struct settings *settings);

/* Defaults alone. */
void option_defaults(enum command_id command, struct settings *settings);

#endif
