#include "candidates/set/set_ini.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/base/error.h"
#include "bench/base/inifile.h"
#include "bench/base/need.h"
#include "bench/base/words.h"
#include "candidates/gemmgate.h"

struct reading {
    struct candidate_set *set;
    char *pattern;
    bool has_pattern;
    struct call common;  /* what [set] says of all kernels */
    struct call *kernel; /* the section that is read; NULL: [set] */
    int line;            /* that is read */
    char why[160];       /* what is wrong with a value, if it is not just not what is wanted */
};

static struct call *current(struct reading *reading) {
    return reading->kernel ? reading->kernel : &reading->common;
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
    reading->has_pattern = true;
    return copy(reading->pattern, PATTERN_SIZE, value, NULL);
}

static bool take_arch(struct reading *reading, const char *value) {
    return copy(reading->set->arch, sizeof reading->set->arch, value, "0123456789a");
}

/* Words as a shell splits them, whose quotes keep blanks together and are taken off. */
static bool take_flags(struct reading *reading, const char *value) {
    char word[512];
    for (const char *p = value + strspn(value, " \t"); *p; p += strspn(p, " \t")) {
        size_t length = 0;
        char quote = 0;
        for (; *p && (quote || !strchr(" \t", *p)); p++) {
            if (*p == quote)
                quote = 0;
            else if (!quote && (*p == '"' || *p == '\''))
                quote = *p;
            else if (length + 1 < sizeof word)
                word[length++] = *p;
            else
                return false;
        }
        word[length] = 0;
        if (quote) {
            snprintf(reading->why, sizeof reading->why, "has a quote %c that does not close",
                     quote);
            return false;
        }
        if (set_add_flag(reading->set, word) < 0)
            return false;
    }
    return true;
}

static bool take_include(struct reading *reading, const char *value) {
    return *value && set_add_include(reading->set, value) == 0;
}

static bool take_accumulate(struct reading *reading, const char *value) {
    struct call *call = current(reading);
    call->accumulate = strcmp(value, "f16") == 0   ? GEMM_F16
                       : strcmp(value, "f32") == 0 ? GEMM_F32
                                                   : 0;
    return call->accumulate != 0;
}

static bool take_elements(struct reading *reading, const char *value) {
    struct call *call = current(reading);
    call->elements = words_bits(element_words, value);
    call->elements_line = reading->line;
    return call->elements != 0;
}

/* Adds a line to the expression; what [set] says of it is no longer so. */
static bool take_expression(struct reading *reading, struct call_text *text, const char *value) {
    size_t used = strlen(text->text);
    if (used == 0 || text->line < current(reading)->line) {
        used = 0;
        text->line = reading->line;
    } else if (used + 1 < sizeof text->text) {
        text->text[used++] = '\n';
    }
    return copy(text->text + used, sizeof text->text - used, value, NULL);
}

static bool take_call(struct reading *reading, const char *value) {
    return take_expression(reading, &current(reading)->call, value);
}

static bool take_can_do(struct reading *reading, const char *value) {
    return take_expression(reading, &current(reading)->can_do, value);
}

static bool take_workspace(struct reading *reading, const char *value) {
    return take_expression(reading, &current(reading)->workspace, value);
}

static bool take_tile(struct reading *reading, const char *value) {
    struct shape tile;
    if (shape_parse(value, &tile) || tile.m > 65536 || tile.n > 65536 || tile.k > 65536)
        return false;
    const int32_t sizes[3] = {(int32_t)tile.m, (int32_t)tile.n, (int32_t)tile.k};
    memcpy(current(reading)->tile, sizes, sizeof sizes);
    return true;
}

static bool take_device(struct reading *reading, const char *value) {
    current(reading)->device = strcmp(value, "host") == 0   ? GEMM_HOST
                               : strcmp(value, "cuda") == 0 ? GEMM_CUDA
                                                            : 0;
    return current(reading)->device != 0;
}

static bool take_reads_c(struct reading *reading, const char *value) {
    current(reading)->reads_c = strcmp(value, "yes") == 0;
    return current(reading)->reads_c || strcmp(value, "no") == 0;
}

static bool take_file(struct reading *reading, const char *value) {
    return *value != '/' && copy(reading->kernel->file, sizeof reading->kernel->file, value, NULL);
}

enum section { IN_SET = 1, IN_KERNEL = 2, IN_BOTH = 3 };

static const struct {
    const char *name;
    enum section section;
    bool again; /* it may be said in several lines */
    bool (*take)(struct reading *reading, const char *value);
    const char *wanted;
} keys[] = {
    {"name", IN_SET, false, take_name, "a name of letters, digits, . _ and -"},
    {"pattern", IN_SET, false, take_pattern, "a short shell pattern, like *.cu"},
    {"arch", IN_SET, false, take_arch, "what nvcc calls sm_..., like 80 or 90a"},
    {"include", IN_SET, true, take_include, "a folder"},
    {"flags", IN_SET, true, take_flags, "a few compiler arguments"},
    {"file", IN_KERNEL, false, take_file, "a file, by its path from the set's folder"},
    {"call", IN_BOTH, true, take_call, "an expression of at most 1,599 bytes"},
    {"accumulate", IN_BOTH, false, take_accumulate, "f16 or f32"},
    {"element", IN_BOTH, false, take_elements, "f16 or bf16, or both with a comma between,"},
    {"tile", IN_BOTH, false, take_tile, "MxNxK, each at most 65536,"},
    {"can_do", IN_BOTH, false, take_can_do, "an expression of m, n and k"},
    {"workspace", IN_BOTH, false, take_workspace, "an expression of m, n and k"},
    {"device", IN_BOTH, false, take_device, "host or cuda"},
    {"reads_c", IN_BOTH, false, take_reads_c, "yes or no"},
};
enum { KEYS = sizeof keys / sizeof *keys };

static bool refuse_key(struct inifile *file, enum section section, const char *name) {
    char all[300] = "";
    for (int key = 0; key < KEYS; key++)
        if (keys[key].section & section)
            snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", *all ? ", " : "",
                     keys[key].name);
    return inifile_refuse(file, "'%.60s' is no key of [%s], which has %s", name,
                          section == IN_SET ? "set" : "kernel NAME", all);
}

static bool take_key(struct inifile *file, const char *name, const char *value) {
    struct reading *reading = file->target;
    const enum section section = reading->kernel ? IN_KERNEL : IN_SET;
    int key = 0;
    while (key < KEYS && (strcmp(name, keys[key].name) != 0 || !(keys[key].section & section)))
        key++;
    if (key == KEYS)
        return refuse_key(file, section, name);
    if (!keys[key].again && !inifile_once(file, key, name))
        return false;
    reading->line = file->line;
    if (keys[key].take(reading, value))
        return true;
    return *reading->why ? inifile_refuse(file, "%s %s", name, reading->why)
                         : inifile_refuse(file, "%s is '%.60s', and %s is wanted", name, value,
                                          keys[key].wanted);
}

static bool begin_kernel(struct inifile *file, const char *name) {
    struct reading *reading = file->target;
    struct candidate_set *set = reading->set;
    set->calls = need_more(set->calls, set->call_count, sizeof *set->calls);
    reading->kernel = &set->calls[set->call_count++];
    *reading->kernel = reading->common;
    reading->kernel->line = file->line;
    return copy(reading->kernel->name, sizeof reading->kernel->name, name, LETTERS "._-") ||
           inifile_refuse(file,
                          "'%.80s' is no kernel's name, which is at most 63 letters, digits, "
                          ". _ and -",
                          name);
}

static bool begin_section(struct inifile *file, const char *section) {
    struct reading *reading = file->target;
    file->take = take_key;
    if (strncmp(section, "kernel ", 7) == 0)
        return begin_kernel(file, section + 7 + strspn(section + 7, " \t"));
    if (strcmp(section, "set") != 0)
        return inifile_refuse(file,
                              "[%.60s] is no section of a set, which has [set] and, for each "
                              "kernel, [kernel NAME]",
                              section);
    return !reading->kernel ||
           inifile_refuse(file, "[set] is to stand before the kernels, to which it applies");
}

/* Whether what is said of one kernel goes together. 0, or -1 after error(). */
static int check_call(const char *path, const struct call *call) {
    const int line = call->line ? call->line : call->call.line;
    if (!call->call.line)
        return error("%s:%d: [kernel %s] has no call; say how the function is called, like "
                     "call = gemm(a, b_row, c, m, n, k, stream)",
                     path, line, call->name);
    if (!call->accumulate)
        return error("%s:%d: call needs accumulate, f16 or f32: what the function claims", path,
                     line);
    if (call->accumulate == GEMM_F16 && call->elements == 1 << ELEMENT_BF16)
        return error("%s:%d: accumulate = f16 goes with element = f16: partial sums of bf16 are "
                     "claimed to be f32",
                     path, call->elements_line);
    return *call->name && !*call->file
               ? error("%s:%d: [kernel %s] has no file", path, line, call->name)
               : 0;
}

/* The elements of the set are those of all of its kernels: a run has one element. */
static int find_elements(struct candidate_set *set, const char *path) {
    for (size_t i = 0; i < set->call_count; i++) {
        const struct call *call = &set->calls[i];
        const int elements = call->elements ? call->elements : 1 << ELEMENT_F16;
        if (i > 0 && elements != set->elements)
            return error("%s:%d: [kernel %s] serves %s and [kernel %s] %s: the kernels of a set "
                         "serve the same elements; make two sets of them",
                         path, call->elements_line ? call->elements_line : call->line, call->name,
                         element_list(elements), set->calls[0].name, element_list(set->elements));
        set->elements = elements;
        set->elements_line = set->elements_line ? set->elements_line : call->elements_line;
    }
    return 0;
}

/* Once all is read. */
static int finish(struct reading *reading, const char *path) {
    struct candidate_set *set = reading->set;
    const struct call *common = &reading->common;
    if (!common->call.line && set->call_count == 0) {
        set->elements = common->elements;
        set->elements_line = common->elements_line;
        return common->can_do.line || common->workspace.line || common->device || common->tile[0]
                   ? error("%s: can_do, tile, workspace and device go with call", path)
                   : 0;
    }
    if (set->call_count > 0 && reading->has_pattern)
        return error("%s: pattern is for sets without [kernel NAME], which name their files", path);
    if (set->call_count == 0) {
        set->calls = need(1, sizeof *set->calls);
        set->calls[set->call_count++] = *common;
    }
    for (size_t i = 0; i < set->call_count; i++)
        if (check_call(path, &set->calls[i]) < 0)
            return -1;
    return find_elements(set, path);
}

int set_ini_read(struct candidate_set *set, char pattern[PATTERN_SIZE]) {
    char path[1100];
    struct reading reading = {.set = set, .pattern = pattern};
    struct inifile file = {.what = "what a set says of itself",
                           .split = "flags and include may be said in several lines, as call may",
                           .target = &reading,
                           .begin = begin_section};
    snprintf(path, sizeof path, "%s/gemmgate.ini", set->folder);
    if (access(path, F_OK) < 0)
        return 0;
    if (inifile_read(&file, path) < 0)
        return -1;
    return finish(&reading, path);
}
