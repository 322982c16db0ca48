/* The figure of a gate or a comparison: a list of ratios with their intervals. */
#include "reports/gate/output.h"
#include "reports/query/plot.h"
#include "reports/query/query.h"

#define FIGURE "ratios"

static bool draw(const char *folder, sqlite3 *db) {
    static const char names[] = "SELECT '" FIGURE "' AS name";
    struct child gnuplot;
    return plot_start(&gnuplot, folder, query_ask(db, names, NULL)) > 0 &&
           plot_wait(&gnuplot, folder, query_ask(db, names, NULL)) > 0;
}

bool output_draw(const char *folder, const struct gate *gate) {
    sqlite3_stmt *words = query_ask(gate->db, query_gate_figure, NULL);
    if (!query_next(words))
        return false;
    sqlite3_stmt *const data[] = {query_ask(gate->db, query_gate_figure, NULL), NULL};
    const int made = plot_make(folder, FIGURE, words, data);
    sqlite3_finalize(words);
    return made == 0 && draw(folder, gate->db);
}
