#include "bench/command/options/settings_plan.h"

#include <ctype.h>
#include <stdio.h>
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

/* A set's kernels decide the device: a CUDA kernel is never measured on the host. */
static int take_best(struct plan *plan) {
    struct wire_device list[MACHINE_DEVICES];
    const struct candidate *cuda = find_cuda(plan);
    const int count = machine_devices(list, MACHINE_DEVICES, NULL);
    const char *why = "this gemmgate was built without CUDA";
    for (int i = 0; i < count; i++) {
        const bool is_cuda = strcmp(list[i].kind, "cuda") == 0;
        if (list[i].ordinal >= 0 && (is_cuda || !cuda)) {
            memcpy(plan->device_kind, list[i].kind, sizeof plan->device_kind);
            plan->ordinal = list[i].ordinal;
            return EXIT_PASS;
        }
        if (is_cuda)
            why = list[i].why;
    }
    if (count < 0)
        return EXIT_TROUBLE;
    if (!cuda)
        return error("no device at all"), EXIT_TROUBLE;
    error(
        "%s is a %s, and there is no CUDA device: %s; a machine with a GPU is wanted, or a set of "
        "kernels of the host device alone; `gemmgate build --candidates SET --arch 90a` needs no "
        "GPU",
        cuda->file, candidate_type_name(cuda->type), why);
    return EXIT_NO_DEVICE;
}

/* "host", "cuda" or "cuda:N". */
static int read_device(const char *text, struct plan *plan) {
    int end = 0;
    snprintf(plan->device_kind, sizeof plan->device_kind, "%.*s", (int)strcspn(text, ":"), text);
    text += strcspn(text, ":");
    if (plan_on_host(plan) || strcmp(plan->device_kind, "cuda") != 0)
        return plan_on_host(plan) && !*text ? 0 : -1;
    return !*text || (isdigit((unsigned char)text[1]) &&
                      sscanf(text, ":%4d%n", &plan->ordinal, &end) == 1 && !text[end] &&
                      plan->ordinal <= 1024)
               ? 0
               : -1;
}

int device_option(const char *text, struct plan *plan) {
    if (!text)
        return take_best(plan);
    if (read_device(text, plan) < 0)
        return error("--device %s: host, cuda or cuda:N is wanted; where several GPUs are to "
                     "measure, each takes a shard (ci/gpus)",
                     text),
               EXIT_TROUBLE;
    const struct candidate *cuda = find_cuda(plan);
    if (cuda && plan_on_host(plan))
        return error("--device %s: %s is a %s, which runs on a GPU only", text, cuda->file,
                     candidate_type_name(cuda->type)),
               EXIT_TROUBLE;
    return EXIT_PASS;
}
