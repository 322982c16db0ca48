/* What the functions of the CUDA driver and the kernels that a kernel's calls ask for are told as. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "bench/base/text.h"
#include "correctness/contract/facts.h"

#define MIB ((uint64_t)1 << 20)

const struct finding_words finding_words[FINDING_COUNT] = {
#define FACT(id, word, sentence) [FINDING_##id] = {word, sentence, "fact"},
#define REFUSED(id, word, sentence) [FINDING_##id] = {word, sentence, "refused"},
    FINDINGS_FACT(FACT) FINDINGS_REFUSED(REFUSED)
#undef FACT
#undef REFUSED
};

bool finding_is_refused(enum finding_kind kind) {
    return strcmp(finding_words[kind].level, "refused") == 0;
}

/* Names without "cu"; the first that fits decides. */
static const struct {
    const char *start;
    enum facts_kind kind;
} rules[] = {
    {"Memset", FACTS_FILL},         {"Memcpy", FACTS_COPY},

    {"CtxSynchronize", FACTS_SYNC}, {"StreamSynchronize", FACTS_SYNC},
    {"StreamQuery", FACTS_SYNC},    {"EventSynchronize", FACTS_SYNC},
    {"EventQuery", FACTS_SYNC},

    {"MemAlloc", FACTS_ALLOC},      {"MemFree", FACTS_ALLOC},
    {"MemPool", FACTS_ALLOC},
};

enum facts_kind facts_function_kind(const char *function) {
    if (!text_begins(function, "cu"))
        return FACTS_OTHER;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (text_begins(function + 2, rules[i].start))
            return rules[i].kind;
    return FACTS_OTHER;
}

void facts_take(const void *from, struct facts *to) {
    memcpy(to, from, sizeof *to);
    if (to->seen_count > FACTS_MOST)
        to->seen_count = FACTS_MOST;
    for (uint32_t i = 0; i < to->seen_count; i++)
        to->seen[i].name[FACTS_NAME - 1] = 0;
}

struct findings {
    struct finding *list;
    int count;
};

__attribute__((format(printf, 3, 4))) static void tell(struct findings *to, enum finding_kind kind,
                                                       const char *format, ...) {
    struct finding *finding = &to->list[to->count++];
    va_list args;
    va_start(args, format);
    vsnprintf(finding->text, sizeof finding->text, format, args);
    va_end(args);
    clean_text(finding->text);
    finding->kind = kind;
}

/* "NAME, 2 times in setup, 1 in the first call, 7 in later ones". */
static void say(struct findings *to, const struct facts_seen *seen, enum finding_kind kind) {
    static const char *const words[] = {"setup", "the first call", "later ones"};
    char text[120] = "";
    for (int i = 0; i < FACTS_WHENS; i++)
        if (seen->times[i] > 0)
            text_append(text, sizeof text, "%s %u%s in %s", *text ? "," : "", seen->times[i],
                        *text                 ? ""
                        : seen->times[i] == 1 ? " time"
                                              : " times",
                        words[i]);
    tell(to, kind, "%s,%s", seen->name, text);
}

static void judge_kernel(struct findings *to, const struct facts_seen *seen) {
    if (facts_is_library(seen->name))
        say(to, seen, FINDING_LIBRARY_GEMM);
    if (seen->dependent > 0)
        say(to, seen, FINDING_DEPENDENT_LAUNCH);
}

/* Work of setup is its own affair. */
static void judge_function(struct findings *to, const struct facts_seen *seen) {
    const enum facts_kind kind = facts_function_kind(seen->name);
    const bool later = seen->times[FACTS_LATER] > 0, called = later || seen->times[FACTS_FIRST] > 0;
    if (called && kind == FACTS_ALLOC)
        say(to, seen, later ? FINDING_ALLOC_PER_CALL : FINDING_CUDA_ALLOC);
    if (called && kind == FACTS_SYNC)
        say(to, seen, later ? FINDING_SYNC_PER_CALL : FINDING_CUDA_SYNC);
}

/* Facts that only a comparison of calls shows. */
static void judge_calls(struct findings *to, const struct facts *f) {
    if (f->idle > 0)
        tell(to, FINDING_NO_KERNEL, "%d of %d calls, the first of them call %d", f->idle, f->calls,
             f->first_idle);
    if (f->changed > 0)
        tell(to, FINDING_CHANGING_KERNELS,
             "%d of %d calls after call 2 differ from it, the first of them call %d", f->changed,
             f->calls - 2, f->first_changed);
    if (f->calls < 2)
        return;
    if (f->first.kernels / 2 > f->most.kernels + 1)
        tell(to, FINDING_SELF_TUNING, "%u kernels in the first call, at most %u in later ones",
             f->first.kernels, f->most.kernels);
    else if (f->first.kernels > f->most.kernels || f->first.others > f->most.others)
        tell(to, FINDING_FIRST_CALL_WORK,
             "%u kernels, %u fills and copies; later at most %u and %u", f->first.kernels,
             f->first.others, f->most.kernels, f->most.others);
}

int facts_judge(const struct facts *facts, uint64_t workspace_bytes,
                struct finding list[FACTS_FINDINGS]) {
    struct findings to = {list, 0};
    for (uint32_t i = 0; i < facts->seen_count; i++) {
        const struct facts_seen *seen = &facts->seen[i];
        seen->is_kernel ? judge_kernel(&to, seen) : judge_function(&to, seen);
    }
    judge_calls(&to, facts);
    if (facts->held_bytes > workspace_bytes)
        tell(&to, FINDING_WORKSPACE,
             "%llu bytes, %s%.0d; its workspace is %llu bytes; --workspace %llu gives it as much",
             (unsigned long long)facts->held_bytes, facts->held_call ? "in call " : "in setup",
             facts->held_call, (unsigned long long)workspace_bytes,
             (unsigned long long)((facts->held_bytes + MIB - 1) / MIB));
    return to.count;
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
    double kernels = 0, of[FACTS_KINDS] = {0};
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
    const int used =
        snprintf(text, (size_t)size,
                 "a call: %.3g kernels, %.3g fills, %.3g copies, %.3g allocations, %.3g syncs",
                 kernels, of[FACTS_FILL], of[FACTS_COPY], of[FACTS_ALLOC], of[FACTS_SYNC]);
    if (main && used < size)
        snprintf(text + used, (size_t)(size - used),
                 "; main %ux%ux%u blocks of %ux%ux%u, %u bytes of dynamic shared memory: %s",
                 main->grid[0], main->grid[1], main->grid[2], main->block[0], main->block[1],
                 main->block[2], main->shared_bytes, main->name);
}
