#include "candidates/set/set.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/base/error.h"
#include "bench/base/hash.h"
#include "bench/base/installed.h"
#include "bench/base/need.h"
#include "bench/base/text.h"
#include "candidates/gemmgate.h"
#include "candidates/set/cuda_l2.h"
#include "candidates/set/set_ini.h"

static const struct {
    const char *suffix, *name;
} types[] = {[CANDIDATE_CU] = {".cu", "CUDA source"},
             [CANDIDATE_C] = {".c", "C source"},
             [CANDIDATE_SO] = {".so", "library"}};

/* Which type a file name says, or -1. */
static int type_of(const char *file, size_t *stem) {
    size_t length = strlen(file);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        size_t suffix = strlen(types[i].suffix);
        if (length > suffix && strcmp(file + length - suffix, types[i].suffix) == 0) {
            *stem = length - suffix;
            return (int)i;
        }
    }
    return -1;
}

/* Nothing but digits and separators: such a name is meant as a shape. */
static bool looks_like_shape(const char *stem) {
    return strspn(stem, "0123456789x_") == strlen(stem) && isdigit((unsigned char)*stem);
}

/* Two calls of one function are two kernels. */
static void add_call_hash(const struct call *call, char hash[33]) {
    char result[33], numbers[96];
    const char *const texts[] = {
        hash, numbers, call->can_do.text, call->workspace.text, call->call.text, NULL};
    snprintf(numbers, sizeof numbers, "%d %d %d %d %d%s%s%s", (int)call->accumulate,
             (int)call->device, (int)call->tile[0], (int)call->tile[1], (int)call->tile[2],
             call->reads_c ? " c" : "", call->elements ? " " : "",
             call->elements ? element_list(call->elements) : "");
    hash_strings(texts, result);
    memcpy(hash, result, sizeof result);
}

/* `text`: what the name of its file, or of its section, says of it. */
static int name_candidate(const struct candidate_set *set, struct candidate *c, const char *text) {
    if (!looks_like_shape(text)) {
        const size_t stem = strlen(text);
        if (stem >= sizeof c->label ||
            strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVW"
                         "XYZ0123456789._-") != stem)
            return error("%s: a kernel's name is letters, digits, '.', '_' and '-', at most %zu of "
                         "them: rename the file",
                         c->path, sizeof c->label - 1);
        snprintf(c->label, sizeof c->label, "%.63s", text);
        return 0;
    }
    const char *wrong = shape_parse(text, &c->shape);
    if (wrong)
        return error("%s: the name looks like a shape, but %s", c->path, wrong);
    c->has_shape = true;
    snprintf(c->label, sizeof c->label, "%s", set->name);
    return 0;
}

static int add_candidate(struct candidate_set *set, const char *file, const struct call *call) {
    char text[256];
    size_t stem;
    const int type = type_of(file, &stem);
    if (type < 0)
        return error("%s/gemmgate.ini:%d: %s is no .cu, .c or .so file", set->folder, call->line,
                     file);
    set->list = need_more(set->list, set->count, sizeof *set->list);
    struct candidate *c = &set->list[set->count++];
    memset(c, 0, sizeof *c);
    c->type = (enum candidate_type)type;
    c->call = call;
    c->traits = (struct candidate_traits){-1, -1, -1, -1, -1, -1};
    if (snprintf(c->file, sizeof c->file, "%s", file) >= (int)sizeof c->file ||
        snprintf(c->path, sizeof c->path, "%s/%s", set->folder, file) >= (int)sizeof c->path)
        return error("%s/%s: the path is too long", set->folder, file);
    snprintf(text, sizeof text, "%.*s", (int)stem, file);
    if (name_candidate(set, c, call && *call->name ? call->name : text) < 0)
        return -1;
    if (hash_file(c->path, c->source_hash) < 0)
        return -1;
    if (call)
        add_call_hash(call, c->source_hash);
    return 0;
}

/* Refuses keys that do not go with the file's type. */
static int refuse_call(const struct candidate_set *set, const struct candidate *c) {
    const struct call *call = c->call;
    const int line = call->call.line;
    if (c->type == CANDIDATE_CU && call->device == GEMM_HOST)
        return error("%s/gemmgate.ini:%d: %s is a CUDA source, and device is host", set->folder,
                     line, c->file);
    if (c->type == CANDIDATE_SO)
        return error("%s/gemmgate.ini:%d: %s: call is for sources; a library that exports "
                     "gemmgate_kernel is a kernel as it is",
                     set->folder, line, c->file);
    if (c->type != CANDIDATE_CU && call->device == GEMM_CUDA && call->workspace.line)
        return error("%s/gemmgate.ini:%d: workspace: on a GPU only a .cu file can have one",
                     set->folder, call->workspace.line);
    return 0;
}

static int by_file(const void *left, const void *right) {
    const struct candidate *a = left, *b = right;
    const int order = strcmp(a->file, b->file);
    return order ? order : strcmp(a->label, b->label);
}

/* Two files for one shape, or of one name, would make a unit ambiguous. */
static int refuse_twins(const struct candidate_set *set) {
    for (size_t i = 0; i < set->count; i++)
        for (size_t j = 0; j < i; j++) {
            const struct candidate *a = &set->list[i], *b = &set->list[j];
            const bool shapes = a->has_shape && b->has_shape;
            if (shapes ? shape_compare(a->shape, b->shape) == 0 : strcmp(a->label, b->label) == 0)
                return error("%s: %s and %s are two kernels for one %s: remove one", set->folder,
                             b->file, a->file, shapes ? "shape" : "name");
        }
    return 0;
}

/* The folder as an absolute path, since compilers run elsewhere, and its last part as the name. */
static int name_set(const char *folder, struct candidate_set *set) {
    char *real = realpath(folder, NULL);
    if (!real)
        return error("%s: %s; a candidate set is a folder of kernels", folder, strerror(errno));
    const char *slash = strrchr(real, '/');
    snprintf(set->name, sizeof set->name, "%s", slash && slash[1] ? slash + 1 : "set");
    int length = snprintf(set->folder, sizeof set->folder, "%s", real);
    free(real);
    return length < (int)sizeof set->folder ? 0 : error("%s: the path is too long", folder);
}

/* The files of the folder that are like the pattern. */
static int add_files(struct candidate_set *set, const char *pattern) {
    DIR *open = opendir(set->folder);
    if (!open)
        return error("%s: %s; a candidate set is a folder of kernels", set->folder,
                     strerror(errno));
    int status = 0;
    for (struct dirent *entry; status == 0 && (entry = readdir(open));) {
        size_t stem;
        if (fnmatch(pattern, entry->d_name, 0) == 0 && type_of(entry->d_name, &stem) >= 0)
            status = add_candidate(set, entry->d_name, set->calls);
    }
    closedir(open);
    if (status == 0 && set->count == 0)
        status =
            error("%s: no .cu, .c or .so file%s%s in it; name the folder that holds the kernels, "
                  "or of a CUDA-L2 release " SET_CUDA_L2 "FOLDER",
                  set->folder, strcmp(pattern, "*") == 0 ? "" : " like ",
                  strcmp(pattern, "*") == 0 ? "" : pattern);
    return status;
}

/* Adds the kernels that gemmgate.ini names, or else the files. */
static int add_all(struct candidate_set *set, const char *pattern) {
    int status = 0;
    if (set->call_count == 0 || !*set->calls[0].name)
        return add_files(set, pattern);
    for (size_t i = 0; i < set->call_count && status == 0; i++)
        status = add_candidate(set, set->calls[i].file, &set->calls[i]);
    return status;
}

/* Files that are written for torch are no kernels of gemmgate.h, so each needs a call. Those of the
 * CUDA-L2 release need none in a set that is named so. */
static void propose_calls(struct candidate_set *set) {
    for (size_t i = 0; i < set->count; i++) {
        struct candidate *c = &set->list[i];
        if (c->call || c->type != CANDIDATE_CU || !torch_call_of_file(c->path, c->proposal))
            continue;
        if (text_begins(c->proposal, "cuda_l2_")) {
            *c->proposal = '\0';
            snprintf(c->defect, sizeof c->defect,
                     "it is of the CUDA-L2 release: name its set " SET_CUDA_L2 "FOLDER");
        } else
            snprintf(c->defect, sizeof c->defect,
                     "it is a file of torch functions: gemmgate.ini is to say how one is called, "
                     "like call = %s; `gemmgate list candidates FOLDER` prints such a file",
                     *c->proposal ? c->proposal : "f(tensor(a, m, k), tensor(b_row, k, n))");
    }
}

static int open_folder(const char *folder, bool with_manifest, struct candidate_set *set) {
    char pattern[PATTERN_SIZE] = "*";
    memset(set, 0, sizeof *set);
    int status = name_set(folder, set);
    if (status == 0 && with_manifest)
        status = set_ini_read(set, pattern);
    if (status == 0)
        status = add_all(set, pattern);
    if (status == 0) {
        qsort(set->list, set->count, sizeof *set->list, by_file);
        status = refuse_twins(set);
    }
    for (size_t i = 0; i < set->count && status == 0; i++)
        status = set->list[i].call ? refuse_call(set, &set->list[i]) : 0;
    if (status == 0 && with_manifest)
        propose_calls(set);
    if (status < 0)
        set_free(set);
    return status;
}

/* A checkout is no set, and has some. */
static int refuse_release(const char *folder) {
    char **names, all[600] = "";
    const int count = cuda_l2_sets(folder, &names);
    for (int i = 0; i < count; i++) {
        text_append(all, sizeof all, "%scuda-l2:%s", i ? ", " : "", names[i]);
        free(names[i]);
    }
    free(names);
    return count == 0 ? 0 : error("%s: it holds sets; name one: %s", folder, all);
}

int set_open(const char *name, const char *cutlass, struct candidate_set *set) {
    const char *colon = strchr(name, ':');
    if (text_begins(name, SET_CUDA_L2)) {
        if (refuse_release(colon + 1) < 0 || open_folder(colon + 1, false, set) < 0)
            return -1;
        if (cuda_l2_configure(set, cutlass) == 0)
            return 0;
        set_free(set);
        return -1;
    }
    if (colon && memchr(name, '/', (size_t)(colon - name)) == NULL && access(name, F_OK) < 0)
        return error("%s: unknown format of a candidate set; there is cuda-l2:FOLDER", name);
    return open_folder(name, true, set);
}

const char *candidate_type_name(enum candidate_type type) {
    return types[type].name;
}

void set_free(struct candidate_set *set) {
    free(set->list);
    free(set->calls);
    memset(set, 0, sizeof *set);
}

/* The stand-in for torch. It is the last, so that a set may include PyTorch's own headers. */
static int add_standin(struct candidate_set *set) {
    char folder[PATH_MAX];
    return installed_find("candidates/standin", folder) < 0 ? -1 : set_add_include(set, folder);
}

static int refuse_element(const struct candidate_set *set, enum element element) {
    const char *word = element_words[element];
    if (set->elements_line)
        return error("%s/gemmgate.ini:%d: its kernels serve %s, and --element is %s", set->folder,
                     set->elements_line, element_list(set->elements), word);
    return set->call_count > 0 && set->calls->call.line
               ? error("%s/gemmgate.ini: functions with call serve f16 unless it says element = "
                       "%s, and --element is %s",
                       set->folder, word, word)
               : error("%s: its kernels serve %s, and --element is %s", set->folder,
                       element_list(set->elements), word);
}

int set_serve(struct candidate_set *set, enum element element) {
    if (set->elements && !(set->elements & 1 << element))
        return refuse_element(set, element);
    if (set->lacks_cutlass)
        return cuda_l2_refuse_bare(set);
    set->element = element;
    return set->call_count > 0 ? add_standin(set) : 0;
}
