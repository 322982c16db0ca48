/* What others say beside what was measured. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "reports/sections/sections.h"

static double difference(const struct claim_finding *finding) {
    return 100 * (finding->mean - finding->claim->value);
}

static void add_finding(struct document *page, const struct claim_finding *finding) {
    const struct claim *claim = finding->claim;
    document_row_of(page, finding);
    document_cell_marked(page, "%zu of %zu", finding->shapes, claim->shapes);
    document_cell_marked(page, "**%s**", claims_word(finding->verdict));
    if (*finding->why)
        document_add(page, ": %s", finding->why);
    if (finding->verdict == CLAIM_DIFFERS)
        document_add(page, " by %+.1f points", difference(finding));
    document_mood(page,
                  finding->verdict == CLAIM_CONFIRMED || finding->verdict == CLAIM_AGREES
                      ? DOCUMENT_GOOD
                  : finding->verdict == CLAIM_NOT_CONFIRMED || finding->verdict == CLAIM_DIFFERS
                      ? DOCUMENT_BAD
                      : DOCUMENT_PLAIN);
}

void sections_claims(struct document *page, const struct report *report) {
    const struct claim_findings *findings = report->findings;
    const size_t *verdicts = findings->verdicts;
    double most = 0;
    if (!report->claims_file)
        return;
    for (size_t i = 0; i < findings->count; i++)
        if (findings->list[i].verdict == CLAIM_DIFFERS)
            most = fmax(most, fabs(difference(&findings->list[i])));
    if (!*report->about->imported)
        document_note(page, verdicts[CLAIM_NOT_CONFIRMED] ? DOCUMENT_BAD : DOCUMENT_PLAIN,
                      "[Claims](#claims): **%zu confirmed, %zu not confirmed, %zu undecided, %zu "
                      "not comparable.**",
                      verdicts[CLAIM_CONFIRMED], verdicts[CLAIM_NOT_CONFIRMED],
                      verdicts[CLAIM_UNDECIDED], verdicts[CLAIM_NOT_COMPARABLE]);
    else if (verdicts[CLAIM_DIFFERS] > 0)
        document_note(page, DOCUMENT_BAD,
                      "[%zu of %zu claims](#claims) **differ from the published numbers, by up to "
                      "%.1f points.**",
                      verdicts[CLAIM_DIFFERS], findings->count, most);
    else
        document_note(page, DOCUMENT_PLAIN,
                      "[%zu of %zu claims](#claims) **agree with the published numbers.**",
                      verdicts[CLAIM_AGREES], findings->count);
    if (*report->about->imported && verdicts[CLAIM_NOT_COMPARABLE] > 0)
        document_add(page, " %zu cannot be compared with them.", verdicts[CLAIM_NOT_COMPARABLE]);
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

void section_claims(struct document *page, const struct report *report) {
    const bool imported = *report->about->imported;
#define OF(member, title, ...) DOCUMENT_OF(claim_finding, member, title, __VA_ARGS__)
#define VIA(member, title, ...)                                                                    \
    DOCUMENT_VIA(claim_finding, claim, claim, member, title, __VA_ARGS__)
    const struct document_column columns[] = {
        VIA(text, "claim", TEXT, .key = NULL),
        VIA(value, "claimed, %", SHARE, .key = NULL),
        OF(mean, imported ? "published, %" : "measured here, % (95 % interval)", RATIO, .digits = 1,
           .scale = 100),
        {.name = "shapes", .type = DOCUMENT_NUMBER},
        {.name = "verdict", .type = DOCUMENT_VERDICT},
        VIA(lens, "lens", TEXT, .key = NULL),
        OF(candidate, "candidate", TEXT, .omit = DOCUMENT_OMIT_SAME),
        VIA(source, "source", TEXT, .key = NULL),
    };
#undef VIA
#undef OF
    if (!report->claims_file)
        return;
    document_section(page, 2, "claims",
                     imported ? "What is claimed, and what was published"
                              : "What is claimed, and what was measured");
    if (imported)
        document_paragraph(page, "These numbers were imported: nothing was measured here, and no "
                                 "claim is confirmed by them. A claim *agrees* where the mean over "
                                 "the published shapes is its value as far as it is printed, else "
                                 "it *differs*.");
    else
        document_paragraph(
            page,
            "A claim is *confirmed* where the lower end of the 95 %% interval is at most the "
            "claim's tolerance below it, *not confirmed* where the upper end is further below, "
            "else *undecided*. The interval is over visits: what another run of the same shapes "
            "would show. They are all the shapes that the claim is about, so which they are is not "
            "in doubt. The interval of a share of shapes won is from those that are won, and to "
            "those that are not lost, with 97.5 %% each, the number of shapes considered. The "
            "better of kernel and library is chosen by the times that are compared, which lifts "
            "its mean. Each stands for itself: of 20 intervals one may miss by chance. A kernel "
            "that was refused is in no mean; a verdict must also hold when its shape counts as no "
            "gain, since there a user falls back on the baseline. Numbers of another GPU, "
            "accumulate, set of kernels or shapes are shown but not compared.");
    if (imported) /* and nothing is tolerated */
        document_paragraph(page, "Claims from %s.", report->claims_file);
    else
        add_tolerance(page, report);
    DOCUMENT_TABLE(page, "claims", NULL, columns);
    for (size_t i = 0; i < report->findings->count; i++)
        add_finding(page, &report->findings->list[i]);
}
