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
};

static bool copy(char *to, size_t size, const char *value, const char *letters) {
    if (!*value || strlen(value) >= size || (letters && strspn(value, letters) != strlen(value)))
        return false;
    memcpy(to, value, strlen(value) + 1);
    return true;
}

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

static struct candidate_set *set_of(struct inifile *file) {
    return ((struct reading *)file->target)->set;
}

static bool take_name(struct inifile *file, const char *value, void *call) {
    (void)call;
    return copy(set_of(file)->name, sizeof set_of(file)->name, value, LETTERS "._-");
}

static bool take_pattern(struct inifile *file, const char *value, void *call) {
    struct reading *reading = file->target;
    (void)call;
    reading->has_pattern = true;
    return copy(reading->pattern, PATTERN_SIZE, value, NULL);
}

static bool take_arch(struct inifile *file, const char *value, void *call) {
    (void)call;
    return copy(set_of(file)->arch, sizeof set_of(file)->arch, value, "0123456789af");
}

/* Words as a shell splits them, whose quotes keep blanks together and are taken off. */
static bool take_flags(struct inifile *file, const char *value, void *call) {
    char word[512];
    (void)call;
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
        if (quote)
            return inifile_refuse(file, "flags has a quote %c that does not close", quote);
        if (set_add_flag(set_of(file), word) < 0)
            return false;
    }
    return true;
}

static bool take_include(struct inifile *file, const char *value, void *call) {
    (void)call;
    return *value && set_add_include(set_of(file), value) == 0;
}

/* Whether the value is one of two words. *which becomes 1 or 2, as the enums of candidates/gemmgate.h
 * have them. */
static bool take_either(const char *value, const char *first, const char *second, int32_t *which) {
    *which = strcmp(value, first) == 0 ? 1 : strcmp(value, second) == 0 ? 2 : 0;
    return *which;
}
_Static_assert(GEMM_F16 == 1 && GEMM_F32 == 2 && GEMM_HOST == 1 && GEMM_CUDA == 2, "take_either");

static bool take_accumulate(struct inifile *file, const char *value, void *accumulate) {
    (void)file;
    return take_either(value, "f16", "f32", accumulate);
}

static bool take_device(struct inifile *file, const char *value, void *device) {
    (void)file;
    return take_either(value, "host", "cuda", device);
}

static bool take_reads_c(struct inifile *file, const char *value, void *reads_c) {
    int32_t said;
    (void)file;
    *(bool *)reads_c = take_either(value, "yes", "no", &said) && said == 1;
    return said;
}

static bool take_elements(struct inifile *file, const char *value, void *elements) {
    ((struct call *)file->into)->elements_line = file->line;
    return (*(int *)elements = words_bits(element_words, value));
}

/* Adds a line to the expression; what [set] says of it is no longer so. */
static bool take_expression(struct inifile *file, const char *value, void *expression) {
    struct call_text *text = expression;
    size_t used = strlen(text->text);
    if (used == 0 || text->line < ((struct call *)file->into)->line) {
        used = 0;
        text->line = file->line;
    } else if (used + 1 < sizeof text->text) {
        text->text[used++] = '\n';
    }
    return copy(text->text + used, sizeof text->text - used, value, NULL);
}

static bool take_tile(struct inifile *file, const char *value, void *sizes) {
    struct shape tile;
    (void)file;
    if (shape_parse(value, &tile) || tile.m > 65536 || tile.n > 65536 || tile.k > 65536)
        return false;
    const int32_t three[3] = {(int32_t)tile.m, (int32_t)tile.n, (int32_t)tile.k};
    memcpy(sizes, three, sizeof three);
    return true;
}

static bool take_file(struct inifile *file, const char *value, void *name) {
    (void)file;
    return *value != '/' && copy(name, sizeof((struct call *)0)->file, value, NULL);
}

/* Keys of [set] and of [kernel NAME] alike. */
#define OF(field) INIFILE_FIELD(struct call, field)
#define OF_SIZES "an expression of m, n and k"
#define CALL_ROWS                                                                                  \
    {"call", .again = true, .take = take_expression, OF(call),                                     \
     .wanted = "an expression of at most 1,599 bytes"},                                            \
        {"accumulate", .take = take_accumulate, OF(accumulate), .wanted = "f16 or f32"},           \
        {"element", .take = take_elements, OF(elements),                                           \
         .wanted = "f16 or bf16, or both with a comma between,"},                                  \
        {"tile", .take = take_tile, OF(tile), .wanted = "MxNxK, each at most 65536,"},             \
        {"can_do", .take = take_expression, OF(can_do), .wanted = OF_SIZES},                       \
        {"workspace", .take = take_expression, OF(workspace), .wanted = OF_SIZES},                 \
        {"device", .take = take_device, OF(device), .wanted = "host or cuda"},                     \
        {"reads_c", .take = take_reads_c, OF(reads_c), .wanted = "yes or no"}, {                   \
        .key = NULL                                                                                \
    }

static const struct inifile_row set_rows[] = {
    {"name", .take = take_name, .wanted = "a name of letters, digits, . _ and -"},
    {"pattern", .take = take_pattern, .wanted = "a short shell pattern, like *.cu"},
    {"arch", .take = take_arch, .wanted = "what nvcc calls sm_..., like 80 or 90a"},
    {"include", .again = true, .take = take_include, .wanted = "a folder"},
    {"flags", .again = true, .take = take_flags, .wanted = "a few compiler arguments"},
    CALL_ROWS,
};
static const struct inifile_row kernel_rows[] = {
    {"file", .take = take_file, OF(file), .wanted = "a file, by its path from the set's folder"},
    CALL_ROWS,
};

static bool begin_kernel(struct inifile *file, const char *name) {
    struct reading *reading = file->target;
    struct candidate_set *set = reading->set;
    set->calls = need_more(set->calls, set->call_count, sizeof *set->calls);
    reading->kernel = &set->calls[set->call_count++];
    *reading->kernel = reading->common;
    reading->kernel->line = file->line;
    file->rows = kernel_rows;
    file->into = reading->kernel;
    return copy(reading->kernel->name, sizeof reading->kernel->name, name, LETTERS "._-") ||
           inifile_refuse(file,
                          "'%.80s' is no kernel's name, which is at most 63 letters, digits, "
                          ". _ and -",
                          name);
}

static bool begin_section(struct inifile *file, const char *section) {
    struct reading *reading = file->target;
    file->rows = set_rows;
    file->into = &reading->common;
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

/* A kernel of which it is not said how it is called. */
static int refuse_silence(const char *path, const struct call *call) {
    char file[1400], like[TORCH_CALL];
    snprintf(file, sizeof file, "%.*s%s", (int)(strrchr(path, '/') + 1 - path), path, call->file);
    if (access(file, R_OK) < 0 || !torch_call_of_file(file, like) || !*like)
        snprintf(like, sizeof like, "gemm(a, b_row, c, m, n, k, stream)");
    return error("%s:%d: [kernel %s] has no call; say how the function is called, like call = %s",
                 path, call->line, call->name, like);
}

/* Whether what is said of one kernel goes together. 0, or -1 after error(). */
static int check_call(const char *path, const struct call *call) {
    const int line = call->line ? call->line : call->call.line;
    if (!call->call.line)
        return refuse_silence(path, call);
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
