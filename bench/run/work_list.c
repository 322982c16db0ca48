#include "bench/run/work_list.h"

#include <limits.h>
#include <stdlib.h>

#include "bench/base/error.h"
#include "bench/base/need.h"
#include "correctness/numbers/input.h"
#include "reports/run/rundir.h"
#include "timing/schedule.h"

int work_list_open(struct work_list *list, const struct plan *plan) {
    *list = (struct work_list){0};
    const long count = plan_units(plan, &list->units);
    if (count < 0)
        return -1;
    list->unit_count = (size_t)count;
    return 0;
}

/* The most work first; the plan's order among equals. */
static int compare_costs(const void *left, const void *right, void *context) {
    const struct unit *units = context;
    const size_t a = *(const size_t *)left, b = *(const size_t *)right;
    const double x = shape_flops(units[a].shape), y = shape_flops(units[b].shape);
    return x > y ? -1 : x < y ? 1 : (a > b) - (a < b);
}

static bool is_there(const struct work_list *list, const char *run, size_t unit) {
    char id[UNIT_ID];
    return rundir_has_unit(run, unit_id(&list->units[unit], id)) == 1;
}

/* Of units that are another shard's: there is nothing to do. */
#define BEGUN_ELSEWHERE INT_MAX

/* Which units are the shard's: WORK_CHECKS and not BEGUN_ELSEWHERE. */
static void deal(const struct work_list *list, int shard, int shards, int *begun) {
    const size_t count = list->unit_count, step = shards ? (size_t)shards : 1;
    size_t *order = need(count, sizeof *order);
    for (size_t i = 0; i < count; i++) {
        order[i] = i;
        begun[i] = BEGUN_ELSEWHERE;
    }
    qsort_r(order, count, sizeof *order, compare_costs, list->units);
    for (size_t i = shards ? (size_t)shard - 1 : 0; i < count; i += step)
        begun[order[i]] = WORK_CHECKS;
    free(order);
}

/* begun: the visits that are there of each unit of the shard, all of them where it is whole;
 * WORK_CHECKS: nor are its checks. 0, or -1 after error(). */
static int find_begun(struct work_list *list, const struct plan *plan, const char *run,
                      int *begun) {
    char id[UNIT_ID];
    for (size_t unit = 0; unit < list->unit_count; unit++) {
        if (begun[unit] == BEGUN_ELSEWHERE)
            continue;
        list->mine++;
        if (is_there(list, run, unit)) {
            rundir_drop_visits(run, unit_id(&list->units[unit], id));
            begun[unit] = plan->visits;
            list->there++;
            continue;
        }
        if (rundir_count_visits(run, unit_id(&list->units[unit], id), &begun[unit]) < 0)
            return -1;
        if (begun[unit] >= plan->visits)
            return error("units/.%s.visits has %d visits of a unit of %d that is not whole; remove "
                         "it, and --resume measures the unit from its first visit",
                         id, begun[unit], plan->visits);
        list->visits += begun[unit] > 0 ? (size_t)begun[unit] : 0;
    }
    return 0;
}

/* A product of so many operations, two for each multiply-add, takes the card to its power cap. Units
 * behind it find a clock that is lower by up to a third, and their ratios move by up to 2 %. */
#define COOLED_BELOW 0x1p36

/* The units in the order of the visit: drawn, but for those that heat the card, which come last. Then a
 * new process is opened, and the clock is back. */
static void arrange(const struct plan *plan, const struct work_list *list, int visit, int *order) {
    const size_t count = list->unit_count;
    int *drawn = need(count, sizeof *drawn);
    size_t placed = 0;
    for (size_t i = 0; i < count; i++)
        drawn[i] = (int)i;
    if (visit > 0)
        schedule_shuffle(seed_derive(plan->seed, SEED_VISIT, (uint64_t)visit), (int)count, drawn);
    for (int hot = 0; hot < 2; hot++)
        for (size_t i = 0; i < count; i++)
            if ((shape_flops(list->units[drawn[i]].shape) >= COOLED_BELOW) == hot)
                order[placed++] = drawn[i];
    free(drawn);
}

int work_list_add(struct work_list *list, const struct plan *plan, const char *run, int shard,
                  int shards) {
    const size_t count = list->unit_count;
    int *begun = need(count, sizeof *begun), *order = need(count, sizeof *order);
    list->items = need(count * ((size_t)plan->visits + 1), sizeof *list->items);
    deal(list, shard, shards, begun);
    const int status = find_begun(list, plan, run, begun);
    for (int visit = WORK_CHECKS; visit < plan->visits && status == 0; visit++) {
        arrange(plan, list, visit, order);
        for (size_t i = 0; i < count; i++)
            if (begun[order[i]] <= visit)
                list->items[list->count++] = (struct work_item){(size_t)order[i], visit};
        if (visit == WORK_CHECKS)
            list->checks = list->count;
    }
    free(begun);
    free(order);
    return status;
}

bool work_list_is_complete(const struct work_list *list, const char *run) {
    for (size_t i = 0; i < list->unit_count; i++)
        if (!is_there(list, run, i))
            return false;
    return true;
}

void work_list_free(struct work_list *list) {
    free(list->units);
    free(list->items);
    *list = (struct work_list){0};
}
