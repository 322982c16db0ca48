#include "candidates/set/set_ini.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bench/base/error.h"
#include "bench/base/inifile.h"
#include "candidates/gemmgate.h"
#include "candidates/set/cuda_l2.h"

struct reading {
    struct candidate_set *set;
    char *pattern;
};

static bool copy(char *to, size_t size, const char *value, const char *letters) {
    if (!*value || strlen(value) >= size || (letters && strspn(value, letters) != strlen(value)))
        return false;
    memcpy(to, value, strlen(value) + 1);
    return true;
}

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

static bool take_name(struct reading *reading, const char *value) {
    return copy(reading->set->name, sizeof reading->set->name, value, LETTERS "._-");
}

static bool take_pattern(struct reading *reading, const char *value) {
    return copy(reading->pattern, PATTERN_SIZE, value, NULL);
}

static bool take_arch(struct reading *reading, const char *value) {
    return copy(reading->set->arch, sizeof reading->set->arch, value, "0123456789a");
}

static bool take_flags(struct reading *reading, const char *value) {
    char word[512];
    for (const char *p = value + strspn(value, " \t"); *p; p += strspn(p, " \t")) {
        size_t length = strcspn(p, " \t");
        if (length >= sizeof word)
            return false;
        snprintf(word, sizeof word, "%.*s", (int)length, p);
        if (set_add_flag(reading->set, word) < 0)
            return false;
        p += length;
    }
    return true;
}

static bool take_include(struct reading *reading, const char *value) {
    struct candidate_set *set = reading->set;
    char flag[1600];
    if (*value == '/')
        snprintf(flag, sizeof flag, "-I%s", value);
    else
        snprintf(flag, sizeof flag, "-I%s/%s", set->folder, value);
    return *value && set_add_flag(set, flag) == 0;
}

static bool take_function(struct reading *reading, const char *value) {
    return copy(reading->set->function, sizeof reading->set->function, value, LETTERS "_:");
}

static bool take_accumulate(struct reading *reading, const char *value) {
    reading->set->accumulate = strcmp(value, "f16") == 0   ? GEMM_F16
                               : strcmp(value, "f32") == 0 ? GEMM_F32
                                                           : 0;
    return reading->set->accumulate != 0;
}

static const struct {
    const char *name;
    bool (*take)(struct reading *reading, const char *value);
    const char *wanted;
    bool again; /* it may be said in several lines */
} keys[] = {
    {"name", take_name, "a name of letters, digits, . _ and -", false},
    {"pattern", take_pattern, "a short shell pattern, like *.cu", false},
    {"arch", take_arch, "what nvcc calls sm_..., like 80 or 90a", false},
    {"include", take_include, "a folder", true},
    {"flags", take_flags, "a few compiler arguments", true},
    {"function", take_function, "the name of a C++ function", false},
    {"accumulate", take_accumulate, "f16 or f32", false},
};
enum { KEYS = sizeof keys / sizeof *keys };

static bool take(struct inifile *file, const char *name, const char *value) {
    int key = 0;
    while (key < KEYS && strcmp(name, keys[key].name) != 0)
        key++;
    if (key == KEYS)
        return inifile_refuse(file,
                              "'%.60s' is no key of [set], which has name, pattern, arch, include, "
                              "flags, function and accumulate",
                              name);
    if (!keys[key].again && !inifile_once(file, key, name))
        return false;
    return keys[key].take(file->target, value) ||
           inifile_refuse(file, "%s is '%.60s', and %s is wanted", name, value, keys[key].wanted);
}

static bool begin(struct inifile *file, const char *section) {
    file->take = take;
    return strcmp(section, "set") == 0 ||
           inifile_refuse(file, "[%.60s] is no section of a set, which has [set] alone", section);
}

int set_ini_read(struct candidate_set *set, char pattern[PATTERN_SIZE]) {
    char path[1100];
    struct reading reading = {set, pattern};
    struct inifile file = {.what = "what a set says of itself",
                           .split = "flags and include may be said in several lines",
                           .target = &reading,
                           .begin = begin};
    snprintf(path, sizeof path, "%s/gemmgate.ini", set->folder);
    if (access(path, F_OK) < 0)
        return 0;
    if (inifile_read(&file, path) < 0)
        return -1;
    if (*set->function && !set->accumulate)
        return error("%s: function needs accumulate, f16 or f32: what it claims", path);
    return *set->function ? cuda_l2_add_standin(set) : 0;
}
