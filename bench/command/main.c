/* gemmgate: finds the command, has its options parsed, and calls it. */
#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/base/error.h"
#include "bench/base/jsonfile.h"
#include "bench/base/need.h"
#include "bench/command/commands.h"
#include "bench/command/options/option_help.h"
#include "bench/command/options/option_parse.h"
#include "bench/command/options/option_table.h"
#include "bench/process/interrupt.h"
#include "bench/run/environment.h"

/* command.json: the command, the words behind it but -o and --resume, which are still to come, and
 * the folder where they were given. The caller decrefs. */
static json_t *remembered_make(enum command_id id) {
    char folder[PATH_MAX];
    if (!getcwd(folder, sizeof folder))
        folder[0] = 0;
    return json_pack("{s:s, s:o, s:[]}", "command", command_table[id].name, "folder",
                     jsonfile_string(folder), "words");
}

/* The run that the settings resume and say no more of; NULL: they say more, or do not resume. */
static const char *resumed_alone(const struct settings *settings) {
    size_t given = 0;
    for (size_t i = 0; i < option_count; i++)
        given += settings->given[i];
    return settings->resume && settings->output && given == 2 && settings->argument_count == 0
               ? settings->output
               : NULL;
}

/* Parses -o and --resume with the run's whole path, then the stored words. The settings point to
 * them, so they are kept until the program ends. */
static enum option_parse parse_stored(enum command_id id, json_t *stored, const char *run,
                                      struct settings *settings) {
    static char **words, resume[] = "--resume", output[] = "-o", path[PATH_MAX];
    static json_t *kept;
    const size_t size = json_array_size(stored);
    kept = json_incref(stored);
    words = need(size + 4, sizeof *words);
    snprintf(path, sizeof path, "%s", run);
    words[0] = resume;
    words[1] = output;
    words[2] = path;
    for (size_t i = 0; i < size; i++)
        if (!(words[3 + i] = (char *)json_string_value(json_array_get(kept, i))))
            return error("%s/command.json: its words cannot be read", run), OPTION_PARSE_WRONG;
    return option_parse(id, (int)size + 3, words, NULL, settings);
}

/* Where the settings resume a run and say nothing else but -o RUN: goes to the folder where the run
 * was begun, and takes the options that it was begun with. */
static enum option_parse recall(enum command_id id, struct settings *settings) {
    const char *run = resumed_alone(settings);
    char path[PATH_MAX], file[PATH_MAX + 16];
    if (!run || !realpath(run, path))
        return OPTION_PARSE_DONE; /* the command says what is wrong with it */
    snprintf(file, sizeof file, "%s/command.json", path);
    if (access(file, F_OK) < 0)
        return error("%s: --resume needs the options that it was begun with: it does not hold them",
                     run),
               OPTION_PARSE_WRONG;
    json_t *command = jsonfile_read(path, "command.json", "a run directory");
    const char *folder = jsonfile_text(command, "folder");
    enum option_parse status = OPTION_PARSE_WRONG;
    if (command && chdir(folder) < 0)
        error("%s: it was begun in %s: %s", file, folder, strerror(errno));
    else if (command)
        status = parse_stored(id, json_object_get(command, "words"), path, settings);
    json_decref(command);
    return status;
}

static int (*const functions[COMMAND_COUNT])(struct settings *settings) = {
#define X(id, function) [COMMAND_##id] = command_##function,
    COMMANDS(X)
#undef X
};

static bool asks_help(const char *word) {
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0;
}

/* Prints the help of the command that the words name, or of the program. */
static int show_help(int count, char **words) {
    const enum command_id id = command_find(&count, &words);
    if (id < COMMAND_COUNT)
        help_command(stdout, id);
    else
        help_program(stdout);
    return EXIT_PASS;
}

static int run(enum command_id id, int count, char **words) {
    struct settings settings;
    const bool resumes = option_find(id, "resume");
    if (resumes || id == COMMAND_BUILD)
        interrupt_end();
    json_t *command = remembered_make(id);
    int status = EXIT_TROUBLE;
    enum option_parse parsed =
        option_parse(id, count, words, json_object_get(command, "words"), &settings);
    if (parsed == OPTION_PARSE_DONE && resumes)
        parsed = recall(id, &settings);
    switch (parsed) {
    case OPTION_PARSE_HELP:
        help_command(stdout, id);
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

static int print_version(void) {
    const struct environment_build *build = &environment_build;
    printf("%s %s\ncommit %s\nbuilt by %s", "gemmgate", build->version,
           *build->commit ? build->commit : "unknown: not built from a git checkout",
           build->compiler);
    if (*build->cuda_compiler)
        printf(" and %s for %s\n", build->cuda_compiler, build->cuda_architectures);
    else
        puts(" without CUDA");
    return EXIT_PASS;
}

/* words[0] is the command. */
static int dispatch(int count, char **words) {
    if (count == 0) {
        help_program(stderr);
        return EXIT_TROUBLE;
    }
    if (asks_help(words[0]))
        return show_help(count - 1, words + 1);
    if (strcmp(words[0], "--version") == 0)
        return print_version();
    const enum command_id id = command_find(&count, &words);
    if (id < COMMAND_COUNT)
        return run(id, count, words);
    if (count > 1 && asks_help(words[1]))
        return show_help(0, words);
    return error("unknown command %s; `gemmgate --help` lists them", words[0]), EXIT_TROUBLE;
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
