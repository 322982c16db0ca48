#include "bench/command/options/option_parse.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/jsonfile.h"
#include "bench/base/text.h"
#include "bench/command/options/option_table.h"

static int take_real(const struct option_row *row, const char *text, double *value) {
    const char *end = text_number(text, value);
    if (!end || *end || *value < row->least || *value > row->most)
        return error("--%s %s: a number from %.10g to %.10g is wanted", row->name, text, row->least,
                     row->most);
    return 0;
}

static int take_whole(const struct option_row *row, const char *text, int *value) {
    double real;
    if (take_real(row, text, &real) < 0)
        return -1;
    *value = (int)real;
    return real == (double)*value ? 0 : error("--%s %s: a whole number is wanted", row->name, text);
}

static int take_natural(const struct option_row *row, const char *text, uint64_t *value) {
    char *end;
    errno = 0;
    *value = strtoull(text, &end, 0);
    if (end == text || *end || errno || strchr(text, '-'))
        return error("--%s %s: a whole number from 0 to 2^64-1 is wanted", row->name, text);
    return 0;
}

static int refuse_word(const struct option_row *row, const char *text) {
    char all[128];
    return error("--%s %s: %s is wanted", row->name, text, words_list(row->words, all, sizeof all));
}

static int take_word(const struct option_row *row, const char *text, int *value) {
    *value = words_find(row->words, text);
    return *value < 0 ? refuse_word(row, text) : 0;
}

static int take_words(const struct option_row *row, const char *text, int *bits) {
    *bits = words_bits(row->words, text);
    return *bits ? 0 : refuse_word(row, text);
}

/* text is NULL for a flag. */
static int store_value(struct settings *settings, const struct option_row *row, const char *text) {
    void *field = (char *)settings + row->offset;
    switch (row->type) {
    case OPTION_FLAG:
        *(bool *)field = true;
        return 0;
    case OPTION_TEXT:
        *(const char **)field = text;
        return 0;
    case OPTION_REAL:
        return take_real(row, text, field);
    case OPTION_WHOLE:
        return take_whole(row, text, field);
    case OPTION_NATURAL:
        return take_natural(row, text, field);
    case OPTION_WORD:
        return take_word(row, text, field);
    case OPTION_WORDS:
        return take_words(row, text, field);
    }
    return error("--%s has a type that nobody knows", row->name);
}

void option_defaults(enum command_id command, struct settings *settings) {
    memset(settings, 0, sizeof *settings);
    settings->command = command;
    for (size_t i = 0; i < option_count; i++) {
        const char *initial = option_table[i].text.initial;
        if (option_is_of(&option_table[i], command) && initial)
            store_value(settings, &option_table[i], initial);
    }
}

static const char *called_of(const struct settings *settings) {
    return command_table[settings->command].name;
}

/* The commands that have an option of that name, with commas. */
static void list_takers(const char *name, char *text, size_t size) {
    text[0] = 0;
    for (int command = 0; command < COMMAND_COUNT; command++)
        if (option_find((enum command_id)command, name))
            text_append(text, size, "%s%s", *text ? ", " : "", command_table[command].name);
}

static int refuse_unknown(struct settings *settings, const char *name) {
    char takers[256];
    list_takers(name, takers, sizeof takers);
    if (*takers)
        return error("%s takes no --%s; that is an option of: %s", called_of(settings), name,
                     takers);
    return error("%s takes no --%s; `gemmgate %s --help` lists its options", called_of(settings),
                 name, called_of(settings));
}

/* Takes the option with its value (NULL: none). */
static int take_value(struct settings *settings, const struct option_row *row, const char *value) {
    bool *given = &settings->given[row - option_table];
    char spelling[OPTION_SPELLING], called[OPTION_VALUE];
    if (row->type == OPTION_FLAG && value)
        return error("--%s takes no value", row->name);
    if (row->type != OPTION_FLAG && (!value || !*value))
        return error("%s: a value is wanted: %s %s", called_of(settings),
                     option_spelling(row, spelling), option_value(row, called));
    if (*given && row->once) {
        const char *before = *(const char **)((char *)settings + row->offset);
        return error("--%s %s: %s is given already; one is taken, so leave one out", row->name,
                     value, before);
    }
    *given = true;
    return store_value(settings, row, value);
}

static const struct option_row *find_letter(enum command_id command, char letter) {
    for (size_t i = 0; i < option_count; i++)
        if (letter && option_is_of(&option_table[i], command) && option_table[i].letter == letter)
            return &option_table[i];
    return NULL;
}

static bool begins_option(enum command_id command, const char *word) {
    return word[0] == '-' && (word[1] == '-' || find_letter(command, word[1]));
}

/* The option that the words begin with, which number `left`. *value is what it is given, or NULL, and
 * *taken how many words that are. NULL after error() where the command has no such option. */
static const struct option_row *read_option(struct settings *settings, char *const *words, int left,
                                            const char **value, int *taken) {
    const char *text = words[0], *equals = text[1] == '-' ? strchr(text, '=') : NULL;
    char name[OPTION_SPELLING];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text + 2, "="), text + 2);
    const struct option_row *row = text[1] == '-' ? option_find(settings->command, name)
                                                  : find_letter(settings->command, text[1]);
    if (!row) {
        if (text[1] == '-')
            refuse_unknown(settings, name);
        else
            error("%s takes no -%c; `gemmgate %s --help` lists its options", called_of(settings),
                  text[1], called_of(settings));
        return NULL;
    }
    *value = equals ? equals + 1 : text[1] != '-' && text[2] ? text + 2 : NULL;
    const bool apart = row->type != OPTION_FLAG && !*value && left > 1 &&
                       !begins_option(settings->command, words[1]);
    *taken = apart ? 2 : 1;
    if (apart)
        *value = words[1];
    return row;
}

static int check_arguments(struct settings *settings) {
    const struct command *command = &command_table[settings->command];
    const size_t count = settings->argument_count;
    if (command->most >= 0 && count > (size_t)command->most)
        return error("%s: too many arguments: %s", called_of(settings),
                     settings->arguments[command->most]);
    for (size_t i = 0; i < count; i++)
        if (!*settings->arguments[i])
            return error("%s: argument %zu is empty; %s is wanted; see `gemmgate %s --help`",
                         called_of(settings), i + 1,
                         *command->arguments ? command->arguments : "none", called_of(settings));
    if (count < (size_t)command->least)
        return error("%s: %s is wanted; see `gemmgate %s --help`", called_of(settings),
                     command->arguments, called_of(settings));
    return 0;
}

static int check_needed(struct settings *settings) {
    char spelling[OPTION_SPELLING], called[OPTION_VALUE];
    for (size_t i = 0; i < option_count; i++) {
        const struct option_row *row = &option_table[i];
        if (option_is_needed(row, settings->command) && !settings->given[i])
            return error("%s: %s %s is wanted: %s", called_of(settings),
                         option_spelling(row, spelling), option_value(row, called), row->text.help);
    }
    return 0;
}

/* What a command line is gone on with by: all words but those of -o and --resume. */
static void remember(const struct option_row *row, char *const *words, int count,
                     json_t *remembered) {
    const size_t offset = row ? row->offset : SIZE_MAX;
    if (!remembered || offset == offsetof(struct settings, output) ||
        offset == offsetof(struct settings, resume))
        return;
    for (int i = 0; i < count; i++)
        json_array_append_new(remembered, jsonfile_string(words[i]));
}

/* Takes the options, and gathers the arguments at the front. */
static enum option_parse take_line(struct settings *settings, int count, char **words,
                                   json_t *remembered) {
    size_t arguments = 0;
    bool ended = false; /* by --: all that follow are arguments */
    for (int at = 0, taken; at < count; at += taken) {
        char *text = words[at];
        const struct option_row *row = NULL;
        const char *value = NULL;
        const bool argument = ended || text[0] != '-' || !text[1];
        taken = 1;
        if (!argument && (strcmp(text, "--help") == 0 || strcmp(text, "-h") == 0))
            return OPTION_PARSE_HELP;
        ended = ended || strcmp(text, "--") == 0;
        if (!argument && !ended &&
            !(row = read_option(settings, words + at, count - at, &value, &taken)))
            return OPTION_PARSE_WRONG;
        remember(row, words + at, taken, remembered);
        if (row && take_value(settings, row, value) < 0)
            return OPTION_PARSE_WRONG;
        if (argument)
            words[arguments++] = text;
    }
    words[arguments] = NULL;
    settings->arguments = (const char *const *)words;
    settings->argument_count = arguments;
    return OPTION_PARSE_DONE;
}

enum option_parse option_parse(enum command_id command, int count, char **words, json_t *remembered,
                               struct settings *settings) {
    option_defaults(command, settings);
    const enum option_parse taken = take_line(settings, count, words, remembered);
    if (taken != OPTION_PARSE_DONE)
        return taken;
    return check_arguments(settings) < 0 || check_needed(settings) < 0 ? OPTION_PARSE_WRONG
                                                                       : OPTION_PARSE_DONE;
}
