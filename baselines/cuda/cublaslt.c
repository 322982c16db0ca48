/* The baselines of cuBLASLt: cublaslt-heuristic takes the first algorithm that it suggests;
 * cublaslt-autotune has up to 100 suggestions, as in the paper, of which the harness chooses by their
 * times. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cublasLt.h>

#include "baselines/baselines.h"
#include "baselines/cuda/status.h"
#include "baselines/cuda/workspace.h"

enum { SUGGESTIONS = 100 };

struct state {
    cublasLtHandle_t handle;
    cublasLtMatmulDesc_t operation;
    cublasLtMatrixLayout_t a, b, c;
    cublasLtMatmulPreference_t preference;
    struct workspace workspace;
    bool tn;
    cublasLtMatmulHeuristicResult_t *found;
    int count, used;
    char name[384];
};

static void teardown(void *opaque) {
    struct state *s = opaque;
    if (!s)
        return;
    if (s->preference)
        cublasLtMatmulPreferenceDestroy(s->preference);
    if (s->a)
        cublasLtMatrixLayoutDestroy(s->a);
    if (s->b)
        cublasLtMatrixLayoutDestroy(s->b);
    if (s->c)
        cublasLtMatrixLayoutDestroy(s->c);
    if (s->operation)
        cublasLtMatmulDescDestroy(s->operation);
    free(s->found);
    free(s);
}

static int forget(void *opaque) {
    return workspace_forget(&((const struct state *)opaque)->workspace, NULL);
}

/* One for all arms, which stays until the process ends. */
static cublasStatus_t get_handle(cublasLtHandle_t *handle) {
    static cublasLtHandle_t shared;
    const cublasStatus_t status = shared ? CUBLAS_STATUS_SUCCESS : cublasLtCreate(&shared);
    *handle = shared;
    return status;
}

/* Column-major descriptors of the row-major operands, as in cublas.c: C^T = B^T A^T, so that
 * cuBLASLt's first operand is our B. The scale type must go with the compute type. */
static cublasStatus_t describe(struct state *s, const struct gemm_problem *p) {
    const bool f16 = p->accumulate == GEMM_F16;
    const cudaDataType_t type = status_type(p);
    const uint64_t m = (uint64_t)p->m, n = (uint64_t)p->n, k = (uint64_t)p->k;
    const cublasOperation_t transposed = s->tn ? CUBLAS_OP_T : CUBLAS_OP_N;
    cublasStatus_t status = get_handle(&s->handle);
    if (status == CUBLAS_STATUS_SUCCESS)
        status =
            cublasLtMatmulDescCreate(&s->operation, f16 ? CUBLAS_COMPUTE_16F : CUBLAS_COMPUTE_32F,
                                     f16 ? CUDA_R_16F : CUDA_R_32F);
    if (status == CUBLAS_STATUS_SUCCESS)
        status = cublasLtMatmulDescSetAttribute(s->operation, CUBLASLT_MATMUL_DESC_TRANSA,
                                                &transposed, sizeof transposed);
    if (status == CUBLAS_STATUS_SUCCESS)
        status = s->tn ? cublasLtMatrixLayoutCreate(&s->b, type, k, n, p->k)
                       : cublasLtMatrixLayoutCreate(&s->b, type, n, k, p->n);
    if (status == CUBLAS_STATUS_SUCCESS)
        status = cublasLtMatrixLayoutCreate(&s->a, type, k, m, p->k);
    if (status == CUBLAS_STATUS_SUCCESS)
        status = cublasLtMatrixLayoutCreate(&s->c, type, n, m, p->n);
    return status;
}

static cublasStatus_t suggest(struct state *s, int wanted) {
    uint64_t most = s->workspace.bytes;
    cublasStatus_t status = cublasLtMatmulPreferenceCreate(&s->preference);
    if (status == CUBLAS_STATUS_SUCCESS)
        status = cublasLtMatmulPreferenceSetAttribute(
            s->preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &most, sizeof most);
    if (status == CUBLAS_STATUS_SUCCESS)
        status = cublasLtMatmulAlgoGetHeuristic(s->handle, s->operation, s->b, s->a, s->c, s->c,
                                                s->preference, wanted, s->found, &s->count);
    return status;
}

/* Keeps the suggestions that the library itself accepts for this problem and workspace. */
static void keep_valid(struct state *s) {
    int kept = 0;
    for (int i = 0; i < s->count; i++) {
        cublasLtMatmulHeuristicResult_t checked;
        if (s->found[i].state == CUBLAS_STATUS_SUCCESS &&
            cublasLtMatmulAlgoCheck(s->handle, s->operation, s->b, s->a, s->c, s->c,
                                    &s->found[i].algo, &checked) == CUBLAS_STATUS_SUCCESS &&
            checked.workspaceSize <= s->workspace.bytes)
            s->found[kept++] = s->found[i];
    }
    s->count = kept;
}

/* The valid suggestions of the last problem with B as it is, and with B transposed. An autotuned library has
 * several arms with one list, which takes some milliseconds to make. */
static struct list {
    struct gemm_problem problem;
    size_t workspace_bytes;
    cublasLtMatmulHeuristicResult_t found[SUGGESTIONS];
    int count; /* 0: there is none */
} lists[2];

static bool is_list_of(const struct list *list, const struct state *s,
                       const struct gemm_problem *p) {
    const struct gemm_problem *q = &list->problem;
    return list->count > 0 && q->m == p->m && q->n == p->n && q->k == p->k &&
           q->accumulate == p->accumulate && q->element == p->element &&
           list->workspace_bytes == s->workspace.bytes;
}

/* All suggestions, of the list where it is the problem's. 0, or a status. */
static int list_all(struct state *s, const struct gemm_problem *problem) {
    struct list *list = &lists[s->tn];
    if (is_list_of(list, s, problem)) {
        memcpy(s->found, list->found, sizeof list->found);
        s->count = list->count;
        return 0;
    }
    const int status = status_of_cublas(suggest(s, SUGGESTIONS));
    if (status != 0)
        return status;
    keep_valid(s);
    *list = (struct list){
        .problem = *problem, .workspace_bytes = s->workspace.bytes, .count = s->count};
    memcpy(list->found, s->found, sizeof list->found);
    return 0;
}

/* The first suggestion alone. 0, or a status. */
static int list_first(struct state *s) {
    const int status = status_of_cublas(suggest(s, 1));
    if (status == 0)
        keep_valid(s);
    return status;
}

/* Descriptors and workspace for one problem, with the first suggestion or all of them, in their order. Those that cublasLtMatmulAlgoCheck
 * refuses are left out; none left is STATUS_NO_ALGORITHM. */
static int setup(const struct gemm_problem *problem, size_t workspace_bytes, bool tn, bool all,
                 void **result) {
    struct state *s = calloc(1, sizeof *s);
    if (!s)
        return STATUS_NO_MEMORY;
    s->tn = tn;
    s->found = calloc(SUGGESTIONS, sizeof *s->found);
    if (!s->found) {
        free(s);
        return STATUS_NO_MEMORY;
    }
    int status = workspace_take(workspace_bytes, &s->workspace);
    if (status == 0)
        status = status_of_cublas(describe(s, problem));
    if (status == 0)
        status = all ? list_all(s, problem) : list_first(s);
    if (status == 0 && s->count == 0)
        status = STATUS_NO_ALGORITHM;
    if (status != 0)
        teardown(s);
    else
        *result = s;
    return status;
}

/* With the algorithm in use: the first suggestion until another is chosen. */
static int launch(void *opaque, const struct gemm_args *args) {
    struct state *s = opaque;
    const int32_t accumulate = args->problem.accumulate;
    return status_of_cublas(cublasLtMatmul(
        s->handle, s->operation, status_one(accumulate), s->tn ? args->b_col : args->b_row, s->b,
        args->a, s->a, status_zero(accumulate), args->c, s->c, args->c, s->c,
        &s->found[s->used].algo, s->workspace.memory, s->workspace.bytes, args->stream));
}

static int count_variants(void *opaque) {
    return ((struct state *)opaque)->count;
}

static int use(void *opaque, int algorithm) {
    ((struct state *)opaque)->used = algorithm;
    return 0;
}

/* -1 where the algorithm does not tell. */
static int config(const cublasLtMatmulAlgo_t *algo,
                  cublasLtMatmulAlgoConfigAttributes_t attribute) {
    uint32_t value = 0;
    uint16_t narrow = 0;
    size_t written = 0;
    if (cublasLtMatmulAlgoConfigGetAttribute(algo, attribute, &value, sizeof value, &written) ==
        CUBLAS_STATUS_SUCCESS)
        return (int)value;
    if (cublasLtMatmulAlgoConfigGetAttribute(algo, attribute, &narrow, sizeof narrow, &written) ==
        CUBLAS_STATUS_SUCCESS)
        return narrow;
    return -1;
}

/* "algo 66 tile 18 stages 35 splitk 1 ... workspace 0". */
static const char *describe_variant(void *opaque, int algorithm) {
    static const struct {
        const char *word;
        cublasLtMatmulAlgoConfigAttributes_t attribute;
    } parts[] = {
        {"algo", CUBLASLT_ALGO_CONFIG_ID},
        {"tile", CUBLASLT_ALGO_CONFIG_TILE_ID},
        {"stages", CUBLASLT_ALGO_CONFIG_STAGES_ID},
        {"splitk", CUBLASLT_ALGO_CONFIG_SPLITK_NUM},
        {"reduction", CUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME},
        {"swizzle", CUBLASLT_ALGO_CONFIG_CTA_SWIZZLING},
        {"custom", CUBLASLT_ALGO_CONFIG_CUSTOM_OPTION},
        {"inner", CUBLASLT_ALGO_CONFIG_INNER_SHAPE_ID},
        {"cluster", CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID},
    };
    struct state *s = opaque;
    const cublasLtMatmulHeuristicResult_t *found = &s->found[algorithm];
    size_t used = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        used += (size_t)snprintf(s->name + used, sizeof s->name - used, "%s %d ", parts[i].word,
                                 config(&found->algo, parts[i].attribute));
    snprintf(s->name + used, sizeof s->name - used, "workspace %zu", found->workspaceSize);
    return s->name;
}

#define OPS(called, prepare)                                                                       \
    {                                                                                              \
        STATUS_OPS(GEMM_F16 | GEMM_F32), .name = (called), .setup = (prepare), .launch = launch,   \
                                         .teardown = teardown                                      \
    }
#define CHOICE .variants = count_variants, .select = use, .describe = describe_variant

#define LAYOUT(layout, tn)                                                                         \
    static int heuristic_##layout(const struct gemm_problem *p, size_t bytes, void **state) {      \
        return setup(p, bytes, tn, false, state);                                                  \
    }                                                                                              \
    static int autotune_##layout(const struct gemm_problem *p, size_t bytes, void **state) {       \
        return setup(p, bytes, tn, true, state);                                                   \
    }                                                                                              \
    const struct baseline baseline_cublaslt_heuristic_##layout = {                                 \
        .ops = OPS("cublaslt-heuristic-" #layout, heuristic_##layout), .forget = forget};          \
    const struct baseline baseline_cublaslt_autotune_##layout = {                                  \
        .ops = OPS("cublaslt-autotune-" #layout, autotune_##layout), CHOICE, .forget = forget};
LAYOUT(nn, false)
LAYOUT(tn, true)
