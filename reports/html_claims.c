/* What others say, beside what was measured here. */
#include "reports/html_parts.h"

#include <math.h>
#include <string.h>

#include "reports/html_text.h"

/* A share of shapes needs no sign. */
static void put_share(FILE *out, const struct claim *claim, double value) {
    if (claim->quantity == CLAIM_WINS)
        html_number_cell(out, "%.1f", 100 * value);
    else
        html_percent_cell(out, value);
}

static enum claim_verdict put_claim(FILE *out, const struct html_page *page,
                                    const struct claim *claim, const char *candidate) {
    static const char *const classes[] = {"good", "bad", "open", "none"};
    const struct report *report = page->report;
    struct claim_finding finding;
    char text[64];
    claims_judge(claim, report->about, report->rows, candidate, &finding);
    html_row_open(out);
    html_head_cell(out, claim->text);
    put_share(out, claim, claim->value);
    put_share(out, claim, finding.mean);
    fputs("<td class=\"n\">", out);
    if (isnan(finding.low))
        fputs(MARKDOWN_NOTHING, out);
    else
        fprintf(out, claim->quantity == CLAIM_WINS ? "%.1f to %.1f" : "%+.1f to %+.1f",
                100 * finding.low, 100 * finding.high);
    fputs("</td>", out);
    snprintf(text, sizeof text, "%zu of %zu", finding.shapes, claim->shapes);
    fprintf(out, "<td class=\"n\">%s</td><td><strong class=\"%s\">%s</strong>", text,
            classes[finding.verdict], claims_word(finding.verdict));
    if (*finding.why) {
        fputs(": ", out);
        html_text(out, finding.why);
    }
    fputs("</td>", out);
    html_cell(out, claim->lens);
    html_cell(out, candidate);
    html_cell(out, claim->source);
    html_row_close(out);
    return finding.verdict;
}

/* The claims' tolerances, which are mostly one. */
static void put_tolerance(FILE *out, const struct claims *claims) {
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < claims->count; i++) {
        least = fmin(least, claims->list[i].tolerance);
        most = fmax(most, claims->list[i].tolerance);
    }
    fprintf(out, "%g", 100 * least);
    if (most > least)
        fprintf(out, " to %g", 100 * most);
}

void html_claims(FILE *out, const struct html_page *page) {
    static const struct html_column columns[] = {
        {"claim", false},        {"paper says, %", true}, {"measured here, %", true},
        {"95 % interval", true}, {"shapes", true},        {"verdict", false},
        {"lens", false},         {"candidate", false},    {"source", false},
    };
    const struct table *table = page->report->table1;
    size_t counts[CLAIM_NOT_COMPARABLE + 1] = {0};
    html_section(out, "claims", "What is claimed, and what was measured");
    if (page->claims->count == 0) {
        fputs("<p>No claims were given to compare with: <code>gemmgate report RUN --claims "
              "FILE</code>, for example <code>ci/claims/cuda-l2-a100-f16.ini</code>.</p>\n",
              out);
        return;
    }
    fputs("<p>A claim is <em>confirmed</em> where the lower end of the 95 % interval is at most "
          "the claim's tolerance below it, <em>not confirmed</em> where the upper end is further "
          "below, else <em>undecided</em>. The interval is Student&#39;s t over shapes of what the "
          "claim takes the mean of, or Wilson&#39;s where that is the share of shapes won, as if "
          "its shapes were a sample of those that matter. Each stands for itself: of 20 intervals "
          "one may miss by chance. A kernel that was refused "
          "is in no mean; a verdict must also hold when its shape counts as no gain, since there a "
          "user falls back on the baseline. Numbers of another GPU, accumulate, set of kernels or "
          "shapes are shown "
          "but not compared.</p>\n<p>Claims from <code>",
          out);
    html_text(out, page->claims_file);
    fputs("</code>; tolerance ", out);
    put_tolerance(out, page->claims);
    fputs(" points.</p>\n", out);
    html_table_open(out, "Claims", columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < table->count; i++)
        if (i == 0 || strcmp(table->lines[i - 1].candidate, table->lines[i].candidate) != 0)
            for (size_t j = 0; j < page->claims->count; j++)
                counts[put_claim(out, page, &page->claims->list[j], table->lines[i].candidate)]++;
    html_table_close(out);
    fprintf(out, "<p>%zu confirmed, %zu not confirmed, %zu undecided, %zu not comparable.</p>\n",
            counts[CLAIM_CONFIRMED], counts[CLAIM_NOT_CONFIRMED], counts[CLAIM_UNDECIDED],
            counts[CLAIM_NOT_COMPARABLE]);
}
