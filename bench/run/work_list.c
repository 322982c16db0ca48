#include "bench/run/work_list.h"

#include <stdlib.h>

#include "bench/base/error.h"
#include "reports/run/rundir.h"

int work_list_open(struct work_list *list, const struct plan *plan) {
    *list = (struct work_list){0};
    const long count = plan_units(plan, &list->units);
    if (count < 0)
        return -1;
    list->unit_count = (size_t)count;
    list->items = calloc(list->unit_count + 1, sizeof *list->items);
    return list->items ? 0 : error("no memory for %zu units", list->unit_count);
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

int work_list_add(struct work_list *list, const char *run, int shard, int shards, bool by_cost) {
    const size_t count = list->unit_count, step = shards ? (size_t)shards : 1;
    size_t *order = calloc(count + 1, sizeof *order);
    bool *mine = calloc(count + 1, sizeof *mine);
    const int status = order && mine ? 0 : error("no memory for %zu units", count);
    for (size_t i = 0; i < count && status == 0; i++)
        order[i] = i;
    if (status == 0)
        qsort_r(order, count, sizeof *order, compare_costs, list->units);
    for (size_t i = shards ? (size_t)shard - 1 : 0; i < count && status == 0; i += step)
        mine[order[i]] = true;
    for (size_t i = 0; i < count && status == 0; i++) {
        const size_t unit = by_cost ? order[i] : i;
        if (!mine[unit])
            continue;
        if (is_there(list, run, unit))
            list->there++;
        else
            list->items[list->count++] = unit;
    }
    free(order);
    free(mine);
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
