#include "bench/run/changed.h"

#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/hash.h"
#include "bench/base/need.h"
#include "bench/context/prepared_set.h"
#include "bench/process/interrupt.h"
#include "bench/run/run_device.h"

/* Whether two files have one content; of none, "", both are none. */
static bool same_file(const char *a, const char *b) {
    char one[33], other[33];
    if (!*a || !*b)
        return !*a && !*b;
    return hash_file_quietly(a, one) == 0 && hash_file_quietly(b, other) == 0 &&
           strcmp(one, other) == 0;
}

/* What of a call is not compiled. */
static bool same_call(const struct call *a, const struct call *b) {
    return a && b ? a->reads_c == b->reads_c : a == b;
}

static bool same_kernel(const struct prepared_set *now, size_t i, const struct prepared_set *before,
                        size_t j) {
    const struct candidate *a = &now->set->list[i], *b = &before->set->list[j];
    const struct built *x = &now->built[i], *y = &before->built[j];
    if (strcmp(a->file, b->file) != 0 || (!a->has_shape && strcmp(a->label, b->label) != 0) ||
        x->outcome != BUILD_OK || y->outcome != BUILD_OK || !same_call(a->call, b->call))
        return false;
    return same_file(x->so, y->so) && same_file(x->given, y->given);
}

/* Marks in both sets the kernels that are in both. Returns how many. */
static size_t mark_same(const struct prepared_set *now, const struct prepared_set *before,
                        bool *marks, bool *marks_before) {
    size_t count = 0;
    for (size_t i = 0; i < now->set->count; i++)
        for (size_t j = 0; j < before->set->count && !marks[i]; j++)
            if (same_kernel(now, i, before, j)) {
                marks[i] = marks_before[j] = true;
                count++;
            }
    return count;
}

/* Drops from the set what the marks say. */
static void drop(struct candidate_set *set, const bool *carried) {
    size_t kept = 0;
    for (size_t i = 0; i < set->count; i++)
        if (!carried[i])
            set->list[kept++] = set->list[i];
    set->count = kept;
}

/* Leaves the shapes that a kernel of either set serves. */
static void narrow_suite(struct plan *plan) {
    const struct candidate_set *const sets[] = {&plan->set, &plan->previous};
    size_t kept = 0;
    for (size_t s = 0; s < plan->suite.count; s++) {
        bool served = false;
        for (size_t i = 0; i < 2; i++)
            for (size_t c = 0; c < sets[i]->count && !served; c++)
                served = !sets[i]->list[c].has_shape ||
                         shape_compare(sets[i]->list[c].shape, plan->suite.shapes[s]) == 0;
        if (served)
            suite_keep(&plan->suite, s, &kept);
    }
    plan->suite.count = kept;
}

/* With the device found. 0, or -1 after error(). */
static int keep(struct plan *plan, const struct run_call *call, const struct device_info *device) {
    struct prepared_set now = {0}, before = {0};
    int status = prepared_set_make(&now, &plan->set, call->build, device, NULL, plan->sandbox);
    if (status == 0)
        status =
            prepared_set_make(&before, &plan->previous, call->build, device, NULL, plan->sandbox);
    if (status == 0) {
        bool *marks = need(plan->set.count + plan->previous.count, sizeof *marks);
        bool *marks_before = marks + plan->set.count;
        plan->carried = mark_same(&now, &before, marks, marks_before);
        /* Where kernels are gone and no other one has changed, all are measured: a gate is about
         * kernels that there are. */
        if (plan->carried == plan->set.count && plan->carried < plan->previous.count)
            plan->carried = 0;
        if (plan->carried > 0) {
            drop(&plan->set, marks);
            drop(&plan->previous, marks_before);
            narrow_suite(plan);
        }
        free(marks);
    }
    prepared_set_free(&now);
    prepared_set_free(&before);
    return status;
}

int changed_keep(struct plan *plan, const struct run_call *call) {
    struct run_device device;
    int status = run_device_find(plan, call->shard, call->shards, &device);
    interrupt_catch();
    if (status == EXIT_PASS && keep(plan, call, &device.about.info) < 0)
        status = interrupted ? EXIT_INTERRUPTED : EXIT_TROUBLE;
    run_device_free(&device);
    return status;
}
