/* Every shape by every lens, against the strongest baseline. */
#include "reports/page/html_parts.h"

#include <math.h>
#include <string.h>

#include "reports/page/html_text.h"

/* A ratio is known with its interval, or is all that was published: 1 + speedup. */
static void put_ratio(FILE *out, const struct ratio_row *row) {
    const char *verdict = row ? row->verdict : "";
    const char *class = strcmp(verdict, "faster") == 0   ? " good"
                        : strcmp(verdict, "slower") == 0 ? " bad"
                                                         : "";
    const double ratio = !row ? NAN : isnan(row->ratio) ? 1 + row->speedup : row->ratio;
    fprintf(out, "<td class=\"n%s\">", class);
    if (isnan(ratio))
        fputs(MARKDOWN_NOTHING, out);
    else
        fprintf(out, "%.3f", ratio);
    if (row && isfinite(row->ci_low) && isfinite(row->ci_high))
        fprintf(out, " <small>%.3f to %.3f</small>", row->ci_low, row->ci_high);
    fputs("</td>", out);
    html_cell(out, verdict);
}

static void put_series(FILE *out, const struct html_units *units,
                       const struct html_series *series) {
    struct html_column columns[2 * LENS_CONFLICTS_MOST + 4] = {{"shape", false},
                                                               {"log2 MNK", true}};
    char names[LENS_CONFLICTS_MOST][RUNDIR_NAME + 16], caption[4 * RUNDIR_NAME];
    size_t count = 2;
    for (size_t lens = 0; lens < units->lens_count; lens++) {
        snprintf(names[lens], sizeof names[lens], "ratio, %s", units->lenses[lens]);
        columns[count++] = (struct html_column){names[lens], true};
        columns[count++] = (struct html_column){"verdict", false};
    }
    columns[count++] = (struct html_column){"padding %", true};
    columns[count++] = (struct html_column){"accumulator", false};
    snprintf(caption, sizeof caption, "%s over %s, %s: %zu shapes", series->candidate,
             series->baseline, series->mode, series->count);
    html_fold_open(out, caption, series->count);
    html_table_open(out, caption, columns, count);
    for (size_t i = 0; i < series->count; i++) {
        const struct html_unit *unit = &series->units[i];
        char shape[SHAPE_TEXT];
        html_row_open(out);
        html_head_cell(out, shape_format(unit->shape, shape));
        html_number_cell(out, "%.1f", log2(shape_flops(unit->shape) / 2));
        for (size_t lens = 0; lens < units->lens_count; lens++)
            put_ratio(out, unit->by_lens[lens]);
        html_number_cell(out, "%.1f", unit->check ? 100 * unit->check->padding_share : NAN);
        html_cell(out, unit->check ? unit->check->seen : "");
        html_row_close(out);
    }
    html_table_close(out);
    html_fold_close(out);
}

void html_shapes(FILE *out, const struct html_units *units) {
    html_section(out, "shapes", "Every shape");
    fputs("<p>Time of the strongest baseline over that of the candidate, with its 95 % interval "
          "where it was measured here. The other baselines are in <code>ratios.csv</code> of the "
          "run.</p>\n",
          out);
    for (size_t i = 0; i < units->count; i++)
        put_series(out, units, &units->series[i]);
}
