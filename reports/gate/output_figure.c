/* The figure of a gate or a comparison: a list of ratios with their intervals. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "reports/gate/output.h"
#include "reports/page/plot.h"
#include "timing/verdict.h"

#define FIGURE "ratios"

/* More rows than these are no list that anybody reads: those that need a look are the first. */
enum { LISTED = 20 };

/* Letters of a label, of its beginning and its end where it is longer. */
enum { LONGEST = 40, BEGINNING = 24, END = 15, LABEL = 192 };

/* What shows nothing is drawn as undecided. */
static const enum verdict drawn_as[GATE_STATUS_COUNT] = {
    [GATE_WRONG] = VERDICT_UNDECIDED,     [GATE_UNRECORDED] = VERDICT_UNDECIDED,
    [GATE_SLOWER] = VERDICT_SLOWER,       [GATE_BEHIND] = VERDICT_SLOWER,
    [GATE_MISSING] = VERDICT_UNDECIDED,   [GATE_ENVIRONMENT] = VERDICT_UNDECIDED,
    [GATE_UNDECIDED] = VERDICT_UNDECIDED, [GATE_KNOWN] = VERDICT_SLOWER,
    [GATE_ADDED] = VERDICT_UNDECIDED,     [GATE_SAME] = VERDICT_SAME,
    [GATE_MAYBE_FASTER] = VERDICT_FASTER, [GATE_FASTER] = VERDICT_FASTER};

/* A library must be beaten, with no margin. */
static bool is_of_library(const struct gate_row *row) {
    return *row->reference && row->margin == 0;
}

/* The rows that are drawn. Returns how many there are. */
static size_t list_drawn(const struct gate *gate, const struct gate_row *rows[LISTED]) {
    size_t count = 0;
    for (size_t i = 0; i < gate->count && count < LISTED; i++)
        if (gate->rows[i].ratio > 0)
            rows[count++] = &gate->rows[i];
    return count;
}

static bool one_lens(const struct gate_row *const *rows, size_t count) {
    for (size_t i = 1; i < count; i++)
        if (strcmp(rows[i]->mode, rows[0]->mode) != 0 || strcmp(rows[i]->lens, rows[0]->lens) != 0)
            return false;
    return true;
}

/* "SHAPE.KERNEL MARK MODE.LENS", the last where there are several; of a long one the middle is left out. */
static const char *label_of(const struct gate_row *row, bool lens, char text[LABEL]) {
    char whole[LABEL], name[GATE_ROW_NAME], joined[GATE_JOINED];
    snprintf(whole, sizeof whole, "%.60s%s%s%s%.60s", gate_row_name(row, name),
             row->unrecorded ? " unrecorded" : "", is_of_library(row) ? " / library" : "",
             lens ? " " : "", lens ? gate_join(row->mode, row->lens, joined) : "");
    const size_t length = strlen(whole);
    size_t begins = BEGINNING, ends = length > END ? length - END : 0;
    while (begins > 0 && (whole[begins] & 0xc0) == 0x80) /* inside of a character */
        begins--;
    while ((whole[ends] & 0xc0) == 0x80)
        ends++;
    if (length > LONGEST)
        snprintf(text, LABEL, "%.*s…%s", (int)begins, whole, whole + ends);
    else
        strcpy(text, whole);
    return text;
}

static double end_of(double end, double ratio) {
    return isfinite(end) ? end : ratio;
}

/* The rows, and what is among them. */
static void put_rows(struct plot *plot, const struct gate_row *const *rows, size_t count) {
    char label[LABEL], verdicts[32] = "";
    bool of[VERDICT_UNDECIDED + 1] = {false};
    const bool lenses = !one_lens(rows, count);
    double margin = 0;
    for (size_t i = 0; i < count; i++) {
        const struct gate_row *row = rows[i];
        const enum verdict verdict = drawn_as[row->status];
        const double numbers[] = {row->ratio,
                                  end_of(row->ci_low, row->ratio),
                                  end_of(row->ci_high, row->ratio),
                                  (double)i,
                                  verdict,
                                  isnan(row->margin) ? 0 : row->margin};
        margin = fmax(margin, row->margin);
        of[verdict] = true;
        plot_row(plot, numbers, sizeof numbers / sizeof *numbers, label_of(row, lenses, label));
    }
    for (int verdict = 0; verdict <= VERDICT_UNDECIDED; verdict++)
        if (of[verdict])
            snprintf(verdicts + strlen(verdicts), 8, "%d ", verdict);
    plot_text(plot, "verdicts", verdicts);
    plot_number(plot, "margin", margin);
    plot_number(plot, "rows", (double)count);
}

bool output_draw(const char *folder, const struct gate *gate) {
    const struct gate_row *rows[LISTED];
    char title[256], joined[GATE_JOINED];
    struct plot plot;
    const size_t count = list_drawn(gate, rows);
    if (count == 0 || plot_open(&plot, folder, FIGURE, "list") < 0)
        return false;
    put_rows(&plot, rows, count);
    snprintf(title, sizeof title, "Ratios with their 95 %% intervals%s%s",
             one_lens(rows, count) ? ", " : "",
             one_lens(rows, count) ? gate_join(rows[0]->mode, rows[0]->lens, joined) : "");
    plot_text(&plot, "title", title);
    return plot_close(&plot) == 0 && plot_draw(folder, FIGURE) > 0;
}

void output_put_figure(struct document *page, const struct gate *gate, size_t open) {
    const struct gate_row *rows[LISTED];
    const size_t count = list_drawn(gate, rows);
    bool of_library = false;
    char alt[160], caption[192];
    for (size_t i = 0; i < count; i++)
        of_library |= is_of_library(rows[i]);
    snprintf(alt, sizeof alt,
             "Ratios with their 95 %% intervals; 1 is as fast; %zu of %zu rows need a look", open,
             gate->count);
    snprintf(caption, sizeof caption, "%s with its 95 %% interval and its margin%s",
             count < LISTED ? "Every row" : "Each of the 20 rows that come first",
             of_library ? ". / library: against a library that it must beat" : "");
    document_figure(page, FIGURE, alt, caption, true);
}
