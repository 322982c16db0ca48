/* Every shape: against the reference library as people read it, and against all the main ones as
 * shapes.csv. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/sections/sections.h"

/* Five digits are more than a measurement has, and keep a release of 1,000 kernels below 1 MB. */
static double five_digits(double value) {
    char text[32];
    snprintf(text, sizeof text, "%.5g", value);
    return strtod(text, NULL);
}

static bool has_baseline(const struct table *table, const char *baseline) {
    for (size_t i = 0; i < table->count; i++)
        if (strcmp(table->lines[i].baseline, baseline) == 0)
            return true;
    return false;
}

/* The table "shapes", which is shapes.csv: only those of the main baselines that the run has. */
static void put_data(struct document *page, const struct report *report) {
    static const char *const ends[] = {"speedup", "ratio_low", "ratio_high"};
    enum { FIRST = 8, ENDS = sizeof ends / sizeof *ends };
    struct document_column columns[FIRST + ENDS * TABLES_MAIN + 1] = {
        {.name = "m", .type = DOCUMENT_COUNT},
        {.name = "n", .type = DOCUMENT_COUNT},
        {.name = "k", .type = DOCUMENT_COUNT},
        {.name = "candidate", .type = DOCUMENT_TEXT},
        {.name = "mode", .type = DOCUMENT_TEXT},
        {.name = "lens", .type = DOCUMENT_TEXT},
        {.name = "place", .type = DOCUMENT_TEXT},
        {.name = "seconds", .type = DOCUMENT_SECONDS, .convert = five_digits}};
    char names[ENDS * TABLES_MAIN][2 * RUNDIR_NAME];
    size_t count = FIRST;
    for (size_t b = 0; b < TABLES_MAIN; b++)
        for (size_t i = 0; i < ENDS && has_baseline(&report->table1, tables_main[b]); i++) {
            char *name = names[count - FIRST];
            snprintf(name, sizeof names[0], "%s_%s", tables_main[b], ends[i]);
            columns[count++] = (struct document_column){
                .name = name, .type = DOCUMENT_NUMBER, .convert = five_digits};
        }
    columns[count++] = (struct document_column){.name = "outcome", .type = DOCUMENT_TEXT};
    query_table(page, "shapes", NULL, columns, count,
                query_ask(report->db, query_shapes, report->run, NULL));
}

/* The shapes of a line that leads. */
static void put_series(struct document *page, const struct report *report,
                       const struct table_line *line) {
    const char *element = *report->about->element ? report->about->element : "f16";
    char text[4 * RUNDIR_NAME], first[RUNDIR_NAME + 16], peak[64];
    snprintf(first, sizeof first, "ratio, %s", line->lens);
    snprintf(peak, sizeof peak, "%% of %s peak", element);
#define OTHER(lens)                                                                                \
    {                                                                                              \
        .name = "ratio, " lens, .type = DOCUMENT_NUMBER, .key = lens, .digits = 3,                 \
        .omit = DOCUMENT_OMIT_EMPTY, .unknown = "not timed by this lens"                           \
    }
    const struct document_column columns[] = {
        {.name = "shape", .type = DOCUMENT_TEXT},
        {.name = first,
         .type = DOCUMENT_RATIO,
         .key = "ratio",
         .unknown = "not timed by this lens"},
        {.name = "verdict", .type = DOCUMENT_VERDICT},
        OTHER("call"),
        OTHER("device"),
        OTHER("stream"),
        OTHER("wait"),
        {.name = "time", .type = DOCUMENT_SECONDS, .omit = DOCUMENT_OMIT_EMPTY},
        {.name = "TFLOP/s",
         .type = DOCUMENT_SIGNIFICANT,
         .key = "tflops",
         .omit = DOCUMENT_OMIT_EMPTY},
        {.name = peak, .type = DOCUMENT_SHARE, .key = "of_peak", .omit = DOCUMENT_OMIT_EMPTY},
        {.name = "padding %",
         .type = DOCUMENT_SHARE,
         .key = "padding",
         .omit = DOCUMENT_OMIT_EMPTY},
        {.name = "left out", .type = DOCUMENT_TEXT, .key = "left_out", .omit = DOCUMENT_OMIT_EMPTY},
        {.name = "accumulator", .type = DOCUMENT_TEXT, .key = "seen", .omit = DOCUMENT_OMIT_SAME},
    };
#undef OTHER
    snprintf(text, sizeof text, "%s over %s, %s", line->candidate, line->baseline, line->mode);
    QUERY_TABLE(page, "every-shape", text, columns,
                query_ask(report->db, query_every_shape, report->run, line->candidate, line->mode,
                          line->baseline, line->lens, NULL));
    document_fold(page, false, "%s", text);
    unrecorded_explain(page);
}

void section_shapes(struct document *page, const struct report *report) {
    document_only(page, DOCUMENT_DATA);
    put_data(page, report);
    if (!tables_first(&report->table1))
        return;
    document_only(page, DOCUMENT_HTML);
    document_section(page, 2, "shapes", "Every shape");
    document_paragraph(page,
                       "*Peak* is the most that the card's tensor cores do. `gemmgate report RUN "
                       "--shape MxNxK` shows one shape with all libraries and intervals.");
    for (size_t i = 0; i < report->table1.count; i++)
        if (report->table1.lines[i].leads)
            put_series(page, report, &report->table1.lines[i]);
}
