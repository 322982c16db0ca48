/* The same plan on other devices: what each says of the kernels, over the shapes that all have. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/need.h"
#include "reports/page/document.h"
#include "reports/sections/sections.h"

/* The run's ratio of the same thing; NULL: it has none above 0. */
static const struct ratio_row *find_row(const struct rows *rows, const struct ratio_row *like) {
    const struct ratio_row *row = NULL;
    while ((row = rows_next(rows, ROWS_RATIOS, like->shape, row)))
        if (row->ratio > 0 && tables_line_compare(row, like) == 0)
            return row;
    return NULL;
}

/* The runs' rows, but of the ratios only those to the reference library that every run has: ratio i
 * is of the same kernel and shape in all of them. */
static struct rows *take_common(const struct report *report) {
    const size_t count = report->device_count, most = report->rows->ratio_count;
    struct rows *common = need(count, sizeof *common);
    const struct ratio_row **found = need(count, sizeof *found);
    for (size_t r = 0; r < count; r++) {
        common[r] = report->runs[r].rows;
        common[r].index = NULL;
        common[r].ratios = need(most, sizeof *common[r].ratios);
        common[r].ratio_count = 0;
    }
    for (size_t i = 0; i < most; i++) {
        const struct ratio_row *row = &report->rows->ratios[i];
        const char *reference = tables_reference(&report->table1, row->candidate, row->lens);
        bool all = reference && strcmp(reference, row->baseline) == 0;
        for (size_t r = 0; r < count && all; r++)
            all = (found[r] = find_row(&report->runs[r].rows, row)) != NULL;
        for (size_t r = 0; r < count && all; r++)
            common[r].ratios[common[r].ratio_count++] = *found[r];
    }
    free(found);
    return common;
}

/* What a device's numbers rest on. */
static void add_runs(struct document *page, const struct report *report) {
    char why[512];
    document_facts(page, "the runs");
    for (size_t r = 0; r < report->device_count; r++) {
        const struct rundir *run = &report->runs[r];
        const struct rows_tested tested = rows_tested(&run->rows, NULL);
        document_fact_marked(page, run->folder,
                             "%s; %s; complete: %s; %zu of %zu kernels on shapes refused",
                             run->about.device, run->about.software, run->about.how_complete,
                             tested.counts[ROWS_REFUSED],
                             tested.counts[ROWS_PASSED] + tested.counts[ROWS_UNRECORDED] +
                                 tested.counts[ROWS_REFUSED]);
    }
    for (size_t r = 1; r < report->device_count; r++) {
        const struct rundir *run = &report->runs[r];
        if (controls_judge(&run->rows, run->plan, why, sizeof why) == CONTROLS_FAILED)
            document_note(page, DOCUMENT_BAD,
                          "**Controls failed in %s**; do not rely on its numbers: %s.", run->folder,
                          why);
    }
}

/* The lines of all devices. */
static void add_summary(struct document *page, const struct report *report,
                        const struct table *tables) {
    const struct table_line *first = tables[0].lines;
    char caption[5 * RUNDIR_NAME] = "Over the shapes that every run has", name[32];
    if (tables[0].count == 1) /* and columns of one word are left out */
        snprintf(caption, sizeof caption,
                 "%s over %s by %s, %s, over the shapes that every run has", first->candidate,
                 first->baseline, first->lens, first->mode);
    for (size_t r = 0; r < report->device_count; r++) {
        snprintf(name, sizeof name, "(side %zu)", r);
        tables_add(report->db, name, &tables[r]);
        sections_add_side(report->db, name, &report->runs[r]);
    }
    query_table(page, "side-by-side", caption, query_ask(report->db, query_side_by_side, NULL));
}

/* Row i of the first run, on each device. Whether one says faster and another slower. */
static bool add_shape(struct document *page, const struct report *report, const struct rows *common,
                      size_t i) {
    char shape[SHAPE_TEXT];
    bool faster = false, slower = false;
    document_row(page);
    document_cell(page, shape_format(common[0].ratios[i].shape, shape));
    for (size_t r = 0; r < report->device_count; r++) {
        const struct ratio_row *row = &common[r].ratios[i];
        document_ratio(page, row->ratio, row->ci_low, row->ci_high);
        unrecorded_label(page,
                         rows_unrecorded(&common[r], row->shape, row->candidate, row->baseline));
        document_mood(page, document_faster(row->verdict));
        document_cell(page, row->verdict);
        faster |= strcmp(row->verdict, "faster") == 0;
        slower |= strcmp(row->verdict, "slower") == 0;
    }
    return faster && slower;
}

static void add_shapes(struct document *page, const struct report *report,
                       const struct rows *common, const struct table_line *line) {
    char text[5 * RUNDIR_NAME];
    size_t opposite = 0;
    snprintf(text, sizeof text, "%s over %s by %s, %s", line->candidate, line->baseline, line->lens,
             line->mode);
    document_table(page, "side-by-side-shapes", text);
    document_column(page, (struct document_column){.name = "shape", .type = DOCUMENT_TEXT});
    for (size_t r = 0; r < report->device_count; r++) {
        snprintf(text, sizeof text, "%s, %s", report->runs[r].about.device, report->runs[r].folder);
        document_column(page, (struct document_column){.name = text, .type = DOCUMENT_RATIO});
        document_column(page,
                        (struct document_column){.name = "verdict", .type = DOCUMENT_VERDICT});
    }
    for (size_t i = 0; i < common[0].ratio_count; i++)
        if (tables_has(line, &common[0].ratios[i]))
            opposite += add_shape(page, report, common, i);
    document_fold(page, false,
                  "%s over %s by %s, %s: on %zu of %zu shapes one device says faster "
                  "and another slower",
                  line->candidate, line->baseline, line->lens, line->mode, opposite, line->shapes);
}

static void add_tables(struct document *page, const struct report *report,
                       const struct rows *common, const struct table *tables) {
    document_only(page, SECTIONS_FILES | DOCUMENT_TERMINAL);
    add_summary(page, report, tables);
    document_only(page, SECTIONS_FILES);
    document_paragraph(
        page, "A ratio says how a kernel stands to the library of the same device. *TFLOP/s* "
              "says how fast the kernel is there: the geometric mean over the shapes.");
    add_runs(page, report);
    for (size_t i = 0; i < tables[0].count; i++)
        if (tables[0].lines[i].leads)
            add_shapes(page, report, common, &tables[0].lines[i]);
    unrecorded_explain(page);
}

void section_side_by_side(struct document *page, const struct report *report) {
    if (report->device_count <= report->run_count)
        return;
    struct rows *common = take_common(report);
    struct table *tables = need(report->device_count, sizeof *tables);
    for (size_t r = 0; r < report->device_count; r++)
        if (tables_make(&common[r], &tables[r]) < 0)
            exit(EXIT_TROUBLE); /* nothing is written yet */
    document_section(page, 2, "side-by-side", "Devices side by side");
    if (tables[0].count == 0)
        document_note(page, DOCUMENT_BAD,
                      "**Nothing stands side by side**: no shape has a ratio to the reference "
                      "library in every run.");
    else
        add_tables(page, report, common, tables);
    for (size_t r = 0; r < report->device_count; r++) {
        tables_free(&tables[r]);
        free(common[r].ratios);
    }
    free(tables);
    free(common);
}
