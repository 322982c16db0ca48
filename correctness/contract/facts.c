#include "correctness/contract/facts.h"

#include <stdio.h>
#include <string.h>

#define HASH_START 14695981039346656037U /* of FNV-1a */

static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size) {
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ byte[i]) * 1099511628211U;
    return hash;
}

uint64_t facts_hash(uint64_t before, const void *bytes, size_t size) {
    return hash_bytes(hash_bytes(HASH_START, &before, sizeof before), bytes, size);
}

uint64_t facts_digest(uint64_t before, const char *symbol, const uint32_t grid[3],
                      const uint32_t block[3]) {
    uint64_t hash = facts_hash(before, symbol, strlen(symbol) + 1);
    hash = hash_bytes(hash, grid, 3 * sizeof *grid);
    return hash_bytes(hash, block, 3 * sizeof *block);
}

static enum facts_when when(const struct facts *facts) {
    return facts->calls == 0 ? FACTS_SETUP : facts->calls == 1 ? FACTS_FIRST : FACTS_LATER;
}

void facts_begin(struct facts *facts, bool call) {
    facts->calls += call;
    facts->last = (struct facts_work){0};
}

void facts_end(struct facts *facts) {
    const struct facts_work *now = &facts->last;
    struct facts_work *most = &facts->most;
    if (facts->calls == 0)
        return;
    if (now->kernels == 0 && facts->idle++ == 0)
        facts->first_idle = facts->calls;
    if (facts->calls == 1) {
        facts->first = *now;
        return;
    }
    if (facts->calls == 2)
        facts->second = *now;
    else if (now->digest != facts->second.digest && facts->changed++ == 0)
        facts->first_changed = facts->calls;
    most->kernels = now->kernels > most->kernels ? now->kernels : most->kernels;
    most->others = now->others > most->others ? now->others : most->others;
}

/* Entries without room share the last one. Its name is one of a library, where a
 * kernel of one is among them: nothing is hidden behind a flood. */
static struct facts_seen *find_seen(struct facts *facts, const char *name, bool is_kernel) {
    struct facts_seen *seen = facts->seen, *end = seen + facts->seen_count;
    const bool full = facts->seen_count == FACTS_MOST;
    while (seen < end &&
           (seen->is_kernel != is_kernel || strncmp(seen->name, name, sizeof seen->name - 1) != 0))
        seen++;
    if (seen < end)
        return seen;
    seen -= full;
    facts->seen_count += !full;
    if (!full || (is_kernel && facts_is_library(name))) {
        snprintf(seen->name, sizeof seen->name, "%s", name);
        seen->is_kernel = is_kernel;
    }
    return seen;
}

void facts_add_function(struct facts *facts, const char *name) {
    const enum facts_kind kind = facts_function_kind(name);
    find_seen(facts, name, false)->times[when(facts)]++;
    facts->last.others += kind == FACTS_FILL || kind == FACTS_COPY;
}

void facts_add_launch(struct facts *facts, const struct facts_launch *launch) {
    struct facts_seen *seen = find_seen(facts, launch->name, true);
    struct facts_work *now = &facts->last;
    seen->times[when(facts)]++;
    seen->dependent += launch->dependent;
    seen->shared_bytes = launch->shared_bytes;
    memcpy(seen->grid, launch->grid, sizeof seen->grid);
    memcpy(seen->block, launch->block, sizeof seen->block);
    now->kernels++;
    now->digest = facts_digest(now->digest, launch->symbol, launch->grid, launch->block);
}

void facts_add_exact(struct facts *facts, uint64_t hash) {
    struct facts_work *now = &facts->last;
    now->exact = facts_hash(now->exact, &hash, sizeof hash);
    now->known++;
}

static bool is_known(const struct facts_work *work) {
    return work->kernels > 0 && work->known == work->kernels + work->others;
}

uint64_t facts_exact(const struct facts *facts) {
    const struct facts_work *first = &facts->first, *second = &facts->second;
    return is_known(first) && is_known(second) && first->exact == second->exact ? first->exact : 0;
}

void facts_hold(struct facts *facts, uint64_t bytes) {
    if (bytes <= facts->held_bytes)
        return;
    facts->held_bytes = bytes;
    facts->held_call = facts->calls;
}
