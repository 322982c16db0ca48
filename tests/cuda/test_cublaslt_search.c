/* The search for configurations, on a library that knows no GPU. */
#include <stdlib.h>
#include <string.h>

#include "baselines/cuda/cublaslt_search.h"
#include "baselines/cuda/status.h"
#include "tests/support/fake_cublaslt.h"
#include "tests/support/test.h"

enum {
    CLUSTERS = 1 + CUBLASLT_CLUSTER_SHAPE_END - CUBLASLT_CLUSTER_SHAPE_1x1x1,
    INNERS = CUBLASLT_MATMUL_INNER_SHAPE_END,
    SPLITS = 9
};

static struct cublaslt_search found;

static int fresh(void **state) {
    (void)state;
    memset(&fake_cublaslt, 0, sizeof fake_cublaslt);
    memset(&found, 0, sizeof found);
    found.api = &fake_cublaslt_api;
    found.workspace_bytes = 1000;
    return 0;
}

static int end(void **state) {
    (void)state;
    free(found.found);
    return 0;
}

static struct fake_algorithm *algorithm(int id) {
    struct fake_algorithm *a = &fake_cublaslt.algorithms[fake_cublaslt.count++];
    *a = (struct fake_algorithm){
        .id = id, .tiles = {5, 7}, .tile_count = 2, .stages = {3}, .stage_count = 1};
    return a;
}

static struct fake_config config_at(int i) {
    return fake_config_of(&found.found[i].algo);
}

static uint32_t value(int i, cublasLtMatmulAlgoConfigAttributes_t attribute) {
    return config_at(i).values[attribute];
}

static int count_of(cublasLtMatmulAlgoConfigAttributes_t attribute, uint32_t wanted) {
    int count = 0;
    for (int i = 0; i < found.count; i++)
        count += value(i, attribute) == wanted;
    return count;
}

static int compare_found(const void *left, const void *right) {
    const cublasLtMatmulHeuristicResult_t *a = left, *b = right;
    return memcmp(&a->algo, &b->algo, sizeof a->algo);
}

static void are_all_different(void) {
    qsort(found.found, (size_t)found.count, sizeof *found.found, compare_found);
    for (int i = 1; i < found.count; i++)
        assert_true(compare_found(&found.found[i - 1], &found.found[i]) != 0);
}

static bool plain(const struct fake_config *c) {
    return c->values[CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID] == 0 &&
           c->values[CUBLASLT_ALGO_CONFIG_INNER_SHAPE_ID] == 0;
}

TEST_WITH(every_combination_is_found_once, fresh, end) {
    struct fake_algorithm *a = algorithm(66);
    a->custom_most = 2;
    a->swizzles = 1;
    a->splits = 1;
    a->schemes = CUBLASLT_REDUCTION_SCHEME_MASK;
    fake_cublaslt.accepts = plain;
    assert_int_equal(cublaslt_search_run(&found), 0);
    /* Tiles, custom options, swizzles; no split, or one. */
    const int splits = 1 + SPLITS;
    assert_int_equal(found.count, 2 * 3 * 2 * splits);
    assert_int_equal(found.accepted, found.count);
    assert_false(found.stopped);
    are_all_different();
    assert_int_equal(count_of(CUBLASLT_ALGO_CONFIG_TILE_ID, 7), 3 * 2 * splits);
    assert_int_equal(count_of(CUBLASLT_ALGO_CONFIG_STAGES_ID, 3), found.count);
    assert_int_equal(count_of(CUBLASLT_ALGO_CONFIG_CUSTOM_OPTION, 2), 2 * 2 * splits);
    assert_int_equal(count_of(CUBLASLT_ALGO_CONFIG_CTA_SWIZZLING, 1), 2 * 3 * splits);
    assert_int_equal(count_of(CUBLASLT_ALGO_CONFIG_SPLITK_NUM, 32), 2 * 3 * 2);
    assert_int_equal(count_of(CUBLASLT_ALGO_CONFIG_SPLITK_NUM, 1), 2 * 3 * 2);
    assert_int_equal(
        count_of(CUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME, CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE),
        2 * 3 * 2 * SPLITS);
}

/* In place means in C, and so in its type. */
TEST_WITH(partial_sums_of_16_bits_are_for_sums_of_16_bits, fresh, end) {
    struct fake_algorithm *a = algorithm(66);
    a->splits = 1;
    a->schemes = CUBLASLT_REDUCTION_SCHEME_MASK;
    fake_cublaslt.accepts = plain;
    found.compute = CUBLAS_COMPUTE_32F;
    assert_int_equal(cublaslt_search_run(&found), 0);
    assert_int_equal(
        count_of(CUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME, CUBLASLT_REDUCTION_SCHEME_INPLACE), 0);
    assert_int_equal(
        count_of(CUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME, CUBLASLT_REDUCTION_SCHEME_OUTPUT_TYPE), 0);
    free(found.found);
    found.compute = CUBLAS_COMPUTE_16F;
    assert_int_equal(cublaslt_search_run(&found), 0);
    assert_int_equal(
        count_of(CUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME, CUBLASLT_REDUCTION_SCHEME_INPLACE),
        2 * SPLITS);
}

TEST_WITH(clusters_and_inner_shapes_are_tried, fresh, end) {
    algorithm(1);
    assert_int_equal(cublaslt_search_run(&found), 0);
    assert_int_equal(found.count, 2 * CLUSTERS * INNERS);
    are_all_different();
    assert_int_equal(count_of(CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID, CUBLASLT_CLUSTER_SHAPE_2x1x1),
                     2 * INNERS);
    assert_int_equal(
        count_of(CUBLASLT_ALGO_CONFIG_INNER_SHAPE_ID, CUBLASLT_MATMUL_INNER_SHAPE_MMA16816),
        2 * CLUSTERS);
}

TEST_WITH(what_a_release_lacks_is_left_as_it_is, fresh, end) {
    struct fake_algorithm *a = algorithm(1);
    a->lacks_clusters = true;
    a->tile_count = a->stage_count = 0;
    a->schemes = CUBLASLT_REDUCTION_SCHEME_MASK; /* and no splits */
    assert_int_equal(cublaslt_search_run(&found), 0);
    assert_int_equal(found.count, INNERS);
    assert_int_equal(count_of(CUBLASLT_ALGO_CONFIG_TILE_ID, 0), INNERS);
    assert_int_equal(count_of(CUBLASLT_ALGO_CONFIG_SPLITK_NUM, 1), INNERS);
}

static bool not_tile_5(const struct fake_config *c) {
    return plain(c) && c->values[CUBLASLT_ALGO_CONFIG_TILE_ID] != 5;
}

TEST_WITH(what_is_refused_is_not_refined, fresh, end) {
    struct fake_algorithm *a = algorithm(9);
    a->swizzles = a->splits = 1;
    a->schemes = CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE;
    fake_cublaslt.accepts = not_tile_5;
    assert_int_equal(cublaslt_search_run(&found), 0);
    assert_int_equal(found.count, 2 * (1 + SPLITS));
    assert_int_equal(count_of(CUBLASLT_ALGO_CONFIG_TILE_ID, 5), 0);
    /* Once for tile 5; for tile 7 that, clusters, inner shapes, swizzle and splits of both. */
    assert_int_equal(found.checks, 1 + 1 + (CLUSTERS - 1) + (INNERS - 1) + 1 + 2 * SPLITS);
    assert_int_equal(found.checks, fake_cublaslt.checks);
}

static size_t by_split(const struct fake_config *c) {
    return 100 * c->values[CUBLASLT_ALGO_CONFIG_SPLITK_NUM];
}

TEST_WITH(what_needs_a_larger_workspace_is_left_out, fresh, end) {
    struct fake_algorithm *a = algorithm(9);
    a->splits = 1;
    a->schemes = CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE;
    fake_cublaslt.accepts = plain;
    fake_cublaslt.workspace = by_split;
    found.workspace_bytes = 500;
    assert_int_equal(cublaslt_search_run(&found), 0);
    assert_int_equal(found.count, 2 * 5); /* 1, 2, 3, 4, 5 */
    for (int i = 0; i < found.count; i++)
        assert_int_equal(found.found[i].workspaceSize,
                         100 * value(i, CUBLASLT_ALGO_CONFIG_SPLITK_NUM));
}

/* Two algorithms of which each fills what can be kept. */
static void many(void) {
    found.compute = CUBLAS_COMPUTE_16F;
    for (int id = 1; id < 3; id++) {
        struct fake_algorithm *a = algorithm(id);
        a->splits = a->swizzles = 1;
        a->schemes = CUBLASLT_REDUCTION_SCHEME_MASK;
        a->custom_most = 1;
    }
}

TEST_WITH(a_sample_is_kept_of_too_many_the_same_each_time, fresh, end) {
    many();
    assert_int_equal(cublaslt_search_run(&found), 0);
    const long all = 2L * 2 * 2 * CLUSTERS * INNERS * 2 * (1 + 2 * SPLITS);
    assert_int_equal(found.accepted, all);
    assert_int_equal(found.count, CUBLASLT_SEARCH_MOST);
    const int half = count_of(CUBLASLT_ALGO_CONFIG_ID, 1);
    assert_true(half > CUBLASLT_SEARCH_MOST * 0.47 && half < CUBLASLT_SEARCH_MOST * 0.53);
    struct cublaslt_search first = found;
    assert_int_equal(cublaslt_search_run(&found), 0);
    for (int i = 0; i < found.count; i++)
        assert_memory_equal(&first.found[i].algo, &found.found[i].algo, sizeof first.found->algo);
    free(first.found);
    are_all_different();
}

TEST_WITH(the_library_is_asked_so_often_at_most, fresh, end) {
    many();
    for (uint32_t i = 0; i < FAKE_VALUES; i++)
        fake_cublaslt.algorithms[0].tiles[i] = i + 1;
    fake_cublaslt.algorithms[0].tile_count = FAKE_VALUES;
    fake_cublaslt.algorithms[0].custom_most = 6;
    assert_int_equal(cublaslt_search_run(&found), 0);
    assert_true(found.stopped);
    assert_true(found.checks > CUBLASLT_SEARCH_CHECKS / 2);
    assert_true(found.checks < CUBLASLT_SEARCH_CHECKS);
    /* The second algorithm is walked to its end, and that is so much of all. */
    const long second = 2L * 2 * CLUSTERS * INNERS * 2 * (1 + 2 * SPLITS);
    const double share = (double)second / (double)found.accepted;
    const double seen = count_of(CUBLASLT_ALGO_CONFIG_ID, 2) / (double)found.count;
    assert_true(seen > 0.9 * share && seen < 1.1 * share);
    /* The last that is walked has the rest of all. */
    struct fake_algorithm first = fake_cublaslt.algorithms[0];
    fake_cublaslt.algorithms[0] = fake_cublaslt.algorithms[1];
    fake_cublaslt.algorithms[1] = first;
    free(found.found);
    assert_int_equal(cublaslt_search_run(&found), 0);
    assert_true(found.stopped);
    assert_int_equal(found.checks, CUBLASLT_SEARCH_CHECKS);
}

TEST_WITH(a_library_that_names_no_algorithms_is_told, fresh, end) {
    fake_cublaslt.ids_status = CUBLAS_STATUS_NOT_SUPPORTED;
    assert_int_equal(cublaslt_search_run(&found), status_of_cublas(CUBLAS_STATUS_NOT_SUPPORTED));
    assert_null(found.found);
    fake_cublaslt.ids_status = CUBLAS_STATUS_SUCCESS;
    assert_int_equal(cublaslt_search_run(&found), 0);
    assert_int_equal(found.count, 0);
}
