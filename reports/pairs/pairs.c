#include "reports/pairs/pairs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/need.h"
#include "reports/rows/derive_values.h"

/* Most texts are kept (kept_text): equal ones have one address. */
static int order_texts(const char *left, const char *right) {
    return left == right ? 0 : strcmp(left, right);
}

static int order(struct shape shape, const char *candidate, const char *reference, const char *mode,
                 const char *lens, const struct pair *pair) {
    int order = shape_compare(shape, pair->shape);
    order = order ? order : order_texts(candidate, pair->candidate);
    order = order ? order : order_texts(reference, pair->reference);
    order = order ? order : order_texts(mode, pair->mode);
    return order ? order : order_texts(lens, pair->lens);
}

int pairs_compare(const void *left, const void *right) {
    const struct pair *pair = left;
    return order(pair->shape, pair->candidate, pair->reference, pair->mode, pair->lens, right);
}

static int compare_visit(const void *visit, const void *pair) {
    const struct visit_row *row = visit;
    return order(row->shape, row->candidate, row->baseline, row->mode, row->lens, pair);
}

void pairs_add(struct pairs *pairs, const struct pair *pair) {
    pairs->list = need_more(pairs->list, pairs->count, sizeof *pairs->list);
    pairs->list[pairs->count++] = *pair;
}

struct pair pairs_key(struct shape shape, const char *candidate, const char *reference,
                      const char *mode, const char *lens) {
    return (struct pair){
        .shape = shape, .candidate = candidate, .reference = reference, .mode = mode, .lens = lens};
}

static struct pair pair_of(const struct ratio_row *row) {
    struct pair pair = pairs_key(row->shape, row->candidate, row->baseline, row->mode, row->lens);
    pair.seconds = row->seconds;
    pair.reference_seconds = row->baseline_seconds;
    pair.disturbed = row->disturbed;
    pair.timed_visits = row->timed_visits;
    pair.left_out = row->left_out;
    pair.used = isnan(row->variance) ? (struct spread){NAN, 0}
                                     : (struct spread){row->variance, row->freedom};
    return pair;
}

static int sort(const char *where, struct pairs *pairs) {
    struct pair *list = pairs->list;
    char shape[SHAPE_TEXT];
    if (pairs->count > 0)
        qsort(list, pairs->count, sizeof *list, pairs_compare);
    for (size_t i = 1; i < pairs->count; i++)
        if (pairs_compare(&list[i - 1], &list[i]) == 0)
            return error("%s: two units time %s on %s", where, list[i].candidate,
                         shape_format(list[i].shape, shape));
    return 0;
}

static int add_visit(const char *where, const struct visit_row *row, struct pair *pair) {
    const double x = -log(row->ratio);
    size_t at = pair->visits;
    if (!(row->visit >= 0 && row->visit < PAIRS_VISITS))
        return error("%s: %s.%s: %.0f visits; a comparison takes at most %d", where, row->mode,
                     row->lens, row->visit + 1, PAIRS_VISITS);
    if (row->left_out > 0)
        return 0;
    for (; at > 0 && pair->visit[at - 1] > row->visit; at--) {
        pair->visit[at] = pair->visit[at - 1];
        pair->x[at] = pair->x[at - 1];
    }
    if (!(fabs(x) <= PAIRS_MOST_X) || (at > 0 && pair->visit[at - 1] == row->visit))
        return error("%s: %s.%s: visit %.0f gives no time of %s against %s; time the unit again",
                     where, row->mode, row->lens, row->visit, row->candidate, row->baseline);
    pair->visit[at] = (unsigned char)row->visit;
    pair->x[at] = x;
    pair->visits++;
    return 0;
}

/* What has no value by a lens, as of a kernel that waits for the device in each call, is no pair.
 */
static void drop_unknown(struct pairs *pairs) {
    size_t kept = 0;
    for (size_t i = 0; i < pairs->count; i++)
        if (pairs->list[i].visits > 0)
            pairs->list[kept++] = pairs->list[i];
    pairs->count = kept;
}

static int order_check(struct shape shape, const char *candidate, const char *kernel,
                       const struct check_row *check) {
    int order = shape_compare(shape, check->shape);
    order = order ? order : order_texts(candidate, check->candidate);
    return order ? order : order_texts(kernel, check->kernel);
}

static int compare_checks(const void *left, const void *right) {
    const struct check_row *check = *(const struct check_row *const *)left;
    return order_check(check->shape, check->candidate, check->kernel,
                       *(const struct check_row *const *)right);
}

/* Of all checks, sorted for fate_of; the caller frees. */
static const struct check_row **sorted_checks(const struct rows *rows) {
    const struct check_row **sorted = need(rows->check_count, sizeof *sorted);
    for (size_t i = 0; i < rows->check_count; i++)
        sorted[i] = &rows->checks[i];
    if (rows->check_count)
        qsort(sorted, rows->check_count, sizeof *sorted, compare_checks);
    return sorted;
}

/* A kernel of the unit that a row is of. */
struct checked {
    const struct ratio_row *row;
    const char *kernel;
};

static int compare_checked(const void *key, const void *check) {
    const struct checked *is = key;
    return order_check(is->row->shape, is->row->candidate, is->kernel,
                       *(const struct check_row *const *)check);
}

/* What became of it; refused where nobody has checked it. */
static enum rows_fate fate_of(const struct check_row **sorted, size_t count, struct checked is) {
    const struct check_row **check =
        count ? bsearch(&is, sorted, count, sizeof *sorted, compare_checked) : NULL;
    return check ? rows_fate(*check) : ROWS_REFUSED;
}

static void put_fates(const struct check_row **sorted, size_t count, const struct ratio_row *row,
                      struct pair *pair) {
    const enum rows_fate fate = fate_of(sorted, count, (struct checked){row, row->candidate});
    pair->passed = fate == ROWS_PASSED || fate == ROWS_UNRECORDED;
    pair->unrecorded =
        fate == ROWS_UNRECORDED || strcmp(row->place, words_places[PLACE_UNBOUNDED]) == 0 ||
        (strcmp(row->baseline, RUNDIR_PREVIOUS) == 0 &&
         fate_of(sorted, count, (struct checked){row, RUNDIR_PREVIOUS}) == ROWS_UNRECORDED);
}

int pairs_take(const char *where, const struct rows *rows, struct pairs *pairs) {
    const struct check_row **checks = sorted_checks(rows);
    *pairs = (struct pairs){0};
    for (size_t i = 0; i < rows->ratio_count; i++) {
        struct pair pair = pair_of(&rows->ratios[i]);
        put_fates(checks, rows->check_count, &rows->ratios[i], &pair);
        pairs_add(pairs, &pair);
    }
    free(checks);
    int status = sort(where, pairs);
    struct pair *pair = NULL; /* that of the visit before */
    for (size_t i = 0; i < rows->visit_count && status == 0; i++) {
        const struct visit_row *row = &rows->visits[i];
        if (pairs->count && (!pair || compare_visit(row, pair) != 0))
            pair = bsearch(row, pairs->list, pairs->count, sizeof *pair, compare_visit);
        if (pair && (row->left_out > 0 || !isnan(row->ratio)))
            status = add_visit(where, row, pair);
    }
    if (status == 0)
        drop_unknown(pairs);
    if (status < 0)
        pairs_free(pairs);
    return status;
}

void pairs_rename_set(struct pairs *pairs, const char *from, const char *to) {
    for (size_t i = 0; i < pairs->count; i++)
        if (strcmp(pairs->list[i].candidate, from) == 0)
            pairs->list[i].candidate = kept_text(to);
    if (pairs->count)
        qsort(pairs->list, pairs->count, sizeof *pairs->list, pairs_compare);
}

const struct pair *pairs_find(const struct pairs *pairs, const struct pair *like,
                              const char *reference) {
    const struct pair key =
        pairs_key(like->shape, like->candidate, reference, like->mode, like->lens);
    return pairs->count ? bsearch(&key, pairs->list, pairs->count, sizeof key, pairs_compare)
                        : NULL;
}

void pairs_keep_passed(struct pairs *pairs) {
    size_t kept = 0;
    for (size_t i = 0; i < pairs->count; i++)
        if (pairs->list[i].passed)
            pairs->list[kept++] = pairs->list[i];
    pairs->count = kept;
}

void pairs_free(struct pairs *pairs) {
    free(pairs->list);
    *pairs = (struct pairs){0};
}
