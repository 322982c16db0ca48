#include "reports/page/markdown.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/outcome.h"
#include "reports/compare/round_speeds.h"
#include "reports/tables/claims_show.h"
#include "reports/tables/findings.h"
#include "reports/tables/trust.h"
#include "timing/stats.h"

/* Lines of the longer tables shown on the page. */
enum { REFUSED_SHOWN = 50, DISAGREEMENTS_SHOWN = 50 };

const char *markdown_percent(double speedup, char text[16]) {
    if (isnan(speedup))
        return strcpy(text, MARKDOWN_NOTHING);
    snprintf(text, 16, "%+.1f", 100 * speedup);
    return text;
}

void markdown_cell(FILE *out, const char *format, double value) {
    fputc(' ', out);
    if (isnan(value))
        fputs(MARKDOWN_NOTHING, out);
    else
        fprintf(out, format, value);
    fputs(" |", out);
}

void markdown_text(FILE *out, const char *text) {
    for (; *text; text++) {
        if (strchr("\\|`*_<>[]#&~$", *text))
            fputc('\\', out);
        fputc((unsigned char)*text < ' ' ? ' ' : *text, out);
    }
}

static void put_fact(FILE *out, const char *name, const char *value) {
    if (!*value)
        return;
    fprintf(out, "| %s | ", name);
    markdown_text(out, value);
    fputs(" |\n", out);
}

static void put_about(FILE *out, const struct report *report) {
    const struct about *about = report->about;
    const char *names[LENS_CONFLICTS_MOST];
    const size_t count = lens_conflicts_list(report->rows, names);
    char shapes[32] = "", lenses[LENS_CONFLICTS_MOST * RUNDIR_NAME] = "", when[96] = "";
    if (about->shapes)
        snprintf(shapes, sizeof shapes, "%zu", about->shapes);
    for (size_t i = 0; i < count; i++)
        strcat(strcat(lenses, i ? ", " : ""), names[i]);
    if (*about->start)
        snprintf(when, sizeof when, "%s%s%s", about->start, *about->end ? " to " : "", about->end);
    fputs("| what was run | |\n| --- | --- |\n", out);
    put_fact(out, "source", about->imported);
    put_fact(out, "device", about->device);
    put_fact(out, "software", about->software);
    put_fact(out, "candidates", about->set);
    put_fact(out, "accumulate", about->accumulate);
    put_fact(out, "suite", about->suite);
    put_fact(out, "shapes", shapes);
    put_fact(out, "modes", about->modes);
    put_fact(out, "lenses", lenses);
    put_fact(out, "floors: empty interval, null kernel", about->floors);
    put_fact(out, "protocol", about->protocol);
    put_fact(out, "when", when);
    put_fact(out, "complete", about->how_complete);
    put_fact(out, "plan", about->hash);
}

/* The number of shapes with each verdict, or dashes where none was given. */
static void put_verdicts(FILE *out, const struct table_line *line) {
    const size_t counts[] = {line->faster, line->slower, line->undecided, line->environment};
    const bool any = line->faster + line->slower + line->undecided + line->environment > 0;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        markdown_cell(out, "%.0f", any ? (double)counts[i] : NAN);
    fputc('\n', out);
}

/* One line for each candidate, lens and mode: against the strongest baseline, and one against an
 * earlier release of it. */
static void put_summary(FILE *out, const struct report *report) {
    const struct table *table = report->table1;
    fputs("\n## Summary\n\n", out);
    trust_verdict(out, report);
    if (table->count == 0) {
        fputs("\nNo candidate was timed, so there are no tables and figures.\n", out);
        return;
    }
    fputs("\n| candidate | lens | mode | against | of shapes | mean % | ratio | faster | slower "
          "| undecided | environment |\n"
          "| --- | --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n",
          out);
    for (size_t i = 0; i < table->count; i++) {
        const struct table_line *line = &table->lines[i];
        const char *strongest = figures_strongest(table, line->candidate, line->lens);
        const char *texts[] = {line->candidate, line->lens, line->mode, line->baseline};
        char mean[16];
        const bool previous = strcmp(line->baseline, ROUND_SPEEDS_PREVIOUS) == 0;
        if (!previous && (!strongest || strcmp(strongest, line->baseline) != 0))
            continue;
        for (size_t j = 0; j < sizeof texts / sizeof *texts; j++) {
            fputs("| ", out);
            markdown_text(out, texts[j]);
            fputc(' ', out);
        }
        fprintf(out, "| %zu | %s |", line->shapes, markdown_percent(line->mean, mean));
        markdown_cell(out, "%.3f", line->geomean);
        put_verdicts(out, line);
    }
    if (report->disagreements->compared > 0)
        fprintf(
            out,
            "\n[Lenses disagree](#where-lenses-disagree), one says faster and one slower, on %zu "
            "of %zu shapes with a candidate and a mode.\n",
            report->disagreements->count, report->disagreements->compared);
}

static void put_how_to_read(FILE *out) {
    fputs(
        "\n## How to read this\n\n"
        "- *Speedup* of a shape is the mean of (time of the baseline / time of the candidate) − 1: "
        "+10 % means the baseline takes 10 % longer. Mean, median and sd are over shapes.\n"
        "- *Wins* are the shapes with a speedup above 0.\n"
        "- *Ratio* is the geometric mean over shapes of a robust estimate of the same quotient "
        "(Hodges–Lehmann); 1.10 means 10 % longer. *Faster*, *slower* and *undecided* count shapes "
        "whose 95 % interval of the ratio lies above 1, below 1, or around it; *environment* those "
        "too often disturbed while timed for a verdict.\n"
        "- In Figure 3 a point is a speedup and a grey cross the ratio with its interval, drawn "
        "where "
        "there are few shapes; they part where times are skewed.\n"
        "- `-max` is the faster of the layouts `-nn` and `-tn` of each shape. A kernel that failed "
        "a check was not timed and is in no mean.\n"
        "- A *lens* is the interval that is read. `call`: idle device, one call, device sync, "
        "launch cost included; the paper's protocol. `device`: the same with the launch hidden "
        "behind a delay, what the kernel costs the GPU. `stream`: one of many calls back to back. "
        "`latency`: from the arrival of a request to its end.\n",
        out);
}

static void put_table(FILE *out, const struct table *table, const char *candidate,
                      const char *lens) {
    fputs("\n| mode | baseline | mean % | median % | sd % | wins | of shapes | ratio | faster "
          "| slower | undecided | environment |\n"
          "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n",
          out);
    for (size_t i = 0; i < table->count; i++) {
        const struct table_line *line = &table->lines[i];
        char mean[16], median[16];
        if (strcmp(line->candidate, candidate) != 0 || strcmp(line->lens, lens) != 0)
            continue;
        fputs("| ", out);
        markdown_text(out, line->mode);
        fputs(" | ", out);
        markdown_text(out, line->baseline);
        fprintf(out, " | %s | %s |", markdown_percent(line->mean, mean),
                markdown_percent(line->median, median));
        markdown_cell(out, "%.1f", 100 * line->sd);
        fprintf(out, " %zu | %zu |", line->wins, line->shapes);
        markdown_cell(out, "%.3f", line->geomean);
        put_verdicts(out, line);
    }
}

static void put_figure(FILE *out, const struct figure *figure) {
    fputs(figure->drawn ? "\n![" : "\n*Not drawn; `gemmgate report` says why: ", out);
    markdown_text(out, figure->title);
    if (figure->drawn)
        fprintf(out, "](%s.png)\n", figure->name);
    else
        fputs("*\n", out);
}

static void put_lens(FILE *out, const struct report *report, const char *candidate,
                     const char *lens) {
    fputs("\n### Lens ", out);
    markdown_text(out, lens);
    fputs("\n\n**Table 1**, candidate against each baseline:\n", out);
    put_table(out, report->table1, candidate, lens);
    fputs("\n**Table 2**, the better of candidate and baseline, as if a user kept the baseline "
          "wherever the candidate is slower, so that a shape's speedup is never below 0:\n",
          out);
    put_table(out, report->table2, candidate, lens);
    for (size_t i = 0; i < report->figure_count; i++)
        if (strcmp(report->figures[i].candidate, candidate) == 0 &&
            strcmp(report->figures[i].lens, lens) == 0)
            put_figure(out, &report->figures[i]);
}

enum { QUANTILES = 3 };

static bool is_latency(const struct time_row *row, const char *candidate) {
    return strcmp(row->candidate, candidate) == 0 && strcmp(row->lens, "latency") == 0;
}

/* The candidate's latency of the shape of row i, or NULL. A shape's rows stand together. */
static const struct time_row *own_latency(const struct rows *rows, size_t i,
                                          const char *candidate) {
    const struct shape shape = rows->times[i].shape;
    while (i > 0 && shape_compare(rows->times[i - 1].shape, shape) == 0)
        i--;
    for (; i < rows->time_count && shape_compare(rows->times[i].shape, shape) == 0; i++)
        if (is_latency(&rows->times[i], candidate) && strcmp(rows->times[i].kernel, candidate) == 0)
            return &rows->times[i];
    return NULL;
}

/* Medians over shapes of the kernel's quantiles over the candidate's. scratch has room for all
 * times of the run, QUANTILES times. Returns how many shapes. */
static size_t latency_ratios(const struct rows *rows, const char *candidate, const char *kernel,
                             double *scratch, double medians[QUANTILES]) {
    size_t shapes = 0, counts[QUANTILES] = {0};
    for (size_t i = 0; i < rows->time_count; i++) {
        const struct time_row *row = &rows->times[i];
        if (!is_latency(row, candidate) || strcmp(row->kernel, kernel) != 0)
            continue;
        const struct time_row *own = own_latency(rows, i, candidate);
        if (!own)
            continue;
        const double ratios[QUANTILES] = {row->median / own->median, row->p90 / own->p90,
                                          row->p99 / own->p99};
        shapes++;
        for (size_t q = 0; q < QUANTILES; q++)
            if (!isnan(ratios[q]))
                scratch[q * rows->time_count + counts[q]++] = ratios[q];
    }
    for (size_t q = 0; q < QUANTILES; q++)
        medians[q] = stats_median(scratch + q * rows->time_count, counts[q]);
    return shapes;
}

static int compare_kernels(const void *left, const void *right) {
    return tables_baseline_compare(*(const char *const *)left, *(const char *const *)right);
}

static void put_latencies(FILE *out, const struct rows *rows, const char *candidate) {
    const char *kernels[SAMPLES_COLUMNS];
    size_t count = 0;
    double *scratch = malloc((QUANTILES * rows->time_count + 1) * sizeof *scratch);
    for (size_t i = 0; i < rows->time_count; i++) {
        const struct time_row *row = &rows->times[i];
        bool wanted = is_latency(row, candidate) && strcmp(row->kernel, candidate) != 0;
        for (size_t j = 0; j < count; j++)
            wanted = wanted && strcmp(kernels[j], row->kernel) != 0;
        if (wanted && count < SAMPLES_COLUMNS)
            kernels[count++] = row->kernel;
    }
    if (scratch && count > 0) {
        qsort(kernels, count, sizeof *kernels, compare_kernels);
        fputs("\n**Quantiles of latency** over the candidate's, median over shapes; a quantile of "
              "too few requests is left out:\n\n"
              "| kernel | of shapes | p50 | p90 | p99 |\n| --- | ---: | ---: | ---: | ---: |\n",
              out);
    }
    for (size_t k = 0; scratch && k < count; k++) {
        double medians[QUANTILES];
        const size_t shapes = latency_ratios(rows, candidate, kernels[k], scratch, medians);
        fputs("| ", out);
        markdown_text(out, kernels[k]);
        fprintf(out, " | %zu |", shapes);
        for (size_t q = 0; q < QUANTILES; q++)
            markdown_cell(out, "%.3f", medians[q]);
        fputc('\n', out);
    }
    free(scratch);
}

static void put_candidate(FILE *out, const struct report *report, const char *candidate) {
    const char *names[LENS_CONFLICTS_MOST];
    const size_t count = lens_conflicts_list(report->rows, names);
    fputs("\n## ", out);
    markdown_text(out, *candidate ? candidate : "candidate");
    fputc('\n', out);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < report->table1->count; j++)
            if (strcmp(report->table1->lines[j].candidate, candidate) == 0 &&
                strcmp(report->table1->lines[j].lens, names[i]) == 0) {
                put_lens(out, report, candidate, names[i]);
                break;
            }
    put_latencies(out, report->rows, candidate);
}

static void put_disagreement(FILE *out, const struct lens_conflict *d, size_t lenses) {
    const struct ratio_row *any = NULL;
    char shape[SHAPE_TEXT];
    for (size_t i = 0; i < lenses && !any; i++)
        any = d->by_lens[i];
    if (!any)
        return;
    fprintf(out, "| %s | ", shape_format(any->shape, shape));
    markdown_text(out, any->candidate);
    fputs(" | ", out);
    markdown_text(out, any->mode);
    fputs(" | ", out);
    markdown_text(out, any->baseline);
    fputs(" |", out);
    for (size_t i = 0; i < lenses; i++) {
        const struct ratio_row *row = d->by_lens[i];
        if (!row) {
            fputs(" " MARKDOWN_NOTHING " |", out);
            continue;
        }
        fprintf(out, " %.3f (%.3f to %.3f) %s |", row->ratio, row->ci_low, row->ci_high,
                row->verdict);
    }
    fprintf(out, " %zu |\n", d->baselines);
}

static void put_disagreements(FILE *out, const struct report *report) {
    const struct lens_conflicts *found = report->disagreements;
    const char *names[LENS_CONFLICTS_MOST];
    const size_t lenses = lens_conflicts_list(report->rows, names);
    if (found->compared == 0)
        return;
    fprintf(out,
            "\n## Where lenses disagree\n\nOf %zu shapes with a candidate and a mode, %zu are, "
            "against one and the same baseline, faster by one lens and slower by another%s\n",
            found->compared, found->count, found->count ? ":\n" : ".");
    if (found->count == 0)
        return;
    for (size_t i = 0; i < lenses; i++)
        for (size_t j = 0; j < lenses; j++) {
            const size_t count = lens_conflicts_count(found, i, j);
            if (count)
                fprintf(out, "- %zu faster by `%s`, slower by `%s`\n", count, names[i], names[j]);
        }
    fputs(
        "\nRatio and 95 % interval by each lens, against the baseline where they differ most; the "
        "last column is the number of baselines where they do. The largest first:\n\n"
        "| shape | candidate | mode | baseline |",
        out);
    for (size_t i = 0; i < lenses; i++)
        fprintf(out, " %s |", names[i]);
    fputs(" baselines |\n| --- | --- | --- | --- |", out);
    for (size_t i = 0; i < lenses; i++)
        fputs(" --- |", out);
    fputs(" ---: |\n", out);
    for (size_t i = 0; i < found->count && i < DISAGREEMENTS_SHOWN; i++)
        put_disagreement(out, &found->list[i], lenses);
    if (found->count > DISAGREEMENTS_SHOWN)
        fprintf(out, "\n… and %zu more.\n", found->count - DISAGREEMENTS_SHOWN);
}

static const char *sentence_of(const char *word) {
#define SENTENCE(id, csv_word, sentence)                                                           \
    if (strcmp(word, csv_word) == 0)                                                               \
        return sentence;
    OUTCOMES(SENTENCE)
#undef SENTENCE
    return word;
}

static void put_refused(FILE *out, const struct rows *rows) {
    size_t refused = 0, unserved = 0;
    fputs("\n## Refused kernels\n\n", out);
    for (size_t i = 0; i < rows->check_count; i++) {
        refused += rows_refused(&rows->checks[i]);
        unserved += strcmp(rows->checks[i].outcome, "unsupported") == 0;
    }
    if (unserved)
        fprintf(out,
                "%zu times a kernel was asked for a shape or accumulate it does not serve.\n\n",
                unserved);
    if (refused == 0) {
        fprintf(out,
                rows->check_count ? "None: all %zu checks of a kernel on a shape passed.\n"
                                  : "This run holds no checks.\n",
                rows->check_count - unserved);
        return;
    }
    fprintf(out,
            "%zu of %zu checks of a kernel on a shape did not pass. All are in "
            "[refused.csv](refused.csv).\n\n"
            "| shape | kernel | outcome | meaning | detail |\n| --- | --- | --- | --- | --- |\n",
            refused, rows->check_count - unserved);
    size_t shown = 0;
    for (size_t i = 0; i < rows->check_count && shown < REFUSED_SHOWN; i++) {
        const struct check_row *row = &rows->checks[i];
        char shape[SHAPE_TEXT];
        if (!rows_refused(row))
            continue;
        shown++;
        fprintf(out, "| %s | ", shape_format(row->shape, shape));
        markdown_text(out, row->kernel);
        fprintf(out, " | %s | %s | ", row->outcome, sentence_of(row->outcome));
        markdown_text(out, row->detail);
        fputs(" |\n", out);
    }
    if (refused > shown)
        fprintf(out, "\n… and %zu more.\n", refused - shown);
}

static void put_notes(FILE *out, const struct report *report) {
    fputs("\n## Notes\n\n", out);
    if (!report->about->complete)
        fputs(
            "- The run is not complete; shapes that are not measured yet are in no number above.\n",
            out);
    fputs("- The tables as CSV: [table1.csv](table1.csv), [table2.csv](table2.csv); every shape in "
          "[shapes.csv](shapes.csv). In the run's folder `report` every figure has its gnuplot "
          "script (.gp), data (.dat) and SVG beside it.\n",
          out);
}

void markdown_write(FILE *out, const struct report *report) {
    const struct table *table = report->table1;
    fputs("# gemmgate report\n\n", out);
    put_about(out, report);
    put_summary(out, report);
    claims_show(out, report);
    put_how_to_read(out);
    for (size_t i = 0; i < table->count; i++)
        if (i == 0 || strcmp(table->lines[i - 1].candidate, table->lines[i].candidate) != 0)
            put_candidate(out, report, table->lines[i].candidate);
    published_show(out, report->published);
    put_disagreements(out, report);
    if (report->profile)
        profile_show(out, report->profile);
    trust_write(out, report);
    put_refused(out, report->rows);
    findings_write(out, report);
    put_notes(out, report);
}
