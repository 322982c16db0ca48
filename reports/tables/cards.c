#include "reports/tables/cards.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/need.h"
#include "reports/rows/kept_text.h"
#include "reports/tables/reference.h"
#include "timing/stats.h"

sqlite3 *cards_ratios(const struct rundir *runs, size_t count) {
    sqlite3 *db = query_open();
    for (size_t i = 0; i < count; i++) {
        const struct rows ratios = {.ratios = runs[i].rows.ratios,
                                    .ratio_count = runs[i].rows.ratio_count};
        char name[24];
        snprintf(name, sizeof name, "%08zu", i);
        query_load(db, name, &ratios);
    }
    return db;
}

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

/* The next run's value of a cell. With the first run's a cell begins, and with that of the first cell
 * a group. */
static void take_value(sqlite3_stmt *row, struct cards *cards) {
    const size_t run = query_count(row, "run");
    const struct spread error = {query_number(row, "error"), query_number(row, "freedom")};
    struct cards_cell *cell = &cards->cells[cards->cell_count];
    if (query_count(row, "at") == 1)
        cards->groups[cards->group_count++] =
            (struct cards_group){.candidate = kept_text(query_text(row, "candidate")),
                                 .reference = kept_text(query_text(row, "baseline")),
                                 .mode = kept_text(query_text(row, "mode")),
                                 .lens = kept_text(query_text(row, "lens")),
                                 .sizes = kept_text(query_text(row, "sizes")),
                                 .cells = cell};
    if (run == 0)
        *cell = (struct cards_cell){
            .shape = {(int64_t)query_count(row, "m"), (int64_t)query_count(row, "n"),
                      (int64_t)query_count(row, "k")},
            .half = log(query_number(row, "ci_high") / query_number(row, "ci_low")) / 2,
            .x = cards->x + cards->cell_count * cards->count};
    add_run(cards, run, log(query_number(row, "ratio")), error, cell->x, &cell->error);
    if (run + 1 == cards->run_count) {
        cards->groups[cards->group_count - 1].shapes++;
        cards->cell_count++;
    }
}

/* Of the mean over cards. */
static double half_of(const struct cards_effect *effect, size_t cards) {
    return cards_reach(effect, VERDICT_CONFIDENCE) / sqrt((double)cards);
}

/* What shapes' own effects leave in a mean over them is not common; nor is what visits leave in a
 * card's effect. */
static void put_sds(struct cards_group *group) {
    const double shapes = (double)group->shapes;
    const bool one = group->shapes == 1;
    const double rest = one ? group->visits : group->effect.own.variance / (shapes - 1);
    const double common = fmax(0, group->effect.common.variance - rest);
    const double own = one ? 0 : fmax(0, shapes * rest - group->visits);
    group->card_sd = sqrt(common + own);
    group->common_sd = one ? NAN : sqrt(common);
}

/* x has room for the values of all its cells. */
static void sum_group(struct cards_group *group, size_t cards, double *x) {
    const double shapes = (double)group->shapes;
    double visits = 0;
    for (size_t i = 0; i < group->shapes; i++) {
        const struct cards_cell *cell = &group->cells[i];
        memcpy(x + i * cards, cell->x, cards * sizeof *x);
        group->visits += cell->error.variance * (double)cards / shapes;
        group->half_card += cell->half / shapes;
        visits += estimate_half(cell->error) / shapes;
    }
    group->effect = cards_effect_of(x, group->shapes, cards);
    group->half_model = fmax(half_of(&group->effect, cards), visits);
    put_sds(group);
}

static void take_cells(struct cards *cards) {
    const size_t most = cards->runs->rows.ratio_count;
    char count[24];
    cards->cells = need(most, sizeof *cards->cells);
    cards->groups = need(most, sizeof *cards->groups);
    cards->x = need(most * cards->count, 2 * sizeof *cards->x);
    snprintf(count, sizeof count, "%zu", cards->run_count);
    sqlite3 *db = cards_ratios(cards->runs, cards->run_count);
    for (sqlite3_stmt *row = query_ask(db, query_cells, count, NULL); query_next(row);)
        take_value(row, cards);
    for (size_t i = 0; i < cards->group_count; i++)
        sum_group(&cards->groups[i], cards->count, cards->x + most * cards->count);
    sqlite3_close(db);
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

static bool is_like(const struct cards_group *group, const struct pair *like) {
    return strcmp(group->candidate, like->candidate) == 0 &&
           strcmp(group->reference, like->reference) == 0 && strcmp(group->mode, like->mode) == 0 &&
           strcmp(group->lens, like->lens) == 0;
}

/* The run's mean over the shapes that all cards have; of none it has no estimate. */
static struct suite_mean mean_of(const struct cards *cards, const struct rundir *run,
                                 const struct pair *like) {
    const struct pair **list = need(cards->cell_count, sizeof *list);
    struct suite_mean mean = {.estimate = NAN};
    struct pairs pairs;
    size_t shapes = 0;
    if (pairs_take(run->folder, &run->rows, PAIRS_SHOWN, &pairs) == 0) {
        for (size_t g = 0; g < cards->group_count; g++)
            for (size_t i = 0; i < cards->groups[g].shapes && is_like(&cards->groups[g], like);
                 i++) {
                struct pair key = *like;
                key.shape = cards->groups[g].cells[i].shape;
                list[shapes++] = pairs_find(&pairs, &key, like->reference);
            }
        if (shapes > 0)
            mean = estimate_mean(list, NULL, shapes);
        pairs_free(&pairs);
    }
    free(list);
    return mean;
}

struct estimate cards_mean(const struct cards *cards, const struct pair *like) {
    double *means = need(cards->count, sizeof *means);
    struct spread visits = {0};
    for (size_t r = 0; r < cards->run_count; r++) {
        const struct suite_mean of_run = mean_of(cards, &cards->runs[r], like);
        add_run(cards, r, of_run.estimate, of_run.error, means, &visits);
    }
    const struct cards_effect effect = cards_effect_of(means, 1, cards->count);
    const double half = fmax(half_of(&effect, cards->count), estimate_half(visits));
    const double middle = stats_mean(means, cards->count);
    free(means);
    return (struct estimate){exp(middle), exp(middle - half), exp(middle + half)};
}

/* Whether it is against the reference library of its kernel. */
static bool is_preferred(const struct cards *cards, const struct cards_group *group) {
    const char *best = NULL;
    for (size_t i = 0; i < cards->group_count; i++)
        if (strcmp(cards->groups[i].candidate, group->candidate) == 0 &&
            reference_before(cards->groups[i].reference, best))
            best = cards->groups[i].reference;
    return best && strcmp(best, group->reference) == 0;
}

void cards_fill(struct document *page, const struct cards *cards) {
#define OF(member, title, ...) DOCUMENT_OF(cards_group, member, title, __VA_ARGS__)
    static const struct document_column columns[] = {
        OF(candidate, "kernel", TEXT, .omit = DOCUMENT_OMIT_SAME),
        OF(reference, "against", TEXT),
        OF(mode, "mode", TEXT, .omit = DOCUMENT_OMIT_SAME),
        OF(lens, "lens", TEXT),
        OF(sizes, "log2 MNK", TEXT, .key = "sizes"),
        OF(shapes, "shapes", COUNT),
        OF(card_sd, "card sd %", SHARE, .digits = 2, .key = "card_sd"),
        OF(common_sd, "in common %", SHARE, .digits = 2, .key = "common_sd"),
        OF(half_card, "this card ± %", SHARE, .digits = 2, .key = "half_card", .convert = expm1),
        OF(half_model, "cards of this model ± %", SHARE, .digits = 2, .key = "half_model",
           .convert = expm1),
    };
#undef OF
    DOCUMENT_TABLE(page, "cards", "By how much cards differ", columns);
    for (size_t i = 0; i < cards->group_count; i++)
        if (is_preferred(cards, &cards->groups[i]))
            document_row_of(page, &cards->groups[i]);
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
