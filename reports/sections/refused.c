/* The kernels that failed a check, with the evidence. */
#include "reports/sections/sections.h"

/* A whole release that does not compile would list every shape. */
enum { SHOWN_MARKDOWN = 50, SHOWN_HTML = 1000 };

/* How far kernels are from the FP32 product, against the bound that the paper states. */
static void add_deviation(struct document *page, const struct report *report) {
    sqlite3_stmt *counts = query_ask(report->db, query_deviations, report->run, NULL);
    query_next(counts);
    const size_t refused = query_count(counts, "refused"),
                 passed_over = query_count(counts, "passed_over");
    if (refused + passed_over > 0)
        document_paragraph(
            page,
            "The paper lets a kernel be as far from an FP32 product as the library "
            "that is farthest. The bound here is wider: it allows for chance and for "
            "the last rounding. %zu of %zu kernels are refused for their deviation "
            "(`deviates`).",
            refused, query_count(counts, "measured"));
    if (refused > 0)
        document_add(page,
                     " %zu of these fail the paper's bound, too. They are off by %.2f times that "
                     "bound (median), and by up to %.2f times.",
                     query_count(counts, "refused_over"), query_number(counts, "middle"),
                     query_number(counts, "most"));
    if (passed_over > 0)
        document_add(page, " %zu passed here and fail the paper's bound.", passed_over);
    sqlite3_finalize(counts);
}

static void add_deviating(struct document *page, const struct report *report) {
    static const struct document_column columns[] = {
        {.name = "shape", .type = DOCUMENT_TEXT},
        {.name = "kernel", .type = DOCUMENT_TEXT},
        {.name = "outcome", .type = DOCUMENT_TEXT},
        {.name = "deviation", .type = DOCUMENT_SIGNIFICANT},
        {.name = "paper_bound", .type = DOCUMENT_SIGNIFICANT},
        {.name = "times_paper_bound", .type = DOCUMENT_NUMBER},
        {.name = "bound", .type = DOCUMENT_SIGNIFICANT},
        {.name = "times_bound", .type = DOCUMENT_NUMBER},
        {.name = "seen", .type = DOCUMENT_TEXT},
    };
    document_only(page, DOCUMENT_DATA);
    QUERY_TABLE(page, "deviation", NULL, columns,
                query_ask(report->db, query_deviation, report->run, NULL));
    document_only(page, SECTIONS_FILES);
}

static void add_outcomes(struct document *page, const struct report *report) {
    static const struct document_column columns[] = {
        {.name = "outcome", .type = DOCUMENT_TEXT},
        {.name = "meaning", .type = DOCUMENT_TEXT, .key = "deed"},
        {.name = "candidates", .type = DOCUMENT_COUNT},
        {.name = "baselines", .type = DOCUMENT_COUNT},
    };
    QUERY_TABLE(page, "outcomes", "Refused, by outcome", columns,
                query_ask(report->db, query_outcomes, report->run, NULL));
}

static void add_kernels(struct document *page, const struct report *report) {
#define BOUND(title, from)                                                                         \
    {                                                                                              \
        .name = title, .type = DOCUMENT_SIGNIFICANT, .key = from, .formats = DOCUMENT_PAGES,       \
        .omit = DOCUMENT_OMIT_EMPTY                                                                \
    }
    static const struct document_column columns[] = {
        {.name = "m", .type = DOCUMENT_COUNT, .formats = DOCUMENT_DATA},
        {.name = "n", .type = DOCUMENT_COUNT, .formats = DOCUMENT_DATA},
        {.name = "k", .type = DOCUMENT_COUNT, .formats = DOCUMENT_DATA},
        {.name = "shape", .type = DOCUMENT_TEXT, .formats = DOCUMENT_PAGES},
        {.name = "candidate", .type = DOCUMENT_TEXT, .formats = DOCUMENT_DATA},
        {.name = "kernel", .type = DOCUMENT_TEXT},
        {.name = "outcome", .type = DOCUMENT_TEXT},
        BOUND("off by", "deviation"),
        BOUND("bound here", "bound"),
        BOUND("paper's bound", "paper_bound"),
        {.name = "finding", .type = DOCUMENT_TEXT, .key = "detail"},
    };
#undef BOUND
    QUERY_TABLE(page, "refused",
                "Refused kernels with their deviation, bounds and finding; candidates first",
                columns, query_ask(report->db, query_refused, report->run, NULL));
    document_fold(page, false, "The kernels, candidates first");
    document_most(page, DOCUMENT_MARKDOWN, SHOWN_MARKDOWN);
    document_most(page, DOCUMENT_HTML, SHOWN_HTML);
    document_where(page, "all are in [refused.csv](refused.csv)");
}

void section_refused(struct document *page, const struct report *report) {
    sqlite3_stmt *checked = query_ask(report->db, query_checked, report->run, NULL);
    query_next(checked);
    const size_t refused = query_count(checked, "refused"),
                 unserved = query_count(checked, "unserved"),
                 lacking = query_count(checked, "lacking"),
                 judged = query_count(checked, "checks") - query_count(checked, "unrecorded") -
                          unserved - lacking;
    sqlite3_finalize(checked);
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
        document_paragraph(page, "None: all %zu checks of a kernel on a shape passed.", judged);
    else
        document_paragraph(page,
                           "%zu of %zu checks of a kernel on a shape did not pass. All are in "
                           "[refused.csv](refused.csv).",
                           refused, judged);
    add_deviation(page, report);
    add_deviating(page, report);
    if (refused)
        add_outcomes(page, report);
    add_kernels(page, report);
}
