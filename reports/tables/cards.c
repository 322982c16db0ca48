#include "reports/tables/cards.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/need.h"
#include "bench/base/words.h"
#include "reports/rows/size_class.h"
#include "reports/tables/reference.h"
#include "timing/stats.h"

/* Which card each run is of, counted in the order of the runs. Returns how many there are: none where
 * a run does not name its own. */
static size_t number_cards(const struct rundir *runs, size_t count, size_t *card) {
    size_t cards = 0;
    for (size_t i = 0; i < count; i++) {
        size_t same = 0;
        while (same < i && strcmp(runs[same].about.cards, runs[i].about.cards) != 0)
            same++;
        if (!*runs[i].about.cards)
            return 0;
        card[i] = same < i ? card[same] : cards++;
    }
    return cards;
}

/* What a run counts of all cards: as much as the others of its card together with it. */
static double share_of(const struct cards *cards, size_t run) {
    double runs = 0;
    for (size_t i = 0; i < cards->run_count; i++)
        runs += cards->card[i] == cards->card[run];
    return 1 / runs / (double)cards->count;
}

/* Takes a run's value and its error to its card's, x, and to those of the mean over cards. */
static void add_run(const struct cards *cards, size_t run, double value, struct spread error,
                    double *x, struct spread *sum) {
    const double share = share_of(cards, run);
    x[cards->card[run]] += share * (double)cards->count * value;
    error.variance *= share * share;
    *sum = run > 0 ? spread_sum(*sum, error) : error;
}

/* Adds the pair where every run has it, with an interval over visits. */
static void add_cell(const struct pair *pair, double *x, struct cards *cards) {
    struct cards_cell cell = {.pair = pair, .x = x};
    memset(x, 0, cards->count * sizeof *x);
    for (size_t i = 0; i < cards->run_count; i++) {
        const struct pair *one = pairs_find(&cards->runs[i].shown, pair, pair->reference);
        if (!one || one->visits < 2 || !isfinite(one->used.variance))
            return;
        add_run(cards, i, -stats_mean(one->x, one->visits), estimate_error(one), x, &cell.error);
    }
    cards->cells[cards->cell_count++] = cell;
}

static int compare_groups(const struct pair *a, const struct pair *b) {
    int order = strcmp(a->candidate, b->candidate);
    order = order ? order : strcmp(a->reference, b->reference);
    order = order ? order : words_compare(words_modes, a->mode, b->mode);
    order = order ? order : words_compare(words_lenses, a->lens, b->lens);
    return order ? order : size_class_of(a->shape) - size_class_of(b->shape);
}

static int compare_cells(const void *left, const void *right) {
    const struct cards_cell *a = left, *b = right;
    const int order = compare_groups(a->pair, b->pair);
    return order ? order : shape_compare(a->pair->shape, b->pair->shape);
}

/* Of the mean over cards. */
static double half_of(const struct cards_effect *effect, size_t cards) {
    return cards_reach(effect, VERDICT_CONFIDENCE) / sqrt((double)cards);
}

static struct cards_group group_of(const struct cards_cell *cells, size_t shapes, size_t cards,
                                   double *x) {
    struct cards_group group = {.cells = cells, .shapes = shapes};
    double visits = 0;
    for (size_t i = 0; i < shapes; i++) {
        memcpy(x + i * cards, cells[i].x, cards * sizeof *x);
        group.visits += cells[i].error.variance * (double)cards / (double)shapes;
        group.half_card += estimate_half(estimate_error(cells[i].pair)) / (double)shapes;
        visits += estimate_half(cells[i].error) / (double)shapes;
    }
    group.effect = cards_effect_of(x, shapes, cards);
    group.half_model = fmax(half_of(&group.effect, cards), visits);
    return group;
}

static void take_cells(struct cards *cards) {
    const struct pairs *first = &cards->runs->shown;
    cards->cells = need(first->count, sizeof *cards->cells);
    cards->groups = need(first->count, sizeof *cards->groups);
    cards->x = need(first->count * cards->count, 2 * sizeof *cards->x);
    for (size_t i = 0; i < first->count; i++)
        add_cell(&first->list[i], cards->x + i * cards->count, cards);
    if (cards->cell_count > 0)
        qsort(cards->cells, cards->cell_count, sizeof *cards->cells, compare_cells);
    for (size_t at = 0, end; at < cards->cell_count; at = end) {
        const struct cards_cell *cells = cards->cells + at;
        for (end = at + 1;
             end < cards->cell_count && compare_groups(cells->pair, cards->cells[end].pair) == 0;)
            end++;
        cards->groups[cards->group_count++] =
            group_of(cells, end - at, cards->count, cards->x + first->count * cards->count);
    }
}

void cards_make(const struct rundir *runs, size_t count, struct cards *cards) {
    *cards =
        (struct cards){.runs = runs, .card = need(count, sizeof *cards->card), .run_count = count};
    cards->count = number_cards(runs, count, cards->card);
    if (cards->count > 1)
        take_cells(cards);
}

void cards_free(struct cards *cards) {
    free(cards->card);
    free(cards->cells);
    free(cards->groups);
    free(cards->x);
    *cards = (struct cards){0};
}

double cards_difference(const struct cards_group *group) {
    return sqrt(2) * cards_reach(&group->effect, VERDICT_CONFIDENCE);
}

/* The cells of the line's pairs, which are one after the other. */
static size_t find_line(const struct cards *cards, const struct pair *like, size_t *first) {
    size_t count = 0;
    for (size_t i = 0; i < cards->cell_count; i++) {
        const struct pair *pair = cards->cells[i].pair;
        if (strcmp(pair->candidate, like->candidate) != 0 ||
            strcmp(pair->reference, like->reference) != 0 || strcmp(pair->mode, like->mode) != 0 ||
            strcmp(pair->lens, like->lens) != 0)
            continue;
        *first = count++ == 0 ? i : *first;
    }
    return count;
}

struct estimate cards_mean(const struct cards *cards, const struct pair *like) {
    size_t first = 0;
    const size_t shapes = find_line(cards, like, &first);
    if (shapes == 0)
        return (struct estimate){NAN, NAN, NAN};
    const struct pair **list = need(shapes, sizeof *list);
    double *means = need(cards->count, sizeof *means);
    struct spread visits = {0};
    for (size_t r = 0; r < cards->run_count; r++) {
        for (size_t i = 0; i < shapes; i++) {
            const struct pair *pair = cards->cells[first + i].pair;
            list[i] = pairs_find(&cards->runs[r].shown, pair, pair->reference);
        }
        const struct suite_mean of_run = estimate_mean(list, NULL, shapes);
        add_run(cards, r, of_run.estimate, of_run.error, means, &visits);
    }
    const struct cards_effect effect = cards_effect_of(means, 1, cards->count);
    const double half = fmax(half_of(&effect, cards->count), estimate_half(visits));
    const double middle = stats_mean(means, cards->count);
    free(list);
    free(means);
    return (struct estimate){exp(middle), exp(middle - half), exp(middle + half)};
}

static void put_group(struct document *page, const struct cards_group *group) {
    const struct pair *pair = group->cells->pair;
    const struct cards_effect *effect = &group->effect;
    const double shapes = (double)group->shapes;
    /* What shapes' own effects leave in a mean over them is not common; nor is what visits leave a
     * card's effect. */
    const double rest = group->shapes > 1 ? effect->own.variance / (shapes - 1) : group->visits;
    const double common = fmax(0, effect->common.variance - rest);
    const double own = group->shapes > 1 ? fmax(0, shapes * rest - group->visits) : 0;
    char sizes[SIZE_CLASS_TEXT];
    document_row(page);
    document_cell(page, pair->candidate);
    document_cell(page, pair->reference);
    document_cell(page, pair->mode);
    document_cell(page, pair->lens);
    document_cell(page, size_class_format(size_class_of(pair->shape), sizes));
    document_count(page, group->shapes);
    document_number(page, sqrt(common + own));
    document_number(page, group->shapes > 1 ? sqrt(common) : NAN);
    document_number(page, expm1(group->half_card));
    document_number(page, expm1(group->half_model));
}

/* Whether it is against the reference library of its kernel. */
static bool is_preferred(const struct cards *cards, const struct cards_group *group) {
    const struct pair *mine = group->cells->pair;
    const char *best = NULL;
    for (size_t i = 0; i < cards->group_count; i++) {
        const struct pair *pair = cards->groups[i].cells->pair;
        if (strcmp(pair->candidate, mine->candidate) == 0 &&
            reference_before(REFERENCE_OPPONENT, pair->reference, best))
            best = pair->reference;
    }
    return best && strcmp(best, mine->reference) == 0;
}

void cards_fill(struct document *page, const struct cards *cards) {
    static const struct document_column columns[] = {
        {.name = "kernel", .type = DOCUMENT_TEXT, .omit = DOCUMENT_OMIT_SAME},
        {.name = "against", .type = DOCUMENT_TEXT},
        {.name = "mode", .type = DOCUMENT_TEXT, .omit = DOCUMENT_OMIT_SAME},
        {.name = "lens", .type = DOCUMENT_TEXT},
        {.name = "log2 MNK", .type = DOCUMENT_TEXT, .key = "sizes"},
        {.name = "shapes", .type = DOCUMENT_COUNT},
        {.name = "card sd %", .type = DOCUMENT_SHARE, .digits = 2, .key = "card_sd"},
        {.name = "in common %", .type = DOCUMENT_SHARE, .digits = 2, .key = "common_sd"},
        {.name = "this card ± %", .type = DOCUMENT_SHARE, .digits = 2, .key = "half_card"},
        {.name = "cards of this model ± %",
         .type = DOCUMENT_SHARE,
         .digits = 2,
         .key = "half_model"},
    };
    DOCUMENT_TABLE(page, "cards", "By how much cards differ", columns);
    for (size_t i = 0; i < cards->group_count; i++)
        if (is_preferred(cards, &cards->groups[i]))
            put_group(page, &cards->groups[i]);
    document_paragraph(
        page,
        "%zu cards of one model have measured this. *Card sd* is by how much a kernel's ratio on a "
        "shape differs between cards, beyond what its visits scatter; *in common* is the part that "
        "all shapes of a size share. *This card* is the half-width of the 95 %% interval of one "
        "shape on the first card (mean), *cards of this model* that of the mean over these cards "
        "for all cards of the model. Many shapes do not make up for few cards: what they share is "
        "known from %zu cards%s. A ratio by `call` includes the host's launch. Cards of one host "
        "share that host, so they tell little of other hosts.",
        cards->count, cards->count,
        cards->count == 2 ? ". By two cards it is known that they differ, and by how much these "
                            "two do; of their model they tell little"
                          : "");
}
