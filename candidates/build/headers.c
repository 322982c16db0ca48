#include "candidates/build/headers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/base/error.h"
#include "bench/base/need.h"

/* Each with its folder in the same argument or in the next. */
static const char *const folder_flags[] = {"-I",         "-isystem",       "-iquote",
                                           "-idirafter", "--include-path", "--system-include"};
enum { FOLDER_FLAGS = sizeof folder_flags / sizeof *folder_flags };

const char *headers_flag(const char *const *arguments, int *used) {
    *used = 1;
    for (int i = 0; i < FOLDER_FLAGS; i++) {
        const size_t length = strlen(folder_flags[i]);
        if (strncmp(*arguments, folder_flags[i], length) != 0)
            continue;
        const char *rest = *arguments + length;
        if (*rest == '=')
            return rest + 1;
        if (*rest)
            return rest;
        if (arguments[1])
            *used = 2;
        return arguments[1] ? arguments[1] : rest;
    }
    return NULL;
}

/* gcc takes an -I of these for the system's. */
static bool is_system(const char *folder) {
    char real[PATH_MAX];
    return realpath(folder, real) &&
           (strcmp(real, "/usr/include") == 0 || strcmp(real, "/usr/local/include") == 0);
}

void headers_add_folder(struct headers *headers, const char *folder) {
    headers->has_system |= is_system(folder);
    if (headers->count < HEADERS_FOLDERS) /* headers of further ones are named by their paths */
        headers->folders[headers->count++] = folder;
}

void headers_add_flags(struct headers *headers, const char *const *arguments) {
    for (int used; *arguments; arguments += used) {
        const char *folder = headers_flag(arguments, &used);
        /* Anywhere: they can be words for the host's compiler. */
        headers->has_system |= strstr(*arguments, "-isystem") || strstr(*arguments, "-idirafter") ||
                               strstr(*arguments, "-system-include");
        if (folder)
            headers_add_folder(headers, folder);
    }
}

/* Splits the variable's value; its parts, which end with NULL. */
static const char **split(struct headers *headers, const char *variable, const char *separators) {
    const char *given = getenv(variable), *value = given ? given : "";
    const size_t most = strlen(value) + 2, room = (most + 1) * sizeof(char *);
    char *memory = need(room + most, 1);
    headers->texts[headers->text_count++] = memory;
    const char **parts = (const char **)memory, **part = parts;
    char *text = strcpy(memory + room, value), *kept;
    for (text = strtok_r(text, separators, &kept); text; text = strtok_r(NULL, separators, &kept))
        *part++ = text;
    *part = NULL;
    return parts;
}

static void add_word(struct headers *headers, const char *word) {
    headers->words[headers->word_count++] = word;
    headers->words[headers->word_count] = NULL;
}

static int add_flags_of(struct headers *headers, const char *variable) {
    const char **words = split(headers, variable, " \t\n");
    headers_add_flags(headers, words);
    add_word(headers, variable);
    for (int used; *words; words += used) {
        if (headers->word_count == HEADERS_WORDS - 2)
            return error("%s has more than %d words", variable, HEADERS_WORDS - 4);
        if (!headers_flag(words, &used))
            add_word(headers, *words);
    }
    return 0;
}

static void add_folders_of(struct headers *headers, const char *variable, bool system) {
    for (const char **folders = split(headers, variable, ":"); *folders; folders++) {
        headers_add_folder(headers, *folders);
        headers->has_system |= system;
    }
}

static bool is_set(const char *variable) {
    const char *value = getenv(variable);
    return value && *value;
}

int headers_add_environment(struct headers *headers) {
    static const char *const flags[] = {"NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS"};
    static const char *const folders[] = {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"};
    for (int i = 0; i < 2; i++)
        if (is_set(flags[i]) && add_flags_of(headers, flags[i]) < 0)
            return -1;
    for (int i = 0; i < 3; i++)
        if (is_set(folders[i]))
            add_folders_of(headers, folders[i], i > 0);
    return 0;
}

void headers_set_toolkit(struct headers *headers, const char *nvcc) {
    char profile[PATH_MAX + 16];
    *headers->toolkit = 0;
    if (!realpath(nvcc, headers->toolkit))
        return;
    char *slash = strrchr(headers->toolkit, '/');
    snprintf(profile, sizeof profile, "%.*s/nvcc.profile", (int)(slash - headers->toolkit),
             headers->toolkit);
    *slash = 0;
    slash = strrchr(headers->toolkit, '/');
    *(slash ? slash : headers->toolkit) = 0;
    if (access(profile, F_OK) < 0)
        *headers->toolkit = 0;
}

/* What of the path comes after the folder and slashes, or NULL if it does not lie in it. */
static const char *below(const char *folder, const char *path) {
    size_t length = strlen(folder);
    while (length > 0 && folder[length - 1] == '/')
        length--;
    if (strncmp(folder, path, length) != 0 || path[length] != '/')
        return NULL;
    return path + length + strspn(path + length, "/");
}

static bool exists(const char *folder, const char *name, char path[PATH_MAX]) {
    return snprintf(path, PATH_MAX, "%s/%s", folder, name) < PATH_MAX && access(path, F_OK) == 0;
}

bool headers_name(const struct headers *headers, const char *path, char name[HEADERS_NAME]) {
    const char *rest = NULL;
    char other[PATH_MAX];
    int folder = 0, nth = 1;
    for (int i = 0; i < headers->count; i++) {
        const char *found = below(headers->folders[i], path);
        if (found && (!rest || found > rest)) { /* of folders in one another, the innermost */
            rest = found;
            folder = i;
        }
    }
    if (!rest) {
        snprintf(name, HEADERS_NAME, "0 %s", path);
        return !(*headers->toolkit && realpath(path, other) && below(headers->toolkit, other));
    }
    for (int i = 0; i < folder; i++)
        nth += exists(headers->folders[i], rest, other);
    snprintf(name, HEADERS_NAME, "%d %s", nth, rest);
    return true;
}

bool headers_find(const struct headers *headers, const char *name, char path[PATH_MAX]) {
    char *rest;
    long nth = strtol(name, &rest, 10);
    if (rest == name || *rest++ != ' ')
        return false;
    if (nth == 0)
        return snprintf(path, PATH_MAX, "%s", rest) < PATH_MAX;
    for (int i = 0; i < headers->count; i++)
        if (exists(headers->folders[i], rest, path) && --nth == 0)
            return true;
    return false;
}

void headers_free(struct headers *headers) {
    while (headers->text_count > 0)
        free(headers->texts[--headers->text_count]);
    *headers = (struct headers){0};
}
