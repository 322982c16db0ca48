/* The shapes where lenses disagree. */
#include "reports/page/html_parts.h"

#include <stdbool.h>
#include <string.h>

#include "reports/page/html_text.h"

/* Lines of the table; a lens that is wrong everywhere would list every shape. */
enum { SHOWN = 500 };

static void put_pairs(FILE *out, const struct lens_conflicts *found, const char *const *names,
                      size_t lenses) {
    fputs("<ul>\n", out);
    for (size_t i = 0; i < lenses; i++)
        for (size_t j = 0; j < lenses; j++) {
            const size_t count = lens_conflicts_count(found, i, j);
            if (count == 0)
                continue;
            fprintf(out, "<li>%zu faster by <code>", count);
            html_text(out, names[i]);
            fputs("</code>, slower by <code>", out);
            html_text(out, names[j]);
            fputs("</code></li>\n", out);
        }
    fputs("</ul>\n", out);
}

static void put_line(FILE *out, const struct lens_conflict *d, size_t lenses) {
    const struct ratio_row *any = NULL;
    char shape[SHAPE_TEXT];
    for (size_t i = 0; i < lenses && !any; i++)
        any = d->by_lens[i];
    html_row_open(out);
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): two lenses at least disagree. */
    html_head_cell(out, shape_format(any->shape, shape));
    html_cell(out, any->candidate);
    html_cell(out, any->mode);
    html_cell(out, any->baseline);
    for (size_t i = 0; i < lenses; i++) {
        const struct ratio_row *row = d->by_lens[i];
        if (!row) {
            html_cell(out, MARKDOWN_NOTHING);
            continue;
        }
        fprintf(out, "<td class=\"n%s\">%.3f <small>%.3f to %.3f</small></td>",
                strcmp(row->verdict, "faster") == 0   ? " good"
                : strcmp(row->verdict, "slower") == 0 ? " bad"
                                                      : "",
                row->ratio, row->ci_low, row->ci_high);
    }
    html_count_cell(out, d->baselines);
    html_row_close(out);
}

void html_lenses(FILE *out, const struct report *report) {
    const struct lens_conflicts *found = report->disagreements;
    struct html_column columns[LENS_CONFLICTS_MOST + 5] = {
        {"shape", false}, {"candidate", false}, {"mode", false}, {"baseline", false}};
    const char *names[LENS_CONFLICTS_MOST];
    const size_t lenses = lens_conflicts_list(report->rows, names);
    html_section(out, "lenses", "Where lenses disagree");
    if (found->compared == 0) {
        fputs("<p>No shape was timed by two lenses, so none can disagree.</p>\n", out);
        return;
    }
    fprintf(out,
            "<p>Of %zu shapes with a candidate and a mode, %zu are, against one and the same "
            "baseline, faster by one lens and slower by another.</p>\n",
            found->compared, found->count);
    if (found->count == 0)
        return;
    put_pairs(out, found, names, lenses);
    for (size_t i = 0; i < lenses; i++)
        columns[4 + i] = (struct html_column){names[i], true};
    columns[4 + lenses] = (struct html_column){"baselines", true};
    html_fold_open(out, "The shapes, those that differ most first", found->count);
    html_table_open(out,
                    "Ratio and 95 % interval by lens against the baseline where they differ most, "
                    "the largest first; blue faster, orange slower; the last column is the number "
                    "of baselines where they do",
                    columns, lenses + 5);
    for (size_t i = 0; i < found->count && i < SHOWN; i++)
        put_line(out, &found->list[i], lenses);
    html_table_close(out);
    html_fold_close(out);
    if (found->count > SHOWN)
        fprintf(out, "<p>… and %zu more.</p>\n", found->count - SHOWN);
}
