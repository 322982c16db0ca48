/* A run beside what was published. */
#include <string.h>

#include "reports/sections/sections.h"

/* Whether a line is of two clocks. */
static bool clocks_differ(const struct published *published) {
    for (size_t i = 0; i < published->count; i++)
        if (strcmp(published->lines[i].of->lens, published->lines[i].there->lens) != 0)
            return true;
    return false;
}

void section_published(struct document *page, const struct report *report) {
#define OF(member, title, ...) DOCUMENT_OF(published_line, member, title, __VA_ARGS__)
#define VIA(member, title)                                                                         \
    DOCUMENT_VIA(published_line, of, ratio_row, member, title, TEXT, .key = NULL)
    static const struct document_column columns[] = {
        VIA(candidate, "candidate"),
        VIA(lens, "lens"),
        VIA(mode, "mode"),
        VIA(baseline, "baseline"),
        OF(shapes, "shapes", COUNT),
        DOCUMENT_VIA(published_line, there, ratio_row, lens, "lens there", TEXT, .key = NULL),
        OF(theirs, "mean % there", SPEEDUP),
        OF(ours, "mean % here", SPEEDUP),
        OF(correlation, "order", NUMBER, .digits = 2),
        OF(quotient, "quotient", NUMBER, .digits = 3),
        OF(near, "near", COUNT),
        OF(both_faster, "faster in both", COUNT),
        OF(only_theirs, "only there", COUNT),
        OF(only_ours, "only here", COUNT),
        {.name = "in neither", .type = DOCUMENT_COUNT},
        OF(others, "others", COUNT),
        OF(others_theirs, "their mean %", SPEEDUP),
    };
#undef VIA
#undef OF
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
    if (clocks_differ(published))
        document_paragraph(
            page, "**Two clocks.** Where *lens there* is not *lens*, one of the two numbers is "
                  "by CUDA events (`call`) and the other by the host's clock (`wait`). So their "
                  "difference is in part that of the clocks.");
    DOCUMENT_TABLE(page, "published", NULL, columns);
    for (size_t i = 0; i < published->count; i++) {
        const struct published_line *line = &published->lines[i];
        document_row_of(page, line);
        document_count(page,
                       line->shapes - line->both_faster - line->only_theirs - line->only_ours);
    }
}
