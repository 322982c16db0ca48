#include "bench/command/options/baselines_option.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/need.h"
#include "bench/base/utf8.h"
#include "bench/process/machine.h"
#include "candidates/build/build.h"
#include "reports/pairs/pairs.h"
#include "reports/rows/derive.h"
#include "reports/rows/layouts.h"

static int device_of(const struct plan *plan) {
    return plan_on_host(plan) ? GEMM_HOST : GEMM_CUDA;
}

/* A runner has two kernels under test and three controls beside the libraries, and of one that is
 * autotuned up to three arms more. */
enum { ROOM = WIRE_ARMS - 2 - 3, MORE = 3 };

static int add_baseline(struct plan *plan, const struct wire_baseline *baseline) {
    int arms = 1 + MORE * baseline->autotuned;
    for (int i = 0; i < plan->baseline_count; i++)
        arms += 1 + MORE * plan->autotuned[i];
    if (arms > ROOM)
        return error("%d libraries at most are measured beside each other, of which one that is "
                     "autotuned counts as %d: choose some by --baselines",
                     ROOM, 1 + MORE);
    plan->autotuned[plan->baseline_count] = baseline->autotuned;
    memcpy(plan->baselines[plan->baseline_count++], baseline->name, sizeof baseline->name);
    return 0;
}

/* Whether it can accumulate as wanted, and serves the element. */
static bool serves(const struct plan *plan, const struct wire_baseline *baseline) {
    return baseline->accumulate & plan->accumulate && baseline->elements & 1 << plan->element;
}

static bool has_one_row(const struct suite *suite) {
    for (size_t i = 0; i < suite->count; i++)
        if (suite->shapes[i].m == 1)
            return true;
    return false;
}

/* Every baseline of the device that serves the run, and one of its shapes at least. */
static int add_all(struct plan *plan, const struct wire_baseline *known, int count) {
    const bool one_row = has_one_row(&plan->suite);
    for (int i = 0; i < count; i++)
        if (known[i].device == device_of(plan) && serves(plan, &known[i]) &&
            (one_row || !known[i].one_row) && add_baseline(plan, &known[i]) < 0)
            return -1;
    return 0;
}

static bool has_baseline(const struct plan *plan, const char *name) {
    for (int i = 0; i < plan->baseline_count; i++)
        if (strcmp(plan->baselines[i], name) == 0)
            return true;
    return false;
}

static int add_named(struct plan *plan, const struct wire_baseline *known, int count,
                     const char *name) {
    int i = 0;
    while (i < count && strcmp(known[i].name, name) != 0)
        i++;
    if (i == count)
        return error("--baselines: unknown baseline '%s'; `gemmgate list baselines` shows them "
                     "(-max is derived from -nn and -tn)",
                     name);
    if (known[i].device != device_of(plan))
        return error("--baselines: %s does not run on %s", name, plan->device_kind);
    if (!serves(plan, &known[i]))
        return error("--baselines: %s cannot accumulate products of %s in %s", name,
                     element_words[plan->element], plan->accumulate == GEMM_F16 ? "f16" : "f32");
    if (has_baseline(plan, name))
        return error("--baselines: %s is named twice", name);
    return add_baseline(plan, &known[i]);
}

/* The names of the text, with commas between. */
static int add_listed(struct plan *plan, const struct wire_baseline *known, int count,
                      const char *text) {
    char *copy = need_copy(text), *rest = copy, *name;
    int status = 0;
    while (status == 0 && (name = strsep(&rest, ",")))
        status = add_named(plan, known, count, name);
    free(copy);
    return status;
}

/* Those that the user names: one of them at least serves a shape, or there would be neither ratios nor
 * controls. */
static int add_given(struct plan *plan, const struct wire_baseline *known, int count,
                     const char *text) {
    if (add_listed(plan, known, count, text) < 0)
        return -1;
    for (int i = 0; i < count; i++)
        if (has_baseline(plan, known[i].name) && (!known[i].one_row || has_one_row(&plan->suite)))
            return 0;
    return error("--baselines %s: it serves shapes of one row, M = 1, and none has one; name "
                 "another library, too",
                 text);
}

int baselines_needed(struct plan *plan, const struct wire_baseline *known, int count,
                     const struct gate_policy *judged) {
    static const char *const layouts[] = {"-nn", "-tn"};
    int status = add_listed(plan, known, count,
                            plan_on_host(plan) ? "openblas-nn,openblas-tn" : "cublas-nn,cublas-tn");
    for (size_t i = 0; i < judged->must_count && status == 0; i++) {
        const char *wanted = judged->must[i].baseline, *max = strstr(wanted, "-max");
        for (int j = 0; j < (max ? 2 : 1) && status == 0; j++) {
            char name[GATE_NAME + 8];
            snprintf(name, sizeof name, "%.*s%s", max ? (int)(max - wanted) : GATE_NAME, wanted,
                     max ? layouts[j] : "");
            status = has_baseline(plan, name) ? 0 : add_named(plan, known, count, name);
        }
    }
    return status;
}

/* A program without CUDA knows no baseline of a GPU. Whoever looks for the device says that there is
 * none. */
static bool knows_device(const struct plan *plan, const struct wire_baseline *known, int count) {
    for (int i = 0; i < count; i++)
        if (known[i].device == device_of(plan))
            return true;
    return false;
}

int baselines_option(const char *text, const struct gate_policy *judged, struct plan *plan) {
    struct wire_baseline known[MACHINE_BASELINES];
    const int count = machine_baselines(known, MACHINE_BASELINES);
    if (count < 0 || arm_names_check(&plan->set, known, count) < 0)
        return -1;
    if (!knows_device(plan, known, count))
        return 0;
    if (!text && judged)
        return baselines_needed(plan, known, count, judged);
    return !text || strcmp(text, "all") == 0 ? add_all(plan, known, count)
                                             : add_given(plan, known, count, text);
}

/* Whether a reader would take a kernel of that label for the library. X-nn also stands for the X-max
 * that is derived from it. */
static bool is_library(const char *label, const char *library) {
    const size_t length = strlen(library), stem = length < 3 ? 0 : length - 3;
    if (strcmp(label, library) == 0)
        return true;
    return stem > 0 && strcmp(library + stem, "-nn") == 0 && strncmp(label, library, stem) == 0 &&
           strcmp(label + stem, "-max") == 0;
}

/* Why no kernel may be called so, or NULL. */
static const char *what_speaks_against(const char *label, const struct wire_baseline *libraries,
                                       int count) {
    for (int i = 0; i < count; i++)
        if (is_library(label, libraries[i].name))
            return "as a library is";
    if (strcmp(label, RUNDIR_PREVIOUS) == 0)
        return "as the earlier release is that --against times beside it";
    if (derive_is_control(label))
        return "as a control is";
    if (layouts_is_finalist(label))
        return "with a " LAYOUTS_FINALIST ", as an algorithm of a library is";
    if (!derive_is_arm(label))
        return "as what is noted beside the samples is";
    /* The label may be a folder's name that was cut off within a letter. */
    if (!utf8_is_plain(label) || strchr(label, '\t'))
        return "which, at 63 bytes at most, is no UTF-8 without control characters";
    return NULL;
}

int arm_names_check(const struct candidate_set *set, const struct wire_baseline *libraries,
                    int count) {
    for (size_t i = 0; i < set->count; i++) {
        const struct candidate *c = &set->list[i];
        const char *why = what_speaks_against(c->label, libraries, count);
        if (why)
            return error("%s: the kernel would be called '%s', %s: %s", c->path, c->label, why,
                         c->has_shape ? "give the set another name, its folder's or the one in its "
                                        "gemmgate.ini"
                                      : "rename the file");
    }
    return 0;
}
