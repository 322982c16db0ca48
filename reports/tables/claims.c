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
#include "reports/rows/kept_text.h"
#include "timing/sample_mean.h"
#include "timing/significance.h"

/* A claim in per cent has one digit. */
#define CLAIMS_ROUNDING 0.00051

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

/* A shape of the run. */
struct part {
    struct shape shape;
    const struct ratio_row *row; /* NULL: no kernel has passed */
    double published;            /* speedup; NaN: not known */
};

/* What another run of the same shapes might say of the sum of a claim's quantity over them. */
struct doubt {
    struct spread visits;
    double down, up; /* shapes that are won, but not beyond doubt, and lost likewise */
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

static struct doubt doubt_of(const struct claim *claim, const struct terms *terms, double n,
                             double won) {
    struct doubt doubt = {{0, INFINITY}, 0, 0};
    if (n == 0 || terms->unknown)
        return (struct doubt){{NAN, 0}, NAN, NAN};
    if (claim->quantity == CLAIM_WINS) {
        doubt.down = fmax(0, won - proven(terms, 1));
        doubt.up = fmax(0, n - won - proven(terms, -1));
    } else if (terms->count > 0) {
        doubt.visits = estimate_mean(terms->pairs, terms->weights, terms->count).error;
        doubt.visits.variance *= terms->weight * terms->weight;
    }
    return doubt;
}

/* By m n k, as samples are drawn. */
static int compare_parts(const void *left, const void *right) {
    const struct part *a = left, *b = right;
    const double size = shape_flops(a->shape), other = shape_flops(b->shape);
    return size != other ? (size > other) - (size < other) : shape_compare(a->shape, b->shape);
}

/* Published numbers are of one call on an idle device, by the clock that they have. */
static bool is_published(const struct claim *claim, const struct ratio_row *row) {
    return strcmp(row->baseline, claim->baseline) == 0 && strcmp(row->mode, claim->mode) == 0 &&
           (strcmp(row->lens, words_lenses[LENS_CALL]) == 0 ||
            strcmp(row->lens, words_lenses[LENS_WAIT]) == 0) &&
           row->speedup > -1;
}

/* The mean of the claim's quantity over what was published of its shapes; NaN where that is not all. */
static double published_mean(const struct claim *claim, const struct rows *published) {
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; published && i < published->ratio_count; i++)
        if (is_published(claim, &published->ratios[i])) {
            sum += quantity_of(published->ratios[i].speedup, claim->quantity);
            count++;
        }
    return count == claim->shapes ? sum / (double)count : NAN;
}

static double published_of(const struct claim *claim, const struct rows *published,
                           struct shape shape) {
    const struct ratio_row *row = NULL;
    while (published && (row = rows_next(published, ROWS_RATIOS, shape, row)))
        if (is_published(claim, row))
            return row->speedup;
    return NAN;
}

/* The shapes of the plan, in the order of their size. */
static struct part *list_parts(const struct claim *claim, const struct claims_subject *subject,
                               const char *candidate, size_t *count) {
    const json_t *shapes = json_object_get(subject->plan, "shapes");
    struct part *parts = need(json_array_size(shapes), sizeof *parts);
    *count = 0;
    for (size_t i = 0; i < json_array_size(shapes); i++) {
        struct part *part = &parts[*count];
        const char *name = json_string_value(json_array_get(shapes, i));
        if (!name || shape_parse(name, &part->shape))
            continue;
        const struct ratio_row *row = NULL;
        while ((row = rows_next(subject->rows, ROWS_RATIOS, part->shape, row)) &&
               !is_about(claim, row, candidate))
            ;
        part->row = row;
        part->published = published_of(claim, subject->published, part->shape);
        ++*count;
    }
    qsort(parts, *count, sizeof *parts, compare_parts);
    return parts;
}

/* What a shape without a kernel that has passed counts as. */
enum absent { ABSENT_LEFT_OUT, ABSENT_BASELINE, ABSENT_PUBLISHED };

/* The values of the claim's quantity, and of what was published. Returns how many. */
static size_t take_values(const struct claim *claim, const struct part *parts, size_t count,
                          enum absent absent, double *y, double *x) {
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        const struct part *part = &parts[i];
        if (!part->row && absent == ABSENT_LEFT_OUT)
            continue;
        y[n] = part->row                   ? quantity_of(part->row->speedup, claim->quantity)
               : absent == ABSENT_BASELINE ? 0
               : isnan(part->published)    ? NAN
                                           : quantity_of(part->published, claim->quantity);
        x[n++] = isnan(part->published) ? NAN : quantity_of(part->published, claim->quantity);
    }
    return n;
}

static struct claim_value value_of(struct sample_mean mean, const struct doubt *doubt, size_t n) {
    const double count = (double)n;
    const struct spread visits = {doubt->visits.variance / count / count, doubt->visits.freedom};
    const double half = isnan(visits.variance + mean.error.variance)
                            ? NAN
                            : estimate_half(spread_sum(mean.error, visits));
    return (struct claim_value){mean.mean, mean.middle - half - doubt->down / count,
                                mean.middle + half + doubt->up / count};
}

/* Of the list that these values are of, by them alone. */
static struct sample_mean mean_of(const struct claim *claim, const double *y, size_t n,
                                  double drawn) {
    return claim->quantity == CLAIM_WINS ? sample_share_of(y, n, drawn)
                                         : sample_mean_of(y, NULL, NAN, n, drawn);
}

static void measure(const struct claim *claim, const struct claims_subject *subject,
                    const struct pairs *pairs, struct claim_finding *finding) {
    size_t count;
    struct part *parts = list_parts(claim, subject, finding->candidate, &count);
    struct terms terms = {.pairs = need(count, sizeof *terms.pairs),
                          .weights = need(count, sizeof *terms.weights)};
    double *y = need(count, sizeof *y), *x = need(count, sizeof *x), won = 0;
    for (size_t i = 0; i < count; i++)
        if (parts[i].row) {
            add_term(claim, pairs, parts[i].row, &terms);
            won += parts[i].row->speedup > 0;
        }
    size_t n = take_values(claim, parts, count, ABSENT_LEFT_OUT, y, x);
    const double of = (double)claim->shapes, list_x = published_mean(claim, subject->published);
    const struct doubt doubt = doubt_of(claim, &terms, (double)n, won);
    const double drawn = (double)count < of ? (double)n / of : 1;
    finding->shapes = n;
    finding->values[CLAIM_MEASURED] = value_of(mean_of(claim, y, n, drawn), &doubt, n);
    for (int mean = CLAIM_REGRESSION; mean < CLAIM_VALUES; mean++)
        finding->values[mean] = (struct claim_value){NAN, NAN, NAN};
    if (drawn < 1 && n > 0)
        finding->values[CLAIM_REGRESSION] =
            value_of(sample_mean_of(y, x, list_x, n, drawn), &doubt, n);
    for (int absent = ABSENT_BASELINE; n < count && absent <= ABSENT_PUBLISHED; absent++) {
        const double all = (double)count < of ? (double)count / of : 1;
        take_values(claim, parts, count, (enum absent)absent, y, x);
        finding->values[CLAIM_AS_BASELINE + absent - ABSENT_BASELINE] =
            value_of(mean_of(claim, y, count, all), &doubt, count);
    }
    for (int mean = 0; mean < CLAIM_VALUES && claim->quantity == CLAIM_WINS; mean++) {
        struct claim_value *value = &finding->values[mean]; /* a share of wins is one */
        value->low = value->low < 0 ? 0 : value->low;
        value->high = value->high > 1 ? 1 : value->high;
    }
    free(terms.pairs);
    free(terms.weights);
    free(parts);
    free(y);
    free(x);
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

int claims_fit(struct claims *claims, const char *file, const struct about *about) {
    size_t kept = 0, others = 0;
    for (size_t i = 0; i < claims->count; i++) {
        others += strcmp(claims->list[i].set, claims->list[0].set) != 0;
        kept += is_of_set(&claims->list[i], about);
    }
    if (kept == 0 && *about->imported)
        return error("%s: is about the kernels %s%s, and the run holds %s", file,
                     claims->list[0].set, others ? " and others" : "", about->imported);
    if (kept == 0)
        return 0;
    kept = 0;
    for (size_t i = 0; i < claims->count; i++)
        if (is_of_set(&claims->list[i], about))
            claims->list[kept++] = claims->list[i];
    claims->count = kept;
    return 0;
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
    return *finding->why ? CLAIM_NOT_COMPARABLE
           : fabs(finding->values[CLAIM_MEASURED].mean - claim->value) > CLAIMS_ROUNDING
               ? CLAIM_DIFFERS
               : CLAIM_AGREES;
}

/* Whether the shapes were drawn from those of the claim. */
static bool is_sample(const struct claim *claim, const struct claims_subject *subject) {
    const struct about *about = subject->about;
    return *claim->suite && strcmp(about->suite, claim->suite) == 0 &&
           about->shapes < claim->shapes && !json_is_true(json_object_get(subject->plan, "only"));
}

/* Why what was measured is not what the claim is about. Returns whether it is the GPU alone. */
static bool compare(const struct claim *claim, const struct claims_subject *subject,
                    struct claim_finding *finding) {
    const struct about *about = subject->about;
    if (!strcasestr(about->device, claim->gpu))
        add_reason(finding, "other GPU, not %s", claim->gpu);
    const size_t of_gpu = strlen(finding->why);
    if (strcmp(about->element, element_words[ELEMENT_F16]) != 0)
        add_reason(finding, "other elements, not f16");
    if (*about->inputs)
        add_reason(finding, "other inputs, %s and not normal", about->inputs);
    if (strcmp(about->accumulate, claim->accumulate) != 0)
        add_reason(finding, "other accumulate, not %s", claim->accumulate);
    if (!is_of_set(claim, about))
        add_reason(finding, "other kernels, not %s", claim->set);
    if (about->shapes != claim->shapes && !is_sample(claim, subject))
        add_reason(finding, "other shapes, %zu and not %zu", about->shapes, claim->shapes);
    if (finding->shapes == 0)
        add_reason(finding, "%s was not timed, %s, lens %s", claim->baseline, claim->mode,
                   claim->lens);
    return of_gpu > 0 && strlen(finding->why) == of_gpu;
}

/* The verdict on numbers that can be compared, with its reason where they do not decide. */
static enum claim_verdict decide(const struct claim *claim, const struct about *about,
                                 struct claim_finding *finding) {
    const struct claim_value *measured = &finding->values[CLAIM_MEASURED],
                             *whole = finding->shapes < about->shapes
                                          ? &finding->values[CLAIM_AS_BASELINE]
                                          : measured;
    const double least = claim->value - claim->tolerance;
    if (!about->complete)
        add_reason(finding, "the run is not complete");
    else if (isnan(measured->low) || isnan(whole->low))
        add_reason(finding, "no interval: of one visit nothing shows what another run would say");
    else if (fmin(measured->low, whole->low) >= least)
        return CLAIM_CONFIRMED;
    else if (fmax(measured->high, whole->high) < least)
        return CLAIM_NOT_CONFIRMED;
    else if (measured->low >= least || measured->high < least)
        add_reason(finding,
                   "%zu of %zu shapes have no kernel that has passed, and with no gain "
                   "there it would be else",
                   about->shapes - finding->shapes, about->shapes);
    else
        add_reason(finding, "the interval is too wide");
    return CLAIM_UNDECIDED;
}

/* What the verdict would be, were the claim about this GPU. */
static void add_would_be(const struct claim *claim, const struct about *about,
                         struct claim_finding *finding) {
    struct claim_finding would = *finding;
    *would.why = 0;
    const char *word = claims_word(decide(claim, about, &would));
    text_append(finding->why, sizeof finding->why, "; on this one it would be %s%s%s%s", word,
                *would.why ? " (" : "", would.why, *would.why ? ")" : "");
}

static struct claim_finding judge(const struct claim *claim, const char *candidate,
                                  const struct claims_subject *subject, const struct pairs *pairs) {
    struct claim_finding finding = {
        .claim = *claim, .candidate = candidate, .verdict = CLAIM_NOT_COMPARABLE};
    measure(claim, subject, pairs, &finding);
    if (*subject->about->imported)
        finding.verdict = compare_imported(claim, subject->about, &finding);
    else if (compare(claim, subject, &finding))
        add_would_be(claim, subject->about, &finding);
    else if (!*finding.why)
        finding.verdict = decide(claim, subject->about, &finding);
    return finding;
}

int claims_judge(const struct claims *claims, const struct claims_subject *subject, sqlite3 *db,
                 struct claim_findings *findings) {
    struct pairs pairs;
    *findings = (struct claim_findings){.count = 0};
    if (claims->count == 0)
        return 0;
    if (pairs_take("the run", subject->rows, PAIRS_SHOWN, &pairs) < 0)
        return -1;
    for (sqlite3_stmt *row =
             query_ask(db, "SELECT DISTINCT candidate FROM lines ORDER BY candidate", NULL);
         query_next(row);)
        for (size_t j = 0; j < claims->count; j++) {
            const struct claim_finding finding =
                judge(&claims->list[j], kept_text(query_text(row, "candidate")), subject, &pairs);
            findings->verdicts[finding.verdict]++;
            findings->list = need_more(findings->list, findings->count, sizeof *findings->list);
            findings->list[findings->count++] = finding;
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

/* A finding with its numbers of the per cent. */
struct finding_row {
    struct claim_finding is;
    const char *verdict;
    char apart_text[32];  /* by how many points what is imported differs */
    double apart, beyond; /* NaN: it does not; whether by more than the tolerance */
};

#define CHARS(member)                                                                              \
    { #member, .form = ROWS_TEXT, .offset = offsetof(struct finding_row, is.claim.member) }
#define VALUE(name, mean, member)                                                                  \
    QUERY_COLUMN(finding_row, name, NUMBER, is.values[CLAIM_##mean].member)
static const struct rows_column columns[] = {
    CHARS(text),
    CHARS(source),
    CHARS(lens),
    {"why", .form = ROWS_TEXT, .offset = offsetof(struct finding_row, is.why)},
    {"apart_text", .form = ROWS_TEXT, .offset = offsetof(struct finding_row, apart_text)},
    QUERY_COLUMN(finding_row, "candidate", TEXT, is.candidate),
    QUERY_TEXT(finding_row, verdict),
    QUERY_COLUMN(finding_row, "value", NUMBER, is.claim.value),
    QUERY_COLUMN(finding_row, "tolerance", NUMBER, is.claim.tolerance),
    QUERY_COLUMN(finding_row, "of_shapes", SIZE, is.claim.shapes),
    QUERY_COLUMN(finding_row, "shapes", SIZE, is.shapes),
    QUERY_NUMBER(finding_row, apart),
    QUERY_NUMBER(finding_row, beyond),
    VALUE("mean", MEASURED, mean),
    VALUE("low", MEASURED, low),
    VALUE("high", MEASURED, high),
    VALUE("regression", REGRESSION, mean),
    VALUE("regression_low", REGRESSION, low),
    VALUE("regression_high", REGRESSION, high),
    VALUE("as_baseline", AS_BASELINE, mean),
    VALUE("as_baseline_low", AS_BASELINE, low),
    VALUE("as_baseline_high", AS_BASELINE, high),
    VALUE("as_published", AS_PUBLISHED, mean),
    VALUE("as_published_low", AS_PUBLISHED, low),
    VALUE("as_published_high", AS_PUBLISHED, high)};
static const struct rows_file file = QUERY_ROWS("findings", finding_row, columns);

void claims_load(sqlite3 *db, const char *run, const struct claim_findings *findings) {
    struct finding_row *rows = need(findings->count, sizeof *rows);
    for (size_t i = 0; i < findings->count; i++) {
        const struct claim_finding *finding = &findings->list[i];
        const double apart = finding->values[CLAIM_MEASURED].mean - finding->claim.value;
        const bool differs = finding->verdict == CLAIM_DIFFERS;
        rows[i] = (struct finding_row){.is = *finding,
                                       .verdict = claims_word(finding->verdict),
                                       .apart = differs ? 100 * apart : NAN,
                                       .beyond = differs && fabs(apart) > finding->claim.tolerance};
        snprintf(rows[i].apart_text, sizeof rows[i].apart_text, "%+.1f", 100 * apart);
    }
    query_add(db, &file, run, rows, findings->count);
    free(rows);
}
