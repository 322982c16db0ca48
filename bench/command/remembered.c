#include "bench/command/remembered.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/base/error.h"
#include "bench/base/jsonfile.h"
#include "bench/base/need.h"

/* -o RUN, -oRUN, --output RUN or --output=RUN at words[*at], which then is its last word; NULL
 * where it is another option. */
static const char *output_at(int count, char *const *words, int *at) {
    const char *word = words[*at];
    const bool apart = strcmp(word, "-o") == 0 || strcmp(word, "--output") == 0;
    if (apart)
        return *at + 1 < count ? words[++*at] : NULL;
    return strncmp(word, "--output=", 9) == 0 ? word + 9
           : strncmp(word, "-o", 2) == 0      ? word + 2
                                              : NULL;
}

json_t *remembered_make(const char *command, int count, char *const *words) {
    char folder[PATH_MAX];
    json_t *list = json_array();
    if (!getcwd(folder, sizeof folder))
        folder[0] = 0;
    for (int i = 0; i < count; i++)
        if (!output_at(count, words, &i) && strcmp(words[i], "--resume") != 0)
            json_array_append_new(list, jsonfile_string(words[i]));
    return json_pack("{s:s, s:o, s:o}", "command", command, "folder", jsonfile_string(folder),
                     "words", list);
}

/* The run that the words resume and say no more of; NULL: they say more, or do not resume. */
static const char *resumed_alone(int count, char **words) {
    const char *run = NULL;
    bool resume = false;
    for (int i = 0; i < count; i++) {
        const char *output = output_at(count, words, &i);
        if (output)
            run = output;
        else if (strcmp(words[i], "--resume") == 0)
            resume = true;
        else
            return NULL;
    }
    return resume ? run : NULL;
}

/* The stored words, then --resume and -o with the run's whole path. They are kept until the program
 * ends, as those of its own command line are; who reads them may take some out of the array. */
static char **join(const json_t *stored, const char *run, int *count) {
    static char **words, **kept, resume[] = "--resume", output[] = "-o";
    const size_t size = json_array_size(stored);
    words = need(size + 4, sizeof *words);
    kept = need(size + 1, sizeof *kept);
    for (size_t i = 0; i < size; i++) {
        const char *word = json_string_value(json_array_get(stored, i));
        if (!word)
            return NULL;
        words[i] = kept[i] = need_copy(word);
    }
    words[size] = resume;
    words[size + 1] = output;
    words[size + 2] = kept[size] = need_copy(run);
    *count = (int)size + 3;
    return words;
}

int remembered_recall(int *count, char ***words) {
    const char *run = resumed_alone(*count, *words);
    char path[PATH_MAX], file[PATH_MAX + 16];
    if (!run || !realpath(run, path))
        return 0; /* the command says what is wrong with it */
    snprintf(file, sizeof file, "%s/command.json", path);
    if (access(file, F_OK) < 0)
        return error("%s: --resume needs the options that it was begun with: it does not hold them",
                     run);
    json_t *command = jsonfile_read(path, "command.json", "a run directory");
    if (!command)
        return -1;
    const char *folder = jsonfile_text(command, "folder");
    int status =
        chdir(folder) < 0 ? error("%s: it was begun in %s: %s", file, folder, strerror(errno)) : 0;
    char **all = status == 0 ? join(json_object_get(command, "words"), path, count) : NULL;
    if (status == 0 && !all)
        status = error("%s: its words cannot be read", file);
    json_decref(command);
    if (status == 0)
        *words = all;
    return status;
}
