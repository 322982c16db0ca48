#include "reports/tables/claims_show.h"

#include <math.h>
#include <string.h>

#include "reports/tables/claims.h"

/* A share of shapes needs no sign. */
static void put_share(FILE *out, const struct claim *claim, double value) {
    markdown_cell(out, claim->quantity == CLAIM_WINS ? "%.1f" : "%+.1f", 100 * value);
}

static enum claim_verdict put_claim(FILE *out, const struct report *report,
                                    const struct claim *claim, const char *candidate) {
    struct claim_finding finding;
    claims_judge(claim, report->about, report->rows, candidate, &finding);
    fputs("| ", out);
    markdown_text(out, claim->text);
    fputs(" |", out);
    put_share(out, claim, claim->value);
    put_share(out, claim, finding.mean);
    if (isnan(finding.low))
        fputs(" " MARKDOWN_NOTHING, out);
    else
        fprintf(out, claim->quantity == CLAIM_WINS ? " %.1f to %.1f" : " %+.1f to %+.1f",
                100 * finding.low, 100 * finding.high);
    fprintf(out, " | %zu of %zu | **%s**%s", finding.shapes, claim->shapes,
            claims_word(finding.verdict), *finding.why ? ": " : "");
    markdown_text(out, finding.why);
    fprintf(out, " | %s | ", claim->lens);
    markdown_text(out, candidate);
    fputs(" | ", out);
    markdown_text(out, claim->source);
    fputs(" |\n", out);
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

void claims_show(FILE *out, const struct report *report) {
    const struct table *table = report->table1;
    const struct claims *claims = report->claims;
    size_t counts[CLAIM_NOT_COMPARABLE + 1] = {0};
    if (!report->claims_file)
        return;
    fputs("\n## What is claimed, and what was measured\n\n"
          "A claim is *confirmed* where the lower end of the 95 % interval is at most the claim's "
          "tolerance below it, *not confirmed* where the upper end is further below, else "
          "*undecided*. The interval is Student's t over shapes of what the claim takes the mean "
          "of, or Wilson's where that is the share of shapes won, as if its shapes were a sample "
          "of those that matter. Each stands for itself: of 20 intervals one may miss by chance. A "
          "kernel that was refused is in no mean; a verdict must also hold when its shape counts "
          "as no gain, since there a user falls back on the baseline. Numbers of another GPU, "
          "accumulate, set of kernels or shapes are shown but not compared.\n\nClaims from ",
          out);
    markdown_text(out, report->claims_file);
    fputs("; tolerance ", out);
    put_tolerance(out, claims);
    fputs(" points.\n\n"
          "| claim | claimed, % | measured here, % | 95 % interval | shapes | verdict | lens "
          "| candidate | source |\n"
          "| --- | ---: | ---: | ---: | ---: | --- | --- | --- | --- |\n",
          out);
    for (size_t i = 0; i < table->count; i++)
        if (i == 0 || strcmp(table->lines[i - 1].candidate, table->lines[i].candidate) != 0)
            for (size_t j = 0; j < claims->count; j++)
                counts[put_claim(out, report, &claims->list[j], table->lines[i].candidate)]++;
    fprintf(out, "\n%zu confirmed, %zu not confirmed, %zu undecided, %zu not comparable.\n",
            counts[CLAIM_CONFIRMED], counts[CLAIM_NOT_CONFIRMED], counts[CLAIM_UNDECIDED],
            counts[CLAIM_NOT_COMPARABLE]);
}
