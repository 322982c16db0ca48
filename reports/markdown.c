#include "reports/markdown.h"

#include <math.h>
#include <string.h>

#include "correctness/outcome.h"

#define NOTHING "–" /* where a number has no value */

/* Refused kernels shown on the page; refused.csv has all. */
enum { REFUSED_SHOWN = 50 };

const char *markdown_percent(double speedup, char text[16]) {
    if (isnan(speedup))
        return strcpy(text, NOTHING);
    snprintf(text, 16, "%+.1f", 100 * speedup);
    return text;
}

/* Text from outside, as it is: nothing in it may end a table cell or start markup. */
static void put_plain(FILE *out, const char *text) {
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
    put_plain(out, value);
    fputs(" |\n", out);
}

static void put_about(FILE *out, const struct report *report) {
    const struct about *about = report->about;
    char shapes[32];
    snprintf(shapes, sizeof shapes, "%zu", about->shapes);
    fputs("| what was run | |\n| --- | --- |\n", out);
    put_fact(out, "source", about->imported);
    put_fact(out, "device", about->device);
    put_fact(out, "software", about->software);
    put_fact(out, "candidates", about->set);
    put_fact(out, "accumulate", about->accumulate);
    put_fact(out, "suite", about->suite);
    put_fact(out, "shapes", about->shapes ? shapes : "");
    put_fact(out, "modes", about->modes);
    put_fact(out, "lens", report->lens);
    put_fact(out, "protocol", about->protocol);
    put_fact(out, "start", about->start);
    put_fact(out, "end", about->end);
    put_fact(out, "complete", about->complete ? "yes" : "no: this is what was there by now");
    put_fact(out, "plan", about->hash);
}

static void put_how_to_read(FILE *out) {
    fputs(
        "\n## How to read this\n\n"
        "- *Speedup* of a shape is the mean of (time of the baseline / time of the candidate) − 1: "
        "+10 % means the baseline takes 10 % longer. Mean, median and sd are over shapes.\n"
        "- *Wins* are the shapes with a speedup above 0.\n"
        "- *Ratio* is the geometric mean over shapes of a robust estimate of the same quotient "
        "(Hodges–Lehmann); 1.10 means 10 % longer. *Faster*, *slower* and *undecided* count shapes "
        "whose 95 % interval of the ratio lies above 1, below 1, or around it.\n"
        "- `-max` is the faster of the layouts `-nn` and `-tn` of each shape. A kernel that failed "
        "a check was not timed and is in no mean.\n",
        out);
}

static void put_table(FILE *out, const struct table *table, const char *candidate) {
    fputs("\n| mode | baseline | mean % | median % | sd % | wins | of shapes | ratio | faster "
          "| slower | undecided |\n"
          "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n",
          out);
    for (size_t i = 0; i < table->count; i++) {
        const struct table_line *line = &table->lines[i];
        char mean[16], median[16], sd[16] = NOTHING, ratio[16] = NOTHING;
        if (strcmp(line->candidate, candidate) != 0)
            continue;
        if (!isnan(line->sd))
            snprintf(sd, sizeof sd, "%.1f", 100 * line->sd);
        if (!isnan(line->geomean))
            snprintf(ratio, sizeof ratio, "%.3f", line->geomean);
        fputs("| ", out);
        put_plain(out, line->mode);
        fputs(" | ", out);
        put_plain(out, line->baseline);
        fprintf(out, " | %s | %s | %s | %zu | %zu | %s |", markdown_percent(line->mean, mean),
                markdown_percent(line->median, median), sd, line->wins, line->shapes, ratio);
        if (line->faster + line->slower + line->undecided > 0)
            fprintf(out, " %zu | %zu | %zu |\n", line->faster, line->slower, line->undecided);
        else
            fputs(" " NOTHING " | " NOTHING " | " NOTHING " |\n", out);
    }
}

static void put_figure(FILE *out, const struct figure *figure) {
    fputs(figure->drawn ? "\n![" : "\n*Not drawn; `gemmgate report` says why: ", out);
    put_plain(out, figure->title);
    if (figure->drawn)
        fprintf(out, "](%s.png)\n", figure->name);
    else
        fputs("*\n", out);
}

static void put_candidate(FILE *out, const struct report *report, const char *candidate) {
    fputs("\n## ", out);
    put_plain(out, *candidate ? candidate : "candidate");
    fputs("\n\n### Table 1: candidate against each baseline\n", out);
    put_table(out, report->table1, candidate);
    fputs("\n### Table 2: the better of candidate and baseline\n\n"
          "As if a user kept the baseline wherever the candidate is slower: a shape's speedup is "
          "never below 0.\n",
          out);
    put_table(out, report->table2, candidate);
    for (size_t i = 0; i < report->figure_count; i++)
        if (strcmp(report->figures[i].candidate, candidate) == 0)
            put_figure(out, &report->figures[i]);
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
        put_plain(out, row->kernel);
        fprintf(out, " | %s | %s | ", row->outcome, sentence_of(row->outcome));
        put_plain(out, row->detail);
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
    if (strcmp(report->lens, "call") == 0)
        fputs("- The `call` lens is the paper's protocol: idle device, event, one call, event, "
              "device sync. It includes launch cost, which is most of the time of small shapes.\n",
              out);
    fputs(
        "- The tables as CSV: [table1.csv](table1.csv), [table2.csv](table2.csv); every figure has "
        "its gnuplot script (.gp), data (.dat) and SVG beside it.\n",
        out);
}

void markdown_write(FILE *out, const struct report *report) {
    const struct table *table = report->table1;
    fputs("# gemmgate report\n\n", out);
    put_about(out, report);
    put_how_to_read(out);
    for (size_t i = 0; i < table->count; i++)
        if (i == 0 || strcmp(table->lines[i - 1].candidate, table->lines[i].candidate) != 0)
            put_candidate(out, report, table->lines[i].candidate);
    if (table->count == 0)
        fputs("\nNo candidate was timed, so there are no tables and figures.\n", out);
    put_refused(out, report->rows);
    put_notes(out, report);
}
