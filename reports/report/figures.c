#include "reports/report/figures.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/need.h"
#include "reports/page/plot.h"

/* What all figures of a run are drawn from. */
struct source {
    const char *folder, *run;
    sqlite3 *db;
};

/* A picture of a candidate by a lens. */
struct figure {
    char candidate[RUNDIR_NAME], lens[RUNDIR_NAME];
    char name[3 * RUNDIR_NAME]; /* file name without .gp, .dat, .png, .svg */
    char title[5 * RUNDIR_NAME], where[1024];
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
    char text[2048];
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

/* What an answer gave: its rows, in a block for each mode. */
struct blocks {
    size_t rows, modes;
};

/* A row for each of the answer: numbers, and in Figure 1 the library. */
static struct blocks put_blocks(struct plot *plot, sqlite3_stmt *answer) {
    enum { FIRST = 1, NUMBERS = 4 }; /* behind the mode */
    const bool labels = sqlite3_column_count(answer) > FIRST + NUMBERS;
    char mode[RUNDIR_NAME] = "", variable[32];
    struct blocks put = {0};
    for (; query_next(answer); put.rows++) {
        const char *next = query_text(answer, "mode");
        double numbers[NUMBERS];
        if (put.rows == 0 || strcmp(mode, next) != 0) {
            if (put.rows > 0)
                plot_end(plot);
            snprintf(mode, sizeof mode, "%s", next);
            snprintf(variable, sizeof variable, "mode%zu", put.modes++);
            plot_text(plot, variable, mode);
        }
        for (int i = 0; i < NUMBERS; i++)
            numbers[i] = sqlite3_column_double(answer, FIRST + i);
        plot_row(plot, numbers, NUMBERS, labels ? query_text(answer, "baseline") : NULL);
    }
    plot_end(plot);
    return put;
}

/* Figure 1: the ratio to each library. kind: what the means are. */
static struct blocks put_libraries(struct plot *plot, const struct source *source,
                                   const struct figure *figure, const char *kind) {
    char below[1200];
    snprintf(below, sizeof below, "%s, %s", figure->where, kind);
    put_title(plot, figure->title, below);
    return put_blocks(plot, query_ask(source->db, query_figure1, source->run, figure->candidate,
                                      figure->lens, NULL));
}

/* Figure 3: the shapes of each mode, then the bins of each. */
static struct blocks put_sizes(struct plot *plot, const struct source *source,
                               const struct figure *figure, const char *library) {
    plot_text(plot, "library", library);
    put_title(plot, figure->title, figure->where);
    const struct blocks shapes = put_blocks(plot, query_ask(source->db, query_figure3, source->run,
                                                            figure->candidate, figure->lens, NULL));
    put_blocks(plot, query_ask(source->db, query_figure3_bins, source->run, figure->candidate,
                               figure->lens, NULL));
    return shapes;
}

/* The files of a figure of a row of figures.sql: Figure 3, or 1. */
static int make_figure(const struct source *source, sqlite3_stmt *row, bool by_size,
                       struct figure *figure) {
    struct plot plot;
    const char *library = query_text(row, "library");
    snprintf(figure->candidate, sizeof figure->candidate, "%s", query_text(row, "candidate"));
    snprintf(figure->lens, sizeof figure->lens, "%s", query_text(row, "lens"));
    snprintf(figure->where, sizeof figure->where, "%s", query_text(row, "place"));
    name_figure(figure, by_size ? "figure3" : "figure1");
    snprintf(figure->title, sizeof figure->title, "%s: ratio to %s%s, %s lens", figure->candidate,
             by_size ? library : "each library", by_size ? " by size" : "", figure->lens);
    if (plot_open(&plot, source->folder, figure->name, by_size ? "sizes" : "libraries") < 0)
        return -1;
    const struct blocks put = by_size
                                  ? put_sizes(&plot, source, figure, library)
                                  : put_libraries(&plot, source, figure, query_text(row, "kind"));
    plot_number(&plot, "rows", (double)put.rows);
    plot_number(&plot, "modes", (double)put.modes);
    return plot_close(&plot);
}

/* Draws it, and adds it to the table `figures`. 0, or -1 after error(). */
static int draw(const struct source *source, const struct figure *figure) {
    const int drawn = plot_draw(source->folder, figure->name);
    query_next(query_ask(source->db, "INSERT INTO figures VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                         source->run, figure->name, figure->candidate, figure->lens, figure->title,
                         drawn > 0 ? "1" : "0", NULL));
    return drawn < 0 ? -1 : 0;
}

int figures_make(const char *folder, sqlite3 *db, const char *run) {
    const struct source source = {folder, run, db};
    struct figure *figures = NULL;
    size_t count = 0;
    int status = 0;
    for (sqlite3_stmt *row = query_ask(db, query_figures, run, NULL); query_next(row);)
        for (int by_size = 0; by_size < 2 && status == 0; by_size++) {
            figures = need_more(figures, count, sizeof *figures);
            status = make_figure(&source, row, by_size, &figures[count++]);
        }
    for (size_t i = 0; i < count && status == 0; i++)
        status = draw(&source, &figures[i]);
    free(figures);
    return status;
}
