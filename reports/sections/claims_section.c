/* What others say beside what was measured. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "reports/sections/sections.h"

static double difference(const struct claim_finding *finding) {
    return 100 * (finding->values[CLAIM_MEASURED].mean - finding->claim.value);
}

static bool is_beyond(const struct claim_finding *finding) {
    return finding->verdict == CLAIM_DIFFERS &&
           fabs(finding->values[CLAIM_MEASURED].mean - finding->claim.value) >
               finding->claim.tolerance;
}

static void add_finding(struct document *page, const struct claim_finding *finding) {
    const struct claim *claim = &finding->claim;
    document_row_of(page, finding);
    document_cell_marked(page, "%zu of %zu", finding->shapes, claim->shapes);
    document_cell_marked(page, "**%s**", claims_word(finding->verdict));
    if (*finding->why)
        document_add(page, ": %s", finding->why);
    if (finding->verdict == CLAIM_DIFFERS)
        document_add(page, " by %+.1f points", difference(finding));
    document_mood(page, finding->verdict == CLAIM_CONFIRMED || finding->verdict == CLAIM_AGREES
                            ? DOCUMENT_GOOD
                        : finding->verdict == CLAIM_NOT_CONFIRMED || is_beyond(finding)
                            ? DOCUMENT_BAD
                            : DOCUMENT_PLAIN);
}

/* What was published beside the claims about it. A claim's tolerance is what they may be apart. */
static void add_published(struct document *page, const struct claim_findings *findings) {
    const size_t unlike = findings->verdicts[CLAIM_NOT_COMPARABLE],
                 compared = findings->count - unlike;
    size_t beyond = 0;
    double most = 0;
    for (size_t i = 0; i < findings->count; i++) {
        beyond += is_beyond(&findings->list[i]);
        if (findings->list[i].verdict == CLAIM_DIFFERS)
            most = fmax(most, fabs(difference(&findings->list[i])));
    }
    if (beyond > 0)
        document_note(page, DOCUMENT_BAD,
                      "[%zu of %zu claims](#claims) **differ from the published numbers by more "
                      "than their tolerance, by up to %.1f points.**",
                      beyond, findings->count, most);
    else if (most > 0)
        document_note(page, DOCUMENT_PLAIN,
                      "[%zu of %zu claims](#claims) **agree with the published numbers within %.1f "
                      "points.**",
                      compared, findings->count, most);
    else
        document_note(page, DOCUMENT_PLAIN,
                      "[%zu of %zu claims](#claims) **agree with the published numbers.**",
                      compared, findings->count);
    if (unlike > 0)
        document_add(page, " %zu cannot be compared with them.", unlike);
}

void sections_claims(struct document *page, const struct report *report) {
    const size_t *verdicts = report->findings.verdicts, count = report->findings.count,
                 unlike = verdicts[CLAIM_NOT_COMPARABLE];
    if (!report->claims_file)
        return;
    if (*report->about->imported) {
        add_published(page, &report->findings);
        return;
    }
    if (unlike == count)
        document_note(page, DOCUMENT_PLAIN, "[Claims](#claims): none of %zu can be compared.",
                      count);
    else
        document_note(page, verdicts[CLAIM_NOT_CONFIRMED] ? DOCUMENT_BAD : DOCUMENT_PLAIN,
                      "[Claims](#claims): **%zu confirmed, %zu not confirmed, %zu undecided.**",
                      verdicts[CLAIM_CONFIRMED], verdicts[CLAIM_NOT_CONFIRMED],
                      verdicts[CLAIM_UNDECIDED]);
    if (unlike > 0 && unlike < count)
        document_add(page, " %zu cannot be compared.", unlike);
}

/* The claims' tolerances, which are mostly one. */
static void add_tolerance(struct document *page, const struct report *report) {
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < report->claims.count; i++) {
        least = fmin(least, report->claims.list[i].tolerance);
        most = fmax(most, report->claims.list[i].tolerance);
    }
    document_paragraph(page, "Claims from %s; tolerance %g", report->claims_file, 100 * least);
    if (most > least)
        document_add(page, " to %g", 100 * most);
    document_add(page, " points.");
}

/* The findings that can be compared, or the others. */
static void add_findings(struct document *page, const struct report *report, bool comparable) {
    const bool imported = *report->about->imported;
#define OF(member, title, ...) DOCUMENT_OF(claim_finding, member, title, __VA_ARGS__)
    const struct document_column columns[] = {
        OF(claim.text, "claim", TEXT, .key = NULL),
        OF(claim.value, "claimed, %", SHARE, .key = NULL),
        OF(values[CLAIM_MEASURED].mean,
           imported ? "published, %" : "measured here, % (95 % interval)", RATIO, .digits = 1,
           .scale = 100, .key = "mean"),
        OF(values[CLAIM_REGRESSION].mean, "by regression, %", RATIO, .digits = 1, .scale = 100,
           .key = "regression", .omit = DOCUMENT_OMIT_EMPTY),
        OF(values[CLAIM_AS_BASELINE].mean, "refused as no gain, %", RATIO, .digits = 1,
           .scale = 100, .key = "as_baseline", .omit = DOCUMENT_OMIT_EMPTY),
        OF(values[CLAIM_AS_PUBLISHED].mean, "refused as published, %", RATIO, .digits = 1,
           .scale = 100, .key = "as_published", .omit = DOCUMENT_OMIT_EMPTY),
        {.name = "shapes", .type = DOCUMENT_NUMBER},
        {.name = "verdict", .type = DOCUMENT_VERDICT},
        OF(claim.lens, "lens", TEXT, .key = NULL),
        OF(candidate, "candidate", TEXT, .omit = DOCUMENT_OMIT_SAME),
        OF(claim.source, "source", TEXT, .omit = DOCUMENT_OMIT_SAME),
    };
#undef OF
    DOCUMENT_TABLE(page, "claims", NULL, columns);
    for (size_t i = 0; i < report->findings.count; i++)
        if ((report->findings.list[i].verdict != CLAIM_NOT_COMPARABLE) == comparable)
            add_finding(page, &report->findings.list[i]);
}

void section_claims(struct document *page, const struct report *report) {
    const bool imported = *report->about->imported;
    char text[64];
    if (!report->claims_file)
        return;
    const size_t unlike = report->findings.verdicts[CLAIM_NOT_COMPARABLE];
    document_section(page, 2, "claims",
                     imported ? "What is claimed, and what was published"
                              : "What is claimed, and what was measured");
    add_tolerance(page, report);
    document_add(page, " [How a claim is judged](#reading).");
    add_findings(page, report, true);
    if (unlike > 0) {
        snprintf(text, sizeof text, "%zu not comparable", unlike);
        document_section_folded(page, 3, "not-comparable", text);
        add_findings(page, report, false);
    }
}
