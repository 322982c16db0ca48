#include "candidates/set/set_ini.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <ini.h>

#include "bench/base/error.h"
#include "candidates/gemmgate.h"
#include "candidates/set/cuda_l2.h"

struct reading {
    struct candidate_set *set;
    char *pattern;
    FILE *in;
    int line, refused; /* refused 0: nothing is */
    char why[300];
};

__attribute__((format(printf, 2, 3))) static int refuse(struct reading *reading, const char *format,
                                                        ...) {
    va_list args;
    if (reading->refused)
        return 0;
    reading->refused = reading->line;
    va_start(args, format);
    vsnprintf(reading->why, sizeof reading->why, format, args);
    va_end(args);
    return 0;
}

/* inih counts lines the same way, but does not tell take. Of a line that is longer than its buffer
 * it would take the rest for a line of its own: every line that it gets has an end. */
static char *next_line(char *line, int size, void *context) {
    struct reading *reading = context;
    int length = 0, c;
    reading->line++;
    while ((c = getc(reading->in)) != EOF && c != '\n') {
        if (length == size - 2) {
            refuse(reading,
                   "is longer than the %d bytes that are read of a line; flags and include may be "
                   "said in several lines",
                   size - 2);
            return NULL;
        }
        line[length++] = (char)c;
    }
    if (c == EOF && length == 0)
        return NULL;
    line[length++] = '\n';
    line[length] = 0;
    return line;
}

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
} keys[] = {
    {"name", take_name, "a name of letters, digits, . _ and -"},
    {"pattern", take_pattern, "a short shell pattern, like *.cu"},
    {"arch", take_arch, "what nvcc calls sm_..., like 80 or 90a"},
    {"include", take_include, "a folder"},
    {"flags", take_flags, "a few compiler arguments"},
    {"function", take_function, "the name of a C++ function"},
    {"accumulate", take_accumulate, "f16 or f32"},
};
enum { KEYS = sizeof keys / sizeof *keys };

static int take(void *context, const char *section, const char *name, const char *value) {
    struct reading *reading = context;
    if (!*section)
        return refuse(reading, "'%.60s' stands before [set]", name);
    if (strcmp(section, "set") != 0)
        return refuse(reading, "[%.60s] is no section of a set, which has [set] alone", section);
    for (size_t i = 0; i < KEYS; i++)
        if (strcmp(name, keys[i].name) == 0)
            return keys[i].take(reading, value) ? 1
                                                : refuse(reading, "%s is '%.60s', and %s is wanted",
                                                         name, value, keys[i].wanted);
    return refuse(reading,
                  "'%.60s' is no key of [set], which has name, pattern, arch, include, flags, "
                  "function and accumulate",
                  name);
}

int set_ini_read(struct candidate_set *set, char pattern[PATTERN_SIZE]) {
    char path[1100];
    struct reading reading = {.set = set, .pattern = pattern};
    snprintf(path, sizeof path, "%s/gemmgate.ini", set->folder);
    if (access(path, F_OK) < 0)
        return 0;
    reading.in = fopen(path, "r");
    if (!reading.in)
        return error("%s: %s", path, strerror(errno));
    const int line = ini_parse_stream(next_line, &reading, take, &reading);
    const bool unread = ferror(reading.in) != 0; /* a folder, say: to inih that is an empty file */
    fclose(reading.in);
    if (unread)
        return error("%s: cannot be read; it is an INI file", path);
    if (line < 0)
        return error("%s: no memory to read it", path);
    if (line > 0 && line != reading.refused)
        return error("%s:%d: neither [set] nor key = value", path, line);
    if (reading.refused)
        return error("%s:%d: %s", path, reading.refused, reading.why);
    if (*set->function && !set->accumulate)
        return error("%s: function needs accumulate, f16 or f32: what it claims", path);
    return *set->function ? cuda_l2_add_standin(set) : 0;
}
