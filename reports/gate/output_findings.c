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

#define STATUS                                                                                     \
    { .name = "status", .type = DOCUMENT_VERDICT }

/* Every number of a row: gate.csv, and for people folded away. */
static const struct document_column all_columns[] = {
    STATUS,
    {.name = "shape", .formats = WIDE},
    {.name = "m", .type = DOCUMENT_COUNT, .formats = DOCUMENT_DATA},
    {.name = "n", .type = DOCUMENT_COUNT, .formats = DOCUMENT_DATA},
    {.name = "k", .type = DOCUMENT_COUNT, .formats = DOCUMENT_DATA},
    {.name = "kernel", .type = DOCUMENT_CODE, .key = "candidate"},
    {.name = "source", .formats = DOCUMENT_DATA},
    {.name = "mode.lens", .type = DOCUMENT_CODE, .formats = WIDE},
    {.name = "mode", .formats = DOCUMENT_DATA},
    {.name = "lens", .formats = DOCUMENT_DATA},
    {.name = "unrecorded", .type = DOCUMENT_COUNT, .formats = DOCUMENT_DATA},
    {.name = "against", .type = DOCUMENT_CODE, .key = "reference"},
    {.name = "size_class", .formats = DOCUMENT_DATA},
    {.name = "ratio", .type = DOCUMENT_RATIO, .low = "ci_low", .high = "ci_high"},
    {.name = "mean of reference", .type = DOCUMENT_SECONDS, .key = "reference_seconds"},
    {.name = "mean now", .type = DOCUMENT_SECONDS, .key = "seconds"},
    {.name = "margin %", .type = DOCUMENT_SIGNIFICANT, .scale = 100, .key = "margin"},
    {.name = "p", .type = DOCUMENT_SIGNIFICANT, .digits = 2},
    {.name = "visits", .type = DOCUMENT_NUMBER},
    {.name = "left_out", .type = DOCUMENT_NUMBER, .formats = DOCUMENT_DATA},
    {.name = "left out", .formats = WIDE, .omit = DOCUMENT_OMIT_EMPTY},
    {.name = "device_ratio", .type = DOCUMENT_NUMBER, .formats = DOCUMENT_DATA},
    {.name = "call_ratio", .type = DOCUMENT_NUMBER, .formats = DOCUMENT_DATA},
    {.name = "wall_seconds", .type = DOCUMENT_NUMBER, .formats = DOCUMENT_DATA},
    {.name = "stage", .formats = DOCUMENT_DATA},
    {.name = "decided by", .type = DOCUMENT_CODE, .key = "decided_by"},
    {.name = "text", .type = DOCUMENT_CODE, .formats = DOCUMENT_DATA},
};

/* What a reviewer needs of a row. */
static const struct document_column short_columns[] = {
    STATUS,
    {.name = "shape", .formats = WIDE},
    {.name = "kernel", .type = DOCUMENT_CODE, .formats = WIDE},
    {.name = "kernel", .formats = DOCUMENT_TERMINAL},
    {.name = "ratio", .type = DOCUMENT_RATIO, .formats = DOCUMENT_TERMINAL},
    {.name = "why", .type = DOCUMENT_CODE},
    {.name = "by device",
     .type = DOCUMENT_NUMBER,
     .digits = 3,
     .omit = DOCUMENT_OMIT_EMPTY},
    {.name = "by call",
     .type = DOCUMENT_NUMBER,
     .digits = 3,
     .omit = DOCUMENT_OMIT_EMPTY},
    {.name = "mode.lens",
     .type = DOCUMENT_CODE,
     .formats = WIDE,
     .omit = DOCUMENT_OMIT_SAME},
};

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
