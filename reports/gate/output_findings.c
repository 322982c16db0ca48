/* The findings of a gate or a comparison: its rows and its lines. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/need.h"
#include "bench/base/text.h"
#include "reports/gate/output.h"
#include "reports/query/query.h"
#include "reports/rows/series.h"

enum { IMPROVEMENTS_SHOWN = 10, TERMINAL_ROWS = 20, FINE_SHARE = 2 };

/* A row is one text on the terminal, and takes no part in data. */
enum { WIDE = DOCUMENT_MARKDOWN | DOCUMENT_HTML };

/* A word that is a status. */
static enum document_mood mood_of(const char *word) {
    int status = 0;
    while (strcmp(gate_status_words[status], word) != 0)
        status++;
    return status <= GATE_MISSING  ? DOCUMENT_BAD
           : status == GATE_FASTER ? DOCUMENT_GOOD
                                   : DOCUMENT_PLAIN;
}

#define OF(member, title, ...) DOCUMENT_OF(gate_row, member, title, __VA_ARGS__)
#define MARKED .unrecorded = DOCUMENT_IN(gate_row, unrecorded)
#define STATUS OF(status, "status", VERDICT, .words = gate_status_words, .mood = mood_of)

/* Every number of a row: gate.csv, and for people folded away. */
static const struct document_column all_columns[] = {
    STATUS,
    OF(shape, "shape", TEXT, .formats = WIDE),
    OF(shape.m, "m", COUNT, .formats = DOCUMENT_DATA),
    OF(shape.n, "n", COUNT, .formats = DOCUMENT_DATA),
    OF(shape.k, "k", COUNT, .formats = DOCUMENT_DATA),
    OF(candidate, "kernel", CODE, .key = "candidate"),
    OF(source, "source", TEXT, .formats = DOCUMENT_DATA),
    {.name = "mode.lens", .type = DOCUMENT_CODE, .formats = WIDE},
    OF(mode, "mode", TEXT, .formats = DOCUMENT_DATA),
    OF(lens, "lens", TEXT, .formats = DOCUMENT_DATA),
    OF(unrecorded, "unrecorded", COUNT, .formats = DOCUMENT_DATA),
    OF(reference, "against", CODE, .key = "reference"),
    OF(size_class, "size_class", TEXT, .formats = DOCUMENT_DATA),
    OF(ratio, "ratio", RATIO, .low = "ci_low", .high = "ci_high", MARKED),
    OF(reference_seconds, "mean of reference", SECONDS, .key = "reference_seconds"),
    OF(seconds, "mean now", SECONDS, .key = "seconds", MARKED),
    OF(margin, "margin %", SIGNIFICANT, .scale = 100, .key = "margin"),
    OF(p, "p", SIGNIFICANT, .digits = 2),
    OF(visits, "visits", NUMBER),
    OF(left_out, "left_out", NUMBER, .formats = DOCUMENT_DATA),
    {.name = "left out", .formats = WIDE, .omit = DOCUMENT_OMIT_EMPTY},
    OF(device_ratio, "device_ratio", NUMBER, .formats = DOCUMENT_DATA),
    OF(call_ratio, "call_ratio", NUMBER, .formats = DOCUMENT_DATA),
    OF(wall_seconds, "wall_seconds", NUMBER, .formats = DOCUMENT_DATA),
    {.name = "stage", .formats = DOCUMENT_DATA},
    {.name = "decided by", .type = DOCUMENT_CODE, .key = "decided_by"},
    OF(text, "text", CODE, .formats = DOCUMENT_DATA),
};

/* What a reviewer needs of a row. */
static const struct document_column short_columns[] = {
    STATUS,
    OF(shape, "shape", TEXT, .formats = WIDE),
    OF(candidate, "kernel", CODE, .formats = WIDE),
    {.name = "kernel", .formats = DOCUMENT_TERMINAL},
    OF(ratio, "ratio", RATIO, .formats = DOCUMENT_TERMINAL, MARKED),
    {.name = "why", .type = DOCUMENT_CODE},
    OF(device_ratio, "by device", NUMBER, .digits = 3, .omit = DOCUMENT_OMIT_EMPTY),
    OF(call_ratio, "by call", NUMBER, .digits = 3, .omit = DOCUMENT_OMIT_EMPTY),
    {.name = "mode.lens", .type = DOCUMENT_CODE, .formats = WIDE, .omit = DOCUMENT_OMIT_SAME},
};

static void put_all_of(struct document *page, const struct gate_row *row) {
    char joined[GATE_JOINED], left_out[SERIES_LEFT_OUT_TEXT];
    document_row_of(page, row);
    document_cell(page, gate_join(row->mode, row->lens, joined));
    document_cell(page, series_left_out_text(row->left_out, row->timed_visits, left_out));
    document_cell(page, gate_stage(row));
    document_cell(page, gate_decided(row));
}

static void put_short_of(struct document *page, const struct gate_row *row) {
    char joined[GATE_JOINED], name[GATE_ROW_NAME + GATE_JOINED + 1], why[RUNDIR_TEXT];
    char left_out[SERIES_LEFT_OUT_TEXT];
    gate_row_name(row, name);
    *why = 0;
    gate_append_why(row, sizeof why, why, sizeof why);
    if (!*why)
        text_append(why, sizeof why, "%s", gate_status_texts[row->status]);
    if (row->left_out > 0)
        text_append(why, sizeof why, "; %s",
                    series_left_out_text(row->left_out, row->timed_visits, left_out));
    if (*gate_join(row->mode, row->lens, joined))
        strcat(strcat(name, " "), joined);
    document_row_of(page, row);
    document_cell(page, name);
    document_cell(page, why);
    document_cell(page, joined);
}

/* The rows in one of the two ways; of these at most so many in Markdown (0: all). back: the last one
 * first. */
static void put_rows(struct document *page, const char *id, bool all, const char *csv,
                     const struct gate_row *rows, size_t count, size_t most, bool back) {
    if (all)
        DOCUMENT_TABLE(page, id, NULL, all_columns);
    else
        DOCUMENT_TABLE(page, id, NULL, short_columns);
    document_most(page, DOCUMENT_MARKDOWN, most);
    document_most(page, DOCUMENT_TERMINAL, TERMINAL_ROWS);
    document_where(page, "all are in `%s`", csv);
    for (size_t i = 0; i < count; i++)
        (all ? put_all_of : put_short_of)(page, &rows[back ? count - 1 - i : i]);
}

size_t output_count_open(const struct gate *gate) {
    size_t open = 0;
    while (open < gate->count && gate->rows[open].status < GATE_SAME)
        open++;
    return open;
}

static void put_sections(struct document *page, const struct gate *gate, const char *csv,
                         size_t most) {
    const struct gate_row *rows = gate->rows;
    const size_t open = output_count_open(gate), fine = gate->count - open,
                 faster = gate->statuses[GATE_FASTER] + gate->statuses[GATE_MAYBE_FASTER];
    const size_t improved = faster < IMPROVEMENTS_SHOWN ? faster : IMPROVEMENTS_SHOWN;
    document_only(page, DOCUMENT_PAGES);
    if (open > 0)
        document_section(page, 3, "open", "What needs a look");
    put_rows(page, "open", false, csv, rows, open, most, false);
    document_only(page, WIDE);
    if (improved > 0)
        document_section(page, 3, "improved",
                         gate->statuses[GATE_MAYBE_FASTER]
                             ? "Improvements, not confirmed but where it says so"
                             : "Largest improvements");
    put_rows(page, "improved", false, csv, improved ? rows + gate->count - improved : rows,
             improved, most, true);
    put_rows(page, "all", true, csv, rows, gate->count, FINE_SHARE * most, false);
    document_fold(page, true, "Statistics of all %zu rows, %zu of them faster or the same",
                  gate->count, fine);
    unrecorded_explain(page);
}

#undef STATUS
#undef MARKED
#undef OF

static void put_totals(struct document *page, const struct gate *gate, size_t most) {
    size_t again = 0;
    for (size_t i = 0; i < gate->count; i++)
        again += gate->rows[i].confirmed;
    document_only(page, DOCUMENT_PAGES);
    if (gate->lines)
        document_section(page, 3, "totals", "The whole set");
    document_only(page, DOCUMENT_ALL);
    if (gate->lines)
        query_table(page, "totals", NULL, query_ask(gate->lines, query_gate_lines, NULL));
    else
        document_table(page, "totals", NULL);
    document_most(page, DOCUMENT_MARKDOWN, most ? 1 + most / OUTPUT_NOTES_SHARE : 0);
    document_where(page, "all are in the JSON (`--json`)");
    document_only(page, DOCUMENT_PAGES);
    if (gate->lines && again > 0)
        document_paragraph(
            page,
            "Means and times of the set are of the screening, which measures all rows. %zu row%s "
            "above rest%s on the confirmation alone, and may differ.",
            again, again == 1 ? "" : "s", again == 1 ? "s" : "");
}

void output_put_findings(struct document *page, const struct gate *gate, const char *csv,
                         size_t most) {
    document_only(page, DOCUMENT_DATA);
    put_rows(page, "rows", true, csv, gate->rows, gate->count, 0, false);
    put_sections(page, gate, csv, most);
    put_totals(page, gate, most);
}
