/* What the recordings show: which kernels could not be recorded, and facts of those that were. */
#include <stdlib.h>
#include <string.h>

#include "bench/base/need.h"
#include "reports/sections/sections.h"

enum { SHOWN_MARKDOWN = 50, SHOWN_HTML = 1000 };

/* What refuses a kernel first, then by finding and part, then by unit. */
static bool is_refusal(const struct audit_row *row) {
    return strcmp(row->level, "refused") == 0;
}

static int compare_groups(const struct audit_row *a, const struct audit_row *b) {
    int order = is_refusal(b) - is_refusal(a);
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

/* One line: how many kernels (a shape with a kernel) have it, and the first of them. */
static void add_group(struct document *page, const struct audit_row *const *rows, size_t count) {
    char shape[SHAPE_TEXT];
    size_t kernels = 1;
    for (size_t i = 1; i < count; i++)
        kernels += compare_units(rows[i - 1], rows[i]) != 0;
    document_row(page);
    document_cell(page, rows[0]->finding);
    document_verdict(page, rows[0]->level, is_refusal(rows[0]) ? DOCUMENT_BAD : DOCUMENT_PLAIN);
    document_cell(page, rows[0]->part);
    document_count(page, kernels);
    document_cell_marked(page, "%s %s: %s", shape_format(rows[0]->shape, shape), rows[0]->kernel,
                         rows[0]->text);
}

static void add_facts(struct document *page, const struct rows *rows) {
    static const struct document_column columns[] = {
        {.name = "fact", .type = DOCUMENT_CODE},        {.name = "level", .type = DOCUMENT_VERDICT},
        {.name = "in", .type = DOCUMENT_TEXT},          {.name = "kernels", .type = DOCUMENT_COUNT},
        {.name = "for example", .type = DOCUMENT_TEXT},
    };
    const struct audit_row **list = need(rows->audit_count, sizeof *list);
    for (size_t i = 0; i < rows->audit_count; i++)
        list[i] = &rows->audits[i];
    if (rows->audit_count > 0) {
        qsort(list, rows->audit_count, sizeof *list, compare_rows);
        document_paragraph(page, "The table counts the kernels that have each fact (a kernel at a "
                                 "shape is one), and names the first. A *fact* accuses nobody. A "
                                 "kernel with a *refused* one is unrecorded; no policy changes "
                                 "which these are. All are in `audit.csv` of the run.");
    }
    DOCUMENT_TABLE(page, "facts", NULL, columns);
    for (size_t first = 0, end; first < rows->audit_count; first = end) {
        for (end = first + 1;
             end < rows->audit_count && compare_groups(list[first], list[end]) == 0;)
            end++;
        add_group(page, list + first, end - first);
    }
    free(list);
}

static void add_unrecorded(struct document *page, const struct rows *rows, size_t count) {
#define OF(member, title, ...) DOCUMENT_OF(check_row, member, title, __VA_ARGS__)
    static const struct document_column columns[] = {
        OF(shape, "shape", TEXT),
        OF(candidate, "candidate", TEXT, .formats = DOCUMENT_DATA),
        OF(kernel, "kernel", TEXT),
        OF(detail, "why", TEXT),
    };
#undef OF
    if (count > 0)
        document_paragraph(page,
                           "Unrecorded: %zu kernel%s on shapes. They passed the checks, and have "
                           "numbers by `call` and `wait` alone. They are not accused.",
                           count, count == 1 ? "" : "s");
    DOCUMENT_TABLE(page, "unrecorded", NULL, columns);
    document_most(page, DOCUMENT_MARKDOWN, SHOWN_MARKDOWN);
    document_most(page, DOCUMENT_HTML, SHOWN_HTML);
    document_where(page, "all are in `checks.csv` of the run");
    for (size_t i = 0; i < rows->check_count; i++)
        if (rows_fate(&rows->checks[i]) == ROWS_UNRECORDED)
            document_row_of(page, &rows->checks[i]);
}

void section_recordings(struct document *page, const struct report *report) {
    const struct rows *rows = report->rows;
    size_t unrecorded = 0;
    for (size_t i = 0; i < rows->check_count; i++)
        unrecorded += rows_fate(&rows->checks[i]) == ROWS_UNRECORDED;
    if (rows->audit_count + unrecorded == 0)
        return;
    document_section_folded(page, 3, "recordings", "What the recordings show");
    add_unrecorded(page, rows, unrecorded);
    add_facts(page, rows);
}
