#include "reports/tables/claims.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/need.h"
#include "reports/query/form.h"
#include "timing/sample_mean.h"
#include "timing/significance.h"

/* A mean over shapes with its 95 % interval: over visits, and where the run has a sample of the claim's
 * suite over samples, too (timing/sample_mean.h). NaN ends where either is not known; all NaN where
 * nothing was measured. */
struct claim_value {
    double mean, low, high;
};

/* The means of a claim. */
enum claim_mean {
    CLAIM_MEASURED,   /* over the shapes that were measured */
    CLAIM_REGRESSION, /* the same by regression on what was published of the claim's shapes; none
                       * without that, or where all were measured */
    /* Over all shapes of the run, those without a kernel that has passed counting as no gain, or as
     * what was published of them; none where there are none, or nothing was published. */
    CLAIM_AS_BASELINE,
    CLAIM_AS_PUBLISHED,
    CLAIM_VALUES
};

/* What a run measured of a claim, of one candidate. */
struct claimed {
    struct claim claim;
    const char *candidate;
    size_t shapes; /* measured */
    struct claim_value values[CLAIM_VALUES];
};

#define CHARS(title, member)                                                                       \
    {                                                                                              \
        .name = title, .form = ROWS_TEXT, .offset = offsetof(struct claimed, claim.member),        \
        .room = sizeof(((struct claim *)0)->member)                                                \
    }
#define NUMBER(name, member) QUERY_COLUMN(claimed, name, NUMBER, member)
#define VALUES(name, which)                                                                        \
    NUMBER(name, values[which].mean), NUMBER(name "_low", values[which].low),                      \
        NUMBER(name "_high", values[which].high)
static const struct rows_column columns[] = {CHARS("text", text),
                                             CHARS("source", source),
                                             CHARS("of_set", set),
                                             CHARS("of_gpu", gpu),
                                             CHARS("of_accumulate", accumulate),
                                             CHARS("of_suite", suite),
                                             CHARS("baseline", baseline),
                                             CHARS("mode", mode),
                                             CHARS("lens", lens),
                                             CHARS("quantity", quantity),
                                             NUMBER("value", claim.value),
                                             NUMBER("tolerance", claim.tolerance),
                                             NUMBER("of_shapes", claim.shapes),
                                             QUERY_TEXT(claimed, candidate),
                                             QUERY_COLUMN(claimed, "measured", SIZE, shapes),
                                             VALUES("mean", CLAIM_MEASURED),
                                             VALUES("regression", CLAIM_REGRESSION),
                                             VALUES("as_baseline", CLAIM_AS_BASELINE),
                                             VALUES("as_published", CLAIM_AS_PUBLISHED)};
static const struct rows_file table = QUERY_ROWS("claimed", claimed, columns);

/* The claim itself comes first. */
enum { CLAIM_COLUMNS = 13 };
const struct rows_file claims_file = {.name = "claims",
                                      .columns = columns,
                                      .column_count = CLAIM_COLUMNS,
                                      .row_size = sizeof(struct claim)};

static const struct form form = {.name = "claims",
                                 .shapeless = true,
                                 .sql = query_claims_file,
                                 .columns = {"quantity", "set", "gpu", "accumulate", "lens",
                                             "suite", "mode", "baseline", "text", "source",
                                             "percent", "tolerance", "shapes"},
                                 .lacking = "; the header must name it"};

int claims_read(const char *path, const struct about *about, struct claims *claims) {
    sqlite3 *db = query_open();
    struct claim claim;
    *claims = (struct claims){0};
    query_next(query_ask(db, "CREATE TABLE asked AS SELECT ?1 AS set_name, ?2 AS imported",
                         about->set, about->imported, NULL));
    const int status = form_load(db, &form, path) < 0 || form_refuse(db, path) < 0 ? -1 : 0;
    if (status == 0)
        for (sqlite3_stmt *row = query_ask(db, "SELECT * FROM claims", NULL); query_next(row);) {
            query_take(row, &claims_file, &claim);
            claims->list = need_more(claims->list, claims->count, sizeof claim);
            claims->list[claims->count++] = claim;
        }
    sqlite3_close(db);
    return status;
}

void claims_free(struct claims *claims) {
    free(claims->list);
    *claims = (struct claims){0};
}

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

/* How many shapes are won (sign 1) or lost (-1), with a chance of 97.5 % that all these are. */
static double proven(const struct terms *terms, double sign) {
    double *p = need(2 * terms->count, sizeof *p), *adjusted = p + terms->count, count = 0;
    for (size_t i = 0; i < terms->count; i++)
        p[i] = significance_above(sign * log(estimate_over(terms->pairs[i], NULL).ratio),
                                  estimate_error(terms->pairs[i]));
    significance_holm(p, terms->count, adjusted);
    for (size_t i = 0; i < terms->count; i++)
        count += adjusted[i] <= (1 - VERDICT_CONFIDENCE) / 2;
    free(p);
    return count;
}

/* A share of the shapes, and no mean of speedups. */
static bool is_share(const struct claim *claim) {
    return strcmp(claim->quantity, "wins") == 0;
}

static struct doubt doubt_of(const struct claim *claim, const struct terms *terms, double n,
                             double won) {
    struct doubt doubt = {{0, INFINITY}, 0, 0};
    if (n == 0 || terms->unknown)
        return (struct doubt){{NAN, 0}, NAN, NAN};
    if (is_share(claim)) {
        doubt.down = fmax(0, won - proven(terms, 1));
        doubt.up = fmax(0, n - won - proven(terms, -1));
    } else if (terms->count > 0) {
        doubt.visits = estimate_mean(terms->pairs, terms->weights, terms->count).error;
        doubt.visits.variance *= terms->weight * terms->weight;
    }
    return doubt;
}

static struct claim_value value_of(struct sample_mean mean, const struct doubt *doubt, size_t n) {
    const double count = (double)n;
    const struct spread visits = {doubt->visits.variance / count / count, doubt->visits.freedom};
    const double half = isnan(visits.variance + mean.error.variance)
                            ? NAN
                            : estimate_half(spread_sum(mean.error, visits), 1);
    return (struct claim_value){mean.mean, mean.middle - half - doubt->down / count,
                                mean.middle + half + doubt->up / count};
}

/* Of the list that these values are of, by them alone. */
static struct sample_mean mean_of(const struct claim *claim, const double *y, size_t n,
                                  double drawn) {
    return is_share(claim) ? sample_share_of(y, n, drawn) : sample_mean_of(y, NULL, NAN, n, drawn);
}

/* The shapes of a run, and the claim's quantity of them. Without a kernel that has passed a shape counts as no
 * gain, or as what was published. */
struct parts {
    double *measured, *beside; /* of those that were measured, and what was published of these */
    double *as_baseline, *as_published;
    size_t measured_count, count;
    double won, published_mean;
    struct terms terms;
};

static void take_term(sqlite3_stmt *row, const struct pairs *pairs, const struct claimed *claimed,
                      struct parts *parts) {
    const struct claim *claim = &claimed->claim;
    struct terms *terms = &parts->terms;
    const struct shape shape = {(int64_t)query_count(row, "m"), (int64_t)query_count(row, "n"),
                                (int64_t)query_count(row, "k")};
    const struct pair key =
        pairs_key(shape, claimed->candidate, claim->baseline, claim->mode, claim->lens);
    const struct pair *pair = pairs_find(pairs, &key, key.reference);
    const double weight = 1 + query_number(row, "speedup");
    terms->pairs[terms->count] = pair;
    terms->unknown = terms->unknown || !pair || pair->visits < 2;
    terms->weight += weight;
    terms->weights[terms->count++] = weight;
}

static void take_part(sqlite3_stmt *row, const struct pairs *pairs, const struct claimed *claimed,
                      struct parts *parts) {
    const double own = query_number(row, "own"), published = query_number(row, "published");
    if (parts->count == 0)
        parts->published_mean = query_number(row, "published_mean");
    parts->as_baseline[parts->count] = isnan(own) ? 0 : own;
    parts->as_published[parts->count++] = isnan(own) ? published : own;
    if (isnan(own))
        return;
    parts->measured[parts->measured_count] = own;
    parts->beside[parts->measured_count++] = published;
    parts->won += query_number(row, "speedup") > 0;
    if (!query_count(row, "settled"))
        take_term(row, pairs, claimed, parts);
}

static struct parts take_parts(sqlite3 *db, const char *run, const struct pairs *pairs,
                               const struct claimed *claimed, size_t most) {
    const struct claim *claim = &claimed->claim;
    char shapes[32];
    struct parts parts = {.measured = need(most, sizeof *parts.measured),
                          .beside = need(most, sizeof *parts.beside),
                          .as_baseline = need(most, sizeof *parts.as_baseline),
                          .as_published = need(most, sizeof *parts.as_published),
                          .terms = {.pairs = need(most, sizeof *parts.terms.pairs),
                                    .weights = need(most, sizeof *parts.terms.weights)}};
    snprintf(shapes, sizeof shapes, "%.0f", claim->shapes);
    for (sqlite3_stmt *row =
             query_ask(db, query_claim_parts, run, claimed->candidate, claim->baseline, claim->mode,
                       claim->lens, claim->quantity, shapes, NULL);
         query_next(row);)
        take_part(row, pairs, claimed, &parts);
    return parts;
}

static void free_parts(struct parts *parts) {
    free(parts->measured);
    free(parts->beside);
    free(parts->as_baseline);
    free(parts->as_published);
    free(parts->terms.pairs);
    free(parts->terms.weights);
}

/* The share of so many shapes that were drawn from those of the claim. */
static double drawn_of(const struct claim *claim, size_t n, size_t count) {
    return (double)count < claim->shapes ? (double)n / claim->shapes : 1;
}

static void measure(const struct parts *parts, struct claimed *claimed) {
    const struct claim *claim = &claimed->claim;
    const size_t n = parts->measured_count, count = parts->count;
    const double drawn = drawn_of(claim, n, count), all = drawn_of(claim, count, count);
    const struct doubt doubt = doubt_of(claim, &parts->terms, (double)n, parts->won);
    struct claim_value *values = claimed->values;
    claimed->shapes = n;
    for (int mean = 0; mean < CLAIM_VALUES; mean++)
        values[mean] = (struct claim_value){NAN, NAN, NAN};
    values[CLAIM_MEASURED] = value_of(mean_of(claim, parts->measured, n, drawn), &doubt, n);
    if (drawn < 1 && n > 0)
        values[CLAIM_REGRESSION] = value_of(
            sample_mean_of(parts->measured, parts->beside, parts->published_mean, n, drawn), &doubt,
            n);
    if (n < count) {
        values[CLAIM_AS_BASELINE] =
            value_of(mean_of(claim, parts->as_baseline, count, all), &doubt, count);
        values[CLAIM_AS_PUBLISHED] =
            value_of(mean_of(claim, parts->as_published, count, all), &doubt, count);
    }
    for (int mean = 0; mean < CLAIM_VALUES && is_share(claim); mean++) {
        values[mean].low = values[mean].low < 0 ? 0 : values[mean].low; /* a share of wins is one */
        values[mean].high = values[mean].high > 1 ? 1 : values[mean].high;
    }
}

void claims_judge(sqlite3 *db, const char *run, const struct pairs *pairs,
                  const struct claims *claims) {
    query_add(db, &table, run, NULL, 0);
    query_next(query_ask(db, query_findings, NULL));
    if (claims->count == 0)
        return;
    for (sqlite3_stmt *row = query_ask(db, query_claimants, run, NULL); query_next(row);)
        for (size_t i = 0; i < claims->count; i++) {
            struct claimed claimed = {.claim = claims->list[i],
                                      .candidate = kept_text(query_text(row, "candidate"))};
            struct parts parts = take_parts(db, run, pairs, &claimed, query_count(row, "shapes"));
            measure(&parts, &claimed);
            free_parts(&parts);
            query_add(db, &table, run, &claimed, 1);
        }
}
