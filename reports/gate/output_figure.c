/* The figure of a gate or a comparison: a list of ratios with their intervals. */
#include <stdio.h>

#include "reports/gate/output.h"
#include "reports/page/plot.h"
#include "reports/query/query.h"

#define FIGURE "ratios"

/* What is said of all rows. */
static void put_words(struct plot *plot, sqlite3_stmt *row) {
    char title[256];
    const char *lens = query_text(row, "lens");
    plot_text(plot, "verdicts", query_text(row, "verdicts"));
    plot_number(plot, "margin", query_number(row, "most"));
    plot_number(plot, "rows", query_number(row, "rows"));
    snprintf(title, sizeof title, "Ratios with their 95 %% intervals%s%s", *lens ? ", " : "", lens);
    plot_text(plot, "title", title);
}

static void put_row(struct plot *plot, sqlite3_stmt *row) {
    static const char *const columns[] = {"ratio", "low", "high", "place", "verdict", "margin"};
    enum { COLUMNS = sizeof columns / sizeof *columns };
    double numbers[COLUMNS];
    for (size_t i = 0; i < COLUMNS; i++)
        numbers[i] = query_number(row, columns[i]);
    plot_row(plot, numbers, COLUMNS, query_text(row, "label"));
}

static bool draw(const char *folder) {
    static const char *const names[] = {FIGURE};
    struct child gnuplot;
    return plot_start(&gnuplot, folder, names, 1) > 0 && plot_wait(&gnuplot, folder, names, 1) > 0;
}

bool output_draw(const char *folder, const struct gate *gate) {
    struct plot plot;
    sqlite3_stmt *row = query_ask(gate->db, query_gate_figure, NULL);
    if (!query_next(row))
        return false;
    if (plot_open(&plot, folder, FIGURE, "list") < 0) {
        sqlite3_finalize(row);
        return false;
    }
    put_words(&plot, row);
    do
        put_row(&plot, row);
    while (query_next(row));
    return plot_close(&plot) == 0 && draw(folder);
}
