#include "reports/run/import_times.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "bench/base/error.h"
#include "bench/base/hash.h"
#include "bench/base/jsonfile.h"
#include "bench/base/need.h"
#include "bench/base/text.h"
#include "reports/rows/kept_text.h"
#include "reports/run/import.h"
#include "reports/run/rundir.h"

static const struct import_tool *const tools[] = {&import_cutlass, &import_nvbench, &import_triton};
enum { TOOLS = sizeof tools / sizeof *tools };

/* "cutlass_profiler, nvbench or triton". */
static const char *list_tools(char *text, size_t size) {
    const char *names[TOOLS + 1] = {NULL};
    for (size_t i = 0; i < TOOLS; i++)
        names[i] = tools[i]->name;
    return words_list(names, text, size);
}

/* What PyTorch's product is called, and what names of libraries begin with. */
static const char *const torch[] = {"torch", "pytorch", "torch.matmul", "torch-matmul"};
static const char *const libraries[] = {"cublas", "openblas", "torch-matmul"};

static bool is_library(const char *arm) {
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
        if (text_begins(arm, libraries[i]))
            return true;
    return false;
}

/* The provider in small letters where that is a library, which has our name then. */
static void name_arm(const char *provider, char arm[RUNDIR_NAME]) {
    snprintf(arm, RUNDIR_NAME, "%s", provider);
    for (char *p = arm; *p; p++)
        *p = (char)tolower((unsigned char)*p);
    for (size_t i = 0; i < sizeof torch / sizeof *torch; i++)
        if (strcmp(arm, torch[i]) == 0)
            snprintf(arm, RUNDIR_NAME, "torch-matmul");
    if (!is_library(arm))
        snprintf(arm, RUNDIR_NAME, "%s", provider);
}

void import_add(struct import_times *times, const struct import_time *row, const char *provider,
                const char *layout) {
    char arm[RUNDIR_NAME];
    name_arm(provider, arm);
    text_append(arm, sizeof arm, "%s%s", *layout ? "-" : "", layout);
    times->list = need_more(times->list, times->count, sizeof *times->list);
    clean_text(arm);
    times->list[times->count] = *row;
    times->list[times->count++].arm = kept_text(arm);
}

bool import_type(const struct import_times *times, const char *text, bool *same) {
    static const char *const words[ELEMENT_COUNT][8] = {
        [ELEMENT_F16] = {"f16", "fp16", "half", "__half", "float16", "torch.float16"},
        [ELEMENT_BF16] = {"bf16", "bfloat16", "__nv_bfloat16", "nv_bfloat16", "torch.bfloat16"}};
    static const char *const others[] = {
        "f32",   "fp32",  "float", "float32", "torch.float32", "tf32", "f64", "double", "float64",
        "i8",    "s8",    "u8",    "int8",    "uint8",         "fp8",  "f8",  "e4m3",   "e5m2",
        "fe4m3", "fe5m2", "i32",   "s32",     "int32",         "int4", "s4",  "fp4",    "e2m1"};
    *same = false;
    for (int element = 0; element < ELEMENT_COUNT; element++)
        for (size_t i = 0; words[element][i]; i++)
            if (strcasecmp(text, words[element][i]) == 0)
                return *same = element == (int)times->element, true;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcasecmp(text, others[i]) == 0)
            return true;
    return false;
}

int import_csv(const struct import_times *times, csv_taker *take, void *context) {
    struct csv_table table;
    if (csv_table_each(times->file, take, context, &table) < 0)
        return -1;
    csv_table_free(&table);
    return 0;
}

int import_csv_seconds(const struct csv_table *table, size_t row, int column, double unit,
                       double *seconds) {
    double value;
    if (csv_table_number(table, row, column, &value) < 0)
        return -1;
    *seconds = value * unit;
    return value > 0 ? 0
                     : csv_table_error(table, row, column,
                                       "%g is no time, which is above 0; remove the row", value);
}

/* By shape, lens and arm, the fastest of an arm first. */
static int compare_times(const void *left, const void *right) {
    const struct import_time *a = left, *b = right;
    int order = shape_compare(a->shape, b->shape);
    order = order ? order : (int)a->lens - (int)b->lens;
    order = order ? order : strcmp(a->arm, b->arm);
    return order ? order : (a->seconds > b->seconds) - (a->seconds < b->seconds);
}

static bool is_same_arm(const struct import_time *a, const struct import_time *b) {
    return shape_compare(a->shape, b->shape) == 0 && a->lens == b->lens &&
           strcmp(a->arm, b->arm) == 0;
}

/* No GPU does so many operations a second: a unit is wrong. */
#define MOST_FLOPS 2e16

static int refuse_units(const struct import_tool *tool, const struct import_times *times) {
    char shape[SHAPE_TEXT];
    for (size_t i = 0; i < times->count; i++) {
        const struct import_time *row = &times->list[i];
        if (shape_flops(row->shape) > MOST_FLOPS * row->seconds)
            return error("%s:%s: %s in %g s: no GPU is as fast; wanted are %s", times->file,
                         row->where, shape_format(row->shape, shape), row->seconds, tool->unit);
    }
    return 0;
}

/* Leaves one row of each arm on a shape: the fastest, where the tool gives many. */
static int keep_one(const struct import_tool *tool, struct import_times *times) {
    size_t kept = 0;
    char shape[SHAPE_TEXT], note[256];
    for (size_t i = 0, end; i < times->count; i = end) {
        struct import_time row = times->list[i];
        for (end = i + 1; end < times->count && is_same_arm(&row, &times->list[end]);)
            end++;
        const struct import_time *again = &times->list[i + 1];
        if (end - i > 1 && !tool->many)
            return error("%s:%s: the time of %s on %s stands at %s already; keep one", times->file,
                         again->where, row.arm, shape_format(row.shape, shape), row.where);
        snprintf(note, sizeof note, "fastest of %zu: %.180s", end - i, row.note);
        clean_text(note);
        if (tool->many && *row.note)
            row.note = kept_text(note);
        times->list[kept++] = row;
    }
    times->count = kept;
    return 0;
}

/* A time of the arm in the unit of a candidate. */
static void add_time(const struct import_time *time, const char *candidate, struct rows *rows) {
    struct time_row row;
    rows_clear(ROWS_TIMES, &row);
    row.shape = time->shape;
    row.candidate = candidate;
    row.kernel = time->arm;
    row.mode = words_modes[MODE_OFFLINE];
    row.lens = words_lenses[time->lens];
    row.cache = time->cache;
    row.place = words_places[PLACE_OWN];
    row.mean = time->seconds;
    row.tflops = 1e-12 * shape_flops(time->shape) / time->seconds;
    row.note = time->note;
    rows_add_time(rows, &row);
}

static void add_ratio(const struct import_time *kernel, const struct import_time *library,
                      struct rows *rows) {
    struct ratio_row row;
    rows_clear(ROWS_RATIOS, &row);
    row.shape = kernel->shape;
    row.candidate = kernel->arm;
    row.baseline = library->arm;
    row.mode = words_modes[MODE_OFFLINE];
    row.lens = words_lenses[kernel->lens];
    row.cache = kernel->cache;
    row.place = words_places[PLACE_OWN];
    row.note = "imported: no samples";
    row.speedup = library->seconds / kernel->seconds - 1;
    rows_add_ratio(rows, &row);
}

/* The rows of one shape and lens: what is no library is a kernel under test. */
static void add_group(const struct import_time *list, size_t count, struct rows *rows) {
    size_t kernels = 0;
    for (size_t i = 0; i < count; i++) {
        if (is_library(list[i].arm))
            continue;
        kernels++;
        add_time(&list[i], list[i].arm, rows);
        for (size_t j = 0; j < count; j++)
            if (is_library(list[j].arm)) {
                add_time(&list[j], list[i].arm, rows);
                add_ratio(&list[i], &list[j], rows);
            }
    }
    for (size_t i = 0; i < count && kernels == 0; i++)
        add_time(&list[i], "", rows);
}

static void add_rows(const struct import_times *times, struct rows *rows) {
    const struct import_time *list = times->list;
    for (size_t i = 0, end; i < times->count; i = end) {
        for (end = i + 1; end < times->count && list[end].lens == list[i].lens &&
                          shape_compare(list[end].shape, list[i].shape) == 0;)
            end++;
        add_group(list + i, end - i, rows);
    }
}

static json_t *make_plan(const struct import_tool *tool, const struct import_times *times) {
    json_t *shapes = json_array();
    char text[SHAPE_TEXT];
    for (size_t i = 0; i < times->count; i++)
        if (i == 0 || shape_compare(times->list[i - 1].shape, times->list[i].shape) != 0)
            json_array_append_new(shapes, json_string(shape_format(times->list[i].shape, text)));
    return json_pack("{s:i, s:s, s:s, s:s, s:[s], s:o, s:[]}", "format", RUNDIR_FORMAT, "imported",
                     tool->name, "element", element_words[times->element], "accumulate",
                     times->accumulate, "modes", words_modes[MODE_OFFLINE], "shapes", shapes,
                     "units");
}

/* What the page says of where the numbers are from. */
static json_t *make_manifest(const struct import_tool *tool, const struct import_times *times) {
    const char *slash = strrchr(times->file, '/');
    char hex[33], text[192];
    if (hash_file(times->file, hex) < 0)
        return NULL;
    snprintf(text, sizeof text, "times by %s%s%s", tool->name, *times->gpu ? " on " : "",
             times->gpu);
    return json_pack(
        "{s:o, s:I, s:I, s:[{s:o, s:s}], s:b}", "imported", jsonfile_string(text), "left_out",
        (json_int_t)times->failed, "not_verified", (json_int_t)times->unverified, "sources", "name",
        jsonfile_string(slash ? slash + 1 : times->file), "xxh128", hex, "complete", 1);
}

static int write_run(const char *run, const struct import_tool *tool,
                     const struct import_times *times) {
    struct rows rows = {0};
    add_rows(times, &rows);
    const int status = import_write(run, make_plan(tool, times), make_manifest(tool, times), &rows);
    rows_free(&rows);
    return status;
}

static int read_file(const struct import_tool *tool, struct import_times *times) {
    if (tool->read(times) < 0)
        return -1;
    if (times->failed)
        warning(
            "%s: left out, since %s calls them failed or skipped: %zu of the rows, the first: %s",
            times->file, tool->name, times->failed, times->first);
    if (times->unverified)
        warning("%s: not verified by %s: %zu of the rows", times->file, tool->name,
                times->unverified);
    if (times->count == 0)
        return error("%s: no row with a time: there is nothing to import", times->file);
    qsort(times->list, times->count, sizeof *times->list, compare_times);
    return refuse_units(tool, times) < 0 ? -1 : keep_one(tool, times);
}

int import_times(const char *tool, const char *file, enum element element, const char *accumulate,
                 const char *run) {
    struct import_times times = {.file = file, .element = element, .accumulate = accumulate};
    char known[96];
    size_t i = 0;
    while (i < TOOLS && strcmp(tools[i]->name, tool) != 0)
        i++;
    if (i == TOOLS)
        return error("import: no tool is called '%s'; known are %s, and `import cuda-l2`", tool,
                     list_tools(known, sizeof known)),
               EXIT_TROUBLE;
    const int status = read_file(tools[i], &times) < 0 ? -1 : write_run(run, tools[i], &times);
    free(times.list);
    return status < 0 ? EXIT_TROUBLE : EXIT_PASS;
}
