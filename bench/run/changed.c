#include "bench/run/changed.h"

#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/hash.h"
#include "bench/base/need.h"
#include "bench/jobs/built_set.h"
#include "bench/process/interrupt.h"
#include "bench/run/run_device.h"

/* Whether two files have one content. Two that are "" are none, and alike. */
static bool same_file(const char *a, const char *b) {
    char one[33], other[33];
    if (!*a || !*b)
        return !*a && !*b;
    return hash_file_quietly(a, one) == 0 && hash_file_quietly(b, other) == 0 &&
           strcmp(one, other) == 0;
}

/* A build is a function of content, so a kernel that has not changed is the same file in the cache.
 * Whether it reads C is not compiled. */
static bool is_same(const struct unit *unit, const struct built *now, const struct built *before) {
    if (!unit->previous)
        return false;
    const struct built *a = &now[unit->candidate_index], *b = &before[unit->previous_index];
    const struct call *call = unit->candidate->call, *earlier = unit->previous->call;
    return a->outcome == BUILD_OK && b->outcome == BUILD_OK && !call == !earlier &&
           (!call || call->reads_c == earlier->reads_c) && same_file(a->so, b->so);
}

/* A gate is about kernels that there are: where one is gone and no other has changed, all are
 * measured. */
static bool has_removed(const struct plan *plan) {
    bool removed = false;
    for (size_t i = 0; i < plan->previous.count; i++)
        removed |= plan_is_removed(plan, &plan->previous.list[i]);
    return removed;
}

static void narrow_suite(struct suite *suite, const struct unit *units, size_t count) {
    size_t kept = 0;
    for (size_t s = 0; s < suite->count; s++) {
        bool wanted = false;
        for (size_t i = 0; i < count; i++)
            wanted |= shape_compare(units[i].shape, suite->shapes[s]) == 0;
        if (wanted)
            suite_keep(suite, s, &kept);
    }
    suite->count = kept;
}

/* 0, or -1 after error(). */
static int keep_units(struct plan *plan, const struct built *now, const struct built *before) {
    struct unit *units;
    char id[UNIT_ID];
    size_t kept = 0;
    const long count = plan_units(plan, &units);
    if (count < 0)
        return -1;
    for (long i = 0; i < count; i++)
        if (!is_same(&units[i], now, before))
            units[kept++] = units[i];
    if (kept < (size_t)count && (kept > 0 || !has_removed(plan))) {
        char **only = need(kept + 1, sizeof *only);
        for (size_t i = 0; i < kept; i++)
            only[i] = need_copy(unit_id(&units[i], id));
        plan->only = only;
        plan->only_count = kept;
        plan->carried = (size_t)count - kept;
        narrow_suite(&plan->suite, units, kept);
    }
    free(units);
    return 0;
}

int changed_keep(struct plan *plan, const struct run_call *call) {
    struct run_device device;
    struct built *now = NULL, *before = NULL;
    const struct device_info *info = &device.about.info;
    int status = run_device_find(plan, call->shard, call->shards, &device);
    interrupt_catch();
    if (status == EXIT_PASS &&
        (built_set_make(&plan->set, call->build, info, NULL, plan->sandbox, &now) < 0 ||
         built_set_make(&plan->previous, call->build, info, NULL, plan->sandbox, &before) < 0 ||
         keep_units(plan, now, before) < 0))
        status = interrupted ? EXIT_INTERRUPTED : EXIT_TROUBLE;
    free(now);
    free(before);
    run_device_free(&device);
    return status;
}
