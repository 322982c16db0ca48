#include <stdio.h>
#include <string.h>

#include "correctness/contract/facts.h"

#define MIB ((uint64_t)1 << 20)

void facts_take(const void *from, struct facts *to) {
    memcpy(to, from, sizeof *to);
    if (to->seen_count > FACTS_MOST)
        to->seen_count = FACTS_MOST;
    for (uint32_t i = 0; i < to->seen_count; i++)
        to->seen[i].name[FACTS_NAME - 1] = 0;
}

/* "NAME, 2 times in setup, 1 in the first call, 7 in later ones". */
static void say(const struct facts_seen *seen, enum finding_kind kind, struct finding_list *list) {
    static const char *const words[] = {"setup", "the first call", "later ones"};
    char text[120] = "";
    size_t used = 0;
    for (int i = 0; i < FACTS_WHENS; i++)
        if (seen->times[i] > 0)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s %u%s in %s",
                                     used ? "," : "", seen->times[i],
                                     used                  ? ""
                                     : seen->times[i] == 1 ? " time"
                                                           : " times",
                                     words[i]);
    finding_add(list, kind, "%s,%s", seen->name, text);
}

static void judge_kernel(const struct facts_seen *seen, struct finding_list *list) {
    if (facts_is_library(seen->name))
        say(seen, FINDING_LIBRARY_GEMM, list);
    if (seen->dependent > 0)
        say(seen, FINDING_DEPENDENT_LAUNCH, list);
}

/* The work of setup is told only where it lasts. Code that is loaded by the first call may be the
 * runtime's own, which loads late. */
static void judge_function(const struct facts_seen *seen, struct finding_list *list) {
    const bool later = seen->times[FACTS_LATER] > 0, called = later || seen->times[FACTS_FIRST] > 0;
    switch (facts_function_kind(seen->name)) {
    case FACTS_HOST_COPY:
        if (called)
            say(seen, FINDING_HOST_COPY, list);
        break;
    case FACTS_ALLOC:
        if (called)
            say(seen, later ? FINDING_ALLOC_PER_CALL : FINDING_CUDA_ALLOC, list);
        break;
    case FACTS_SYNC:
        if (called)
            say(seen, later ? FINDING_SYNC_PER_CALL : FINDING_CUDA_SYNC, list);
        break;
    case FACTS_EVENT:
        if (called)
            say(seen, FINDING_CUDA_EVENT, list);
        break;
    case FACTS_STREAM:
        say(seen, FINDING_CUDA_STREAM, list);
        break;
    case FACTS_MODULE:
        if (later)
            say(seen, FINDING_CODE_LOADING, list);
        break;
    default:
        break;
    }
}

/* Facts that only a comparison of calls shows. */
static void judge_calls(const struct facts *f, struct finding_list *list) {
    if (f->idle > 0)
        finding_add(list, FINDING_NO_KERNEL, "%d of %d calls, the first of them call %d", f->idle,
                    f->calls, f->first_idle);
    if (f->changed > 0)
        finding_add(list, FINDING_CHANGING_KERNELS,
                    "%d of %d calls after call 2 differ from it, the first of them call %d",
                    f->changed, f->calls - 2, f->first_changed);
    if (f->calls < 2)
        return;
    if (f->first.kernels / 2 > f->most.kernels + 1)
        finding_add(list, FINDING_SELF_TUNING,
                    "%u kernels in the first call, at most %u in later ones", f->first.kernels,
                    f->most.kernels);
    else if (f->first.kernels > f->most.kernels || f->first.others > f->most.others)
        finding_add(list, FINDING_FIRST_CALL_WORK,
                    "%u kernels, %u fills and copies; later at most %u and %u", f->first.kernels,
                    f->first.others, f->most.kernels, f->most.others);
}

void facts_judge(const struct facts *facts, uint64_t workspace_bytes, struct finding_list *list) {
    for (uint32_t i = 0; i < facts->seen_count; i++) {
        const struct facts_seen *seen = &facts->seen[i];
        seen->is_kernel ? judge_kernel(seen, list) : judge_function(seen, list);
    }
    judge_calls(facts, list);
    if (facts->held_bytes > workspace_bytes)
        finding_add(list, FINDING_WORKSPACE,
                    "%llu bytes, %s%.0d; its workspace is %llu bytes; "
                    "--workspace %llu gives it as much",
                    (unsigned long long)facts->held_bytes,
                    facts->held_call ? "in call " : "in setup", facts->held_call,
                    (unsigned long long)workspace_bytes,
                    (unsigned long long)((facts->held_bytes + MIB - 1) / MIB));
}

static double threads(const struct facts_seen *kernel) {
    double threads = 1;
    for (int i = 0; i < 3; i++)
        threads *= (double)kernel->grid[i] * kernel->block[i];
    return threads;
}

void facts_summary(const struct facts *facts, char *text, int size) {
    const double calls = facts->calls > 1 ? facts->calls - 1 : 1;
    const enum facts_when when = facts->calls > 1 ? FACTS_LATER : FACTS_FIRST;
    double kernels = 0, of[FACTS_MODULE + 1] = {0};
    const struct facts_seen *main = NULL;
    for (uint32_t i = 0; i < facts->seen_count; i++) {
        const struct facts_seen *seen = &facts->seen[i];
        if (!seen->is_kernel) {
            of[facts_function_kind(seen->name)] += seen->times[when] / calls;
            continue;
        }
        kernels += seen->times[when] / calls;
        if (seen->times[when] > 0 && (!main || threads(seen) > threads(main)))
            main = seen;
    }
    const int used = snprintf(
        text, (size_t)size,
        "a call: %.3g kernels, %.3g fills, %.3g copies, %.3g allocations, %.3g syncs", kernels,
        of[FACTS_FILL], of[FACTS_COPY] + of[FACTS_HOST_COPY], of[FACTS_ALLOC], of[FACTS_SYNC]);
    if (main && used < size)
        snprintf(text + used, (size_t)(size - used),
                 "; main %ux%ux%u blocks of %ux%ux%u, %u bytes of dynamic shared memory: %s",
                 main->grid[0], main->grid[1], main->grid[2], main->block[0], main->block[1],
                 main->block[2], main->shared_bytes, main->name);
}
