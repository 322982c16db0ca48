#include "reports/tables/cards.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/need.h"
#include "reports/rows/kept_text.h"
#include "reports/rows/size_class.h"
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

/* What a group is of. */
static bool is_group(const struct cards_group *group, sqlite3_stmt *answer, int size) {
    return strcmp(group->candidate, query_text(answer, "candidate")) == 0 &&
           strcmp(group->reference, query_text(answer, "baseline")) == 0 &&
           strcmp(group->mode, query_text(answer, "mode")) == 0 &&
           strcmp(group->lens, query_text(answer, "lens")) == 0 && group->size == size;
}

static void begin_group(sqlite3_stmt *answer, int size, struct cards *cards) {
    if (cards->group_count > 0 && is_group(&cards->groups[cards->group_count - 1], answer, size))
        return;
    cards->groups[cards->group_count++] =
        (struct cards_group){.candidate = kept_text(query_text(answer, "candidate")),
                             .reference = kept_text(query_text(answer, "baseline")),
                             .mode = kept_text(query_text(answer, "mode")),
                             .lens = kept_text(query_text(answer, "lens")),
                             .size = size,
                             .cells = cards->cells + cards->cell_count};
}

/* The next run's value of the cell; of the first run it begins one. */
static void take_cell(sqlite3_stmt *answer, struct cards *cards) {
    const size_t run = strtoul(query_text(answer, "run"), NULL, 10);
    const struct shape shape = {(int64_t)query_count(answer, "m"),
                                (int64_t)query_count(answer, "n"),
                                (int64_t)query_count(answer, "k")};
    const struct spread error = {query_number(answer, "error"), query_number(answer, "freedom")};
    struct cards_cell *cell = &cards->cells[cards->cell_count];
    if (run == 0) {
        begin_group(answer, size_class_of(shape), cards);
        cell->shape = shape;
        cell->half = log(query_number(answer, "ci_high") / query_number(answer, "ci_low")) / 2;
        cell->x = cards->x + cards->cell_count * cards->count;
    }
    add_run(cards, run, log(query_number(answer, "ratio")), error, cell->x, &cell->error);
    if (run + 1 == cards->run_count) {
        cards->groups[cards->group_count - 1].shapes++;
        cards->cell_count++;
    }
}

/* Of the mean over cards. */
static double half_of(const struct cards_effect *effect, size_t cards) {
    return cards_reach(effect, VERDICT_CONFIDENCE) / sqrt((double)cards);
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
}

static void take_cells(struct cards *cards) {
    const size_t most = cards->runs->rows.ratio_count;
    char count[24];
    cards->cells = need(most, sizeof *cards->cells);
    cards->groups = need(most, sizeof *cards->groups);
    cards->x = need(most * cards->count, 2 * sizeof *cards->x);
    snprintf(count, sizeof count, "%zu", cards->run_count);
    sqlite3 *db = cards_ratios(cards->runs, cards->run_count);
    for (sqlite3_stmt *answer = query_ask(db, query_cells, count, NULL); query_next(answer);)
        take_cell(answer, cards);
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

static void put_group(struct document *page, const struct cards_group *group) {
    const struct cards_effect *effect = &group->effect;
    const double shapes = (double)group->shapes;
    /* What shapes' own effects leave in a mean over them is not common; nor is what visits leave a
     * card's effect. */
    const double rest = group->shapes > 1 ? effect->own.variance / (shapes - 1) : group->visits;
    const double common = fmax(0, effect->common.variance - rest);
    const double own = group->shapes > 1 ? fmax(0, shapes * rest - group->visits) : 0;
    char sizes[SIZE_CLASS_TEXT];
    document_row(page);
    document_cell(page, group->candidate);
    document_cell(page, group->reference);
    document_cell(page, group->mode);
    document_cell(page, group->lens);
    document_cell(page, size_class_format(group->size, sizes));
    document_count(page, group->shapes);
    document_number(page, sqrt(common + own));
    document_number(page, group->shapes > 1 ? sqrt(common) : NAN);
    document_number(page, expm1(group->half_card));
    document_number(page, expm1(group->half_model));
}

/* Whether it is against the reference library of its kernel. */
static bool is_preferred(const struct cards *cards, const struct cards_group *group) {
    const char *best = NULL;
    for (size_t i = 0; i < cards->group_count; i++)
        if (strcmp(cards->groups[i].candidate, group->candidate) == 0 &&
            reference_before(REFERENCE_OPPONENT, cards->groups[i].reference, best))
            best = cards->groups[i].reference;
    return best && strcmp(best, group->reference) == 0;
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
