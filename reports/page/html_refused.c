/* The kernels that failed a check, with the evidence. */
#include "reports/page/html_parts.h"

#include <stdbool.h>
#include <string.h>

#include "bench/base/outcome.h"
#include "reports/page/html_text.h"

/* A whole release that does not compile would list every shape. */
enum { SHOWN = 1000 };

static bool is_of(const struct check_row *row, bool candidate) {
    return rows_refused(row) && (strcmp(row->kernel, row->candidate) == 0) == candidate;
}

static void put_outcomes(FILE *out, const struct rows *rows) {
    static const struct {
        const char *word, *sentence;
    } outcomes[] = {
#define OUTCOME_LINE(id, word, sentence) {word, sentence},
        OUTCOMES(OUTCOME_LINE)
#undef OUTCOME_LINE
    };
    static const struct html_column columns[] = {
        {"outcome", false}, {"meaning", false}, {"candidates", true}, {"baselines", true}};
    html_table_open(out, "Refused, by outcome", columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < sizeof outcomes / sizeof *outcomes; i++) {
        size_t candidates = 0, baselines = 0;
        for (size_t j = 0; j < rows->check_count; j++)
            if (strcmp(rows->checks[j].outcome, outcomes[i].word) == 0) {
                candidates += is_of(&rows->checks[j], true);
                baselines += is_of(&rows->checks[j], false);
            }
        if (candidates + baselines == 0)
            continue;
        html_row_open(out);
        html_head_cell(out, outcomes[i].word);
        html_cell(out, outcomes[i].sentence);
        html_count_cell(out, candidates);
        html_count_cell(out, baselines);
        html_row_close(out);
    }
    html_table_close(out);
}

static void put_row(FILE *out, const struct check_row *row) {
    char shape[SHAPE_TEXT];
    html_row_open(out);
    html_head_cell(out, shape_format(row->shape, shape));
    html_cell(out, row->kernel);
    html_cell(out, row->outcome);
    html_cell(out, row->detail);
    html_cell(out, row->source);
    html_row_close(out);
}

void html_refused(FILE *out, const struct rows *rows) {
    static const struct html_column columns[] = {{"shape", false},
                                                 {"kernel", false},
                                                 {"outcome", false},
                                                 {"evidence", false},
                                                 {"source", false}};
    size_t refused = 0, unserved = 0, shown = 0;
    html_section(out, "refused", "Refused kernels");
    for (size_t i = 0; i < rows->check_count; i++) {
        refused += rows_refused(&rows->checks[i]);
        unserved += strcmp(rows->checks[i].outcome, "unsupported") == 0;
    }
    if (rows->check_count == 0)
        fputs("<p>This run holds no checks.</p>\n", out);
    else
        fprintf(out, "<p>%zu of %zu checks of a kernel on a shape did not pass.</p>\n", refused,
                rows->check_count - unserved);
    if (unserved)
        fprintf(out,
                "<p>%zu times a kernel was asked for a shape or accumulate it does not "
                "serve.</p>\n",
                unserved);
    if (refused == 0)
        return;
    put_outcomes(out, rows);
    html_fold_open(out, "The kernels, candidates first, with the evidence", refused);
    html_table_open(out, "Refused kernels and the evidence; candidates first", columns,
                    sizeof columns / sizeof *columns);
    for (int baselines = 0; baselines < 2; baselines++)
        for (size_t i = 0; i < rows->check_count && shown < SHOWN; i++)
            if (is_of(&rows->checks[i], !baselines)) {
                put_row(out, &rows->checks[i]);
                shown++;
            }
    html_table_close(out);
    html_fold_close(out);
    if (refused > shown)
        fprintf(out, "<p>… and %zu more; <code>refused.csv</code> beside this page has all.</p>\n",
                refused - shown);
}
