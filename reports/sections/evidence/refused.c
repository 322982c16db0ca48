/* The kernels that failed a check, with the evidence. */
#include <stdbool.h>
#include <string.h>

#include "bench/base/outcome.h"
#include "reports/sections/sections.h"

/* A whole release that does not compile would list every shape. */
enum { SHOWN_MARKDOWN = 50, SHOWN_HTML = 1000 };

static bool is_refused_of(const struct check_row *row, bool candidate) {
    return rows_fate(row) == ROWS_REFUSED &&
           (strcmp(row->kernel, row->candidate) == 0) == candidate;
}

static void add_outcomes(struct document *page, const struct rows *rows) {
    static const struct {
        const char *word, *sentence;
    } outcomes[] = {
#define OUTCOME_LINE(id, word, sentence) {word, sentence},
        OUTCOMES(OUTCOME_LINE)
#undef OUTCOME_LINE
    };
    static const struct document_column columns[] = {
        {.name = "outcome", .type = DOCUMENT_TEXT},
        {.name = "meaning", .type = DOCUMENT_TEXT},
        {.name = "candidates", .type = DOCUMENT_COUNT},
        {.name = "baselines", .type = DOCUMENT_COUNT},
    };
    DOCUMENT_TABLE(page, "outcomes", "Refused, by outcome", columns);
    for (size_t i = 0; i < sizeof outcomes / sizeof *outcomes; i++) {
        size_t counts[2] = {0, 0};
        for (size_t j = 0; j < rows->check_count; j++)
            if (strcmp(rows->checks[j].outcome, outcomes[i].word) == 0)
                for (int candidate = 0; candidate < 2; candidate++)
                    counts[candidate] += is_refused_of(&rows->checks[j], candidate);
        if (counts[0] + counts[1] == 0)
            continue;
        document_row(page);
        document_cell(page, outcomes[i].word);
        document_cell(page, outcomes[i].sentence);
        document_count(page, counts[1]);
        document_count(page, counts[0]);
    }
}

static void add_kernels(struct document *page, const struct rows *rows) {
#define OF(member, title, ...) DOCUMENT_OF(check_row, member, title, __VA_ARGS__)
    static const struct document_column columns[] = {
        OF(shape.m, "m", COUNT, .formats = DOCUMENT_DATA),
        OF(shape.n, "n", COUNT, .formats = DOCUMENT_DATA),
        OF(shape.k, "k", COUNT, .formats = DOCUMENT_DATA),
        OF(shape, "shape", TEXT, .formats = DOCUMENT_PAGES),
        OF(candidate, "candidate", TEXT, .formats = DOCUMENT_DATA),
        OF(kernel, "kernel", TEXT),
        OF(outcome, "outcome", TEXT),
        OF(deviation, "off by", SIGNIFICANT, .formats = DOCUMENT_PAGES,
           .omit = DOCUMENT_OMIT_EMPTY),
        OF(bound, "bound here", SIGNIFICANT, .formats = DOCUMENT_PAGES,
           .omit = DOCUMENT_OMIT_EMPTY),
        OF(paper_bound, "paper's bound", SIGNIFICANT, .formats = DOCUMENT_PAGES,
           .omit = DOCUMENT_OMIT_EMPTY),
        OF(detail, "finding", TEXT, .key = "detail"),
    };
#undef OF
    DOCUMENT_TABLE(page, "refused",
                   "Refused kernels with their deviation, bounds and finding; candidates first",
                   columns);
    for (int candidates = 1; candidates >= 0; candidates--)
        for (size_t i = 0; i < rows->check_count; i++)
            if (is_refused_of(&rows->checks[i], candidates))
                document_row_of(page, &rows->checks[i]);
    document_fold(page, false, "The kernels, candidates first");
    document_most(page, DOCUMENT_MARKDOWN, SHOWN_MARKDOWN);
    document_most(page, DOCUMENT_HTML, SHOWN_HTML);
    document_where(page, "all are in [refused.csv](refused.csv)");
}

void section_refused(struct document *page, const struct report *report) {
    const struct rows *rows = report->rows;
    size_t refused = 0, unrecorded = 0, unserved = 0, lacking = 0;
    for (size_t i = 0; i < rows->check_count; i++) {
        const enum rows_fate fate = rows_fate(&rows->checks[i]);
        refused += fate == ROWS_REFUSED;
        unrecorded += fate == ROWS_UNRECORDED;
        unserved += fate == ROWS_UNSUPPORTED;
        lacking += rows_lacks(fate);
    }
    if (refused + unserved + lacking == 0)
        document_only(page, DOCUMENT_DATA);
    else
        document_section(page, 2, "refused", "Refused kernels");
    if (unserved)
        document_paragraph(page,
                           "%zu times a kernel was asked for a shape or accumulate it does not "
                           "serve.",
                           unserved);
    if (lacking)
        document_paragraph(page,
                           "%zu times this machine lacked what a kernel needs. Nothing is known of "
                           "it; `checks.csv` says what it lacked.",
                           lacking);
    if (refused == 0)
        document_paragraph(page, "None: all %zu checks of a kernel on a shape passed.",
                           rows->check_count - unrecorded - unserved - lacking);
    else
        document_paragraph(page,
                           "%zu of %zu checks of a kernel on a shape did not pass. All are in "
                           "[refused.csv](refused.csv).",
                           refused, rows->check_count - unrecorded - unserved - lacking);
    sections_deviation(page, rows);
    if (refused)
        add_outcomes(page, rows);
    add_kernels(page, rows);
}
