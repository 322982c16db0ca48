/* The findings of a gate or a comparison: its rows and its lines. */
#include "reports/gate/output.h"
#include "reports/query/query.h"

enum { TERMINAL_ROWS = 20, FINE_SHARE = 2 };

/* A row is one text on the terminal, and takes no part in data. */
enum { WIDE = DOCUMENT_MARKDOWN | DOCUMENT_HTML };

/* At most so many in Markdown (0: all). */
static void put_rows(struct document *page, const char *id, const char *csv, size_t most,
                     sqlite3_stmt *rows) {
    query_table(page, id, NULL, rows);
    document_most(page, DOCUMENT_MARKDOWN, most);
    document_most(page, DOCUMENT_TERMINAL, TERMINAL_ROWS);
    document_where(page, "all are in `%s`", csv);
}

static void put_heading(struct document *page, unsigned formats, sqlite3_stmt *headings,
                        const char *id) {
    document_only(page, formats);
    if (*query_text(headings, id))
        document_section(page, 3, id, query_text(headings, id));
}

void output_put_findings(struct document *page, const struct gate *gate, const char *csv,
                         size_t most) {
    sqlite3_stmt *headings = query_ask(gate->db, query_gate_headings, NULL);
    query_next(headings);
    document_only(page, DOCUMENT_DATA);
    put_rows(page, "rows", csv, 0, query_ask(gate->db, query_gate_rows_all, NULL));
    put_heading(page, DOCUMENT_PAGES, headings, "open");
    put_rows(page, "open", csv, most, query_ask(gate->db, query_gate_rows_short, "open", NULL));
    put_heading(page, WIDE, headings, "improved");
    put_rows(page, "improved", csv, most,
             query_ask(gate->db, query_gate_rows_short, "improved", NULL));
    put_rows(page, "all", csv, FINE_SHARE * most, query_ask(gate->db, query_gate_rows_all, NULL));
    document_fold(page, true, "%s", query_text(headings, "statistics"));
    unrecorded_explain(page);
    put_heading(page, DOCUMENT_PAGES, headings, "totals");
    document_only(page, DOCUMENT_ALL);
    query_table(page, "totals", NULL, query_ask(gate->db, query_gate_lines, NULL));
    document_most(page, DOCUMENT_MARKDOWN, most ? 1 + most / OUTPUT_NOTES_SHARE : 0);
    document_where(page, "all are in the JSON (`--json`)");
    document_only(page, DOCUMENT_PAGES);
    if (*query_text(headings, "stages"))
        document_paragraph(page, "%s", query_text(headings, "stages"));
    sqlite3_finalize(headings);
}
