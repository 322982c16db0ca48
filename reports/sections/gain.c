/* Where a gain comes from: launching, the kernel itself, lesser precision, padding. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/need.h"
#include "reports/rows/layouts.h"
#include "reports/rows/size_class.h"
#include "reports/sections/sections.h"
#include "timing/stats.h"

/* Sums of logarithms over shapes. */
struct gain {
    double call, device;
    size_t shapes, launch_only; /* faster by call, not by device */
};

static bool has_verdict(const struct ratio_row *row, const char *verdict) {
    return strcmp(row->verdict, verdict) == 0;
}

static void add(struct gain *gain, const struct ratio_row *call, const struct ratio_row *device) {
    gain->call += log(call->ratio);
    gain->device += log(device->ratio);
    gain->launch_only += has_verdict(call, "faster") && !has_verdict(device, "faster");
    gain->shapes++;
}

static void add_gain(struct document *page, const char *sizes, const struct gain *gain) {
    const double n = (double)gain->shapes, launch = gain->call - gain->device;
    if (gain->shapes == 0)
        return;
    document_row(page);
    document_cell(page, sizes);
    document_count(page, gain->shapes);
    document_number(page, expm1(gain->call / n));
    document_number(page, expm1(gain->device / n));
    document_number(page, expm1(launch / n));
    document_count(page, gain->launch_only);
}

/* Whether there was something to tell. */
static bool add_launch(struct document *page, const struct units *units,
                       const struct unit_series *series) {
    static const struct document_column columns[] = {
        {.name = "log2 MNK", .type = DOCUMENT_TEXT},
        {.name = "shapes", .type = DOCUMENT_COUNT},
        {.name = "call: all %", .type = DOCUMENT_SPEEDUP},
        {.name = "device: kernel %", .type = DOCUMENT_SPEEDUP},
        {.name = "the rest: launch %", .type = DOCUMENT_SPEEDUP},
        {.name = "faster by call alone", .type = DOCUMENT_COUNT},
    };
    struct gain classes[SIZE_CLASSES] = {{0}}, all = {0};
    char text[4 * RUNDIR_NAME];
    for (size_t i = 0; i < series->count; i++) {
        const struct unit *unit = &series->units[i];
        const struct ratio_row *call = units_row(units, unit, "call"),
                               *device = units_row(units, unit, "device");
        if (!call || !device || !(call->ratio > 0) || !(device->ratio > 0))
            continue;
        add(&all, call, device);
        add(&classes[size_class_of(unit->shape)], call, device);
    }
    if (all.shapes == 0)
        return false;
    snprintf(text, sizeof text,
             "%s over %s, %s, how much more time the library takes: geometric means",
             series->candidate, series->baseline, series->mode);
    DOCUMENT_TABLE(page, "gain", text, columns);
    for (int i = 0; i < SIZE_CLASSES; i++) {
        char sizes[SIZE_CLASS_TEXT];
        add_gain(page, size_class_format(i, sizes), &classes[i]);
    }
    add_gain(page, "all", &all);
    return true;
}

/* Of the candidates: how many pad, and how fast those are that do and that do not. */
static void add_padding(struct document *page, const struct unit_series *series) {
    double most = 0, logs[2] = {0, 0};
    size_t known = 0, counts[2] = {0, 0};
    for (size_t i = 0; i < series->count; i++) {
        const struct unit *unit = &series->units[i];
        const struct ratio_row *row = unit->by_lens[0];
        if (!unit->check || isnan(unit->check->padding_share))
            continue;
        const double share = unit->check->padding_share;
        const bool pads = share > 0;
        known++;
        most = fmax(most, share);
        if (row && row->speedup > -1) {
            logs[pads] += log1p(row->speedup);
            counts[pads]++;
        }
    }
    if (known == 0)
        return;
    document_item(
        page, "**Padding**, %s, %s: %zu of %zu kernels on shapes timed are given padded operands",
        series->candidate, series->mode, counts[1], known);
    if (counts[1])
        document_add(page,
                     ", at most %.1f %% of their operations; unless the run counts the copies, "
                     "they are made outside the timing. Geometric mean speedup of those that pad "
                     "%+.1f %%",
                     100 * most, 100 * expm1(logs[1] / (double)counts[1]));
    if (counts[1] && counts[0])
        document_add(page, ", of the others %+.1f %%", 100 * expm1(logs[0] / (double)counts[0]));
    document_add(page, ".");
}

/* Kernels that keep partial sums in less than they claim are refused, so that they are in no
 * mean: a gain by lesser precision is seen here only. */
static void add_precision(struct document *page, const struct rows *rows) {
    size_t probed = 0, refused = 0, less = 0, partly = 0;
    for (size_t i = 0; i < rows->check_count; i++) {
        const struct check_row *row = &rows->checks[i];
        if (!*row->candidate || strcmp(row->kernel, row->candidate) != 0)
            continue;
        probed += *row->seen != 0;
        less += strcmp(row->claimed, "f32") == 0 &&
                (strcmp(row->seen, "f16") == 0 || strcmp(row->seen, "16-bit") == 0);
        partly += strcmp(row->claimed, "f32") == 0 && strcmp(row->seen, "mixed") == 0;
        refused += strcmp(row->outcome, "precision") == 0;
    }
    if (probed + refused == 0)
        return;
    document_item(
        page,
        "**Precision**: of %zu kernels on shapes whose accumulator was probed, %zu claim f32 and "
        "keep partial sums in 16 bits, %zu more keep some of them so; %zu were refused for "
        "less precision than claimed. A refused kernel is in no number of this page.",
        probed, less, partly, refused);
}

/* The median of the kernel beside the series' candidate; NaN: it has none. */
static double seconds_of(const struct rows *rows, const struct unit_series *series,
                         struct shape shape, const char *kernel, const char *lens) {
    const struct time_row *row =
        rows_time(rows, shape, series->candidate, kernel, series->mode, lens);
    return row && row->median > 0 ? row->median : NAN;
}

/* The layout of X-max that is faster by the lens, of those that have a time by `call`; any other
 * kernel is its own. Returns a name. */
static const char *faster_layout(const struct rows *rows, const struct unit_series *series,
                                 struct shape shape, const char *kernel, const char *lens,
                                 char name[RUNDIR_NAME]) {
    static const char *const layouts[] = {"nn", "tn"};
    double best = INFINITY;
    if (!layouts_is_max(kernel))
        return kernel;
    *name = 0;
    for (int i = 0; i < 2; i++) {
        char layout[RUNDIR_NAME];
        snprintf(layout, sizeof layout, "%.*s%s", (int)strlen(kernel) - 3, kernel, layouts[i]);
        const double seconds = seconds_of(rows, series, shape, layout, lens);
        if (!(seconds < best) || isnan(seconds_of(rows, series, shape, layout, "call")))
            continue;
        best = seconds;
        memcpy(name, layout, RUNDIR_NAME);
    }
    return name;
}

/* How much of what the library takes longer by `call` is the host's: both in per cent of the
 * candidate's call, so that they add up. What `call` is made of is the host's time that shows, and the
 * device's. */
static void add_call(struct document *page, const struct rows *rows,
                     const struct unit_series *series) {
    double whole = 0, device = 0;
    size_t shapes = 0;
    for (size_t i = 0; i < series->count; i++) {
        const struct shape shape = series->units[i].shape;
        const double own = seconds_of(rows, series, shape, series->candidate, "call"),
                     own_device = seconds_of(rows, series, shape, series->candidate, "device");
        char name[RUNDIR_NAME];
        const char *baseline = faster_layout(rows, series, shape, series->baseline, "device", name);
        const double library = seconds_of(rows, series, shape, baseline, "call"),
                     library_device = seconds_of(rows, series, shape, baseline, "device");
        if (isnan(own + own_device + library + library_device))
            continue;
        whole += (library - own) / own;
        device += (library_device - own_device) / own;
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

/* What the host takes to launch the kernel, by `call`; NaN: that is not known. */
static double launch_of(const struct rows *rows, const struct unit_series *series,
                        struct shape shape, const char *kernel) {
    char name[RUNDIR_NAME];
    const struct time_row *row =
        rows_time(rows, shape, series->candidate,
                  faster_layout(rows, series, shape, kernel, "call", name), series->mode, "call");
    return row ? row->host_seconds : NAN;
}

/* Whether the audit saw it wait for the device in each call: such a call is no launch. */
static bool waits(const struct rows *rows, const struct unit_series *series, struct shape shape,
                  const char *kernel) {
    return rows_found(rows, shape, series->candidate, kernel, "sync-per-call");
}

static void add_host(struct document *page, const struct rows *rows,
                     const struct unit_series *series) {
    double *own = need(3 * series->count, sizeof *own), *library = own + series->count,
           *longer = library + series->count;
    size_t shapes = 0;
    for (size_t i = 0; i < series->count; i++) {
        const struct shape shape = series->units[i].shape;
        own[shapes] = launch_of(rows, series, shape, series->candidate);
        library[shapes] = launch_of(rows, series, shape, series->baseline);
        longer[shapes] = library[shapes] - own[shapes];
        shapes += !isnan(longer[shapes]) && !waits(rows, series, shape, series->candidate) &&
                  !waits(rows, series, shape, series->baseline);
    }
    if (shapes > 0)
        document_item(page,
                      "**The host**, %s, %s: a launch of the kernel takes %.1f µs, one of %s %.1f "
                      "µs; the difference is %+.1f µs (medians over the %zu shapes where neither "
                      "waits for the device in each call). On another host, or at another time, "
                      "launches may take longer or shorter, and the ratio by `call` changes with "
                      "that.",
                      series->candidate, series->mode, 1e6 * stats_median(own, shapes),
                      series->baseline, 1e6 * stats_median(library, shapes),
                      1e6 * stats_median(longer, shapes), shapes);
    free(own);
}

void section_gain(struct document *page, const struct report *report) {
    const struct units *units = report->units;
    bool any = false;
    if (units->count == 0)
        return;
    document_section_folded(page, 3, "gain", "Where the gain comes from");
    document_item(page,
                  "**Launch and kernel**: the lens `call` reads launch and kernel, `device` "
                  "the kernel alone. The gain by `call` over the gain by `device` is the gain "
                  "in the launch. It goes away where calls follow "
                  "each other without a pause.");
    add_precision(page, report->rows);
    for (size_t i = 0; i < units->count; i++)
        add_padding(page, &units->series[i]);
    for (size_t i = 0; i < units->count; i++)
        add_call(page, report->rows, &units->series[i]);
    for (size_t i = 0; i < units->count && !report->about->on_host; i++)
        add_host(page, report->rows, &units->series[i]);
    for (size_t i = 0; i < units->count; i++)
        any = add_launch(page, units, &units->series[i]) || any;
    if (!any)
        document_paragraph(page, "This run has not both lenses, `call` and `device`, so the "
                                 "launch cannot be told from the kernel.");
}
