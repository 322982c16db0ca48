#include "bench/run/budget.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/clock.h"
#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/base/jsonfile.h"
#include "bench/plan/changed.h"
#include "bench/run/manifest.h"
#include "reports/compare/comparison.h"

enum { PILOTS = 3, PILOT_ROUNDS = 2 };

/* A unit that might be measured. */
struct choice {
    const struct unit *unit;
    bool changed;         /* its kernel's source, or what that includes */
    double value, spread; /* spread: earlier ones are spread over all sizes */
};

/* The seconds of a unit's first round and of a later one, by the size of its product. */
struct cost_model {
    size_t count;
    double size[PILOTS], first[PILOTS], later[PILOTS]; /* size: its logarithm, ascending */
};

static int compare_sizes(const void *left, const void *right) {
    const struct choice *a = left, *b = right;
    const double x = shape_flops(a->unit->shape), y = shape_flops(b->unit->shape);
    return x != y ? (x > y) - (x < y) : (a->unit > b->unit) - (a->unit < b->unit);
}

static int compare_values(const void *left, const void *right) {
    const struct choice *a = left, *b = right;
    return a->value != b->value ? (a->value < b->value) - (a->value > b->value)
                                : (a->spread > b->spread) - (a->spread < b->spread);
}

/* Van der Corput's sequence: the first n are about evenly spread over all, whatever n is. */
static double halved(size_t i) {
    double place = 0, half = 0.5;
    for (; i; i /= 2, half /= 2)
        place += i % 2 ? half : 0;
    return place;
}

/* How often a shape is called: as the file says, or else as the suite does. */
static double calls_of(const struct plan *plan, const struct weights *weights, struct shape shape) {
    for (size_t i = 0; weights->count == 0 && plan->suite.counts && i < plan->suite.count; i++)
        if (shape_compare(plan->suite.shapes[i], shape) == 0)
            return plan->suite.counts[i];
    return weights_of(weights, shape);
}

/* rest: something beside the kernels has changed. */
static bool is_changed(const struct plan *plan, const struct unit *unit, bool rest) {
    return plan->previous.count > 0 && unit->candidate &&
           (rest || !unit->previous || changed_kernel(unit->candidate, unit->previous));
}

/* Kernels that have changed are worth more than all others; else their calls count. */
static struct choice make_choice(const struct plan *plan, const struct unit *unit,
                                 const struct weights *weights, bool rest) {
    const double weight = calls_of(plan, weights, unit->shape);
    const bool changed = is_changed(plan, unit, rest);
    return (struct choice){unit, changed, (changed ? 2 : 0) + weight / (1 + weight), 0};
}

/* In the order of their value. NULL after error(). */
static struct choice *list_choices(const struct plan *plan, const struct unit *units, size_t count,
                                   const char *file) {
    struct weights weights = {0};
    struct choice *choices = calloc(count + 1, sizeof *choices);
    const int rest = plan->previous.count > 0 ? changed_rest(plan) : 0;
    if (!choices || rest < 0 || (file && weights_read(file, &weights) < 0)) {
        if (!choices)
            error("no memory for %zu units", count);
        free(choices);
        return NULL;
    }
    for (size_t i = 0; i < count; i++)
        choices[i] = make_choice(plan, &units[i], &weights, rest);
    qsort(choices, count, sizeof *choices, compare_sizes);
    for (size_t i = 0, step = 1; i < count; i++) {
        while (step < count)
            step *= 2;
        choices[i].spread = halved((size_t)((double)step * (1 - (double)i / (double)count)));
    }
    qsort(choices, count, sizeof *choices, compare_values);
    weights_free(&weights);
    return choices;
}

void budget_hear(void *context, const char *unit, int round, double seconds) {
    struct budget *budget = context;
    size_t i = 0;
    if (round < 0) { /* compiling */
        budget->started += seconds;
        return;
    }
    while (i < budget->cost_count && strcmp(budget->costs[i].unit, unit) != 0)
        i++;
    if (i == budget->cost_count) {
        struct budget_cost *more = realloc(budget->costs, (i + 1) * sizeof *more);
        if (!more)
            return; /* its cost is taken from the others */
        budget->costs = more;
        budget->costs[budget->cost_count++] = (struct budget_cost){.first = NAN};
        snprintf(more[i].unit, sizeof more[i].unit, "%s", unit);
    }
    struct budget_cost *cost = &budget->costs[i];
    if (round == 0) {
        cost->first = seconds;
    } else {
        cost->later += seconds;
        cost->rounds++;
    }
}

static const struct budget_cost *find_cost(const struct budget *budget, const char *unit) {
    for (size_t i = 0; i < budget->cost_count; i++)
        if (strcmp(budget->costs[i].unit, unit) == 0)
            return &budget->costs[i];
    return NULL;
}

/* What is measured beforehand: the smallest, the middle and the largest product. */
static size_t pick_pilots(const struct choice *choices, size_t count, const struct unit **pilots) {
    struct choice *sorted = malloc((count + 1) * sizeof *sorted);
    const size_t places[PILOTS] = {0, (count - 1) / 2, count - 1};
    size_t picked = 0;
    if (!sorted)
        return 0;
    memcpy(sorted, choices, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare_sizes);
    for (size_t i = 0; i < PILOTS; i++)
        if (i == 0 || places[i] != places[i - 1])
            pilots[picked++] = sorted[places[i]].unit;
    free(sorted);
    return picked;
}

/* Measures the pilots. Returns an exit status. */
static int measure_pilots(struct budget *budget, const struct plan *plan,
                          const struct run_call *call, const struct unit *const *pilots,
                          size_t count) {
    char ids[PILOTS][UNIT_ID], *only[PILOTS], folder[PATH_MAX];
    struct plan pilot = *plan;
    struct run_call own = *call;
    /* There are PILOTS at most; gcc 14 does not see it. */
    for (size_t i = 0; i < count && i < PILOTS; i++)
        only[i] = (char *)unit_id(pilots[i], ids[i]);
    if ((size_t)snprintf(folder, sizeof folder, "%s.pilot", call->run) >= sizeof folder)
        return error("%.200s...: the path is too long", call->run), EXIT_TROUBLE;
    pilot.only = only;
    pilot.only_count = count;
    pilot.rounds = PILOT_ROUNDS;
    pilot.duration_seconds *= (double)PILOT_ROUNDS / plan->rounds;
    pilot.warmup_seconds *= (double)PILOT_ROUNDS / plan->rounds;
    own.run = folder;
    own.resume = false;
    own.gate = NULL;
    own.command_line = NULL;
    own.heard = budget_hear;
    own.heard_by = budget;
    files_remove_tree(folder);
    fprintf(stderr, "what a kernel costs is measured on %zu of them\n", count);
    const int status = run_plan(&pilot, &own);
    files_remove_tree(folder);
    return status;
}

static struct cost_model make_model(const struct budget *budget, const struct unit *const *pilots,
                                    size_t count) {
    struct cost_model model = {0};
    char id[UNIT_ID];
    for (size_t i = 0; i < count; i++) {
        const struct budget_cost *cost = find_cost(budget, unit_id(pilots[i], id));
        if (!cost)
            continue;
        const double later = cost->rounds ? cost->later / cost->rounds : 0; /* 0: it was refused */
        model.size[model.count] = log(shape_flops(pilots[i]->shape));
        model.first[model.count] = isnan(cost->first) ? later : cost->first;
        model.later[model.count++] = later;
    }
    return model;
}

/* At that size, by the two measured ones beside it. */
static double interpolate(const struct cost_model *model, const double *values, double size) {
    size_t above = 0;
    while (above < model->count && model->size[above] < size)
        above++;
    if (above == 0 || above == model->count)
        return values[above ? above - 1 : 0];
    const double low = model->size[above - 1], high = model->size[above];
    const double share = (size - low) / (high - low);
    return values[above - 1] + share * (values[above] - values[above - 1]);
}

static double estimate(const struct cost_model *model, const struct unit *unit, int rounds) {
    const double size = log(shape_flops(unit->shape));
    return interpolate(model, model->first, size) +
           (rounds - 1) * interpolate(model, model->later, size);
}

static int add_id(char ***list, size_t *count, const char *id) {
    char **more = realloc(*list, (*count + 1) * sizeof *more);
    if (more)
        *list = more;
    if (!more || !(more[*count] = strdup(id)))
        return error("no memory for %zu units", *count + 1);
    ++*count;
    return 0;
}

static bool names(char *const *list, size_t count, const char *id) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i], id) == 0)
            return true;
    return false;
}

/* How many kernels have changed and are measured on no shape. */
static size_t count_unseen(const struct budget *budget, const struct plan *plan,
                           const struct choice *choices, size_t count) {
    enum { CHANGED = 1, SEEN };
    unsigned char *is = calloc(plan->set.count + 1, 1);
    char id[UNIT_ID];
    size_t unseen = 0;
    for (size_t i = 0; is && i < count; i++)
        if (choices[i].changed)
            is[choices[i].unit->candidate_index] |=
                names(budget->units, budget->unit_count, unit_id(choices[i].unit, id)) ? SEEN
                                                                                       : CHANGED;
    for (size_t i = 0; is && i < plan->set.count; i++)
        unseen += is[i] == CHANGED;
    free(is);
    return is ? unseen : plan->set.count;
}

/* overhead: seconds beside the rounds. 0, or -1 after error(). */
static int choose(struct budget *budget, const struct plan *plan, const struct choice *choices,
                  size_t count, const struct cost_model *model, double overhead) {
    const double devices = plan->device_count > 1 ? plan->device_count : 1;
    const double most =
        BUDGET_SCREENING * budget->seconds - (clock_seconds() - budget->started) - overhead;
    double sum = 0, cheapest = INFINITY;
    char id[UNIT_ID];
    int status = 0;
    for (size_t i = 0; i < count && status == 0; i++) {
        const double cost = estimate(model, choices[i].unit, plan->rounds) / devices;
        const bool fits = sum + cost <= most;
        sum += fits ? cost : 0;
        cheapest = fmin(cheapest, cost);
        unit_id(choices[i].unit, id);
        status = fits ? add_id(&budget->units, &budget->unit_count, id)
                      : add_id(&budget->left_out, &budget->left_out_count, id);
    }
    if (status == 0 && budget->unit_count == 0)
        return error("--budget: %.0f s are too short: %d rounds of the cheapest kernel take %.1f s "
                     "after %.1f s of preparation, and a quarter is kept for the second stage",
                     budget->seconds, plan->rounds, cheapest,
                     clock_seconds() - budget->started + overhead);
    budget->unseen = count_unseen(budget, plan, choices, count);
    if (status == 0)
        fprintf(stderr,
                "%zu of %zu kernels by shape fit into %.0f s: about %.0f s for %d rounds of each, "
                "the rest for a second stage\n",
                budget->unit_count, count, budget->seconds, sum + overhead, plan->rounds);
    return status;
}

/* A run that is gone on with has chosen. 0 where there is none yet, 1, or -1 after error(). */
static int take_chosen(struct budget *budget, const struct run_call *call) {
    if (!call->resume || !rundir_is(call->run))
        return 0;
    json_t *plan = rundir_read_json(call->run, "plan.json"), *id;
    json_t *manifest = run_manifest_read(call->run);
    size_t at;
    int status = plan ? 1 : -1;
    json_array_foreach(json_object_get(plan, "units"), at,
                       id) if (add_id(&budget->units, &budget->unit_count, json_string_value(id)) <
                               0) status = -1;
    json_array_foreach(json_object_get(plan, "left_out"), at,
                       id) if (add_id(&budget->left_out, &budget->left_out_count,
                                      json_string_value(id)) < 0) status = -1;
    budget->unseen = (size_t)json_integer_value(json_object_get(plan, "left_out_changed"));
    budget->started -= json_number_value(rundir_find(manifest, "seconds.whole")) -
                       json_number_value(rundir_find(manifest, "seconds.compile"));
    json_decref(plan);
    json_decref(manifest);
    return status;
}

static int choose_anew(struct budget *budget, const struct plan *plan,
                       const struct run_call *call) {
    const struct unit *pilots[PILOTS];
    struct unit *units = NULL;
    const long count = plan_units(plan, &units);
    struct choice *choices =
        count > 0 ? list_choices(plan, units, (size_t)count, budget->weights) : NULL;
    int status = EXIT_TROUBLE;
    if (choices) {
        const size_t picked = pick_pilots(choices, (size_t)count, pilots);
        status = picked ? measure_pilots(budget, plan, call, pilots, picked) : EXIT_TROUBLE;
        if (status == EXIT_PASS) {
            double rounds = 0;
            const struct cost_model model = make_model(budget, pilots, picked);
            for (size_t i = 0; i < model.count; i++)
                rounds += model.first[i] + (PILOT_ROUNDS - 1) * model.later[i];
            const double overhead = clock_seconds() - budget->started - rounds;
            if (choose(budget, plan, choices, (size_t)count, &model, fmax(0, overhead)) < 0)
                status = EXIT_TROUBLE;
        }
    }
    free(choices);
    free(units);
    return status;
}

int budget_choose(struct budget *budget, struct plan *plan, const struct run_call *call) {
    budget->started = clock_seconds();
    const int chosen = take_chosen(budget, call);
    const int status = chosen < 0   ? EXIT_TROUBLE
                       : chosen > 0 ? EXIT_PASS
                                    : choose_anew(budget, plan, call);
    if (status != EXIT_PASS)
        return status;
    plan->only = budget->units;
    plan->only_count = budget->unit_count;
    plan->left_out = budget->left_out;
    plan->left_out_count = budget->left_out_count;
    plan->left_out_changed = budget->unseen;
    return EXIT_PASS;
}

/* Of a unit that this session has not measured, as the mean of the others. */
static double cost_of(const struct budget *budget, const char *unit, size_t rounds) {
    const struct budget_cost *cost = find_cost(budget, unit);
    double first = 0, later = 0, firsts = 0, laters = 0;
    for (size_t i = 0; i < budget->cost_count; i++) {
        const struct budget_cost *one = &budget->costs[i];
        if (cost && one != cost)
            continue;
        first += isnan(one->first) ? 0 : one->first;
        firsts += !isnan(one->first);
        later += one->later;
        laters += one->rounds;
    }
    later = laters > 0 ? later / laters : 0;
    return (firsts > 0 ? first / firsts : later) + ((double)rounds - 1) * later;
}

/* The units of a second stage that has begun; NULL where it has not. */
static json_t *begun(const char *run) {
    char folder[PATH_MAX];
    if (files_join(folder, run, "confirm") < 0 || !rundir_is(folder))
        return NULL;
    json_t *plan = rundir_read_json(folder, "plan.json");
    json_t *units = json_incref(json_object_get(plan, "units"));
    json_decref(plan);
    return units;
}

/* Which of the suspects are measured, by the order of the units' values. */
static void keep(const struct budget *budget, const json_t *already,
                 const struct gate_suspects *suspects, bool *kept) {
    const double left = budget->seconds - (clock_seconds() - budget->started);
    double sum = 0;
    for (size_t u = 0; u < budget->unit_count; u++) {
        size_t i = 0;
        while (i < suspects->count && strcmp(suspects->ids[i], budget->units[u]) != 0)
            i++;
        if (i == suspects->count)
            continue;
        const double cost = cost_of(budget, suspects->ids[i], suspects->rounds);
        kept[i] = already ? jsonfile_lists(already, suspects->ids[i]) : sum + cost <= left;
        sum += kept[i] ? cost : 0;
    }
}

int budget_confirm(struct budget *budget, const char *run, struct gate_suspects *suspects) {
    bool *kept = calloc(suspects->count + 1, sizeof *kept);
    json_t *already = begun(run);
    size_t count = 0;
    int status = kept ? 0 : error("no memory for %zu suspects", suspects->count);
    if (kept)
        keep(budget, already, suspects, kept);
    for (size_t i = 0; i < suspects->count && status == 0; i++) {
        if (kept[i]) {
            char *id = suspects->ids[i];
            suspects->ids[i] = suspects->ids[count];
            suspects->ids[count++] = id;
        } else if (!names(budget->unconfirmed, budget->unconfirmed_count, suspects->ids[i])) {
            status = add_id(&budget->unconfirmed, &budget->unconfirmed_count, suspects->ids[i]);
        }
    }
    for (size_t i = count; i < suspects->count && status == 0; i++)
        free(suspects->ids[i]);
    if (status == 0)
        suspects->count = count;
    if (status == 0 && budget->unconfirmed_count)
        warning("%zu suspects do not fit into what is left of %.0f s: they stay undecided",
                budget->unconfirmed_count, budget->seconds);
    json_decref(already);
    free(kept);
    return status;
}

int budget_end(const struct budget *budget, const char *run) {
    json_t *list = json_array();
    for (size_t i = 0; i < budget->unconfirmed_count; i++)
        json_array_append_new(list, json_string(budget->unconfirmed[i]));
    json_t *json = json_pack("{s:f, s:f, s:o}", "seconds", budget->seconds, "spent",
                             clock_seconds() - budget->started, "unconfirmed", list);
    const int status =
        json ? rundir_write_json(run, "budget.json", json) : error("no memory for the budget");
    json_decref(json);
    return status;
}

static void free_ids(char **list, size_t count) {
    for (size_t i = 0; i < count; i++)
        free(list[i]);
    free(list);
}

void budget_free(struct budget *budget) {
    free(budget->costs);
    free_ids(budget->units, budget->unit_count);
    free_ids(budget->left_out, budget->left_out_count);
    free_ids(budget->unconfirmed, budget->unconfirmed_count);
    *budget = (struct budget){0};
}
