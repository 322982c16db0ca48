/* Where the lenses of a run contradict each other. */
#include "reports/page/place_label.h"
#include "reports/sections/sections.h"

/* Lines shown; a lens that is wrong everywhere would list every shape. */
enum { SHOWN_MARKDOWN = 50, SHOWN_HTML = 500 };

/* A lens of the conflict; there are two at least. */
static const struct ratio_row *first_row(const struct lens_conflict *d) {
    size_t i = 0;
    while (!d->by_lens[i])
        i++;
    return d->by_lens[i];
}

static void add_conflict(struct document *page, const struct lens_conflict *d, size_t lenses) {
    const struct ratio_row *any = first_row(d);
    char shape[SHAPE_TEXT];
    document_row(page);
    document_cell(page, shape_format(any->shape, shape));
    document_cell(page, any->candidate);
    document_cell(page, any->mode);
    document_cell(page, any->baseline);
    for (size_t i = 0; i < lenses; i++) {
        const struct ratio_row *row = d->by_lens[i];
        if (!row) {
            document_empty(page, "not timed by this lens");
            continue;
        }
        document_ratio(page, row->ratio, row->ci_low, row->ci_high);
        place_label(page, row->place);
        document_mood(page, sections_mood(row->verdict));
    }
    document_count(page, d->baselines);
}

static void add_pairs(struct document *page, const struct lens_conflicts *found,
                      const char *const *names, size_t lenses) {
    for (size_t i = 0; i < lenses; i++)
        for (size_t j = 0; j < lenses; j++) {
            const size_t count = lens_conflicts_count(found, i, j);
            if (count)
                document_item(page, "%zu faster by `%s`, slower by `%s`", count, names[i],
                              names[j]);
        }
}

static void add_conflicts(struct document *page, const struct lens_conflicts *found,
                          const char *const *names, size_t lenses, const char *intervals) {
    static const char *const texts[] = {"shape", "candidate", "mode", "baseline"};
    char caption[256];
    snprintf(caption, sizeof caption,
             "Ratio and %s by each lens, against the baseline where they differ most; the last "
             "column is the number of baselines where they do",
             intervals);
    document_table(page, "lens_conflicts", caption);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        document_column(page, (struct document_column){.name = texts[i], .type = DOCUMENT_TEXT});
    for (size_t i = 0; i < lenses; i++)
        document_column(page, (struct document_column){.name = names[i], .type = DOCUMENT_RATIO});
    document_column(page, (struct document_column){.name = "baselines", .type = DOCUMENT_COUNT});
    for (size_t i = 0; i < found->count; i++)
        add_conflict(page, &found->list[i], lenses);
    document_fold(page, false, "The shapes, those that differ most first");
    document_most(page, DOCUMENT_MARKDOWN, SHOWN_MARKDOWN);
    document_most(page, DOCUMENT_HTML, SHOWN_HTML);
    place_explain(page);
}

void section_conflicts(struct document *page, const struct report *report) {
    const struct lens_conflicts *found = report->disagreements;
    const char *names[LENS_CONFLICTS_MOST];
    const size_t lenses = lens_conflicts_list(report->rows, names);
    if (found->compared == 0)
        return;
    document_section(page, 2, NULL, "Where lenses disagree");
    document_paragraph(page,
                       "Of %zu shapes with a candidate and a mode, %zu are, against one and the "
                       "same baseline, faster by one lens and slower by another%s",
                       found->compared, found->count, found->count ? ":" : ".");
    if (found->count == 0)
        return;
    add_pairs(page, found, names, lenses);
    add_conflicts(page, found, names, lenses, sections_intervals(report->rows));
}
