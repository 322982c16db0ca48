#include "bench/command/options/baselines_option.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/plan/arm_names.h"
#include "bench/process/machine.h"

/* Whether the list, names with commas, has the name. */
static bool has_name(const char *list, const char *name, size_t length) {
    for (;;) {
        const size_t own = strcspn(list, ",");
        if (own == length && strncmp(list, name, length) == 0)
            return true;
        if (!list[own])
            return false;
        list += own + 1;
    }
}

void baselines_usual(const struct gate_policy *judged, bool host, char text[BASELINES_TEXT]) {
    size_t used = (size_t)snprintf(text, BASELINES_TEXT, "%s",
                                   host ? "openblas-nn,openblas-tn" : "cublas-nn,cublas-tn");
    for (size_t i = 0; i < judged->must_count && used < BASELINES_TEXT; i++) {
        const char *name = judged->must[i].baseline;
        const char *max = strstr(name, "-max");
        const int stem = max ? (int)(max - name) : (int)strlen(name);
        const char *const layouts[] = {max ? "-nn" : "", max ? "-tn" : NULL};
        for (int j = 0; j < 2 && layouts[j] && used < BASELINES_TEXT; j++) {
            char word[GATE_NAME + 8];
            snprintf(word, sizeof word, "%.*s%s", stem, name, layouts[j]);
            if (!has_name(text, word, strlen(word)))
                used += (size_t)snprintf(text + used, BASELINES_TEXT - used, ",%s", word);
        }
    }
}

static int device_of(const struct plan *plan) {
    return plan_on_host(plan) ? GEMM_HOST : GEMM_CUDA;
}

static void add(struct plan *plan, const struct machine_baseline *baseline) {
    memcpy(plan->baselines[plan->baseline_count++], baseline->name, sizeof baseline->name);
}

/* Every baseline of the device that can accumulate as wanted, but for optional ones. */
static void add_all(struct plan *plan, const struct machine_baseline *known, int count) {
    for (int i = 0; i < count; i++)
        if (known[i].device == device_of(plan) && (known[i].accumulate & plan->accumulate) &&
            !known[i].optional)
            add(plan, &known[i]);
}

static int add_named(struct plan *plan, const struct machine_baseline *known, int count,
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
    if (!(known[i].accumulate & plan->accumulate))
        return error("--baselines: %s cannot accumulate in %s", name,
                     plan->accumulate == GEMM_F16 ? "f16" : "f32");
    for (int j = 0; j < plan->baseline_count; j++)
        if (strcmp(plan->baselines[j], name) == 0)
            return error("--baselines: %s is named twice", name);
    add(plan, &known[i]);
    return 0;
}

/* A program without CUDA knows none: whoever looks for the device says that there is no such. */
static bool knows_device(const struct plan *plan, const struct machine_baseline *known, int count) {
    for (int i = 0; i < count; i++)
        if (known[i].device == device_of(plan))
            return true;
    return false;
}

int baselines_option(const char *text, const struct gate_policy *judged, struct plan *plan) {
    struct machine_baseline known[WIRE_ARMS];
    char usual[BASELINES_TEXT] = "all";
    const int count = machine_baselines(known, WIRE_ARMS - 1);
    if (count < 0 || arm_names_check(&plan->set, known, count) < 0)
        return -1;
    if (!knows_device(plan, known, count))
        return 0;
    if (judged)
        baselines_usual(judged, plan_on_host(plan), usual);
    text = text ? text : usual;
    if (strcmp(text, "all") == 0) {
        add_all(plan, known, count);
        return 0;
    }
    char *copy = strdup(text), *rest = copy, *name;
    int status = copy ? 0 : error("no memory");
    while (status == 0 && (name = strsep(&rest, ",")))
        status = add_named(plan, known, count, name);
    free(copy);
    return status;
}
