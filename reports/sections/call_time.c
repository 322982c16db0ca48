/* What `call` is made of: the host's time that shows, and the device's. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/need.h"
#include "reports/rows/size_class.h"
#include "reports/sections/sections.h"

/* A kernel on a shape by both lenses. */
struct call {
    const struct time_row *call;
    double device; /* s */
};

/* All of a run, sorted; of a candidate in a mode they stand together. */
struct calls {
    struct call *list;
    size_t count;
};

static int compare_times(const struct time_row *a, const struct time_row *b) {
    int order = strcmp(a->candidate, b->candidate);
    order = order ? order : strcmp(a->mode, b->mode);
    order = order ? order : shape_compare(a->shape, b->shape);
    return order ? order : strcmp(a->kernel, b->kernel);
}

static int compare_calls(const void *left, const void *right) {
    return compare_times(((const struct call *)left)->call, ((const struct call *)right)->call);
}

static const struct call *find(const struct calls *calls, const struct time_row *row) {
    const struct call key = {row, NAN};
    return calls->count ? bsearch(&key, calls->list, calls->count, sizeof key, compare_calls)
                        : NULL;
}

/* The caller frees the list. */
static void list_calls(const struct rows *rows, struct calls *calls) {
    *calls = (struct calls){.list = need(rows->time_count, sizeof *calls->list)};
    for (size_t i = 0; i < rows->time_count; i++)
        if (strcmp(rows->times[i].lens, "call") == 0 && rows->times[i].median > 0)
            calls->list[calls->count++] = (struct call){&rows->times[i], NAN};
    if (calls->count > 0)
        qsort(calls->list, calls->count, sizeof *calls->list, compare_calls);
    for (size_t i = 0; i < rows->time_count; i++)
        if (strcmp(rows->times[i].lens, "device") == 0) {
            struct call *call = (struct call *)find(calls, &rows->times[i]);
            if (call)
                call->device = rows->times[i].median;
        }
}

/* Of a series: its candidate in its mode. */
static bool is_of(const struct call *call, const struct unit_series *series) {
    return strcmp(call->call->candidate, series->candidate) == 0 &&
           strcmp(call->call->mode, series->mode) == 0 && call->device > 0;
}

/* Sums over shapes. */
struct sums {
    double call, device, host;
    size_t shapes, with_host;
};

static void add_line(struct document *page, const char *sizes, const char *kernel,
                     const struct sums *sums) {
    const double n = (double)sums->shapes;
    document_row(page);
    document_cell(page, sizes);
    document_cell(page, kernel);
    document_count(page, sums->shapes);
    document_number(page, sums->call / n);
    document_number(page, sums->device / n);
    document_number(page, (sums->call - sums->device) / n);
    document_number(page, sums->host / (double)sums->with_host);
}

/* A line for each kernel of the class, or of all sizes: -1. */
static void add_class(struct document *page, const struct calls *calls,
                      const struct unit_series *series, int size_class) {
    char sizes[SIZE_CLASS_TEXT] = "all";
    const char *kernels[SAMPLES_COLUMNS];
    struct sums sums[SAMPLES_COLUMNS];
    size_t count = 0;
    for (size_t i = 0; i < calls->count; i++) {
        const struct call *call = &calls->list[i];
        size_t k = 0;
        if (!is_of(call, series) ||
            (size_class >= 0 && size_class_of(call->call->shape) != size_class))
            continue;
        while (k < count && strcmp(kernels[k], call->call->kernel) != 0)
            k++;
        if (k == SAMPLES_COLUMNS)
            continue;
        if (k == count) {
            kernels[count] = call->call->kernel;
            sums[count++] = (struct sums){0};
        }
        sums[k].call += call->call->median;
        sums[k].device += call->device;
        sums[k].shapes++;
        sums[k].host += isnan(call->call->host_seconds) ? 0 : call->call->host_seconds;
        sums[k].with_host += !isnan(call->call->host_seconds);
    }
    if (size_class >= 0)
        size_class_format(size_class, sizes);
    for (size_t k = 0; k < count; k++)
        add_line(page, sizes, kernels[k], &sums[k]);
}

/* The same shape's library: the layout that is faster by the device where the baseline is -max. */
static const struct call *library_of(const struct calls *calls, const struct call *own,
                                     const char *baseline) {
    static const char *const layouts[] = {"nn", "tn"};
    const size_t length = strlen(baseline);
    const bool max = length > 4 && strcmp(baseline + length - 4, "-max") == 0;
    const struct call *best = NULL;
    for (int i = 0; i < (max ? 2 : 1); i++) {
        struct time_row key = *own->call;
        snprintf(key.kernel, sizeof key.kernel, "%.*s%s", (int)(max ? length - 3 : length),
                 baseline, max ? layouts[i] : "");
        const struct call *found = find(calls, &key);
        if (found && found->device > 0 && (!best || found->device < best->device))
            best = found;
    }
    return best;
}

/* How much of what the library takes longer by `call` is the host's: both in per cent of the
 * candidate's call, so that they add up. */
static void add_sentence(struct document *page, const struct calls *calls,
                         const struct unit_series *series) {
    double whole = 0, device = 0;
    size_t shapes = 0;
    for (size_t i = 0; i < calls->count; i++) {
        const struct call *own = &calls->list[i];
        if (!is_of(own, series) || strcmp(own->call->kernel, series->candidate) != 0)
            continue;
        const struct call *library = library_of(calls, own, series->baseline);
        if (!library)
            continue;
        whole += (library->call->median - own->call->median) / own->call->median;
        device += (library->device - own->device) / own->call->median;
        shapes++;
    }
    if (shapes == 0)
        return;
    const double n = (double)shapes;
    document_item(
        page,
        "**Host and device**, %s, %s: by `call` %s takes %.1f %% %s time than %s (mean over "
        "%zu shapes, in per cent of the time of %s). The host's time makes %+.1f points of "
        "that, the device's %+.1f.",
        series->candidate, series->mode, series->baseline, 100 * fabs(whole / n),
        whole < 0 ? "less" : "more", series->candidate, shapes, series->candidate,
        100 * (whole - device) / n, 100 * device / n);
}

static void add_table(struct document *page, const struct calls *calls,
                      const struct unit_series *series) {
    static const struct document_column columns[] = {
        {.name = "log2 MNK", .type = DOCUMENT_TEXT, .key = "sizes"},
        {.name = "kernel", .type = DOCUMENT_TEXT},
        {.name = "shapes", .type = DOCUMENT_COUNT},
        {.name = "call µs", .type = DOCUMENT_NUMBER, .digits = 2, .scale = 1e6, .key = "call"},
        {.name = "device µs", .type = DOCUMENT_NUMBER, .digits = 2, .scale = 1e6, .key = "device"},
        {.name = "exposed host µs",
         .type = DOCUMENT_NUMBER,
         .digits = 2,
         .scale = 1e6,
         .key = "exposed_host"},
        {.name = "launch on the host µs",
         .type = DOCUMENT_NUMBER,
         .digits = 2,
         .scale = 1e6,
         .key = "launch"},
    };
    char caption[4 * RUNDIR_NAME];
    snprintf(caption, sizeof caption, "What call is made of: %s and the libraries beside it, %s",
             series->candidate, series->mode);
    DOCUMENT_TABLE(page, "call", caption, columns);
    document_fold(page, true, "%s", caption);
    add_class(page, calls, series, -1);
    for (int i = 0; i < SIZE_CLASSES; i++)
        add_class(page, calls, series, i);
}

void sections_call(struct document *page, const struct report *report) {
    const struct units *units = report->units;
    struct calls calls;
    bool any = false;
    list_calls(report->rows, &calls);
    for (size_t i = 0; i < units->count; i++)
        add_sentence(page, &calls, &units->series[i]);
    for (size_t i = 0; i < calls.count; i++)
        any = any || calls.list[i].device > 0;
    if (any)
        document_paragraph(page,
                           "A time by `call` is that by `device` and what shows of the host's: the "
                           "*exposed host* time. Beside it stands what the launch took the host. "
                           "All are means over shapes of medians.");
    for (size_t i = 0; i < units->count && any; i++)
        add_table(page, &calls, &units->series[i]);
    free(calls.list);
}
