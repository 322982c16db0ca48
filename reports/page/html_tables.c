/* Tables 1 and 2, by lens. */
#include "reports/page/html_parts.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "reports/page/html_text.h"

static void put_verdicts(FILE *out, const struct table_line *line) {
    const size_t counts[] = {line->faster, line->slower, line->undecided, line->environment};
    const bool any = line->faster + line->slower + line->undecided + line->environment > 0;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        html_number_cell(out, "%.0f", any ? (double)counts[i] : NAN);
}

static bool is_same(const struct table_line *a, const struct table_line *b) {
    return strcmp(a->candidate, b->candidate) == 0 && strcmp(a->lens, b->lens) == 0;
}

/* The lines of one candidate and lens, which stand together; returns how many. */
static size_t put_table(FILE *out, const struct table *table, size_t first, enum table_kind kind) {
    static const struct html_column columns[] = {
        {"baseline", false}, {"mode", false},  {"mean %", true},    {"median %", true},
        {"sd %", true},      {"wins", true},   {"of shapes", true}, {"ratio", true},
        {"faster", true},    {"slower", true}, {"undecided", true}, {"environment", true},
    };
    const struct table_line *line = &table->lines[first];
    const bool best = kind == TABLE_BEST;
    char caption[3 * RUNDIR_NAME];
    size_t count = 0;
    snprintf(caption, sizeof caption, "%s, lens %s: %s %s", best ? "Table 2" : "Table 1",
             line->lens, best ? "the better of baseline and" : "speedup of",
             *line->candidate ? line->candidate : "the candidate");
    html_table_open(out, caption, columns, best ? 8 : sizeof columns / sizeof *columns);
    for (; first + count < table->count && is_same(line, &line[count]); count++) {
        const struct table_line *l = &line[count];
        html_row_open(out);
        html_head_cell(out, l->baseline);
        html_cell(out, l->mode);
        html_percent_cell(out, l->mean);
        html_percent_cell(out, l->median);
        html_number_cell(out, "%.1f", 100 * l->sd);
        html_count_cell(out, l->wins);
        html_count_cell(out, l->shapes);
        html_number_cell(out, "%.3f", l->geomean);
        if (!best)
            put_verdicts(out, l);
        html_row_close(out);
    }
    html_table_close(out);
    return count;
}

void html_tables(FILE *out, const struct report *report) {
    html_section(out, "tables", "Tables 1 and 2, by lens");
    if (report->table1->count == 0) {
        fputs("<p>No candidate was timed, so there are no tables and figures.</p>\n", out);
        return;
    }
    fputs("<ul>\n<li>The <em>speedup</em> of a shape is the mean of (time of the baseline / time "
          "of the candidate) − 1: +10 % means that the baseline takes 10 % longer. Mean, median "
          "and sd are over shapes; <em>wins</em> are the shapes with a speedup above 0.</li>\n"
          "<li><em>Ratio</em> is the geometric mean over shapes of a robust estimate of the same "
          "quotient (Hodges–Lehmann). <em>Faster</em>, <em>slower</em> and <em>undecided</em> "
          "count shapes whose 95 % interval of it lies above 1, below 1 or around it; "
          "<em>environment</em> those too often disturbed for a verdict.</li>\n"
          "<li>Table 2 takes the better of candidate and baseline, as if a user kept the baseline "
          "wherever the candidate is slower.</li>\n"
          "<li><code>-max</code> is the faster of the layouts <code>-nn</code> and "
          "<code>-tn</code> of each shape. A kernel that failed a check is in no mean.</li>\n"
          "<li>A <em>lens</em> is the interval that is read. <code>call</code>: idle device, one "
          "call, device sync, launch cost included: the paper&#39;s protocol. <code>device</code>: "
          "the same with the launch hidden behind a delay. <code>stream</code>: one of many calls "
          "back to back. <code>latency</code>: from the arrival of a request to its end.</li>\n"
          "</ul>\n",
          out);
    for (size_t i = 0, count; i < report->table1->count; i += count) {
        const struct table_line *line = &report->table1->lines[i];
        fputs("<h3>", out);
        html_text(out, *line->candidate ? line->candidate : "candidate");
        fputs(", lens ", out);
        html_text(out, line->lens);
        fputs("</h3>\n", out);
        count = put_table(out, report->table1, i, TABLE_CANDIDATE);
        put_table(out, report->table2, i, TABLE_BEST); /* of the same rows: the same lines */
    }
}
