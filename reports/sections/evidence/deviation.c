/* How far kernels are from the FP32 product, against the bound that the paper states. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/need.h"
#include "bench/base/outcome.h"
#include "reports/sections/sections.h"
#include "timing/stats.h"

/* A kernel whose deviation is known, as one under test. */
static bool is_measured(const struct check_row *row) {
    return *row->candidate && strcmp(row->kernel, row->candidate) == 0 && row->paper_bound > 0 &&
           !isnan(row->deviation);
}

static bool is_over(const struct check_row *row) {
    return row->deviation > row->paper_bound;
}

static bool is_deviating(const struct check_row *row) {
    return strcmp(row->outcome, outcome_word(OUTCOME_DEVIATES)) == 0;
}

struct counts {
    size_t measured, refused, refused_over, passed_over, others_over;
    double middle, most; /* of those refused: deviation over the paper's bound */
};

/* scratch has room for a number a row. */
static struct counts count(const struct rows *rows, double *scratch) {
    struct counts counts = {.middle = NAN, .most = NAN};
    for (size_t i = 0; i < rows->check_count; i++) {
        const struct check_row *row = &rows->checks[i];
        if (!is_measured(row))
            continue;
        counts.measured++;
        if (is_deviating(row)) {
            counts.refused_over += is_over(row);
            scratch[counts.refused++] = row->deviation / row->paper_bound;
        } else if (rows_timed(rows_fate(row)))
            counts.passed_over += is_over(row);
        else
            counts.others_over += is_over(row);
    }
    if (counts.refused == 0)
        return counts;
    counts.middle = stats_median(scratch, counts.refused);
    for (size_t i = 0; i < counts.refused; i++)
        counts.most = fmax(counts.most, scratch[i]);
    return counts;
}

/* Those over the paper's bound or refused for their deviation, refused ones first. */
static void add_table(struct document *page, const struct rows *rows) {
#define OF(member, title, ...) DOCUMENT_OF(check_row, member, title, __VA_ARGS__)
    static const struct document_column columns[] = {
        OF(shape, "shape", TEXT),
        OF(kernel, "kernel", TEXT),
        OF(outcome, "outcome", TEXT),
        OF(deviation, "off by", SIGNIFICANT, .digits = 4, .key = "deviation"),
        OF(paper_bound, "paper's bound", SIGNIFICANT, .digits = 4, .key = "paper_bound"),
        {.name = "times", .type = DOCUMENT_NUMBER, .digits = 2, .key = "times_paper_bound"},
        OF(bound, "bound here", SIGNIFICANT, .digits = 4, .key = "bound"),
        {.name = "times it", .type = DOCUMENT_NUMBER, .digits = 2, .key = "times_bound"},
        OF(seen, "sums seen in", TEXT, .key = "seen", .omit = DOCUMENT_OMIT_EMPTY),
    };
#undef OF
    document_only(page, DOCUMENT_DATA);
    DOCUMENT_TABLE(page, "deviation", NULL, columns);
    for (int refused = 1; refused >= 0; refused--)
        for (size_t i = 0; i < rows->check_count; i++) {
            const struct check_row *row = &rows->checks[i];
            if (!is_measured(row) || is_deviating(row) != refused || (!refused && !is_over(row)))
                continue;
            document_row_of(page, row);
            document_number(page, row->deviation / row->paper_bound);
            document_number(page, row->deviation / row->bound);
        }
    document_only(page, SECTIONS_FILES);
}

void sections_deviation(struct document *page, const struct rows *rows) {
    double *scratch = need(rows->check_count, sizeof *scratch);
    const struct counts counts = count(rows, scratch);
    free(scratch);
    if (counts.refused + counts.passed_over + counts.others_over == 0) {
        add_table(page, rows);
        return;
    }
    document_paragraph(page,
                       "The paper lets a kernel be as far from an FP32 product as the library that "
                       "is farthest, on the same inputs. The bound here is wider: it allows for "
                       "chance and for the last rounding. Of %zu kernels that were held against "
                       "both, %zu are refused for their deviation (`deviates`).",
                       counts.measured, counts.refused);
    if (counts.refused > 0)
        document_add(page,
                     " Of these, %zu fail the paper's bound to the letter, too. They are off by "
                     "%.2f times that bound (median), and by up to %.2f times.",
                     counts.refused_over, counts.middle, counts.most);
    if (counts.passed_over > 0)
        document_add(page, " %zu passed here and fail the paper's bound to the letter.",
                     counts.passed_over);
    if (counts.others_over > 0)
        document_add(page, " %zu fail it and are refused here for another reason.",
                     counts.others_over);
    document_add(page, " All are in [deviation.csv](deviation.csv).");
    add_table(page, rows);
}
