#include "bench/command/options/settings_plan.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/process/machine.h"
#include "candidates/set/set.h"

/* The first kernel of the sets that runs on a GPU; NULL: there is none. */
static const struct candidate *find_cuda(const struct plan *plan) {
    const struct candidate_set *const sets[] = {&plan->set, &plan->previous};
    for (size_t i = 0; i < 2; i++)
        for (size_t j = 0; j < sets[i]->count; j++)
            if (candidate_is_cuda(&sets[i]->list[j]))
                return &sets[i]->list[j];
    return NULL;
}

/* A set's kernels decide the device: a CUDA source or a recipe is never measured on the host. */
static int take_best(struct plan *plan) {
    struct machine_device list[MACHINE_DEVICES];
    const struct candidate *cuda = find_cuda(plan);
    const int count = machine_devices(list, MACHINE_DEVICES, NULL);
    const char *why = "this gemmgate was built without CUDA";
    for (int i = 0; i < count; i++) {
        const bool is_cuda = strcmp(list[i].kind, "cuda") == 0;
        if (list[i].ordinal >= 0 && (is_cuda || !cuda)) {
            memcpy(plan->device_kind, list[i].kind, sizeof plan->device_kind);
            plan->ordinals[0] = list[i].ordinal;
            plan->device_count = 1;
            return EXIT_PASS;
        }
        if (is_cuda)
            why = list[i].why;
    }
    if (count < 0)
        return EXIT_TROUBLE;
    if (!cuda)
        return error("no device at all"), EXIT_TROUBLE;
    error("%s is a %s, and there is no CUDA device: %s", cuda->file,
          candidate_type_name(cuda->type), why);
    return EXIT_NO_DEVICE;
}

/* ":N,N..." of the option, each number once. */
static int take_ordinals(const char *text, const char *numbers, struct plan *plan) {
    for (const char *at = numbers; *at;) {
        char *end = NULL;
        const long ordinal = strtol(at + 1, &end, 10);
        bool again = plan->device_count == PLAN_DEVICES;
        for (int i = 0; i < plan->device_count; i++)
            again |= plan->ordinals[i] == ordinal;
        if (!isdigit((unsigned char)at[1]) || (*end && *end != ',') || ordinal > 1024 || again)
            return error("--device %s: %s:N or %s:N,N..., each N once, at most %d", text,
                         plan->device_kind, plan->device_kind, PLAN_DEVICES);
        plan->ordinals[plan->device_count++] = (int)ordinal;
        at = end;
    }
    return 0;
}

int device_option(const char *text, struct plan *plan) {
    if (!text)
        return take_best(plan);
    const struct candidate *cuda = find_cuda(plan);
    const char *colon = strchr(text, ':');
    const size_t length = colon ? (size_t)(colon - text) : strlen(text);
    snprintf(plan->device_kind, sizeof plan->device_kind, "%.*s", (int)length, text);
    if (length >= sizeof plan->device_kind ||
        (!plan_on_host(plan) && strcmp(plan->device_kind, "cuda") != 0))
        return error("--device %s: host, cuda:N, cuda:N,N... or cuda:all is wanted", text),
               EXIT_TROUBLE;
    if (cuda && plan_on_host(plan))
        return error("--device %s: %s is a %s, which runs on a GPU only", text, cuda->file,
                     candidate_type_name(cuda->type)),
               EXIT_TROUBLE;
    plan->all_devices = colon && strcmp(colon, ":all") == 0;
    if (plan->all_devices && strcmp(plan->device_kind, "cuda") != 0)
        return error("--device %s: host:0,1,... says how many parts the cores are split into",
                     text),
               EXIT_TROUBLE;
    if (!colon)
        plan->device_count = 1;
    return colon && !plan->all_devices && take_ordinals(text, colon, plan) < 0 ? EXIT_TROUBLE
                                                                               : EXIT_PASS;
}
