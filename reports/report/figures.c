#include "reports/report/report.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "reports/query/plot.h"

/* Its file's name: nothing in it that a path or a link of Markdown could stumble over. */
static void name_figure(sqlite3_stmt *figure, char *name, size_t size) {
    snprintf(name, size, "%s", query_text(figure, "file"));
    for (; *name; name++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_", *name))
            *name = '_';
}

/* Figure 1 has the ratio to each library. Figure 3 has the shapes of each mode, then the bins of each. */
static int make_figure(const char *folder, sqlite3_stmt *figure, const char *run) {
    char name[3 * RUNDIR_NAME];
    sqlite3 *db = sqlite3_db_handle(figure);
    const char *candidate = query_text(figure, "of_kernel"), *lens = query_text(figure, "lens");
    const bool sizes = *query_text(figure, "library") != 0;
    sqlite3_stmt *const data[] = {
        query_ask(db, sizes ? query_figure3 : query_figure1, run, candidate, lens, NULL),
        sizes ? query_ask(db, query_figure3_bins, run, candidate, lens, NULL) : NULL, NULL};
    name_figure(figure, name, sizeof name);
    query_next(query_ask(db, "INSERT INTO figures VALUES (?1, ?2, ?3, ?4, ?5, 0)", run, name,
                         candidate, lens, query_text(figure, "shown"), NULL));
    return plot_make(folder, name, figure, data);
}

int figures_make(const char *folder, sqlite3 *db, const char *run, struct child *gnuplot) {
    int status = 0;
    *gnuplot = (struct child){.fate = CHILD_NONE};
    for (sqlite3_stmt *figure = query_ask(db, query_figures, run, NULL); query_next(figure);)
        if (status == 0)
            status = make_figure(folder, figure, run);
    return status == 0 ? plot_start(gnuplot, folder, db) : status;
}
