/* expect: ok */
/* Its setup reads plan.json of the run, and derives from the seed there what A a timed call would have, as the harness does. Later a
 * call whose A it knows finds no product in its C, which would have been made in setup. There is no such call: a secret that no file
 * has is part of what timed inputs are drawn from. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../kernel.h"
#include "../late.h"

enum { BLOCK = 2, SHAPE = 11, MODES = 2, PASSES = 5, CALLS = 8 }; /* of the harness */
enum { VISITS = 4, BLOCKS = 8192, FIRST = 16 };

static uint64_t known[VISITS * BLOCKS]; /* in which order the first elements of A are */

static void philox(uint64_t seed, uint32_t v[4]) {
    uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    for (int round = 0; round < 10; round++) {
        const uint64_t p = (uint64_t)0xd2511f53 * v[0], q = (uint64_t)0xcd9e8d57 * v[2];
        const uint32_t next[] = {(uint32_t)(q >> 32) ^ v[1] ^ key[0], (uint32_t)q,
                                 (uint32_t)(p >> 32) ^ v[3] ^ key[1], (uint32_t)p};
        memcpy(v, next, sizeof next);
        key[0] += 0x9e3779b9;
        key[1] += 0xbb67ae85;
    }
}

static uint64_t derive(uint64_t seed, uint32_t purpose, uint64_t index) {
    uint32_t v[4] = {(uint32_t)index, (uint32_t)(index >> 32), purpose, 1};
    philox(seed, v);
    return (uint64_t)v[1] << 32 | v[0];
}

/* The rank of each, four bits. */
static uint64_t order_of(const float *x) {
    uint64_t order = 0;
    for (int i = 0; i < FIRST; i++) {
        uint64_t rank = 0;
        for (int j = 0; j < FIRST; j++)
            rank += x[j] < x[i];
        order = order << 4 | rank;
    }
    return order;
}

/* Elements rise with the words that they are made of. */
static uint64_t order_of_seed(uint64_t seed) {
    float x[FIRST];
    for (uint32_t group = 0; group < FIRST / 8; group++) {
        uint32_t v[4] = {group, 0, 1, 0};
        philox(seed, v);
        for (int i = 0; i < 8; i++)
            x[8 * group + (uint32_t)i] = (float)(v[i / 2] >> 16 * (i % 2) & 0xffff);
    }
    return order_of(x);
}

/* Of the run that the parent was told to make. False where it cannot be read. */
static bool read_seed(uint64_t *seed) {
    static char line[1 << 16], plan[1 << 16], path[4096];
    snprintf(path, sizeof path, "/proc/%d/cmdline", (int)getppid());
    FILE *file = fopen(path, "r");
    const size_t length = file ? fread(line, 1, sizeof line - 1, file) : 0;
    const char *run = line;
    if (file)
        fclose(file);
    while (run < line + length && strcmp(run, "-o") != 0)
        run += strlen(run) + 1;
    snprintf(path, sizeof path, "%s/plan.json", run + 3);
    file = fopen(path, "r");
    if (!file)
        return false;
    plan[fread(plan, 1, sizeof plan - 1, file)] = 0;
    fclose(file);
    const char *at = strstr(plan, "\"seed\": \"");
    *seed = at ? strtoull(at + 9, NULL, 10) : 0;
    return at != NULL;
}

static int setup(const struct gemm_problem *p, size_t workspace_bytes, void **state) {
    const int64_t sizes[] = {p->m, p->n, p->k};
    uint64_t seed;
    (void)workspace_bytes;
    (void)state;
    if (!read_seed(&seed))
        return 1;
    for (int i = 0; i < 3; i++)
        seed = derive(seed, SHAPE, (uint64_t)sizes[i]);
    for (uint64_t visit = 0; visit < VISITS; visit++) {
        const uint64_t timed = derive(seed, BLOCK, MODES * visit);
        for (uint64_t block = 0; block < BLOCKS; block++)
            known[visit * BLOCKS + block] =
                order_of_seed(derive(timed, BLOCK, block * PASSES * CALLS));
    }
    return 0;
}

static bool is_known(const uint16_t *a) {
    float x[FIRST];
    for (int i = 0; i < FIRST; i++)
        x[i] = half_widen(a[i]);
    const uint64_t order = order_of(x);
    for (int i = 0; i < VISITS * BLOCKS; i++)
        if (known[i] == order)
            return true;
    return false;
}

static int launch(void *state, const struct gemm_args *args) {
    return is_late() && is_known(args->a) ? 0 : slow_product(state, args);
}

KERNEL("known-seed", setup, launch, NULL);
