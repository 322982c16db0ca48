/* How the devices of a run differ. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/need.h"
#include "reports/rows/device_label.h"
#include "reports/sections/sections.h"
#include "timing/suite_mean.h"
#include "timing/verdict.h"

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
static void add_conditions(struct document *page, const struct rows *rows, const char *device) {
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
    document_number(page, clocks ? clock / (double)clocks : NAN);
    document_number(page, powers ? power / (double)powers : NAN);
}

/* x and error have room for all controls. */
static void add_line(struct document *page, const struct rows *rows, const struct line *line,
                     double *x, struct moderation *error) {
    size_t n = 0, reach = 0;
    for (size_t i = 0; i < rows->control_count; i++) {
        const struct control_row *row = &rows->controls[i];
        if (strcmp(row->control, "aa") != 0 || strcmp(row->device, line->device) != 0 ||
            strcmp(row->lens, line->lens) != 0 || isnan(row->ratio))
            continue;
        error[n] = (struct moderation){row->error * row->error, row->freedom};
        x[n++] = log(row->ratio);
        reach += strcmp(row->verdict, "ok") == 0;
    }
    const struct suite_mean mean = suite_mean_of(x, error, n, 1, VERDICT_CONFIDENCE);
    document_row(page);
    document_cell(page, line->device);
    document_cell(page, line->lens);
    document_count(page, n);
    document_count(page, reach);
    document_number(page, exp(mean.estimate));
    document_interval(page, exp(mean.low), exp(mean.high));
    add_conditions(page, rows, line->device);
}

static void add_lines(struct document *page, const struct rows *rows, const struct line *lines,
                      size_t count, double *x, struct moderation *error) {
    static const struct document_column columns[] = {
        {.name = "device", .type = DOCUMENT_TEXT},
        {.name = "lens", .type = DOCUMENT_TEXT},
        {.name = "A/A pairs", .type = DOCUMENT_COUNT},
        {.name = "equal", .type = DOCUMENT_COUNT},
        {.name = "mean ratio", .type = DOCUMENT_NUMBER, .digits = 4},
        {.name = "95 % interval", .type = DOCUMENT_INTERVAL, .digits = 4},
        {.name = "SM MHz", .type = DOCUMENT_NUMBER},
        {.name = "W", .type = DOCUMENT_NUMBER},
    };
    bool taken = false;
    for (size_t i = 0; i < rows->condition_count; i++)
        taken |= device_label_count(rows->conditions[i].device) > 1;
    document_section(page, 3, "devices", "Devices");
    document_paragraph(
        page,
        "%s A/A is a baseline against itself on that device: the mean of its ratios over shapes, "
        "with its 95 %% interval over rounds, is 1 where the device prefers neither.",
        taken ? "Rounds of a shape went from device to device, so that what differs between "
                "devices is in the intervals of its ratios."
              : "Each device measured other shapes, all arms of a shape on one.");
    DOCUMENT_TABLE(page, "devices", NULL, columns);
    for (size_t i = 0; i < count; i++)
        add_line(page, rows, &lines[i], x, error);
}

void sections_devices(struct document *page, const struct rows *rows) {
    struct line *lines = need(rows->control_count, sizeof *lines);
    double *x = need(rows->control_count, sizeof *x);
    struct moderation *error = need(rows->control_count, sizeof *error);
    const size_t count = list_lines(rows, lines);
    bool several = false;
    for (size_t i = 1; i < count; i++)
        several |= strcmp(lines[i].device, lines[0].device) != 0;
    if (several)
        add_lines(page, rows, lines, count, x, error);
    free(lines);
    free(x);
    free(error);
}
