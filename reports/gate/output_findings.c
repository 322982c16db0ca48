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

/* Every number of a row: gate.csv, and for people folded away. */
static void put_all_columns(struct document *page) {
    document_columns(
        page, "status||verdict", "shape||wide", "m||count data", "n||count data", "k||count data",
        "kernel|candidate|code", "source||data", "mode.lens||code wide", "mode||data", "lens||data",
        "unrecorded||count data", "against|reference|code", "size_class||data",
        "ratio|ratio,ci_low,ci_high|ratio", "mean of reference|reference_seconds|seconds",
        "mean now|seconds|seconds", "margin %|margin|significant percent", "p||significant 2",
        "visits||number", "left_out||number data", "left out||wide empty",
        "device_ratio||number data", "call_ratio||number data", "wall_seconds||number data",
        "stage||data", "decided by|decided_by|code", "text||code data", NULL);
}

/* What a reviewer needs of a row. */
static void put_short_columns(struct document *page) {
    document_columns(page, "status||verdict", "shape||wide", "kernel||code wide",
                     "kernel||terminal", "ratio||ratio terminal", "why||code",
                     "by device||number 3 empty", "by call||number 3 empty",
                     "mode.lens||code wide same", NULL);
}

static void put_status(struct document *page, const struct gate_row *row) {
    document_cell(page, gate_status_words[row->status]);
    document_mood(page, mood_of(gate_status_words[row->status]));
}

static void put_ratio(struct document *page, const struct gate_row *row) {
    document_ratio(page, row->ratio, row->ci_low, row->ci_high);
    unrecorded_label(page, row->unrecorded);
}

static void put_all_of(struct document *page, const struct gate_row *row) {
    char joined[GATE_JOINED], left_out[SERIES_LEFT_OUT_TEXT], shape[SHAPE_TEXT];
    document_row(page);
    put_status(page, row);
    document_cell(page, shape_format(row->shape, shape));
    document_count(page, (size_t)row->shape.m);
    document_count(page, (size_t)row->shape.n);
    document_count(page, (size_t)row->shape.k);
    document_cell(page, row->candidate);
    document_cell(page, row->source);
    document_cell(page, gate_join(row->mode, row->lens, joined));
    document_cell(page, row->mode);
    document_cell(page, row->lens);
    document_count(page, row->unrecorded);
    document_cell(page, row->reference);
    document_cell(page, row->size_class);
    put_ratio(page, row);
    document_number(page, row->reference_seconds);
    document_number(page, row->seconds);
    unrecorded_label(page, row->unrecorded);
    document_number(page, row->margin);
    document_number(page, row->p);
    document_number(page, row->visits);
    document_number(page, row->left_out);
    document_cell(page, series_left_out_text(row->left_out, row->timed_visits, left_out));
    document_number(page, row->device_ratio);
    document_number(page, row->call_ratio);
    document_number(page, row->wall_seconds);
    document_cell(page, gate_stage(row));
    document_cell(page, gate_decided(row));
    document_cell(page, row->text);
}

static void put_short_of(struct document *page, const struct gate_row *row) {
    char joined[GATE_JOINED], name[GATE_ROW_NAME + GATE_JOINED + 1], why[RUNDIR_TEXT];
    char left_out[SERIES_LEFT_OUT_TEXT], shape[SHAPE_TEXT];
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
    document_row(page);
    put_status(page, row);
    document_cell(page, shape_format(row->shape, shape));
    document_cell(page, row->candidate);
    document_cell(page, name);
    put_ratio(page, row);
    document_cell(page, why);
    document_number(page, row->device_ratio);
    document_number(page, row->call_ratio);
    document_cell(page, joined);
}

/* The rows in one of the two ways; of these at most so many in Markdown (0: all). back: the last one
 * first. */
static void put_rows(struct document *page, const char *id, bool all, const char *csv,
                     const struct gate_row *rows, size_t count, size_t most, bool back) {
    document_table(page, id, NULL);
    (all ? put_all_columns : put_short_columns)(page);
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
