/* The time of the traffic, where the suite says how often each shape is called. */
#include <math.h>
#include <string.h>

#include "reports/run/weights.h"
#include "reports/sections/sections.h"

/* Sums over the shapes of a candidate, by mode and lens. */
struct traffic {
    const struct time_row *first; /* whose candidate, mode and lens they are of */
    double own, library;          /* s: of the kernel, and of the fastest library of each shape */
    double calls;
    size_t shapes;
};

static bool is_alike(const struct time_row *a, const struct time_row *b) {
    return strcmp(a->candidate, b->candidate) == 0 && strcmp(a->mode, b->mode) == 0 &&
           strcmp(a->lens, b->lens) == 0;
}

static bool is_kernel(const struct time_row *row) {
    return *row->candidate && strcmp(row->kernel, row->candidate) == 0 && row->median > 0;
}

/* Of the libraries beside the kernel on its shape; INFINITY: none was timed. */
static double fastest_library(const struct rows *rows, const struct time_row *own) {
    double least = INFINITY;
    const struct time_row *row = NULL;
    while ((row = rows_next(rows, ROWS_TIMES, own->shape, row)))
        if (is_alike(row, own) && !is_kernel(row) && strcmp(row->kernel, RUNDIR_PREVIOUS) != 0 &&
            row->median > 0 && row->median < least)
            least = row->median;
    return least;
}

static struct traffic sum_up(const struct rows *rows, const struct weights *weights,
                             const struct time_row *first) {
    struct traffic sum = {.first = first};
    for (size_t i = 0; i < rows->time_count; i++) {
        const struct time_row *row = &rows->times[i];
        if (!is_kernel(row) || !is_alike(row, first))
            continue;
        const double weight = weights_of(weights, row->shape);
        const double library = fastest_library(rows, row);
        if (isinf(library))
            continue;
        sum.own += weight * row->median;
        sum.library += weight * library;
        sum.calls += weight;
        sum.shapes++;
    }
    return sum;
}

/* Whether an earlier row has the candidate, mode and lens of this one. */
static bool is_again(const struct rows *rows, size_t index) {
    for (size_t i = 0; i < index; i++)
        if (is_kernel(&rows->times[i]) && is_alike(&rows->times[i], &rows->times[index]))
            return true;
    return false;
}

static void put_table(struct document *page, const struct rows *rows,
                      const struct weights *weights) {
#define OF(member, title, ...) DOCUMENT_OF(traffic, member, title, __VA_ARGS__)
    static const struct document_column columns[] = {
        DOCUMENT_VIA(traffic, first, time_row, candidate, "kernel", CODE, .key = "candidate"),
        DOCUMENT_VIA(traffic, first, time_row, mode, "mode", CODE, .key = NULL),
        DOCUMENT_VIA(traffic, first, time_row, lens, "lens", CODE, .key = NULL),
        OF(shapes, "shapes", COUNT),
        OF(calls, "calls", NUMBER),
        OF(own, "with the kernel", SECONDS, .key = "seconds"),
        OF(library, "with the libraries", SECONDS, .key = "library_seconds"),
        {.name = "change %", .type = DOCUMENT_SPEEDUP, .key = "change"},
    };
#undef OF
    DOCUMENT_TABLE(page, "traffic", NULL, columns);
    for (size_t i = 0; i < rows->time_count; i++) {
        if (!is_kernel(&rows->times[i]) || is_again(rows, i))
            continue;
        const struct traffic sum = sum_up(rows, weights, &rows->times[i]);
        if (sum.shapes == 0)
            continue;
        document_row_of(page, &sum);
        document_number(page, sum.own / sum.library - 1);
    }
}

void section_traffic(struct document *page, const struct report *report) {
    struct weights weights;
    if (!json_object_get(report->plan, "counts"))
        return;
    if (weights_of_run("the run", report->plan, &weights) < 0) {
        document_fail(page);
        return;
    }
    document_only(page, SECTIONS_FILES);
    document_section(page, 2, "traffic", "Traffic");
    document_paragraph(page,
                       "The suite says how often each shape is called. The time of the "
                       "traffic is the sum over shapes of calls × median time. The libraries "
                       "are, on each shape, the fastest that was timed; the same calls tell "
                       "which, so that it stands a little too fast. Below 0 the traffic "
                       "takes less time with the kernel. A shape without a time of the kernel "
                       "is in neither sum.");
    put_table(page, report->rows, &weights);
    weights_free(&weights);
}
