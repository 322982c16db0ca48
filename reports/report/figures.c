#include "reports/report/figures.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/need.h"
#include "reports/page/plot.h"

/* What all figures of a run are drawn from. */
struct source {
    const char *folder, *where, *run;
    sqlite3 *db;
};

/* NUMBER-CANDIDATE with nothing in it that a file name or Markdown link could stumble over, and
 * -LENS where that is not call. */
static void name_figure(struct figure *figure, const char *number) {
    const bool call = strcmp(figure->lens, "call") == 0;
    snprintf(figure->name, sizeof figure->name, "%s-%s%s%s", number, figure->candidate,
             call ? "" : "-", call ? "" : figure->lens);
    for (char *p = figure->name; *p; p++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_", *p))
            *p = '_';
}

/* The title, and below it what was measured, broken into lines that fit the picture. */
static void put_title(struct plot *plot, const char *title, const char *below) {
    enum { LINE = 140 };
    char text[PLOT_QUOTED];
    const size_t used = (size_t)snprintf(text, sizeof text, "%.512s%s", title, *below ? "\n" : "");
    char *start = text + used;
    snprintf(start, sizeof text - used, "%s", below);
    while (strlen(start) > LINE) {
        char *space = memrchr(start, ' ', LINE);
        if (!space)
            break;
        *space = '\n';
        start = space + 1;
    }
    plot_text(plot, "title", text);
}

/* Goes on with the blocks: a row of another mode begins the next one. Returns how many there are. */
static size_t next_block(struct plot *plot, char mode[RUNDIR_NAME], const char *next,
                         size_t blocks) {
    char variable[16];
    if (blocks > 0 && strcmp(mode, next) == 0)
        return blocks;
    if (blocks > 0)
        plot_end(plot);
    snprintf(mode, RUNDIR_NAME, "%s", next);
    snprintf(variable, sizeof variable, "mode%zu", blocks);
    plot_text(plot, variable, mode);
    return blocks + 1;
}

/* Figure 1: the ratio to each library, a block a mode. */
static void put_libraries(struct plot *plot, const struct source *source,
                          const struct figure *figure) {
    char mode[RUNDIR_NAME], below[1200], quoted[PLOT_QUOTED];
    size_t modes = 0, libraries = 0, shapes = 0;
    bool measured = false;
    sqlite3_stmt *line =
        query_ask(source->db, query_figure1, source->run, figure->candidate, figure->lens, NULL);
    while (query_next(line)) {
        const size_t place = query_count(line, "place"), over = query_count(line, "shapes");
        modes = next_block(plot, mode, query_text(line, "mode"), modes);
        libraries = place + 1 > libraries ? place + 1 : libraries;
        shapes = over > shapes ? over : shapes;
        measured = measured || query_count(line, "measured");
        plot_row(plot, "%.9g %zu %.9g %.9g %s", query_number(line, "ratio"), place,
                 query_number(line, "low"), query_number(line, "high"),
                 plot_quote(query_text(line, "baseline"), quoted));
    }
    plot_number(plot, "modes", (double)modes);
    plot_number(plot, "rows", (double)libraries);
    snprintf(below, sizeof below, "%s, %s over %zu shape%s", source->where,
             measured ? "geometric mean with its 95 % interval" : "mean as the paper counts",
             shapes, shapes == 1 ? "" : "s");
    put_title(plot, figure->title, below);
}

/* Figure 3: a block of shapes for each mode, then a block of bins for each. */
static void put_sizes(struct plot *plot, const struct source *source, const struct figure *figure,
                      const char *library) {
    char mode[RUNDIR_NAME];
    size_t modes = 0, rows = 0, bins = 0;
    sqlite3_stmt *point =
        query_ask(source->db, query_figure3, source->run, figure->candidate, figure->lens, NULL);
    for (; query_next(point); rows++) {
        modes = next_block(plot, mode, query_text(point, "mode"), modes);
        plot_row(plot, "%.9g %.9g %.9g %.9g", query_number(point, "size"),
                 query_number(point, "ratio"), query_number(point, "low"),
                 query_number(point, "high"));
    }
    sqlite3_stmt *bin = query_ask(source->db, query_figure3_bins, source->run, figure->candidate,
                                  figure->lens, NULL);
    plot_end(plot);
    while (query_next(bin)) {
        bins = next_block(plot, mode, query_text(bin, "mode"), bins);
        plot_row(plot, "%.9g %.9g %.9g %.9g", query_number(bin, "size"), query_number(bin, "low"),
                 query_number(bin, "ratio"), query_number(bin, "high"));
    }
    plot_number(plot, "modes", (double)modes);
    plot_number(plot, "rows", (double)rows);
    plot_text(plot, "library", library);
    put_title(plot, figure->title, source->where);
}

/* The files of a figure of the line's candidate by its lens; library: of Figure 3, else NULL. */
static int make_figure(const struct source *source, const struct table_line *line,
                       const char *library, struct figure *figure) {
    struct plot plot;
    snprintf(figure->candidate, sizeof figure->candidate, "%s", line->candidate);
    snprintf(figure->lens, sizeof figure->lens, "%s", line->lens);
    name_figure(figure, library ? "figure3" : "figure1");
    snprintf(figure->title, sizeof figure->title, "%s: ratio to %s%s, %s lens", line->candidate,
             library ? library : "each library", library ? " by size" : "", line->lens);
    if (plot_open(&plot, source->folder, figure->name, library ? "sizes" : "libraries") < 0)
        return -1;
    if (library)
        put_sizes(&plot, source, figure, library);
    else
        put_libraries(&plot, source, figure);
    return plot_close(&plot);
}

int figures_make(const char *folder, sqlite3 *db, const char *run, const struct table *table,
                 const char *where, struct figure **figures, size_t *count) {
    const struct source source = {folder, where, run, db};
    int status = 0;
    *figures = need(2 * table->count, sizeof **figures);
    *count = 0;
    for (size_t i = 0; i < table->count && status == 0; i++) {
        const struct table_line *line = &table->lines[i];
        const bool first = i == 0 || strcmp(line[-1].candidate, line->candidate) != 0 ||
                           strcmp(line[-1].lens, line->lens) != 0;
        const char *library = tables_reference(table, line->candidate, line->lens);
        for (int by_size = 0; by_size < 2 && first && library && status == 0; by_size++)
            status = make_figure(&source, line, by_size ? library : NULL, &(*figures)[(*count)++]);
    }
    for (size_t i = 0; i < *count && status >= 0; i++) {
        status = plot_draw(folder, (*figures)[i].name);
        (*figures)[i].drawn = status > 0;
    }
    return status < 0 ? -1 : 0;
}
