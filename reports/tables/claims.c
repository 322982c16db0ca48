#include "reports/tables/claims.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/element.h"
#include "bench/base/error.h"
#include "bench/base/need.h"
#include "bench/base/text.h"
#include "bench/base/words.h"
#include "reports/pairs/estimate.h"
#include "reports/tables/entries_file.h"
#include "reports/tables/tables.h"
#include "timing/significance.h"
#include "timing/stats.h"

enum { CLAIMS_MOST = 1000 };

/* A claim in per cent has one digit. */
#define CLAIMS_ROUNDING 0.00051

static const char *const accumulates[] = {"f16", "f32", NULL};
static const char *const quantities[] = {"speedup", "best", "wins", NULL};

#define OF(field) INIFILE_FIELD(struct claim, field)
static const struct inifile_row claim_rows[] = {
    {"text", INIFILE_TEXT, OF(text)},
    {"source", INIFILE_TEXT, OF(source)},
    {"set", INIFILE_NAME, OF(set)},
    {"gpu", INIFILE_TEXT, OF(gpu)},
    {"accumulate", INIFILE_SPELLING, OF(accumulate), .words = accumulates},
    {"baseline", INIFILE_SPELLING, OF(baseline), .words = reference_baselines},
    {"mode", INIFILE_SPELLING, OF(mode), .words = words_modes},
    {"lens", INIFILE_SPELLING, OF(lens), .words = words_lenses},
    {"quantity", INIFILE_WORD, OF(quantity), .words = quantities},
    {"value", INIFILE_SHARE, OF(value), .least = -100, .most = 1e6},
    {"tolerance", INIFILE_SHARE, OF(tolerance), .most = 100},
    {"shapes", INIFILE_WHOLE, OF(shapes), .least = 1, .most = 1e6, .of = "shapes"},
    {NULL}};

int claims_read(const char *path, struct claims *claims) {
    struct claim defaults = {0};
    struct entries_file entries = {.what = "a list of claims",
                                   .one = "claim",
                                   .bytes = sizeof(struct claim),
                                   .most = CLAIMS_MOST,
                                   .rows = claim_rows,
                                   .needed = sizeof claim_rows / sizeof *claim_rows - 1,
                                   .defaults = &defaults};
    int status = entries_file_read(&entries, path);
    *claims = (struct claims){.list = entries.list, .count = entries.count};
    if (status == 0 && claims->count == 0)
        status = error("%s: holds no claim; a claim is a [section]", path);
    if (status < 0)
        claims_free(claims);
    return status;
}

void claims_free(struct claims *claims) {
    free(claims->list);
    *claims = (struct claims){0};
}

static double quantity_of(double speedup, enum claim_quantity quantity) {
    switch (quantity) {
    case CLAIM_BEST:
        return fmax(0, speedup);
    case CLAIM_WINS:
        return speedup > 0;
    case CLAIM_SPEEDUP:
        break;
    }
    return speedup;
}

static bool is_about(const struct claim *claim, const struct ratio_row *row,
                     const char *candidate) {
    return strcmp(row->candidate, candidate) == 0 && strcmp(row->baseline, claim->baseline) == 0 &&
           strcmp(row->mode, claim->mode) == 0 && strcmp(row->lens, claim->lens) == 0 &&
           !isnan(row->speedup);
}

/* What was measured of a claim: over how many shapes, and its value with its interval. */
struct measured {
    double n;
    struct stats_interval value;
};

/* The pairs that the claim is about, and by how much the sum of its quantity over shapes changes
 * with ln ratio of each. */
struct terms {
    const struct pair **pairs;
    double *weights, weight;
    size_t count;
    bool unknown; /* a shape has nothing that shows what another run would say */
};

/* A shape where the library is beyond doubt the better of both moves no mean of the better. */
static bool is_settled(const struct claim *claim, const struct ratio_row *row) {
    return claim->quantity == CLAIM_BEST && row->speedup <= 0 && row->ci_high < 1;
}

static void add_term(const struct claim *claim, const struct pairs *pairs,
                     const struct ratio_row *row, struct terms *terms) {
    const struct pair *pair = pairs_find_row(pairs, row);
    if (is_settled(claim, row))
        return;
    terms->pairs[terms->count] = pair;
    terms->unknown = terms->unknown || !pair || pair->visits < 2;
    terms->weight += terms->weights[terms->count++] = 1 + row->speedup;
}

/* How many shapes are won (sign 1) or lost (-1), with a chance of 97.5 % that all these are. */
static double proven(const struct terms *terms, double sign) {
    double *p = need(2 * terms->count, sizeof *p), *adjusted = p + terms->count, count = 0;
    for (size_t i = 0; i < terms->count; i++)
        p[i] = significance_above(sign * log(estimate_pair(terms->pairs[i]).ratio),
                                  estimate_error(terms->pairs[i]));
    significance_holm(p, terms->count, adjusted);
    for (size_t i = 0; i < terms->count; i++)
        count += adjusted[i] <= (1 - VERDICT_CONFIDENCE) / 2;
    free(p);
    return count;
}

/* All shapes of a list are a census: what another run of them would show is the doubt, not which
 * shapes they are. */
static void put_interval(const struct claim *claim, const struct terms *terms,
                         struct measured *measured) {
    struct stats_interval *value = &measured->value;
    double half = 0;
    if (measured->n == 0 || terms->unknown)
        return;
    if (claim->quantity == CLAIM_WINS) {
        value->low = fmin(value->estimate, proven(terms, 1) / measured->n);
        value->high = fmax(value->estimate, 1 - proven(terms, -1) / measured->n);
        return;
    }
    if (terms->count > 0) {
        const struct suite_mean mean = estimate_mean(terms->pairs, terms->weights, terms->count);
        half = terms->weight / measured->n * (mean.high - mean.low) / 2;
    }
    value->low = value->estimate - half;
    value->high = value->estimate + half;
}

static struct measured measure(const struct claim *claim, const struct rows *rows,
                               const struct pairs *pairs, const char *candidate) {
    struct terms terms = {.pairs = need(rows->ratio_count, sizeof *terms.pairs),
                          .weights = need(rows->ratio_count, sizeof *terms.weights)};
    struct measured measured = {0, {NAN, NAN, NAN}};
    double sum = 0;
    for (size_t i = 0; i < rows->ratio_count; i++) {
        if (!is_about(claim, &rows->ratios[i], candidate))
            continue;
        sum += quantity_of(rows->ratios[i].speedup, claim->quantity);
        measured.n++;
        add_term(claim, pairs, &rows->ratios[i], &terms);
    }
    measured.value.estimate = sum / measured.n;
    put_interval(claim, &terms, &measured);
    free(terms.pairs);
    free(terms.weights);
    return measured;
}

/* With as many zeros as are missing of n. */
static struct stats_interval fill_up(struct measured of, double n) {
    const double share = of.n / fmax(of.n, n);
    return (struct stats_interval){share * of.value.estimate, share * of.value.low,
                                   share * of.value.high};
}

/* Appends a reason. */
__attribute__((format(printf, 2, 3))) static void add_reason(struct claim_finding *finding,
                                                             const char *format, ...) {
    va_list arguments;
    text_append(finding->why, sizeof finding->why, "%s", *finding->why ? "; " : "");
    va_start(arguments, format);
    text_append_args(finding->why, sizeof finding->why, format, arguments);
    va_end(arguments);
}

/* Whether a claim's set is what was measured or imported. Imported files say it by the names that
 * the release gives them, as in cuda_l2_SET_speedup_offline.csv; others do not say it. */
static bool is_of_set(const struct claim *claim, const struct about *about) {
    return *about->imported
               ? !strstr(about->imported, "_speedup_") || strstr(about->imported, claim->set)
               : strcmp(about->set, claim->set) == 0;
}

int claims_fit(const struct claims *claims, const char *file, const struct about *about) {
    bool fits = !*about->imported;
    for (size_t i = 0; i < claims->count; i++)
        fits = fits || is_of_set(&claims->list[i], about);
    return fits ? 0
                : error("%s: is about the kernels %s, and the run holds %s; ci/claims has a file "
                        "for each set of the release",
                        file, claims->list[0].set, about->imported);
}

/* Numbers that somebody published are no measurement; they can say something else than the claim.
 */
static enum claim_verdict compare_imported(const struct claim *claim, const struct about *about,
                                           struct claim_finding *finding) {
    if (!is_of_set(claim, about))
        add_reason(finding, "other kernels, not %s", claim->set);
    if (finding->shapes == 0)
        add_reason(finding, "%s: nothing was published, %s, lens %s", claim->baseline, claim->mode,
                   claim->lens);
    else if (finding->shapes != claim->shapes)
        add_reason(finding, "other shapes, %zu and not %zu", finding->shapes, claim->shapes);
    return *finding->why                                          ? CLAIM_NOT_COMPARABLE
           : fabs(finding->mean - claim->value) > CLAIMS_ROUNDING ? CLAIM_DIFFERS
                                                                  : CLAIM_AGREES;
}

/* Why what was measured is not what the claim is about. Returns whether it is the GPU alone. */
static bool compare(const struct claim *claim, const struct about *about,
                    struct claim_finding *finding) {
    if (!strcasestr(about->device, claim->gpu))
        add_reason(finding, "other GPU, not %s", claim->gpu);
    const size_t of_gpu = strlen(finding->why);
    if (strcmp(about->element, element_words[ELEMENT_F16]) != 0)
        add_reason(finding, "other elements, not f16");
    if (strcmp(about->accumulate, claim->accumulate) != 0)
        add_reason(finding, "other accumulate, not %s", claim->accumulate);
    if (!is_of_set(claim, about))
        add_reason(finding, "other kernels, not %s", claim->set);
    if (about->shapes != claim->shapes)
        add_reason(finding, "other shapes, %zu and not %zu", about->shapes, claim->shapes);
    if (finding->shapes == 0)
        add_reason(finding, "%s was not timed, %s, lens %s", claim->baseline, claim->mode,
                   claim->lens);
    return of_gpu > 0 && strlen(finding->why) == of_gpu;
}

/* The verdict on numbers that can be compared, with its reason where they do not decide. */
static enum claim_verdict decide(const struct claim *claim, const struct about *about,
                                 struct measured timed, struct claim_finding *finding) {
    const struct stats_interval whole = fill_up(timed, (double)claim->shapes);
    const double least = claim->value - claim->tolerance;
    if (!about->complete)
        add_reason(finding, "the run is not complete");
    else if (isnan(finding->low))
        add_reason(finding, "no interval: of one visit nothing shows what another run would say");
    else if (fmin(finding->low, whole.low) >= least)
        return CLAIM_CONFIRMED;
    else if (fmax(finding->high, whole.high) < least)
        return CLAIM_NOT_CONFIRMED;
    else if (finding->low >= least || finding->high < least)
        add_reason(finding,
                   "%g of %zu shapes have no kernel that has passed, and with no gain "
                   "there it would be else",
                   (double)claim->shapes - timed.n, claim->shapes);
    else
        add_reason(finding, "the interval is too wide");
    return CLAIM_UNDECIDED;
}

/* What the verdict would be, were the claim about this GPU. */
static void add_would_be(const struct claim *claim, const struct about *about,
                         struct measured timed, struct claim_finding *finding) {
    struct claim_finding would = *finding;
    *would.why = 0;
    const char *word = claims_word(decide(claim, about, timed, &would));
    text_append(finding->why, sizeof finding->why, "; on this one it would be %s%s%s%s", word,
                *would.why ? " (" : "", would.why, *would.why ? ")" : "");
}

static struct claim_finding judge(const struct claim *claim, const char *candidate,
                                  const struct about *about, const struct rows *rows,
                                  const struct pairs *pairs) {
    const struct measured timed = measure(claim, rows, pairs, candidate);
    struct claim_finding finding = {.claim = claim,
                                    .candidate = candidate,
                                    .shapes = (size_t)timed.n,
                                    .mean = timed.value.estimate,
                                    .low = timed.value.low,
                                    .high = timed.value.high,
                                    .verdict = CLAIM_NOT_COMPARABLE};
    if (*about->imported)
        finding.verdict = compare_imported(claim, about, &finding);
    else if (compare(claim, about, &finding))
        add_would_be(claim, about, timed, &finding);
    else if (!*finding.why)
        finding.verdict = decide(claim, about, timed, &finding);
    return finding;
}

int claims_judge(const struct claims *claims, const struct about *about, const struct rows *rows,
                 const struct table *table, struct claim_findings *findings) {
    struct pairs pairs;
    *findings = (struct claim_findings){.count = 0};
    if (claims->count == 0)
        return 0;
    if (pairs_take("the run", rows, PAIRS_SHOWN, &pairs) < 0)
        return -1;
    findings->list = need(claims->count * table->count, sizeof *findings->list);
    for (size_t i = 0; i < table->count; i++) {
        const char *candidate = table->lines[i].candidate;
        if (i > 0 && strcmp(table->lines[i - 1].candidate, candidate) == 0)
            continue;
        for (size_t j = 0; j < claims->count; j++) {
            const struct claim_finding finding =
                judge(&claims->list[j], candidate, about, rows, &pairs);
            findings->verdicts[finding.verdict]++;
            findings->list[findings->count++] = finding;
        }
    }
    pairs_free(&pairs);
    return 0;
}

void claims_findings_free(struct claim_findings *findings) {
    free(findings->list);
    *findings = (struct claim_findings){0};
}

const char *claims_word(enum claim_verdict verdict) {
    static const char *const words[] = {"confirmed",      "not confirmed", "undecided",
                                        "not comparable", "agrees",        "differs"};
    return words[verdict];
}
