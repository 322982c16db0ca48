#include "reports/tables/by_device.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "reports/run/device_label.h"
#include "timing/significance.h"

/* A device with a lens. */
struct line {
    const char *device, *lens;
};

static int compare_lines(const void *left, const void *right) {
    const struct line *a = left, *b = right;
    int order = strcmp(a->device, b->device);
    return order ? order : strcmp(a->lens, b->lens);
}

/* Of the A/A rows, in the order of their names. Returns how many. */
static size_t list_lines(const struct rows *rows, struct line *lines) {
    size_t count = 0, kept = 0;
    for (size_t i = 0; i < rows->control_count; i++)
        if (strcmp(rows->controls[i].control, "aa") == 0)
            lines[count++] = (struct line){rows->controls[i].device, rows->controls[i].lens};
    qsort(lines, count, sizeof *lines, compare_lines);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || compare_lines(&lines[kept - 1], &lines[i]) != 0)
            lines[kept++] = lines[i];
    return kept;
}

/* Means over the units whose last round was on the device; NaN where nothing is known. */
static void put_conditions(FILE *out, const struct rows *rows, const char *device) {
    double clock = 0, power = 0;
    size_t clocks = 0, powers = 0;
    for (size_t i = 0; i < rows->condition_count; i++) {
        const struct condition_row *row = &rows->conditions[i];
        char last[RUNDIR_NAME];
        device_label_of(row->device, device_label_count(row->device) - 1, last);
        if (strcmp(last, device) != 0)
            continue;
        clocks += !isnan(row->sm_mhz_mean);
        clock += isnan(row->sm_mhz_mean) ? 0 : row->sm_mhz_mean;
        powers += !isnan(row->power_w_mean);
        power += isnan(row->power_w_mean) ? 0 : row->power_w_mean;
    }
    markdown_cell(out, "%.0f", clocks ? clock / (double)clocks : NAN);
    markdown_cell(out, "%.0f", powers ? power / (double)powers : NAN);
}

static void put_line(FILE *out, const struct rows *rows, const struct line *line, double *x) {
    size_t n = 0, reach = 0;
    for (size_t i = 0; i < rows->control_count; i++) {
        const struct control_row *row = &rows->controls[i];
        if (strcmp(row->control, "aa") != 0 || strcmp(row->device, line->device) != 0 ||
            strcmp(row->lens, line->lens) != 0 || isnan(row->ratio))
            continue;
        x[n++] = log(row->ratio);
        reach += strcmp(row->verdict, "ok") == 0;
    }
    const struct significance_bounds mean = significance_bounds(x, n, 0.975);
    fputs("| ", out);
    markdown_text(out, line->device);
    fputs(" | ", out);
    markdown_text(out, line->lens);
    fprintf(out, " | %zu | %zu |", n, reach);
    markdown_cell(out, "%.4f", exp(mean.mean));
    if (isfinite(mean.low) && isfinite(mean.high))
        fprintf(out, " %.4f to %.4f |", exp(mean.low), exp(mean.high));
    else
        fputs(" " MARKDOWN_NOTHING " |", out);
    put_conditions(out, rows, line->device);
    fputc('\n', out);
}

void by_device_write(FILE *out, const struct report *report) {
    const struct rows *rows = report->rows;
    struct line *lines = malloc((rows->control_count + 1) * sizeof *lines);
    double *x = malloc((rows->control_count + 1) * sizeof *x);
    const size_t count = lines && x ? list_lines(rows, lines) : 0;
    bool several = false, taken = false;
    for (size_t i = 1; i < count; i++)
        several |= strcmp(lines[i].device, lines[0].device) != 0;
    for (size_t i = 0; i < rows->condition_count; i++)
        taken |= device_label_count(rows->conditions[i].device) > 1;
    if (several) {
        fprintf(
            out,
            "\n### Devices\n\n%s A/A is a baseline against itself on that device: the mean of its "
            "ratios%s, with its 95 %% interval, is 1 where the device prefers neither.\n\n",
            taken ? "Rounds of a shape went from device to device, so that what differs between "
                    "devices is in the intervals of its ratios."
                  : "Each device measured other shapes, all arms of a shape on one.",
            taken ? " over shapes and rounds" : " over shapes");
        fputs("| device | lens | A/A pairs | equal | mean ratio | 95 % interval | SM MHz | W |\n"
              "| --- | --- | ---: | ---: | ---: | --- | ---: | ---: |\n",
              out);
        for (size_t i = 0; i < count; i++)
            put_line(out, rows, &lines[i], x);
    }
    free(lines);
    free(x);
}
