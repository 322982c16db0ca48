/* A run beside what was published. */
#include "reports/sections/sections.h"

static void add_line(struct document *page, const struct published_line *line) {
    document_row(page);
    document_cell(page, line->of->candidate);
    document_cell(page, line->of->lens);
    document_cell(page, line->of->mode);
    document_cell(page, line->of->baseline);
    document_count(page, line->shapes);
    document_number(page, line->theirs);
    document_number(page, line->ours);
    document_number(page, line->correlation);
    document_number(page, line->quotient);
    document_count(page, line->near);
    document_count(page, line->both_faster);
    document_count(page, line->only_theirs);
    document_count(page, line->only_ours);
    document_count(page, line->shapes - line->both_faster - line->only_theirs - line->only_ours);
    document_count(page, line->others);
    document_number(page, line->others_theirs);
}

void section_published(struct document *page, const struct report *report) {
    static const struct document_column columns[] = {
        {.name = "candidate", .type = DOCUMENT_TEXT},
        {.name = "lens", .type = DOCUMENT_TEXT},
        {.name = "mode", .type = DOCUMENT_TEXT},
        {.name = "baseline", .type = DOCUMENT_TEXT},
        {.name = "shapes", .type = DOCUMENT_COUNT},
        {.name = "mean % there", .type = DOCUMENT_SPEEDUP},
        {.name = "mean % here", .type = DOCUMENT_SPEEDUP},
        {.name = "order", .type = DOCUMENT_NUMBER, .digits = 2},
        {.name = "quotient", .type = DOCUMENT_NUMBER, .digits = 3},
        {.name = "near", .type = DOCUMENT_COUNT},
        {.name = "faster in both", .type = DOCUMENT_COUNT},
        {.name = "only there", .type = DOCUMENT_COUNT},
        {.name = "only here", .type = DOCUMENT_COUNT},
        {.name = "in neither", .type = DOCUMENT_COUNT},
        {.name = "others", .type = DOCUMENT_COUNT},
        {.name = "their mean %", .type = DOCUMENT_SPEEDUP},
    };
    const struct published *published = report->published;
    if (published->count == 0)
        return;
    document_section(page, 2, "published", "Beside what was published");
    document_paragraph(
        page,
        "The same shapes there and here. *There*: %s. *Order* is Spearman's rank correlation of "
        "the speedups: 1 where both put the shapes in the same order. *Quotient* is the median of "
        "the ratio here over the ratio there, *near* the shapes where it is between 1/1.1 and 1.1. "
        "The shapes of the last two columns are there only: refused here, or not measured.",
        published->where);
    DOCUMENT_TABLE(page, "published", NULL, columns);
    for (size_t i = 0; i < published->count; i++)
        add_line(page, &published->lines[i]);
}
