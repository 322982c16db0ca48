/* Where a gain comes from: launching, the kernel itself, lesser precision, padding. */
#include "reports/page/html_parts.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "reports/page/html_text.h"

/* Sizes are told apart by log2(M*N*K), this many wide. */
enum { BIN = 4, BINS = 16 };

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

static void put_gain(FILE *out, const char *sizes, const struct gain *gain) {
    const double n = (double)gain->shapes, launch = gain->call - gain->device;
    if (gain->shapes == 0)
        return;
    html_row_open(out);
    html_head_cell(out, sizes);
    html_count_cell(out, gain->shapes);
    html_percent_cell(out, expm1(gain->call / n));
    html_percent_cell(out, expm1(gain->device / n));
    html_percent_cell(out, expm1(launch / n));
    html_count_cell(out, gain->launch_only);
    html_row_close(out);
}

/* Whether there was something to tell. */
static bool put_launch(FILE *out, const struct html_units *units,
                       const struct html_series *series) {
    static const struct html_column columns[] = {
        {"log2 MNK", false},          {"shapes", true},
        {"call: all %", true},        {"device: kernel %", true},
        {"the rest: launch %", true}, {"faster by call alone", true}};
    struct gain bins[BINS] = {{0}}, all = {0};
    char text[4 * RUNDIR_NAME];
    for (size_t i = 0; i < series->count; i++) {
        const struct html_unit *unit = &series->units[i];
        const struct ratio_row *call = html_units_row(units, unit, "call"),
                               *device = html_units_row(units, unit, "device");
        const int bin = (int)(log2(shape_flops(unit->shape) / 2) / BIN);
        if (!call || !device || !(call->ratio > 0) || !(device->ratio > 0))
            continue;
        add(&all, call, device);
        add(&bins[bin < BINS ? bin : BINS - 1], call, device);
    }
    if (all.shapes == 0)
        return false;
    snprintf(text, sizeof text, "%s over %s, %s: geometric means, in per cent faster",
             series->candidate, series->baseline, series->mode);
    html_table_open(out, text, columns, sizeof columns / sizeof *columns);
    for (int bin = 0; bin < BINS; bin++) {
        snprintf(text, sizeof text, "%d to %d", bin * BIN, (bin + 1) * BIN);
        put_gain(out, text, &bins[bin]);
    }
    put_gain(out, "all", &all);
    html_table_close(out);
    return true;
}

/* Of the candidates: how many pad, and how fast those are that do and that do not. */
static void put_padding(FILE *out, const struct html_series *series) {
    double most = 0, logs[2] = {0, 0};
    size_t known = 0, counts[2] = {0, 0};
    for (size_t i = 0; i < series->count; i++) {
        const struct html_unit *unit = &series->units[i];
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
    fputs("<li><strong>Padding</strong>, ", out);
    html_text(out, series->candidate);
    fputs(", ", out);
    html_text(out, series->mode);
    if (known == 0) {
        fputs(": not recorded.</li>\n", out);
        return;
    }
    fprintf(out, ": %zu of %zu kernels timed are given padded operands", counts[1], known);
    if (counts[1])
        fprintf(out,
                ", at most %.1f %% of their operations; unless the run counts the copies, they are "
                "made outside the timing. Geometric mean speedup of those that pad %+.1f %%",
                100 * most, 100 * expm1(logs[1] / (double)counts[1]));
    if (counts[1] && counts[0])
        fprintf(out, ", of the others %+.1f %%", 100 * expm1(logs[0] / (double)counts[0]));
    fputs(".</li>\n", out);
}

/* Kernels that keep partial sums in less than they claim are refused, so that they are in no
 * mean: a gain by lesser precision is seen here only. */
static void put_precision(FILE *out, const struct rows *rows) {
    size_t probed = 0, refused = 0, less = 0;
    for (size_t i = 0; i < rows->check_count; i++) {
        const struct check_row *row = &rows->checks[i];
        if (!*row->candidate || strcmp(row->kernel, row->candidate) != 0)
            continue;
        probed += *row->seen != 0;
        less += strcmp(row->claimed, "f32") == 0 && strcmp(row->seen, "f16") == 0;
        refused += strcmp(row->outcome, "precision") == 0;
    }
    fputs("<li><strong>Precision</strong>: ", out);
    if (probed + refused == 0) {
        fputs("no accumulator was probed.</li>\n", out);
        return;
    }
    fprintf(out,
            "of %zu kernels whose accumulator was probed, %zu claim f32 and keep partial sums in "
            "f16; %zu were refused for less precision than claimed. A refused kernel is in no "
            "number of this page.</li>\n",
            probed, less, refused);
}

void html_gain(FILE *out, const struct report *report, const struct html_units *units) {
    html_section(out, "gain", "Where the gain comes from");
    fputs("<ul>\n<li><strong>Launch and kernel</strong>: the lens <code>call</code> reads launch "
          "and kernel, <code>device</code> the kernel alone. What is left of the gain by "
          "<code>call</code> when that by <code>device</code> is divided out is the launch: it "
          "goes away where calls follow each other without a pause.</li>\n",
          out);
    put_precision(out, report->rows);
    for (size_t i = 0; i < units->count; i++)
        put_padding(out, &units->series[i]);
    fputs("</ul>\n", out);
    bool any = false;
    for (size_t i = 0; i < units->count; i++)
        any = put_launch(out, units, &units->series[i]) || any;
    if (!any)
        fputs("<p>This run has not both lenses, <code>call</code> and <code>device</code>, so the "
              "launch cannot be told from the kernel.</p>\n",
              out);
}
