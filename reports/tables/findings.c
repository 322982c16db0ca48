#include "reports/tables/findings.h"

#include <stdlib.h>
#include <string.h>

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
static void put_group(FILE *out, const struct audit_row *const *rows, size_t count) {
    char shape[SHAPE_TEXT];
    size_t kernels = 1;
    for (size_t i = 1; i < count; i++)
        kernels += compare_units(rows[i - 1], rows[i]) != 0;
    fprintf(out, "| %s | `%s` | %s | %zu | %s ", rows[0]->level, rows[0]->finding, rows[0]->part,
            kernels, shape_format(rows[0]->shape, shape));
    markdown_text(out, rows[0]->kernel);
    fputs(": ", out);
    markdown_text(out, rows[0]->text);
    fputs(" |\n", out);
}

void findings_write(FILE *out, const struct report *report) {
    const struct rows *rows = report->rows;
    const struct audit_row **list = malloc((rows->audit_count + 1) * sizeof *list);
    if (rows->audit_count == 0 || !list) {
        free(list);
        return;
    }
    for (size_t i = 0; i < rows->audit_count; i++)
        list[i] = &rows->audits[i];
    qsort(list, rows->audit_count, sizeof *list, compare_rows);
    fputs(
        "\n## What the audits found\n\n"
        "Of each finding: how many kernels have it (a candidate at a shape is one), and the first "
        "of them. *reject* refuses a kernel; *warn* and *info* do not accuse. All are in "
        "`audit.csv` of the run.\n\n"
        "| level | finding | in | kernels | for example |\n| --- | --- | --- | ---: | --- |\n",
        out);
    for (size_t first = 0, end; first < rows->audit_count; first = end) {
        for (end = first + 1;
             end < rows->audit_count && compare_groups(list[first], list[end]) == 0;)
            end++;
        put_group(out, list + first, end - first);
    }
    free(list);
}
