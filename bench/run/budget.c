#include "bench/run/budget.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/clock.h"
#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/base/jsonfile.h"
#include "bench/base/need.h"
#include "bench/plan/changed.h"
#include "bench/run/manifest.h"
#include "reports/run/rundir.h"
#include "reports/run/weights.h"

/* A unit that might be measured. */
struct choice {
    const struct unit *unit;
    bool changed;         /* its kernel's source, or what that includes */
    double value, spread; /* spread: earlier ones are spread over all sizes */
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
    const int rest = plan->previous.count > 0 ? changed_rest(plan) : 0;
    if (rest < 0 || (file && weights_read(file, &weights) < 0))
        return NULL;
    struct choice *choices = need(count, sizeof *choices);
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

static void add_id(struct budget_ids *ids, const char *id) {
    ids->list = need_more(ids->list, ids->count, sizeof *ids->list);
    ids->list[ids->count++] = need_copy(id);
}

static bool names(char *const *list, size_t count, const char *id) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i], id) == 0)
            return true;
    return false;
}

static void free_ids(struct budget_ids *ids) {
    for (size_t i = 0; i < ids->count; i++)
        free(ids->list[i]);
    free(ids->list);
    *ids = (struct budget_ids){0};
}

static double spent(const struct budget *budget) {
    return clock_seconds() - budget->started - budget->compile_seconds;
}

/* Whether the run has a visit of the unit. 0, 1, or -1 after error(). */
static int is_begun(const char *run, const char *id) {
    int rounds = 0;
    const int whole = rundir_has_unit(run, id);
    return whole != 0 ? whole : rundir_count_rounds(run, id, &rounds) < 0 ? -1 : rounds > 0;
}

/* Deals the plan's units out: to `begun` those that so many seconds are enough for, to `rest` the
 * others. A run that is gone on with, and whose plan lacks units, was dealt out before. Returns an
 * exit status. */
static int deal_out(const struct plan *plan, const struct run_call *call, double seconds,
                    struct budget_ids *begun, struct budget_ids *rest) {
    json_t *before =
        call->resume && rundir_is(call->run) ? rundir_read_json(call->run, "plan.json") : NULL;
    const json_t *units = json_object_get(before, "units");
    const bool dealt = json_array_size(units) > 0 && json_array_size(units) < plan->only_count;
    struct run_call first = *call;
    first.first_seconds = fmax(seconds / plan->rounds, 1e-9);
    int status = dealt ? EXIT_PASS : run_plan(plan, &first);
    for (size_t i = 0; i < plan->only_count && status == EXIT_PASS; i++) {
        const char *id = plan->only[i];
        const int is = dealt ? jsonfile_lists(units, id) : is_begun(call->run, id);
        if (is < 0)
            status = EXIT_TROUBLE;
        else
            add_id(is ? begun : rest, id);
    }
    json_decref(before);
    return status;
}

/* From now on the plan is of the units that were begun, and the run is gone on with. Returns an
 * exit status. */
static int go_on(struct plan *plan, struct run_call *call, const struct budget_ids *begun) {
    struct unit *units = NULL;
    plan->only = begun->list;
    plan->only_count = begun->count;
    call->resume = true;
    const long count = plan_units(plan, &units);
    if (count < 0)
        return EXIT_TROUBLE;
    json_t *json = plan_json(plan, units, (size_t)count);
    const int status = rundir_write_json(call->run, "plan.json", json);
    json_decref(json);
    free(units);
    return status < 0 ? EXIT_TROUBLE : EXIT_PASS;
}

/* How many kernels have changed and are measured on no shape. */
static size_t count_unseen(const struct budget *budget, const struct plan *plan,
                           const struct choice *choices, size_t count) {
    enum { CHANGED = 1, SEEN };
    unsigned char *is = need(plan->set.count, 1);
    char id[UNIT_ID];
    size_t unseen = 0;
    for (size_t i = 0; i < count; i++)
        if (choices[i].changed)
            is[choices[i].unit->candidate_index] |=
                names(budget->units.list, budget->units.count, unit_id(choices[i].unit, id))
                    ? SEEN
                    : CHANGED;
    for (size_t i = 0; i < plan->set.count; i++)
        unseen += is[i] == CHANGED;
    free(is);
    return unseen;
}

/* What earlier sessions took. */
static double spent_before(const struct run_call *call) {
    if (!call->resume || !rundir_is(call->run))
        return 0;
    json_t *manifest = run_manifest_read(call->run);
    const double seconds = json_number_value(rundir_find(manifest, "seconds.whole")) -
                           json_number_value(rundir_find(manifest, "seconds.compile"));
    json_decref(manifest);
    return seconds;
}

/* The units by value, and of these as many as can be begun. Returns an exit status. */
static int choose(struct budget *budget, struct plan *plan, struct run_call *call,
                  const struct choice *choices, size_t count) {
    struct budget_ids order = {0};
    char id[UNIT_ID];
    for (size_t i = 0; i < count; i++)
        add_id(&order, unit_id(choices[i].unit, id));
    plan->only = order.list;
    plan->only_count = order.count;
    const int status = deal_out(plan, call, BUDGET_SCREENING * budget->seconds - spent(budget),
                                &budget->units, &budget->left_out);
    free_ids(&order);
    if (status == EXIT_PASS && budget->units.count == 0)
        return error("--budget: %.0f s are too short: not one kernel was begun in the share of a "
                     "visit, a %.0fth of three quarters",
                     budget->seconds, (double)plan->rounds),
               EXIT_TROUBLE;
    plan->left_out = budget->left_out.list;
    plan->left_out_count = budget->left_out.count;
    plan->left_out_changed = count_unseen(budget, plan, choices, count);
    if (status != EXIT_PASS)
        return status;
    fprintf(stderr, "%zu of %zu kernels by shape were begun in time for %.0f s\n",
            budget->units.count, count, budget->seconds);
    return go_on(plan, call, &budget->units);
}

int budget_screen(struct budget *budget, struct plan *plan, struct run_call *call) {
    struct unit *units = NULL;
    budget->started = clock_seconds() - spent_before(call);
    call->compile_seconds = &budget->compile_seconds;
    const long count = plan_units(plan, &units);
    struct choice *choices =
        count > 0 ? list_choices(plan, units, (size_t)count, budget->weights) : NULL;
    const int status = choices ? choose(budget, plan, call, choices, (size_t)count) : EXIT_TROUBLE;
    free(choices);
    free(units);
    return status;
}

int budget_confirm(struct budget *budget, struct plan *plan, struct run_call *call) {
    struct budget_ids order = {0};
    for (size_t i = 0; i < budget->units.count; i++)
        if (names(plan->only, plan->only_count, budget->units.list[i]))
            add_id(&order, budget->units.list[i]);
    plan->only = order.list;
    plan->only_count = order.count;
    const int status =
        deal_out(plan, call, budget->seconds - spent(budget), &budget->again, &budget->unconfirmed);
    free_ids(&order);
    plan->only = budget->again.list;
    plan->only_count = budget->again.count;
    if (status != EXIT_PASS)
        return status;
    if (budget->unconfirmed.count)
        warning("%zu suspects do not fit into what is left of %.0f s: they stay undecided",
                budget->unconfirmed.count, budget->seconds);
    if (budget->again.count > 0)
        return go_on(plan, call, &budget->again);
    files_remove_tree(call->run);
    return EXIT_PASS;
}

int budget_end(const struct budget *budget, const char *run) {
    const struct budget_ids *left = &budget->unconfirmed;
    json_t *json = json_pack("{s:f, s:f, s:o}", "seconds", budget->seconds, "spent", spent(budget),
                             "unconfirmed", jsonfile_texts(left->list, left->count));
    const int status = rundir_write_json(run, "budget.json", json);
    json_decref(json);
    return status;
}

void budget_free(struct budget *budget) {
    free_ids(&budget->units);
    free_ids(&budget->left_out);
    free_ids(&budget->again);
    free_ids(&budget->unconfirmed);
}
