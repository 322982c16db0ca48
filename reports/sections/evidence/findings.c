/* What the audits found in kernels, in sum. */
#include <stdlib.h>
#include <string.h>

#include "bench/base/need.h"
#include "bench/base/text.h"
#include "reports/sections/sections.h"

/* Worst level first, then by finding and part, then by unit. */
static int level_rank(const struct audit_row *row) {
    return strcmp(row->level, "reject") == 0 ? 0 : strcmp(row->level, "warn") == 0 ? 1 : 2;
}

static int compare_groups(const struct audit_row *a, const struct audit_row *b) {
    int order = level_rank(a) - level_rank(b);
    if (order == 0)
        order = strcmp(a->finding, b->finding);
    return order ? order : strcmp(a->part, b->part);
}

static int compare_units(const struct audit_row *a, const struct audit_row *b) {
    int order = shape_compare(a->shape, b->shape);
    if (order == 0)
        order = strcmp(a->candidate, b->candidate);
    return order ? order : strcmp(a->kernel, b->kernel);
}

static int compare_rows(const void *left, const void *right) {
    const struct audit_row *a = *(const struct audit_row *const *)left;
    const struct audit_row *b = *(const struct audit_row *const *)right;
    int order = compare_groups(a, b);
    return order ? order : compare_units(a, b);
}

/* One line: how many kernels (a shape with a candidate) have it, and the first of them. */
static void add_group(struct document *page, const struct audit_row *const *rows, size_t count) {
    char shape[SHAPE_TEXT];
    size_t kernels = 1;
    for (size_t i = 1; i < count; i++)
        kernels += compare_units(rows[i - 1], rows[i]) != 0;
    document_row(page);
    document_verdict(page, rows[0]->level,
                     level_rank(rows[0]) == 0 ? DOCUMENT_BAD : DOCUMENT_PLAIN);
    document_cell(page, rows[0]->finding);
    document_cell(page, rows[0]->part);
    document_count(page, kernels);
    document_cell_marked(page, "%s %s: %s", shape_format(rows[0]->shape, shape), rows[0]->kernel,
                         rows[0]->text);
}

/* Who launches kernels that may begin early: libraries by name, for each of their times may come of
 * that. */
static void say_dependent(struct document *page, const struct rows *rows) {
    const char *libraries[32];
    char list[1024] = "";
    int count = 0, kernels = 0;
    for (size_t i = 0; i < rows->audit_count; i++) {
        const struct audit_row *row = &rows->audits[i];
        if (strcmp(row->finding, "dependent-launch") != 0 || row->number > 1)
            continue;
        if (strcmp(row->kernel, row->candidate) == 0 || strcmp(row->kernel, RUNDIR_PREVIOUS) == 0) {
            kernels++;
            continue;
        }
        int known = 0;
        while (known < count && strcmp(libraries[known], row->kernel) != 0)
            known++;
        if (known < count || count == 32)
            continue;
        libraries[count++] = row->kernel;
        text_append(list, sizeof list, "%s%s", count > 1 ? ", " : "", row->kernel);
    }
    if (count + kernels == 0)
        return;
    document_paragraph(page,
                       "Launched so that they may begin before the work in front of them has ended "
                       "(programmatic dependent launch) are kernels of %s and of %d under test. "
                       "timing/README.md says what that gains.",
                       count > 0 ? list : "no library", kernels);
}

void section_findings(struct document *page, const struct report *report) {
    static const struct document_column columns[] = {
        {.name = "level", .type = DOCUMENT_VERDICT},    {.name = "finding", .type = DOCUMENT_CODE},
        {.name = "in", .type = DOCUMENT_TEXT},          {.name = "kernels", .type = DOCUMENT_COUNT},
        {.name = "for example", .type = DOCUMENT_TEXT},
    };
    const struct rows *rows = report->rows;
    if (rows->audit_count == 0)
        return;
    document_section(page, 2, "audits", "What the audits found");
    const struct audit_row **list = need(rows->audit_count, sizeof *list);
    for (size_t i = 0; i < rows->audit_count; i++)
        list[i] = &rows->audits[i];
    qsort(list, rows->audit_count, sizeof *list, compare_rows);
    document_paragraph(page,
                       "Of each finding: how many kernels have it (a candidate at a shape is one), "
                       "and the first of them. *reject* refuses a kernel; *warn* and *info* do not "
                       "accuse. All are in `audit.csv` of the run.");
    DOCUMENT_TABLE(page, "findings", NULL, columns);
    for (size_t first = 0, end; first < rows->audit_count; first = end) {
        for (end = first + 1;
             end < rows->audit_count && compare_groups(list[first], list[end]) == 0;)
            end++;
        add_group(page, list + first, end - first);
    }
    say_dependent(page, rows);
    free(list);
}
