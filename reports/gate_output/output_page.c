/* What a gate says, as a document: summary.md, gate.html, gate.csv and what the terminal shows are
 * laid out of it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/files.h"
#include "bench/base/need.h"
#include "bench/base/words.h"
#include "reports/compare/comparison.h"
#include "reports/gate_output/output.h"
#include "reports/gate_output/output_parts.h"
#include "reports/page/document.h"
#include "reports/page/ratio_figure.h"
#include "reports/page/writers.h"
#include "reports/rows/undisturbed.h"

#define FIGURE "ratios"

enum { IMPROVEMENTS_SHOWN = 10, TERMINAL_ROWS = 20, NOTES_SHARE = 4 };

/* Rows that Markdown shows at most; 0: all. */
struct most {
    size_t rows, fine;
};

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
    OF(size_class, "class", TEXT, .formats = DOCUMENT_DATA),
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
    const char *words[] = {row->mode, row->lens};
    char joined[OUTPUT_JOINED], left_out[UNDISTURBED_TEXT];
    document_row_of(page, row);
    document_cell(page, output_join(words, 2, joined));
    document_cell(page, undisturbed_text(row->left_out, row->timed_visits, left_out));
    document_cell(page, output_stage(row));
    document_cell(page, output_decided(row));
}

static void put_short_of(struct document *page, const struct gate_row *row) {
    const char *words[] = {row->mode, row->lens};
    char joined[OUTPUT_JOINED], name[OUTPUT_NAME + OUTPUT_JOINED + 1], why[RUNDIR_TEXT];
    output_name(row, name);
    if (*output_join(words, 2, joined))
        strcat(strcat(name, " "), joined);
    document_row_of(page, row);
    document_cell(page, name);
    document_cell(page, output_why(row, why));
    document_cell(page, joined);
}

/* The rows in one of the two ways; of these at most so many in Markdown (0: all). */
static void put_rows(struct document *page, const char *id, bool all,
                     const struct gate_row *const *rows, size_t count, size_t most) {
    if (all)
        DOCUMENT_TABLE(page, id, NULL, all_columns);
    else
        DOCUMENT_TABLE(page, id, NULL, short_columns);
    document_most(page, DOCUMENT_MARKDOWN, most);
    document_most(page, DOCUMENT_TERMINAL, TERMINAL_ROWS);
    document_where(page, "all are in `gate.csv`");
    for (size_t i = 0; i < count; i++)
        (all ? put_all_of : put_short_of)(page, rows[i]);
}

static void put_verdict(struct document *page, const struct gate *gate) {
    document_note(page, gate->verdict == GATE_PASS ? DOCUMENT_GOOD : DOCUMENT_BAD,
                  "**%s** (exit status %d)%s: %s", gate_verdict_word(gate->verdict),
                  gate_verdict_exit(gate->verdict), gate->for_release ? ", as for a release" : "",
                  gate->reason);
}

static void put_fact(struct document *page, const char *name, const char *value) {
    if (*value)
        document_fact_marked(page, name, "`%s`", value);
}

static void put_head(struct document *page, const struct gate *gate) {
    char heading[64];
    document_raw(page, DOCUMENT_MARKDOWN, "<!-- gemmgate -->\n");
    snprintf(heading, sizeof heading, "gemmgate: %s", gate_verdict_word(gate->verdict));
    document_section(page, 2, "verdict", heading);
    put_verdict(page, gate);
}

/* How much was measured, of what and where. */
static void put_facts(struct document *page, const struct gate *gate) {
    if (gate->count > 0) {
        document_paragraph(page, "%zu kernels on shapes, %zu rows measured again as suspects, ",
                           gate->units, gate->suspects);
        if (gate->carried)
            document_add(page, "%zu carried over as they were, ", gate->carried);
        if (isfinite(gate->coverage))
            document_add(page, "%.4g %% of the shapes have an honest kernel.",
                         100 * gate->coverage);
        else
            document_add(page, "coverage not known.");
    }
    put_fact(page, "Set", gate->set);
    put_fact(page, "Compared with", gate->previous);
    put_fact(page, "Kernels at", gate->kernels_commit);
    put_fact(page, "Earlier kernels at", gate->previous_commit);
    put_fact(page, "By gemmgate", gate->commit);
    put_fact(page, "Device", gate->device);
    put_fact(page, "Measured", gate->start);
}

/* Markdown shows some; the terminal shows all. */
static void put_warnings(struct document *page, const struct gate *gate, size_t most) {
    const size_t shown = most && most < gate->warning_count ? most : gate->warning_count;
    for (size_t i = 0; i < gate->warning_count; i++) {
        document_only(page, i < shown ? DOCUMENT_PAGES : DOCUMENT_TERMINAL);
        document_item(page, "**warning:** %s", gate->warnings[i]);
    }
    document_only(page, WIDE);
    if (shown < gate->warning_count)
        document_item(page, "%zu more warnings; all are in `gate.json`",
                      gate->warning_count - shown);
}

static double known_or(double value, double otherwise) {
    return isnan(value) ? otherwise : value;
}

/* In a status the slowest first, those without a ratio last; ties as the gate has them. */
static int compare_severity(const void *left, const void *right) {
    const struct gate_row *a = *(const struct gate_row *const *)left;
    const struct gate_row *b = *(const struct gate_row *const *)right;
    const double x = known_or(a->ratio, INFINITY), y = known_or(b->ratio, INFINITY);
    const int order = (a->status > b->status) - (a->status < b->status);
    const int slower = (x > y) - (x < y);
    return order ? order : slower ? slower : (a > b) - (a < b);
}

static bool is_improved(const struct gate_row *row) {
    return row->status == GATE_FASTER || row->status == GATE_MAYBE_FASTER;
}

/* The largest improvements first, then what is the same as the gate has it. */
static int compare_improvement(const void *left, const void *right) {
    const struct gate_row *a = *(const struct gate_row *const *)left;
    const struct gate_row *b = *(const struct gate_row *const *)right;
    const int order = is_improved(b) - is_improved(a);
    const double x = known_or(a->ratio, 0), y = known_or(b->ratio, 0);
    const int faster = is_improved(a) ? (x < y) - (x > y) : 0;
    return order ? order : faster ? faster : (a > b) - (a < b);
}

static bool is_fine(const struct gate_row *row) {
    return row->status >= GATE_SAME;
}

/* Puts the rows that need a look before those that are fine; returns how many there are. */
static size_t sort_rows(const struct gate *gate, const struct gate_row **rows) {
    size_t open = 0, fine = 0;
    for (size_t i = 0; i < gate->count; i++)
        open += !is_fine(&gate->rows[i]);
    for (size_t i = 0, at = 0; i < gate->count; i++)
        rows[is_fine(&gate->rows[i]) ? open + fine++ : at++] = &gate->rows[i];
    qsort(rows, open, sizeof *rows, compare_severity);
    qsort(rows + open, fine, sizeof *rows, compare_improvement);
    return open;
}

static void put_sections(struct document *page, const struct gate *gate,
                         const struct gate_row *const *rows, size_t open, struct most most) {
    const size_t fine = gate->count - open,
                 faster = gate->statuses[GATE_FASTER] + gate->statuses[GATE_MAYBE_FASTER];
    const size_t improved = faster < IMPROVEMENTS_SHOWN ? faster : IMPROVEMENTS_SHOWN;
    if (gate->count > 0) {
        document_only(page, DOCUMENT_TERMINAL);
        document_paragraph(page, "A ratio is the time of what a kernel is held against / its own: "
                                 "above 1 is faster.");
    }
    document_only(page, DOCUMENT_PAGES);
    if (open > 0)
        document_section(page, 3, "open", "What needs a look");
    put_rows(page, "open", false, rows, open, most.rows);
    document_only(page, WIDE);
    if (improved > 0)
        document_section(page, 3, "improved",
                         gate->statuses[GATE_MAYBE_FASTER]
                             ? "Improvements, not confirmed but where it says so"
                             : "Largest improvements");
    put_rows(page, "improved", false, rows + open, improved, most.rows);
    put_rows(page, "rows", true, rows, gate->count, most.fine);
    document_fold(page, true, "Statistics of all %zu rows, %zu of them faster or the same",
                  gate->count, fine);
    unrecorded_explain(page);
}

static void put_how_to_read(struct document *page, const struct gate *gate) {
    if (gate->count == 0)
        return;
    document_section(page, 3, "how-to-read", "How to read this");
    document_item(
        page,
        "*Ratio* is the time of what a kernel is held against over its own: 0.95 is 0.95 "
        "times the speed, and 5.3 %% more time. Beside it stands its 95 %% interval over visits; "
        "each visit is another process.");
    document_item(page,
                  "*Slower* is confirmed. The *screening* visits each shape. Rows that it does "
                  "not clear are visited anew: that is the *confirmation*, and it alone "
                  "decides. The chance of one false alarm in the whole gate is at most the "
                  "policy's.");
    document_item(page, "*Maybe-faster* is not confirmed: one 95 %% interval of the screening "
                        "lies above 1. Of 40 "
                        "equal kernels one looks so by chance.");
    document_item(page, "*Undecided* is neither shown to be slower nor shown not to be. The "
                        "policy says how many rows may be so.");
    document_item(page,
                  "*By device* and *by call* are the same ratio by these two lenses, where both "
                  "were timed: what the kernel costs the GPU, and what a caller that waits sees.");
    if (gate->launch_us > 0)
        document_item(page,
                      "By `call` the ratios of small products are stated at a launch of %.4g µs, "
                      "whatever a launch takes in a process.",
                      gate->launch_us);
    document_paragraph(page,
                       "Every row is in `%s/gate/`: gate.csv, gate.json, junit.xml. The raw "
                       "samples lie beside it. To judge them again: `%s`.",
                       gate->run, gate->again);
}

static void put_totals(struct document *page, const struct gate *gate, struct most most) {
    size_t again = 0;
    for (size_t i = 0; i < gate->count; i++)
        again += gate->rows[i].confirmed;
    document_only(page, DOCUMENT_PAGES);
    if (gate->total_count > 0)
        document_section(page, 3, "totals", "The whole set");
    comparison_put_totals(page, gate->totals, gate->total_count);
    document_most(page, DOCUMENT_MARKDOWN, most.rows ? 1 + most.rows / NOTES_SHARE : 0);
    document_where(page, "all are in `gate.json`");
    if (gate->total_count > 0 && again > 0)
        document_paragraph(
            page,
            "Means and times of the set are of the screening, which measures all rows. %zu row%s "
            "above rest%s on the confirmation alone, and may differ.",
            again, again == 1 ? "" : "s", again == 1 ? "s" : "");
}

/* What a terminal shows last. */
static void put_end(struct document *page, const struct gate *gate) {
    put_verdict(page, gate);
    document_paragraph(page, "%s/gate/gate.html", gate->run);
}

static enum verdict verdict_drawn(enum gate_status status) {
    switch (status) {
    case GATE_SLOWER:
    case GATE_BEHIND:
    case GATE_KNOWN:
        return VERDICT_SLOWER;
    case GATE_SAME:
        return VERDICT_SAME;
    case GATE_MAYBE_FASTER:
    case GATE_FASTER:
        return VERDICT_FASTER;
    default:
        return VERDICT_UNDECIDED;
    }
}

/* A library must be beaten, with no margin. */
static bool is_of_library(const struct gate_row *row) {
    return *row->reference && row->margin == 0;
}

/* FOLDER/ratios.svg; what needs a look stands first. As ratio_figure. */
static int draw(const char *folder, const struct gate *gate) {
    const struct gate_row **rows = need(gate->count, sizeof *rows);
    struct ratio_point *points = need(gate->count, sizeof *points);
    sort_rows(gate, rows);
    for (size_t i = 0; i < gate->count; i++) {
        char name[OUTPUT_NAME];
        points[i] = (struct ratio_point){.ratio = rows[i]->ratio,
                                         .low = rows[i]->ci_low,
                                         .high = rows[i]->ci_high,
                                         .margin = rows[i]->margin,
                                         .size = log2(shape_flops(rows[i]->shape) / 2),
                                         .verdict = verdict_drawn(rows[i]->status)};
        output_name(rows[i], name);
        snprintf(points[i].label, sizeof points[i].label, "%.60s%s%s", name,
                 rows[i]->unrecorded ? " unrecorded" : "",
                 is_of_library(rows[i]) ? " / library" : "");
        snprintf(points[i].lens, sizeof points[i].lens, "%.30s.%.30s", rows[i]->mode,
                 rows[i]->lens);
    }
    const int status =
        ratio_figure(folder, FIGURE, "Every row with its 95 % interval", points, gate->count);
    free(points);
    free(rows);
    return status;
}

/* most: rows that need a look, with a share of that of warnings and totals, and rows that are the same
 * or faster. Its table "gate" is gate.csv: every row in the gate's order. */
static struct document *make_page(const struct gate *gate, struct most most, const char *title,
                                  bool drawn) {
    const struct gate_row **rows = need(gate->count, sizeof *rows);
    struct document *page = document_new(title);
    char alt[160];
    document_only(page, DOCUMENT_DATA);
    bool of_library = false;
    for (size_t i = 0; i < gate->count; i++) {
        rows[i] = &gate->rows[i];
        of_library |= is_of_library(rows[i]);
    }
    put_rows(page, "gate", true, rows, gate->count, 0);
    document_only(page, WIDE);
    put_head(page, gate);
    put_warnings(page, gate, most.rows ? 1 + most.rows / NOTES_SHARE : 0);
    const size_t open = sort_rows(gate, rows);
    snprintf(alt, sizeof alt,
             "The ratio of every row with its 95 %% interval; 1 is as fast; %zu of %zu rows need "
             "a look",
             open, gate->count);
    put_sections(page, gate, rows, open, most);
    put_totals(page, gate, most);
    document_only(page, WIDE);
    if (drawn)
        document_figure(page, FIGURE, alt,
                        of_library ? "Every row with its 95 % interval and its margin. / library: "
                                     "against a library that it must beat"
                                   : "Every row with its 95 % interval and its margin",
                        true);
    put_facts(page, gate);
    put_how_to_read(page, gate);
    document_only(page, DOCUMENT_TERMINAL);
    put_end(page, gate);
    free(rows);
    return page;
}

int output_csv(FILE *out, const struct gate *gate) {
    struct document *page = make_page(gate, (struct most){0}, "", false);
    const int status = write_csv(out, page, "gate");
    document_free(page);
    return status;
}

int output_text(FILE *out, const struct gate *gate) {
    struct document *page = make_page(gate, (struct most){0}, "", false);
    const int status = write_text(out, page);
    document_free(page);
    return status;
}

/* A gate without a picture is one all the same: gnuplot may be missing. */
int output_html(FILE *out, const struct gate *gate) {
    char folder[PATH_MAX], title[RUNDIR_NAME + 32];
    if (files_join(folder, gate->run, "gate") < 0)
        return -1;
    const bool drawn = draw(folder, gate) > 0;
    snprintf(title, sizeof title, "gemmgate gate: %s", gate->set);
    struct document *page = make_page(gate, (struct most){0}, title, drawn);
    const int status = write_html(out, page, folder);
    document_free(page);
    return status;
}

/* Writes the summary (out NULL: not) if it has at most OUTPUT_MARKDOWN bytes: whether it has. */
static bool try_markdown(FILE *out, const struct gate *gate, struct most most) {
    char *bytes;
    size_t size;
    struct document *page = make_page(gate, most, "", false);
    FILE *stream = need_stream(&bytes, &size);
    write_markdown(stream, page);
    fclose(stream);
    document_free(page);
    const bool fits = size <= OUTPUT_MARKDOWN;
    if (fits && out)
        fwrite(bytes, 1, size, out);
    free(bytes);
    return fits;
}

/* The largest *number, at most what it is, with which the summary is short enough; 1 where none is
 * known to be. */
static void find_most(const struct gate *gate, const struct most *most, size_t *number) {
    size_t enough = 1, much = *number + 1;
    while (much - enough > 1) {
        *number = enough + (much - enough) / 2;
        *(try_markdown(NULL, gate, *most) ? &enough : &much) = *number;
    }
    *number = enough;
}

/* What is fine gives way before anything else does. */
int output_markdown(FILE *out, const struct gate *gate) {
    struct most most = {0};
    if (try_markdown(out, gate, most))
        return 0;
    most.fine = 1;
    size_t *number = try_markdown(NULL, gate, most) ? &most.fine : &most.rows;
    *number = gate->count;
    find_most(gate, &most, number);
    try_markdown(out, gate, most);
    return 0;
}
