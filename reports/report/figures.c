#include "reports/report/figures.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/need.h"
#include "reports/page/plot.h"
#include "reports/rows/kept_text.h"

/* NUMBER-CANDIDATE with nothing in it that a file name or Markdown link could stumble over, and
 * -LENS where that is not call. */
static void name_figure(sqlite3_stmt *figure, char *name, size_t size) {
    const char *lens = query_text(figure, "lens");
    const bool call = strcmp(lens, "call") == 0;
    snprintf(name, size, "%s-%s%s%s", query_text(figure, "number"), query_text(figure, "candidate"),
             call ? "" : "-", call ? "" : lens);
    for (; *name; name++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_", *name))
            *name = '_';
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

/* The blocks of a figure that the query has for its candidate and lens. */
static struct blocks ask_blocks(struct plot *plot, sqlite3_stmt *figure, const char *run,
                                const char *query) {
    return put_blocks(plot,
                      query_ask(sqlite3_db_handle(figure), query, run,
                                query_text(figure, "candidate"), query_text(figure, "lens"), NULL));
}

/* Figure 1 has the ratio to each library. Figure 3 has the shapes of each mode, then the bins of each. */
static int make_figure(const char *folder, sqlite3_stmt *figure, const char *run) {
    struct plot plot;
    char name[3 * RUNDIR_NAME];
    const char *library = query_text(figure, "library");
    name_figure(figure, name, sizeof name);
    if (plot_open(&plot, folder, name, query_text(figure, "kind")) < 0)
        return -1;
    if (*library)
        plot_text(&plot, "library", library);
    put_title(&plot, query_text(figure, "title"), query_text(figure, "below"));
    const struct blocks put =
        ask_blocks(&plot, figure, run, *library ? query_figure3 : query_figure1);
    if (*library)
        ask_blocks(&plot, figure, run, query_figure3_bins);
    plot_number(&plot, "rows", (double)put.rows);
    plot_number(&plot, "modes", (double)put.modes);
    query_next(query_ask(sqlite3_db_handle(figure),
                         "INSERT INTO figures VALUES (?1, ?2, ?3, ?4, ?5, 0)", run, name,
                         query_text(figure, "candidate"), query_text(figure, "lens"),
                         query_text(figure, "title"), NULL));
    return plot_close(&plot);
}

/* The figures' names, for plot.h; the caller frees the list. *count: how many. */
static const char **names_of(sqlite3 *db, size_t *count) {
    const char **names = NULL;
    *count = 0;
    for (sqlite3_stmt *figure = query_ask(db, "SELECT name FROM figures", NULL);
         query_next(figure);) {
        names = need_more(names, *count, sizeof *names);
        names[(*count)++] = kept_text(query_text(figure, "name"));
    }
    return names;
}

static void set_drawn(sqlite3 *db, bool drawn) {
    query_next(query_ask(db, "UPDATE figures SET drawn = ?1 <> ''", drawn ? "drawn" : "", NULL));
}

int figures_make(const char *folder, sqlite3 *db, const char *run, struct child *gnuplot) {
    int status = 0;
    size_t count;
    *gnuplot = (struct child){.fate = CHILD_NONE};
    for (sqlite3_stmt *figure = query_ask(db, query_figures, run, NULL); query_next(figure);)
        if (status == 0)
            status = make_figure(folder, figure, run);
    const char **names = names_of(db, &count);
    if (status == 0)
        status = plot_start(gnuplot, folder, names, count);
    set_drawn(db, status > 0);
    free(names);
    return status < 0 ? -1 : 0;
}

int figures_wait(const char *folder, sqlite3 *db, struct child *gnuplot) {
    size_t count;
    const char **names = names_of(db, &count);
    const int status = plot_wait(gnuplot, folder, names, count);
    set_drawn(db, status > 0);
    free(names);
    return status < 0 ? -1 : 0;
}
