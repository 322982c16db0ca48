/* What others say beside what was measured. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "reports/sections/sections.h"

/* In per cent. A share of shapes needs no sign. */
static void add_share(struct document *page, const struct claim *claim, double value) {
    if (isnan(value))
        document_empty(page, "not measured");
    else
        document_cell_marked(page, claim->quantity == CLAIM_WINS ? "%.1f" : "%+.1f", 100 * value);
}

static void add_interval(struct document *page, const struct claim *claim,
                         const struct claim_finding *finding) {
    if (isnan(finding->low))
        document_empty(page, "of fewer than two shapes there is none");
    else
        document_cell_marked(page,
                             claim->quantity == CLAIM_WINS ? "%.1f to %.1f" : "%+.1f to %+.1f",
                             100 * finding->low, 100 * finding->high);
}

static enum claim_verdict add_claim(struct document *page, const struct report *report,
                                    const struct claim *claim, const char *candidate) {
    struct claim_finding finding;
    claims_judge(claim, report->about, report->rows, candidate, &finding);
    document_row(page);
    document_cell(page, claim->text);
    add_share(page, claim, claim->value);
    add_share(page, claim, finding.mean);
    add_interval(page, claim, &finding);
    document_cell_marked(page, "%zu of %zu", finding.shapes, claim->shapes);
    document_cell_marked(page, "**%s**", claims_word(finding.verdict));
    if (*finding.why)
        document_add(page, ": %s", finding.why);
    document_mood(page, finding.verdict == CLAIM_CONFIRMED       ? DOCUMENT_GOOD
                        : finding.verdict == CLAIM_NOT_CONFIRMED ? DOCUMENT_BAD
                                                                 : DOCUMENT_PLAIN);
    document_cell(page, claim->lens);
    document_cell(page, candidate);
    document_cell(page, claim->source);
    return finding.verdict;
}

/* The claims' tolerances, which are mostly one. */
static void add_tolerance(struct document *page, const struct report *report) {
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < report->claims->count; i++) {
        least = fmin(least, report->claims->list[i].tolerance);
        most = fmax(most, report->claims->list[i].tolerance);
    }
    document_paragraph(page, "Claims from %s; tolerance %g", report->claims_file, 100 * least);
    if (most > least)
        document_add(page, " to %g", 100 * most);
    document_add(page, " points.");
}

static void add_claims(struct document *page, const struct report *report) {
    static const struct document_column columns[] = {
        {.name = "claim", .type = DOCUMENT_TEXT},
        {.name = "claimed, %", .type = DOCUMENT_NUMBER},
        {.name = "measured here, %", .type = DOCUMENT_NUMBER},
        {.name = "95 % interval", .type = DOCUMENT_INTERVAL},
        {.name = "shapes", .type = DOCUMENT_NUMBER},
        {.name = "verdict", .type = DOCUMENT_VERDICT},
        {.name = "lens", .type = DOCUMENT_TEXT},
        {.name = "candidate", .type = DOCUMENT_TEXT},
        {.name = "source", .type = DOCUMENT_TEXT},
    };
    const struct table *table = report->table1;
    size_t counts[CLAIM_NOT_COMPARABLE + 1] = {0};
    DOCUMENT_TABLE(page, "claims", NULL, columns);
    for (size_t i = 0; i < table->count; i++)
        if (i == 0 || strcmp(table->lines[i - 1].candidate, table->lines[i].candidate) != 0)
            for (size_t j = 0; j < report->claims->count; j++)
                counts[add_claim(page, report, &report->claims->list[j],
                                 table->lines[i].candidate)]++;
    document_paragraph(page, "%zu confirmed, %zu not confirmed, %zu undecided, %zu not comparable.",
                       counts[CLAIM_CONFIRMED], counts[CLAIM_NOT_CONFIRMED],
                       counts[CLAIM_UNDECIDED], counts[CLAIM_NOT_COMPARABLE]);
}

void section_claims(struct document *page, const struct report *report) {
    if (!report->claims_file)
        return;
    document_section(page, 2, "claims", "What is claimed, and what was measured");
    document_paragraph(
        page,
        "A claim is *confirmed* where the lower end of the 95 %% interval is at most the claim's "
        "tolerance below it, *not confirmed* where the upper end is further below, else "
        "*undecided*. The interval is over rounds: what another run of the same shapes would show. "
        "They are all the shapes that the claim is about, so which they are is not in doubt. Of a "
        "share of shapes won it reaches from those won beyond doubt to those not lost beyond "
        "doubt. Each stands for itself: of 20 intervals one may miss by chance. A "
        "kernel that was refused is in no mean; a verdict must also hold when its shape counts as "
        "no gain, since there a user falls back on the baseline. Numbers of another GPU, "
        "accumulate, set of kernels or shapes are shown but not compared.");
    add_tolerance(page, report);
    add_claims(page, report);
}
