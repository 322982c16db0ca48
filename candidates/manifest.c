#include "candidates/manifest.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <ini.h>

#include "bench/error.h"
#include "candidates/cuda_l2.h"
#include "candidates/gemmgate.h"

struct reading {
    struct candidate_set *set;
    char *pattern;
};

static int copy(char *to, size_t size, const char *value, const char *letters) {
    if (!*value || strlen(value) >= size || (letters && strspn(value, letters) != strlen(value)))
        return 0;
    memcpy(to, value, strlen(value) + 1);
    return 1;
}

static int add_flags(struct candidate_set *set, const char *value) {
    char word[512];
    for (const char *p = value + strspn(value, " \t"); *p; p += strspn(p, " \t")) {
        size_t length = strcspn(p, " \t");
        if (length >= sizeof word)
            return 0;
        snprintf(word, sizeof word, "%.*s", (int)length, p);
        if (set_add_flag(set, word) < 0)
            return 0;
        p += length;
    }
    return 1;
}

static int add_include(struct candidate_set *set, const char *value) {
    char flag[1600];
    if (*value == '/')
        snprintf(flag, sizeof flag, "-I%s", value);
    else
        snprintf(flag, sizeof flag, "-I%s/%s", set->folder, value);
    return *value && set_add_flag(set, flag) == 0;
}

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

static int take(void *context, const char *section, const char *name, const char *value) {
    struct reading *reading = context;
    struct candidate_set *set = reading->set;
    int good = 0;
    if (strcmp(section, "set") != 0)
        good = 0;
    else if (strcmp(name, "name") == 0)
        good = copy(set->name, sizeof set->name, value, LETTERS "._-");
    else if (strcmp(name, "pattern") == 0)
        good = copy(reading->pattern, PATTERN_SIZE, value, NULL);
    else if (strcmp(name, "arch") == 0)
        good = copy(set->arch, sizeof set->arch, value, "0123456789a");
    else if (strcmp(name, "include") == 0)
        good = add_include(set, value);
    else if (strcmp(name, "flags") == 0)
        good = add_flags(set, value);
    else if (strcmp(name, "function") == 0)
        good = copy(set->function, sizeof set->function, value, LETTERS "_:");
    else if (strcmp(name, "accumulate") == 0) {
        set->accumulate = strcmp(value, "f16") == 0   ? GEMM_F16
                          : strcmp(value, "f32") == 0 ? GEMM_F32
                                                      : 0;
        good = set->accumulate != 0;
    }
    return good;
}

int manifest_read(struct candidate_set *set, char pattern[PATTERN_SIZE]) {
    char path[1100];
    struct reading reading = {.set = set, .pattern = pattern};
    snprintf(path, sizeof path, "%s/gemmgate.ini", set->folder);
    if (access(path, F_OK) < 0)
        return 0;
    int line = ini_parse(path, take, &reading);
    if (line < 0)
        return error("%s: %s", path, strerror(errno));
    if (line > 0)
        return error(
            "%s:%d: not understood; [set] has name, pattern, arch, include, flags, function "
            "and accumulate (f16 or f32)",
            path, line);
    if (*set->function && !set->accumulate)
        return error("%s: function needs accumulate, f16 or f32: what it claims", path);
    return *set->function ? cuda_l2_add_standin(set) : 0;
}
