#include "correctness/audit/behaviour.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/need.h"
#include "correctness/contract/facts.h"

/* How often something was seen, and in which calls. */
struct tally {
    const char *name;
    uint64_t times, bytes_most;
    int calls, first, last; /* calls: how many different ones */
};

/* By finding and name; names for which there is no room share the last tally of their finding. */
struct tallies {
    struct tally of[FINDING_COUNT][FINDINGS_A_KIND];
};

static void count_event(struct tallies *tallies, enum finding_kind kind,
                        const struct behaviour_event *event) {
    struct tally *tally = tallies->of[kind];
    int i = 0;
    while (i < FINDINGS_A_KIND - 1 && tally[i].name && strcmp(tally[i].name, event->name) != 0)
        i++;
    tally += i;
    if (!tally->name) {
        tally->name = event->name;
        tally->first = event->call;
    } else if (strcmp(tally->name, event->name) != 0) {
        tally->name = "others";
    }
    if (tally->times++ == 0 || tally->last != event->call)
        tally->calls++;
    tally->last = event->call;
    if (event->bytes > tally->bytes_most)
        tally->bytes_most = event->bytes;
}

/* Its number among all calls of the process. */
static int number_of(int call, struct behaviour_recorded recorded) {
    return call > recorded.first ? call + recorded.between : call;
}

static void say_calls(const struct tally *tally, struct behaviour_recorded recorded, char *text,
                      size_t size) {
    const char *setup = tally->first == 0 ? "setup and " : "";
    const int first = tally->first == 0 ? 1 : tally->first;
    const int calls = tally->calls - (tally->first == 0);
    const int last = number_of(tally->last, recorded);
    if (tally->last == 0)
        snprintf(text, size, "in setup");
    else if (calls == 1)
        snprintf(text, size, "in %scall %d", setup, last);
    else if (calls == last - number_of(first, recorded) + 1)
        snprintf(text, size, "in %scalls %d to %d", setup, number_of(first, recorded), last);
    else
        snprintf(text, size, "in %s%d calls up to call %d", setup, calls, last);
}

static void say(const struct tallies *tallies, struct behaviour_recorded recorded,
                struct finding_list *list) {
    for (int kind = 0; kind < FINDING_COUNT; kind++)
        for (int i = 0; i < FINDINGS_A_KIND && tallies->of[kind][i].name; i++) {
            const struct tally *tally = &tallies->of[kind][i];
            char calls[64], bytes[40] = "";
            say_calls(tally, recorded, calls, sizeof calls);
            if (tally->bytes_most)
                snprintf(bytes, sizeof bytes, " of at most %llu bytes",
                         (unsigned long long)tally->bytes_most);
            finding_add(list, kind, "%s, %llu time%s%s %s", tally->name,
                        (unsigned long long)tally->times, tally->times == 1 ? "" : "s", bytes,
                        calls);
        }
}

static bool on_device(const struct behaviour_event *event) {
    return event->kind == BEHAVIOUR_KERNEL || event->kind == BEHAVIOUR_MEMSET ||
           event->kind == BEHAVIOUR_COPY;
}

/* What one call did on the device. */
struct work {
    int kernels, others; /* others: memsets and copies */
    uint64_t which;      /* sum over the kernels: equal for the same ones in whatever order */
    bool graph_joined;   /* a graph worked on the given stream */
};

#define HASH_START 14695981039346656037U /* of FNV-1a */

static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size) {
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ byte[i]) * 1099511628211U;
    return hash;
}

uint64_t behaviour_symbol(const char *mangled) {
    return hash_bytes(HASH_START, mangled, strlen(mangled));
}

/* Of a kernel that has a hash already; grid and block are three numbers of 32 bits each. */
static uint64_t hash_launch(uint64_t kernel, const void *grid, const void *block) {
    return hash_bytes(hash_bytes(kernel, grid, 3 * sizeof(uint32_t)), block, 3 * sizeof(uint32_t));
}

uint64_t behaviour_kernel(uint64_t symbol, const uint32_t grid[3], const uint32_t block[3]) {
    return hash_launch(hash_bytes(HASH_START, &symbol, sizeof symbol), grid, block);
}

uint64_t behaviour_work(const struct behaviour_event *events, uint64_t count, int call) {
    uint64_t work = 0;
    for (uint64_t i = 0; i < count; i++) {
        const struct behaviour_event *event = &events[i];
        if (event->kind == BEHAVIOUR_KERNEL && event->call == call)
            work += hash_launch(hash_bytes(HASH_START, &event->symbol, sizeof event->symbol),
                                event->grid, event->block);
    }
    return work;
}

struct behaviour_event *behaviour_copy(const void *recorded, uint64_t count) {
    struct behaviour_event *events = need(count, sizeof *events);
    memcpy(events, recorded, count * sizeof *events);
    for (uint64_t i = 0; i < count; i++)
        events[i].name[sizeof events[i].name - 1] = 0;
    return events;
}

static struct work work_of(const struct behaviour_event *events, uint64_t count) {
    struct work work = {0};
    for (uint64_t i = 0; i < count; i++) {
        const struct behaviour_event *event = &events[i];
        if (!on_device(event))
            continue;
        work.graph_joined |= event->in_graph && event->stream == event->given_stream;
        if (event->kind != BEHAVIOUR_KERNEL) {
            work.others++;
            continue;
        }
        work.which += hash_launch(hash_bytes(HASH_START, event->name, strlen(event->name)),
                                  event->grid, event->block);
        work.kernels++;
    }
    return work;
}

static void count_events(struct tallies *tallies, const struct behaviour_event *events,
                         uint64_t count, struct work work) {
    for (uint64_t i = 0; i < count; i++) {
        const struct behaviour_event *event = &events[i];
        const bool called = event->call > 0, steady = event->call > 1;
        /* The branches of a graph run on streams of the driver's, which its launch joins. */
        /* What only the first call does there is tuning; the work it keeps is on the stream given.
         */
        if (steady && on_device(event) && event->stream != event->given_stream &&
            !(event->in_graph && work.graph_joined))
            count_event(tallies, FINDING_OTHER_STREAM, event);
        if (event->dependent)
            count_event(tallies, FINDING_DEPENDENT_LAUNCH, event);
        if (on_device(event) && event->in_graph)
            count_event(tallies, FINDING_CUDA_GRAPH, event);
        switch (event->kind) {
        case BEHAVIOUR_KERNEL:
            if (facts_is_library(event->name))
                count_event(tallies, FINDING_LIBRARY_GEMM, event);
            break;
        case BEHAVIOUR_COPY:
            if (called && (strstr(event->name, "HtoD") || strstr(event->name, "DtoH")))
                count_event(tallies, FINDING_HOST_COPY, event);
            break;
        case BEHAVIOUR_ALLOC:
            if (called)
                count_event(tallies, steady ? FINDING_ALLOC_PER_CALL : FINDING_CUDA_ALLOC, event);
            break;
        case BEHAVIOUR_SYNC:
            if (called)
                count_event(tallies, steady ? FINDING_SYNC_PER_CALL : FINDING_CUDA_SYNC, event);
            break;
        case BEHAVIOUR_EVENT:
            if (called)
                count_event(tallies, FINDING_CUDA_EVENT, event);
            break;
        case BEHAVIOUR_STREAM:
            count_event(tallies, FINDING_CUDA_STREAM, event);
            break;
        case BEHAVIOUR_GRAPH:
            count_event(tallies, FINDING_CUDA_GRAPH, event);
            break;
        case BEHAVIOUR_LIMIT:
            count_event(tallies, FINDING_CUDA_LIMIT, event);
            break;
        case BEHAVIOUR_CALLBACK:
            count_event(tallies, FINDING_CUDA_HOST_CALL, event);
            break;
        case BEHAVIOUR_MODULE: /* before that it may be the runtime's own, which loads late */
            if (steady)
                count_event(tallies, FINDING_CODE_LOADING, event);
            break;
        default:
            break;
        }
    }
}

/* What only a comparison of calls shows. */
struct comparison {
    struct work first, second;
    int most_kernels, most_others; /* of the second call and later ones */
    int idle, first_idle;          /* calls without a kernel */
    int changed, first_changed;    /* calls whose kernels are not those of the second */
};

static void compare_call(struct comparison *c, int call, struct work work) {
    if (work.kernels == 0 && c->idle++ == 0)
        c->first_idle = call;
    if (call == 1) {
        c->first = work;
        return;
    }
    if (call == 2)
        c->second = work;
    else if (work.which != c->second.which)
        if (c->changed++ == 0)
            c->first_changed = call;
    if (work.kernels > c->most_kernels)
        c->most_kernels = work.kernels;
    if (work.others > c->most_others)
        c->most_others = work.others;
}

static void say_comparison(const struct comparison *c, struct behaviour_recorded recorded,
                           struct finding_list *list) {
    const int calls = recorded.calls;
    if (c->idle)
        finding_add(list, FINDING_NO_KERNEL, "%d of %d calls, the first of them call %d", c->idle,
                    calls, number_of(c->first_idle, recorded));
    if (c->changed)
        finding_add(list, FINDING_CHANGING_KERNELS,
                    "%d of %d calls after call 2 differ from it, the first of them call %d",
                    c->changed, calls - 2, number_of(c->first_changed, recorded));
    if (calls < 2)
        return;
    if (c->first.kernels > 2 * c->most_kernels + 2)
        finding_add(list, FINDING_SELF_TUNING,
                    "%s%d kernels in the first call, at most %d in later ones",
                    c->first.kernels + c->first.others < BEHAVIOUR_MOST ? "" : "at least ",
                    c->first.kernels, c->most_kernels);
    else if (c->first.kernels > c->most_kernels || c->first.others > c->most_others)
        finding_add(list, FINDING_FIRST_CALL_WORK,
                    "%d kernels, %d memsets and copies; later at most %d and %d", c->first.kernels,
                    c->first.others, c->most_kernels, c->most_others);
}

void behaviour_judge(const struct behaviour_event *events, uint64_t count,
                     struct behaviour_recorded recorded, struct finding_list *list) {
    struct tallies tallies = {0};
    struct comparison comparison = {0};
    uint64_t at = 0;
    for (int call = 0; call <= recorded.calls; call++) {
        uint64_t end = at;
        while (end < count && events[end].call <= call)
            end++;
        struct work work = work_of(events + at, end - at);
        count_events(&tallies, events + at, end - at, work);
        if (call > 0)
            compare_call(&comparison, call, work);
        at = end;
    }
    say(&tallies, recorded, list);
    say_comparison(&comparison, recorded, list);
}

/* The kernel that took the most time in one go. */
static const struct behaviour_event *main_kernel(const struct behaviour_event *events,
                                                 uint64_t count, int from, int to) {
    const struct behaviour_event *longest = NULL;
    for (uint64_t i = 0; i < count; i++) {
        const struct behaviour_event *event = &events[i];
        if (event->kind == BEHAVIOUR_KERNEL && event->call >= from && event->call <= to &&
            (!longest || event->end_ns - event->start_ns > longest->end_ns - longest->start_ns))
            longest = event;
    }
    return longest;
}

void behaviour_summary(const struct behaviour_event *events, uint64_t count, int calls, char *text,
                       int size) {
    const int from = calls > 1 ? 2 : 1; /* the steady calls, where there are any */
    const double per_call = calls > 1 ? 1.0 / (calls - 1) : 1;
    uint64_t times[BEHAVIOUR_OTHER + 1] = {0};
    uint32_t streams[16];
    int stream_count = 0;
    for (uint64_t i = 0; i < count; i++) {
        const struct behaviour_event *event = &events[i];
        if (event->call < from || event->call > calls || event->kind > BEHAVIOUR_OTHER)
            continue;
        times[event->kind]++;
        int known = 0;
        while (known < stream_count && streams[known] != event->stream)
            known++;
        if (on_device(event) && known == stream_count && known < 16)
            streams[stream_count++] = event->stream;
    }
    const struct behaviour_event *kernel = main_kernel(events, count, from, calls);
    int used = snprintf(
        text, (size_t)size,
        "a call: %.3g kernels, %.3g memsets, %.3g copies, %.3g allocations, "
        "%.3g syncs; streams %d",
        (double)times[BEHAVIOUR_KERNEL] * per_call, (double)times[BEHAVIOUR_MEMSET] * per_call,
        (double)times[BEHAVIOUR_COPY] * per_call, (double)times[BEHAVIOUR_ALLOC] * per_call,
        (double)times[BEHAVIOUR_SYNC] * per_call, stream_count);
    if (kernel && used < size)
        snprintf(text + used, (size_t)(size - used),
                 "; main %dx%dx%d blocks of %dx%dx%d, %d registers, %lld bytes shared: %s",
                 kernel->grid[0], kernel->grid[1], kernel->grid[2], kernel->block[0],
                 kernel->block[1], kernel->block[2], kernel->registers,
                 (long long)kernel->shared_bytes, kernel->name);
}
