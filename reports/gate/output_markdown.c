#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "reports/gate/output.h"
#include "reports/gate/output_parts.h"
#include "reports/page/markdown.h"

enum { IMPROVEMENTS_SHOWN = 10 };

/* Room kept for what stands around the rows of a section: heading, table head, how many are left
 * out. */
enum { SECTION = 512, SECTIONS = 5 };

/* What is written, and how many bytes of rows may still be. */
struct page {
    FILE *out;
    const struct gate *gate;
    size_t left;
    bool failed; /* no memory */
};

typedef void writer(FILE *out, const struct gate *gate, const void *what);

/* Writes the block if it fits, as a whole. */
static bool put_block(struct page *page, writer *write, const void *what) {
    char *bytes = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&bytes, &size);
    if (stream)
        write(stream, page->gate, what);
    page->failed |= !stream || fclose(stream) == EOF;
    const bool fits = !page->failed && size <= page->left;
    if (fits) {
        fwrite(bytes, 1, size, page->out);
        page->left -= size;
    }
    free(bytes);
    return fits;
}

static void put_text(FILE *out, const char *text) {
    char clean[OUTPUT_CLEAN];
    markdown_text(out, output_clean(text, clean));
}

/* As code, in which GitHub and GitLab look for no mentions and references. */
static void put_code(FILE *out, const char *text) {
    if (!*text)
        return;
    fputs("<code>", out);
    put_text(out, text);
    fputs("</code>", out);
}

static void put_fact(FILE *out, const char *name, const char *value) {
    if (!*value)
        return;
    fprintf(out, "%s ", name);
    put_code(out, value);
    fputs("  \n", out);
}

static void put_counts(FILE *out, const struct gate *gate) {
    fputc('|', out);
    for (int i = 0; i < GATE_STATUS_COUNT; i++)
        fprintf(out, " %s |", gate_status_word((enum gate_status)i));
    fputs("\n|", out);
    for (int i = 0; i < GATE_STATUS_COUNT; i++)
        fputs(" ---: |", out);
    fputs("\n|", out);
    for (int i = 0; i < GATE_STATUS_COUNT; i++)
        fprintf(out, gate->statuses[i] ? " **%zu** |" : " %zu |", gate->statuses[i]);
    fprintf(out, "\n\n%zu kernels by shape, %zu rows measured again as suspects, ", gate->units,
            gate->suspects);
    if (isfinite(gate->coverage))
        fprintf(out, "%.4g %% of the shapes have an honest kernel.\n\n", 100 * gate->coverage);
    else
        fputs("coverage not known.\n\n", out);
}

static void put_head(FILE *out, const struct gate *gate, const void *what) {
    (void)what;
    fprintf(out, "<!-- gemmgate -->\n## gemmgate: %s\n\n**Exit status %d**%s: ",
            gate_verdict_word(gate->verdict), gate_verdict_exit(gate->verdict),
            gate->release ? ", as for a release" : "");
    put_text(out, gate->reason);
    fputs("\n\n", out);
    if (gate->count > 0)
        put_counts(out, gate);
    put_fact(out, "Set", gate->set);
    put_fact(out, "Compared with", gate->previous);
    put_fact(out, "By gemmgate", gate->commit);
    put_fact(out, "Device", gate->device);
    put_fact(out, "Measured", gate->start);
}

static void put_tail(FILE *out, const struct gate *gate, const void *what) {
    (void)what;
    fputs("\n**How to read this.** *Ratio* is the time of what a kernel is held against over its "
          "own: 0.95 is 5 % slower, 1.05 is 5 % faster; beside it its 95 % interval over rounds, "
          "each a fresh process.  \n"
          "*Slower* is confirmed in a second stage of fresh processes, with at most the policy's "
          "chance of one false alarm in the whole gate; *undecided* is neither shown to be slower "
          "nor shown not to be, never a pass.  \n"
          "*Detectable* is the smallest slowdown that would have been confirmed 4 times in 5.\n\n"
          "Every row is in <code>",
          out);
    put_text(out, gate->run);
    fputs("/gate/</code>: gate.csv, gate.json, junit.xml; the raw samples lie beside it. "
          "To judge them again: <code>gemmgate gate ",
          out);
    put_text(out, gate->run);
    fputs("</code>, with the same --policy and --against.\n", out);
}

static void put_warning(FILE *out, const struct gate *gate, const void *what) {
    (void)gate;
    fputs("- **warning:** ", out);
    put_text(out, what);
    fputc('\n', out);
}

static void put_cell(FILE *out, const char *text) {
    fputc(' ', out);
    if (*text)
        put_code(out, text);
    else
        fputs(MARKDOWN_NOTHING, out);
    fputs(" |", out);
}

static void put_interval(FILE *out, double low, double high) {
    if (isfinite(low) && isfinite(high))
        fprintf(out, " %.3f to %.3f |", low, high);
    else
        fputs(" " MARKDOWN_NOTHING " |", out);
}

static void put_total(FILE *out, const struct gate *gate, const void *what) {
    const struct comparison_total *total = what;
    (void)gate;
    fputc('|', out);
    put_cell(out, total->mode);
    put_cell(out, total->lens);
    if (*total->size_class)
        put_cell(out, total->size_class);
    else
        fputs(" **all** |", out);
    fprintf(out, " %zu |", total->shapes);
    markdown_cell(out, "%.4f", total->geomean);
    put_interval(out, total->low, total->high);
    fprintf(out, " %zu | %zu | %zu | %zu |", total->faster, total->same, total->slower,
            total->undecided);
    markdown_cell(out, "%.4g", 1e6 * total->old_seconds);
    markdown_cell(out, "%.4g", 1e6 * total->new_seconds);
    fputc('\n', out);
}

static void put_row(FILE *out, const struct gate *gate, const void *what) {
    const struct gate_row *row = *(const struct gate_row *const *)what;
    const char *words[] = {row->mode, row->lens};
    char shape[SHAPE_TEXT], joined[OUTPUT_JOINED];
    (void)gate;
    fprintf(out, "| %s | %s |", gate_status_word(row->status), shape_format(row->shape, shape));
    put_cell(out, row->candidate);
    put_cell(out, output_join(words, 2, joined));
    put_cell(out, row->reference);
    markdown_cell(out, "%.3f", row->ratio);
    put_interval(out, row->ci_low, row->ci_high);
    markdown_cell(out, "%.3g", 100 * row->margin);
    markdown_cell(out, "%.2g", row->p);
    markdown_cell(out, "%.0f", row->rounds);
    markdown_cell(out, "%.2g", 100 * row->detectable);
    fputc(' ', out);
    put_code(out, row->text);
    fputs(" |\n", out);
}

static void put_left_out(struct page *page, size_t count, const char *what, const char *where) {
    if (count > 0)
        fprintf(page->out, "\n%zu more %s%s %s in %s.\n", count, what, count > 1 ? "s" : "",
                count > 1 ? "are" : "is", where);
}

/* Holds back all but a share of the room, so that what comes first leaves some for the rows; the
 * caller adds what is returned again. */
static size_t hold_back(struct page *page, size_t share) {
    const size_t held = page->left - page->left / share;
    page->left -= held;
    return held;
}

static void put_totals(struct page *page) {
    const struct gate *gate = page->gate;
    size_t shown = 0;
    if (gate->total_count == 0)
        return;
    const size_t held = hold_back(page, 3);
    fputs("\n### The whole set\n\n| mode | lens | class | shapes | ratio | 95 % interval | faster "
          "| same | slower | undecided | before, µs | now, µs |\n"
          "| --- | --- | --- | ---: | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: |\n",
          page->out);
    while (shown < gate->total_count && put_block(page, put_total, &gate->totals[shown]))
        shown++;
    page->left += held;
    put_left_out(page, gate->total_count - shown, "line", "gate.json");
}

static void put_rows(struct page *page, const struct gate_row *const *rows, size_t count) {
    size_t shown = 0;
    if (count == 0)
        return;
    fputs(
        "\n| status | shape | kernel | mode.lens | against | ratio | 95 % interval | margin % | p "
        "| rounds | detectable % | why |\n"
        "| --- | --- | --- | --- | --- | ---: | --- | ---: | ---: | ---: | ---: | --- |\n",
        page->out);
    while (shown < count && put_block(page, put_row, &rows[shown]))
        shown++;
    put_left_out(page, count - shown, "row", "gate.csv");
}

static void put_warnings(struct page *page) {
    const struct gate *gate = page->gate;
    const size_t held = hold_back(page, 8);
    size_t shown = 0;
    fputs(gate->warning_count ? "\n" : "", page->out);
    while (shown < gate->warning_count && put_block(page, put_warning, gate->warnings[shown]))
        shown++;
    page->left += held;
    put_left_out(page, gate->warning_count - shown, "warning", "gate.json");
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

/* The largest improvements first, then what is the same as the gate has it. */
static int compare_improvement(const void *left, const void *right) {
    const struct gate_row *a = *(const struct gate_row *const *)left;
    const struct gate_row *b = *(const struct gate_row *const *)right;
    const int order = (b->status == GATE_FASTER) - (a->status == GATE_FASTER);
    const double x = known_or(a->ratio, 0), y = known_or(b->ratio, 0);
    const int faster = a->status == GATE_FASTER ? (x < y) - (x > y) : 0;
    return order ? order : faster ? faster : (a > b) - (a < b);
}

static bool is_fine(const struct gate_row *row) {
    return row->status == GATE_SAME || row->status == GATE_FASTER;
}

static void put_sections(struct page *page, const struct gate_row **rows) {
    const struct gate *gate = page->gate;
    size_t open = 0, fine = 0, faster = 0;
    for (size_t i = 0; i < gate->count; i++)
        if (!is_fine(&gate->rows[i]))
            rows[open++] = &gate->rows[i];
    for (size_t i = 0; i < gate->count; i++)
        if (is_fine(&gate->rows[i])) {
            faster += gate->rows[i].status == GATE_FASTER;
            rows[open + fine++] = &gate->rows[i];
        }
    qsort(rows, open, sizeof *rows, compare_severity);
    qsort(rows + open, fine, sizeof *rows, compare_improvement);
    if (faster > IMPROVEMENTS_SHOWN)
        faster = IMPROVEMENTS_SHOWN;
    put_warnings(page);
    put_totals(page);
    if (open > 0)
        fputs("\n### What needs a look\n", page->out);
    put_rows(page, rows, open);
    if (faster > 0)
        fputs("\n### Largest improvements\n", page->out);
    put_rows(page, rows + open, faster);
    if (fine > faster) {
        fprintf(page->out, "\n<details><summary>%zu%s faster or the same</summary>\n",
                fine - faster, faster ? " more" : "");
        put_rows(page, rows + open + faster, fine - faster);
        fputs("\n</details>\n", page->out);
    }
}

int output_markdown(FILE *out, const struct gate *gate) {
    const struct gate_row **rows = malloc(gate->count * sizeof *rows + 1);
    char *bytes = NULL;
    size_t size = 0;
    struct page page = {.out = out, .gate = gate, .left = OUTPUT_MARKDOWN - SECTIONS * SECTION};
    FILE *tail = open_memstream(&bytes, &size);
    if (tail)
        put_tail(tail, gate, NULL);
    page.failed = !rows || !tail;
    if ((tail && fclose(tail) == EOF) || page.failed) {
        free(rows);
        free(bytes);
        return error("no memory for the summary of %zu rows", gate->count);
    }
    page.left -= size;
    put_block(&page, put_head, NULL);
    put_sections(&page, rows);
    fwrite(bytes, 1, size, out);
    free(rows);
    free(bytes);
    return page.failed ? error("no memory for the summary of %zu rows", gate->count) : 0;
}
