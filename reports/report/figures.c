#include "reports/report/figures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/base/need.h"
#include "reports/page/gnuplot.h"
#include "reports/report/figure_parts.h"

/* Figures 1 and 3 of the candidate and lens of a line of the table. */
static int write_pair(const struct figure_source *source, const struct table_line *line,
                      struct figure **next) {
    struct figure *bars = (*next)++, *scatter = (*next)++;
    strcpy(bars->candidate, line->candidate);
    strcpy(bars->lens, line->lens);
    *scatter = *bars;
    figure_name(bars, "figure1", line->lens);
    figure_name(scatter, "figure3", line->lens);
    snprintf(bars->title, sizeof bars->title, "%s: ratio to each library, %s lens", line->candidate,
             line->lens);
    snprintf(scatter->title, sizeof scatter->title, "%s: ratio to %s by size, %s lens",
             line->candidate, tables_reference(source->table, line->candidate, line->lens),
             line->lens);
    return figure_libraries(source, bars) < 0 ? -1 : figure_scatter(source, scatter);
}

/* Figure 4 of a candidate, where the run can have it. */
static int write_fourth(const struct figure_source *source, const char *candidate,
                        struct figure **next) {
    static const char *const lenses[] = {"device", "call"};
    for (size_t i = 0; i < sizeof lenses / sizeof *lenses; i++) {
        struct figure *figure = *next;
        strcpy(figure->candidate, candidate);
        strcpy(figure->lens, lenses[i]);
        if (!figure_has_light(source, figure))
            continue;
        figure_name(figure, "figure4", "call");
        snprintf(figure->title, sizeof figure->title,
                 "%s: time over the speed of light, offline, %s lens", candidate, lenses[i]);
        (*next)++;
        return figure_light(source, figure);
    }
    return 0;
}

/* Figure 5 of the candidate and lens of a line of the table, which has a reference library, where
 * something was published over that. */
static int write_fifth(const struct figure_source *source, const struct table_line *line,
                       struct figure **next) {
    const char *baseline = tables_reference(source->table, line->candidate, line->lens);
    const struct published_line *lines[FIGURE_MODES];
    size_t count = 0;
    for (size_t i = 0; i < source->published->count && count < FIGURE_MODES; i++) {
        const struct ratio_row *of = source->published->lines[i].of;
        if (strcmp(of->candidate, line->candidate) == 0 && strcmp(of->lens, line->lens) == 0 &&
            strcmp(of->baseline, baseline) == 0)
            lines[count++] = &source->published->lines[i];
    }
    if (count == 0)
        return 0;
    struct figure *figure = (*next)++;
    strcpy(figure->candidate, line->candidate);
    strcpy(figure->lens, line->lens);
    figure_name(figure, "figure5", line->lens);
    snprintf(figure->title, sizeof figure->title,
             "%s: speedup over %s as published and as measured here, %s lens", line->candidate,
             baseline, line->lens);
    return figure_published(source, figure, lines, count);
}

int figures_make(const char *folder, const struct rows *rows, const struct table *table,
                 const struct published *published, const char *where, struct figure **figures,
                 size_t *count) {
    const struct figure_source source = {folder, where, rows, table, published};
    struct figure *next = *figures = need(4 * table->count, sizeof **figures);
    int status = 0;
    *count = 0;
    for (size_t i = 0; i < table->count && status == 0; i++) {
        const struct table_line *line = &table->lines[i];
        const bool first = i == 0 || strcmp(line[-1].candidate, line->candidate) != 0;
        const bool last = i + 1 == table->count || strcmp(line[1].candidate, line->candidate) != 0;
        if ((first || strcmp(line[-1].lens, line->lens) != 0) &&
            tables_reference(table, line->candidate, line->lens)) {
            status = write_pair(&source, line, &next);
            if (status == 0)
                status = write_fifth(&source, line, &next);
        }
        if (last && status == 0)
            status = write_fourth(&source, line->candidate, &next);
    }
    *count = (size_t)(next - *figures);
    for (size_t i = 0; i < *count && status == 0; i++)
        status = figure_draw(folder, &(*figures)[i]);
    return status;
}
