#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/csv.h"
#include "reports/compare/comparison.h"
#include "reports/page/markdown.h"

/* Lines of the table of shapes on the page; the slowest are the first. */
enum { SHAPES_SHOWN = 200, TIME_TEXT = 24 };

void comparison_write_csv(FILE *out, const struct comparison *comparison) {
    fputs("m,n,k,candidate,reference,mode,lens,cache,size_class,verdict,ratio,ci_low,ci_high,sd,"
          "margin,old_seconds,new_seconds,rounds,old_rounds\n",
          out);
    for (size_t i = 0; i < comparison->count; i++) {
        const struct comparison_row *row = &comparison->rows[i];
        const struct round_speed *speed = &row->speed;
        const char *texts[] = {speed->candidate,
                               speed->reference,
                               speed->mode,
                               speed->lens,
                               speed->cache,
                               row->size_class,
                               comparison_word(row->verdict)};
        const double old_rounds = comparison->paired ? NAN : (double)row->old_rounds;
        const double numbers[] = {row->ratio,       row->ci_low,           row->ci_high,
                                  row->sd,          row->margin,           row->old_seconds,
                                  row->new_seconds, (double)speed->rounds, old_rounds};
        csv_put_shape(out, speed->shape);
        csv_put_texts(out, texts, sizeof texts / sizeof *texts);
        csv_put_numbers(out, numbers, sizeof numbers / sizeof *numbers);
        fputc('\n', out);
    }
}

/* Four digits and a unit, or an en dash where there is no time. Returns text. */
static const char *time_text(double seconds, char text[TIME_TEXT]) {
    const double one = 0.99995; /* what four digits show as 1 */
    if (!(seconds > 0))
        return strcpy(text, MARKDOWN_NOTHING);
    if (seconds >= 1e3 * one)
        snprintf(text, TIME_TEXT, "%.0f s", seconds);
    else if (seconds >= one)
        snprintf(text, TIME_TEXT, "%#.4g s", seconds);
    else if (seconds >= 1e-3 * one)
        snprintf(text, TIME_TEXT, "%#.4g ms", 1e3 * seconds);
    else
        snprintf(text, TIME_TEXT, "%#.4g µs", 1e6 * seconds);
    return text;
}

static void put_interval(FILE *out, double low, double high) {
    if (isnan(low) || isnan(high))
        fputs(" " MARKDOWN_NOTHING " |", out);
    else
        fprintf(out, " %.3f to %.3f |", low, high);
}

/* A cell; what leads to it is the caller's. */
static void put_word(FILE *out, const char *text) {
    fputc(' ', out);
    markdown_text(out, text);
    fputs(" |", out);
}

static void put_total(FILE *out, const struct comparison_total *total, bool size_class) {
    char old[TIME_TEXT], new_[TIME_TEXT], change[16];
    fputc('|', out);
    put_word(out, total->mode);
    put_word(out, total->lens);
    if (size_class)
        put_word(out, total->size_class);
    fprintf(out, " %zu |", total->shapes);
    markdown_cell(out, "%.3f", total->geomean);
    put_interval(out, total->low, total->high);
    fprintf(out, " %zu | %zu | %zu | %zu | %s | %s | %s |\n", total->faster, total->same,
            total->slower, total->undecided, time_text(total->old_seconds, old),
            time_text(total->new_seconds, new_),
            markdown_percent(total->new_seconds / total->old_seconds - 1, change));
}

#define TOTAL_COLUMNS                                                                              \
    "shapes | ratio | 95 % interval | faster | same | slower | undecided | traffic, old | "        \
    "traffic, new | change % |\n"
#define TOTAL_RULES "---: | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n"

/* The whole of each mode and lens, or their size classes. */
static void put_totals(FILE *out, const struct comparison_total *totals, size_t total_count,
                       bool size_class) {
    fputs(size_class ? "\n## Size classes\n\n| mode | lens | size class | " TOTAL_COLUMNS
                       "| --- | --- | --- | " TOTAL_RULES
                     : "\n## The whole set\n\n| mode | lens | " TOTAL_COLUMNS
                       "| --- | --- | " TOTAL_RULES,
          out);
    for (size_t i = 0; i < total_count; i++)
        if ((*totals[i].size_class != 0) == size_class)
            put_total(out, &totals[i], size_class);
}

/* By ratio: the slowest first. */
static int compare_ratios(const void *left, const void *right) {
    const struct comparison_row *a = *(const struct comparison_row *const *)left;
    const struct comparison_row *b = *(const struct comparison_row *const *)right;
    const int order = (a->ratio > b->ratio) - (a->ratio < b->ratio);
    return order ? order : (a > b) - (a < b);
}

static void put_row(FILE *out, const struct comparison_row *row, bool paired) {
    const struct round_speed *speed = &row->speed;
    char shape[SHAPE_TEXT], old[TIME_TEXT], new_[TIME_TEXT];
    fprintf(out, "| %s |", shape_format(speed->shape, shape));
    put_word(out, speed->candidate);
    put_word(out, speed->mode);
    put_word(out, speed->lens);
    put_word(out, row->size_class);
    markdown_cell(out, "%.3f", row->ratio);
    put_interval(out, row->ci_low, row->ci_high);
    fprintf(out, " %s | %g | %s | %s |", comparison_word(row->verdict), 100 * row->margin,
            time_text(row->old_seconds, old), time_text(row->new_seconds, new_));
    if (!paired)
        fprintf(out, " %zu and", row->old_rounds);
    fprintf(out, " %zu |\n", speed->rounds);
}

static void put_rows(FILE *out, const struct comparison *comparison) {
    const struct comparison_row **rows = malloc((comparison->count + 1) * sizeof *rows);
    fputs("\n## Shapes, the slowest first\n\n", out);
    if (!rows) {
        fputs("Memory was too short to sort them; all are in [compare.csv](compare.csv).\n", out);
        return;
    }
    for (size_t i = 0; i < comparison->count; i++)
        rows[i] = &comparison->rows[i];
    qsort(rows, comparison->count, sizeof *rows, compare_ratios);
    fputs("| shape | kernel | mode | lens | size class | ratio | 95 % interval | verdict | "
          "margin % | old | new | rounds |\n"
          "| --- | --- | --- | --- | --- | ---: | --- | --- | ---: | ---: | ---: | ---: |\n",
          out);
    for (size_t i = 0; i < comparison->count && i < SHAPES_SHOWN; i++)
        put_row(out, rows[i], comparison->paired);
    if (comparison->count > SHAPES_SHOWN)
        fprintf(out, "\n… and %zu more.\n", comparison->count - SHAPES_SHOWN);
    fputs("\nEvery row is in [compare.csv](compare.csv).\n", out);
    free(rows);
}

static void put_how_compared(FILE *out, const struct comparison *comparison) {
    if (comparison->paired) {
        fputs("Old and new were arms of the same blocks of one run: what disturbed the machine "
              "met both.\n",
              out);
        return;
    }
    fputs("Old and new were timed in **two runs** and are compared through the baseline ", out);
    markdown_text(out, comparison->rows[0].speed.reference);
    fputs(", which both runs have timed: the ratio is (baseline / new, in the new run) / "
          "(baseline / old, in the old run). What changed between the runs cancels as far as it "
          "moved the baseline and the kernels alike; two releases as arms of one run "
          "(`gemmgate run --against`) are compared more surely. Times stand as each run had them, "
          "so that their quotient is not the ratio.\n",
          out);
}

static void put_how_to_read(FILE *out, bool paired) {
    fprintf(
        out,
        "\n## How to read this\n\n"
        "- The *ratio* of a shape is the geometric mean over rounds, fresh processes each, of the "
        "time of the old release / the time of the new one. That of a set is the geometric mean "
        "over its shapes, where a shape counts once for every kernel. 1.05: the old one takes 5 %% "
        "longer.\n"
        "- The *95 %% interval* is %s. One round has none.\n"
        "- *Same*: the whole interval lies within the margin of the shape's size class, from "
        "1 / (1 + margin) to 1 + margin. *Faster* and *slower*: it lies above or below 1 and not "
        "within the margin. *Undecided*: none of these was shown; that is not the same as same.\n"
        "- *Traffic* is the sum over shapes of weight × median time; a shape's weight is how often "
        "it is called (`--weights`), or 1. *Change* is that of the sum: above 0 the new one takes "
        "longer.\n",
        paired ? "Student's t over the rounds" : "Welch's t over the rounds of both runs");
}

void comparison_write_markdown(FILE *out, const struct comparison *comparison,
                               const struct comparison_total *totals, size_t total_count) {
    fputs("# Comparison of two releases\n\n", out);
    if (comparison->count == 0) {
        fputs("No shape was timed for both the old and the new release: nothing is compared.\n",
              out);
        return;
    }
    fputs("The ratio is the time of the old release / the time of the new one: **above 1 the new "
          "one is faster**. ",
          out);
    put_how_compared(out, comparison);
    put_totals(out, totals, total_count, false);
    put_totals(out, totals, total_count, true);
    put_rows(out, comparison);
    put_how_to_read(out, comparison->paired);
}

void comparison_print(FILE *out, const struct comparison_total *totals, size_t total_count) {
    if (total_count == 0) {
        fputs("no shape was timed for both the old and the new release: nothing is compared\n",
              out);
        return;
    }
    fprintf(out,
            "time of old / time of new; above 1 the new release is faster\n\n"
            "%-8s %-8s %6s %7s  %-16s %7s %6s %7s %10s  %s\n",
            "mode", "lens", "shapes", "ratio", "95 % interval", "faster", "same", "slower",
            "undecided", "traffic");
    for (size_t i = 0; i < total_count; i++) {
        const struct comparison_total *total = &totals[i];
        char interval[32] = "-", old[TIME_TEXT], new_[TIME_TEXT];
        if (*total->size_class)
            continue;
        if (!isnan(total->low))
            snprintf(interval, sizeof interval, "%.3f to %.3f", total->low, total->high);
        fprintf(out, "%-8s %-8s %6zu %7.3f  %-16s %7zu %6zu %7zu %10zu  %s -> %s\n", total->mode,
                total->lens, total->shapes, total->geomean, interval, total->faster, total->same,
                total->slower, total->undecided, time_text(total->old_seconds, old),
                time_text(total->new_seconds, new_));
    }
}
