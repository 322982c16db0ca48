#include "baselines/cuda/cublaslt_search.h"

#include <stdint.h>
#include <stdlib.h>

#include "baselines/cuda/status.h"

enum { MOST_ALGORITHMS = 256, MOST_VALUES = 1024 };

/* An attribute and the values that it may take; the first is the one that it has unless set. */
struct axis {
    cublasLtMatmulAlgoConfigAttributes_t attribute;
    bool narrow; /* 16 bits wide, else 32 */
    bool asks;   /* the library is asked once the attribute is set */
    int count;
    uint32_t values[MOST_VALUES];
};

/* In the order in which they are set. The library is first asked when tile, stages and custom
 * option are set: it refuses an algorithm that lacks any of them. A value of the last axis is a
 * split and its reduction scheme. */
enum { TILE, STAGES, CUSTOM, CLUSTER, INNER, SWIZZLE, SPLIT, AXES };

struct walk {
    struct cublaslt_search *search;
    struct axis axes[AXES];
    long most;      /* checks, up to the end of the algorithm in hand */
    uint64_t drawn; /* the state of the generator that draws the sample */
};

static const uint32_t splits[] = {2, 3, 4, 5, 6, 8, 12, 16, 32};
enum { SPLITS = sizeof splits / sizeof *splits, SCHEME_SHIFT = 16 };

/* Those whose partial sums are of the type of computation. In place they are of the type of C, and
 * so in the scheme that is left out. */
static uint32_t schemes_of(const struct cublaslt_search *s) {
    return s->compute == CUBLAS_COMPUTE_16F
               ? CUBLASLT_REDUCTION_SCHEME_INPLACE | CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE
               : CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE;
}

static void add_value(struct axis *axis, uint32_t value) {
    if (axis->count < MOST_VALUES)
        axis->values[axis->count++] = value;
}

static void start(struct axis *axis, cublasLtMatmulAlgoConfigAttributes_t attribute, bool narrow,
                  bool asks, uint32_t first) {
    axis->attribute = attribute;
    axis->narrow = narrow;
    axis->asks = asks;
    axis->count = 0;
    add_value(axis, first);
}

/* A capability that is one number; 0 where the algorithm or this release does not tell. */
static uint32_t capability(const struct cublaslt_search *s, const cublasLtMatmulAlgo_t *algo,
                           cublasLtMatmulAlgoCapAttributes_t attribute) {
    uint32_t value = 0;
    size_t written = 0;
    return s->api->cublasLtMatmulAlgoCapGetAttribute(algo, attribute, &value, sizeof value,
                                                     &written) == CUBLAS_STATUS_SUCCESS
               ? value
               : 0;
}

/* A capability that is a list takes the place of the axis's default, unless it is empty. */
static void list(const struct cublaslt_search *s, const cublasLtMatmulAlgo_t *algo,
                 cublasLtMatmulAlgoCapAttributes_t attribute, struct axis *axis) {
    size_t written = 0;
    uint32_t values[MOST_VALUES];
    if (s->api->cublasLtMatmulAlgoCapGetAttribute(algo, attribute, values, sizeof values,
                                                  &written) != CUBLAS_STATUS_SUCCESS ||
        written < sizeof *values)
        return;
    axis->count = 0;
    for (size_t i = 0; i < written / sizeof *values; i++)
        add_value(axis, values[i]);
}

static void describe(struct walk *walk, const cublasLtMatmulAlgo_t *algo) {
    const struct cublaslt_search *s = walk->search;
    struct axis *axes = walk->axes;
    start(&axes[TILE], CUBLASLT_ALGO_CONFIG_TILE_ID, false, false, 0);
    list(s, algo, CUBLASLT_ALGO_CAP_TILE_IDS, &axes[TILE]);
    start(&axes[STAGES], CUBLASLT_ALGO_CONFIG_STAGES_ID, false, false, 0);
    list(s, algo, CUBLASLT_ALGO_CAP_STAGES_IDS, &axes[STAGES]);
    start(&axes[CUSTOM], CUBLASLT_ALGO_CONFIG_CUSTOM_OPTION, false, true, 0);
    const uint32_t customs = capability(s, algo, CUBLASLT_ALGO_CAP_CUSTOM_OPTION_MAX);
    for (uint32_t i = 1; i <= customs && i < MOST_VALUES; i++)
        add_value(&axes[CUSTOM], i);
    start(&axes[CLUSTER], CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID, true, true,
          CUBLASLT_CLUSTER_SHAPE_AUTO);
    for (uint32_t i = CUBLASLT_CLUSTER_SHAPE_1x1x1; i < CUBLASLT_CLUSTER_SHAPE_END; i++)
        add_value(&axes[CLUSTER], i);
    start(&axes[INNER], CUBLASLT_ALGO_CONFIG_INNER_SHAPE_ID, true, true,
          CUBLASLT_MATMUL_INNER_SHAPE_UNDEFINED);
    for (uint32_t i = 1; i < CUBLASLT_MATMUL_INNER_SHAPE_END; i++)
        add_value(&axes[INNER], i);
    start(&axes[SWIZZLE], CUBLASLT_ALGO_CONFIG_CTA_SWIZZLING, false, true, 0);
    if (capability(s, algo, CUBLASLT_ALGO_CAP_CTA_SWIZZLING_SUPPORT))
        add_value(&axes[SWIZZLE], 1);
    start(&axes[SPLIT], CUBLASLT_ALGO_CONFIG_SPLITK_NUM, false, true, 1);
    const uint32_t schemes =
        schemes_of(s) & capability(s, algo, CUBLASLT_ALGO_CAP_REDUCTION_SCHEME_MASK);
    if (!capability(s, algo, CUBLASLT_ALGO_CAP_SPLITK_SUPPORT))
        return;
    for (uint32_t scheme = 1; scheme <= CUBLASLT_REDUCTION_SCHEME_MASK; scheme <<= 1)
        for (int i = 0; schemes & scheme && i < SPLITS; i++)
            add_value(&axes[SPLIT], splits[i] | scheme << SCHEME_SHIFT);
}

static bool set(const struct cublaslt_search *s, const struct axis *axis, uint32_t value,
                cublasLtMatmulAlgo_t *algo) {
    const uint16_t narrow = (uint16_t)value;
    const uint32_t wide = axis->attribute == CUBLASLT_ALGO_CONFIG_SPLITK_NUM ? narrow : value;
    const uint32_t scheme = value >> SCHEME_SHIFT;
    return s->api->cublasLtMatmulAlgoConfigSetAttribute(
               algo, axis->attribute, axis->narrow ? (const void *)&narrow : (const void *)&wide,
               axis->narrow ? sizeof narrow : sizeof wide) == CUBLAS_STATUS_SUCCESS &&
           (axis->attribute != CUBLASLT_ALGO_CONFIG_SPLITK_NUM ||
            s->api->cublasLtMatmulAlgoConfigSetAttribute(
                algo, CUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME, &scheme, sizeof scheme) ==
                CUBLAS_STATUS_SUCCESS);
}

static bool is_accepted(struct cublaslt_search *s, const cublasLtMatmulAlgo_t *algo,
                        cublasLtMatmulHeuristicResult_t *result) {
    s->checks++;
    if (s->api->cublasLtMatmulAlgoCheck(s->handle, s->operation, s->first, s->second, s->c, s->c,
                                        algo, result) != CUBLAS_STATUS_SUCCESS ||
        result->workspaceSize > s->workspace_bytes)
        return false;
    result->algo = *algo;
    result->state = CUBLAS_STATUS_SUCCESS;
    return true;
}

/* splitmix64 (Steele, Lea & Flood 2014) from a constant: the same in every process. */
static uint64_t draw(struct walk *walk) {
    uint64_t z = walk->drawn += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* A reservoir (Vitter 1985, algorithm R). */
static void keep_accepted(struct walk *walk, const cublasLtMatmulHeuristicResult_t *result) {
    struct cublaslt_search *s = walk->search;
    const uint64_t seen = (uint64_t)++s->accepted;
    uint64_t at = s->count < CUBLASLT_SEARCH_MOST ? (uint64_t)s->count++ : draw(walk) % seen;
    if (at < CUBLASLT_SEARCH_MOST)
        s->found[at] = *result;
}

/* known: what the library has said of the algorithm with the attributes before this one set. */
static void visit(struct walk *walk, int level, const cublasLtMatmulHeuristicResult_t *known) {
    struct cublaslt_search *s = walk->search;
    if (level == AXES) {
        keep_accepted(walk, known);
        return;
    }
    const struct axis *axis = &walk->axes[level];
    for (int i = 0; i < axis->count; i++) {
        cublasLtMatmulHeuristicResult_t next = *known;
        const bool as_before = level > CUSTOM && i == 0;
        if (s->checks >= walk->most) {
            s->stopped = true;
            return;
        }
        if (!as_before && !set(s, axis, axis->values[i], &next.algo))
            continue;
        const cublasLtMatmulAlgo_t algo = next.algo;
        if (as_before || !axis->asks || is_accepted(s, &algo, &next))
            visit(walk, level + 1, &next);
    }
}

int cublaslt_search_run(struct cublaslt_search *s) {
    int ids[MOST_ALGORITHMS], count = 0;
    struct walk *walk = calloc(1, sizeof *walk);
    s->count = 0;
    s->accepted = s->checks = 0;
    s->stopped = false;
    s->found = malloc(CUBLASLT_SEARCH_MOST * sizeof *s->found);
    int status = walk && s->found ? 0 : STATUS_NO_MEMORY;
    if (status == 0)
        status = status_of_cublas(s->api->cublasLtMatmulAlgoGetIds(
            s->handle, s->compute, s->scale, s->element, s->element, s->element, s->element,
            MOST_ALGORITHMS, ids, &count));
    for (int i = 0; i < count && status == 0; i++) {
        cublasLtMatmulHeuristicResult_t plain = {.workspaceSize = 0};
        walk->search = s;
        walk->most = (i + 1L) * CUBLASLT_SEARCH_CHECKS / count;
        if (s->api->cublasLtMatmulAlgoInit(s->handle, s->compute, s->scale, s->element, s->element,
                                           s->element, s->element, ids[i],
                                           &plain.algo) != CUBLAS_STATUS_SUCCESS)
            continue;
        describe(walk, &plain.algo);
        visit(walk, 0, &plain);
    }
    free(walk);
    if (status != 0) {
        free(s->found);
        s->found = NULL;
    }
    return status;
}
