/* gemmgate: finds the command, has its options parsed, and calls it. */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/need.h"
#include "bench/command/commands.h"
#include "bench/command/options/option_help.h"
#include "bench/command/options/option_parse.h"
#include "bench/command/options/option_table.h"
#include "bench/command/options/spelling.h"
#include "bench/command/remembered.h"

static int (*const functions[COMMAND_COUNT])(struct settings *settings) = {
#define X(id, function) [COMMAND_##id] = command_##function,
    COMMANDS(X)
#undef X
};

static bool asks_help(const char *word) {
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0;
}

/* Of the command that the words name, of those that share its first word, or of the program. */
static int tell(int count, char **words) {
    const enum command_id id = command_find(&count, &words);
    if (id < COMMAND_COUNT)
        help_command(stdout, id);
    else if (count > 0 && command_is_family(words[0]))
        help_family(stdout, words[0]);
    else
        help_program(stdout);
    return EXIT_PASS;
}

/* "baseline" and "list" alone, or with a second word that they do not have. */
static int refuse_family(int count, char **words) {
    if (count > 1 && asks_help(words[1]))
        return tell(1, words);
    return error("%s: %s; see `gemmgate %s --help`", words[0],
                 count > 1 ? "there is no such command" : "a second word is wanted", words[0]),
           EXIT_TROUBLE;
}

static int refuse_unknown(const char *word) {
    size_t least = SPELLING_FAR;
    const char *best = NULL;
    for (int id = 0; id < COMMAND_COUNT; id++) {
        const size_t distance = spelling_distance(word, command_table[id].name);
        if (distance < least) {
            least = distance;
            best = command_table[id].name;
        }
    }
    if (best)
        return error("unknown command %s; did you mean %s?", word, best), EXIT_TROUBLE;
    return error("unknown command %s; `gemmgate --help` lists them", word), EXIT_TROUBLE;
}

static int run(enum command_id id, int count, char **words) {
    struct settings settings;
    if (option_find(id, "resume") && remembered_recall(&count, &words) < 0)
        return EXIT_TROUBLE;
    json_t *command = remembered_make(command_table[id].name, count, words);
    int status = EXIT_TROUBLE;
    switch (option_parse(id, count, words, &settings)) {
    case OPTION_PARSE_HELP:
        help_command(stdout, id);
        status = EXIT_PASS;
        break;
    case OPTION_PARSE_LIST:
        help_options(stdout, id);
        status = EXIT_PASS;
        break;
    case OPTION_PARSE_DONE:
        settings.command_line = command;
        status = functions[id](&settings);
        break;
    case OPTION_PARSE_WRONG:
        break;
    }
    json_decref(command);
    return status;
}

/* words[0] is the command. */
static int dispatch(int count, char **words) {
    if (count == 0) {
        help_program(stderr);
        return EXIT_TROUBLE;
    }
    if (asks_help(words[0]))
        return tell(count - 1, words + 1);
    if (strcmp(words[0], "--version") == 0)
        return version_print();
    const enum command_id id = command_find(&count, &words);
    if (id < COMMAND_COUNT)
        return run(id, count, words);
    return command_is_family(words[0]) ? refuse_family(count, words) : refuse_unknown(words[0]);
}

int main(int argc, char **argv) {
    /* A file over its size limit and a closed pipe are errors of write(), not deaths. */
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    need_json();
    const int status = dispatch(argc > 0 ? argc - 1 : 0, argv + 1);
    /* Results that did not reach stdout (a full disk, say) are not results. */
    if ((fflush(stdout) == EOF || ferror(stdout)) && status == EXIT_PASS)
        return error("cannot write to standard output"), EXIT_TROUBLE;
    return status;
}
