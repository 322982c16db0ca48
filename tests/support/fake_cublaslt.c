#include "tests/support/fake_cublaslt.h"

#include <string.h>

struct fake_cublaslt fake_cublaslt;

_Static_assert(sizeof(struct fake_config) <= sizeof(cublasLtMatmulAlgo_t), "it has room there");

struct fake_config fake_config_of(const cublasLtMatmulAlgo_t *algo) {
    struct fake_config config;
    memcpy(&config, algo, sizeof config);
    return config;
}

static const struct fake_algorithm *algorithm_of(const cublasLtMatmulAlgo_t *algo) {
    const uint32_t id = fake_config_of(algo).values[CUBLASLT_ALGO_CONFIG_ID];
    for (int i = 0; i < fake_cublaslt.count; i++)
        if (fake_cublaslt.algorithms[i].id == (int)id)
            return &fake_cublaslt.algorithms[i];
    return NULL;
}

static cublasStatus_t get_ids(cublasLtHandle_t handle, cublasComputeType_t compute,
                              cudaDataType_t scale, cudaDataType_t a, cudaDataType_t b,
                              cudaDataType_t c, cudaDataType_t d, int most, int *ids, int *count) {
    (void)handle, (void)compute, (void)scale, (void)a, (void)b, (void)c, (void)d;
    for (*count = 0; *count < fake_cublaslt.count && *count < most; ++*count)
        ids[*count] = fake_cublaslt.algorithms[*count].id;
    return fake_cublaslt.ids_status;
}

static cublasStatus_t init(cublasLtHandle_t handle, cublasComputeType_t compute,
                           cudaDataType_t scale, cudaDataType_t a, cudaDataType_t b,
                           cudaDataType_t c, cudaDataType_t d, int id, cublasLtMatmulAlgo_t *algo) {
    (void)handle, (void)compute, (void)scale, (void)a, (void)b, (void)c, (void)d;
    struct fake_config config = {
        .values = {
            [CUBLASLT_ALGO_CONFIG_ID] = (uint32_t)id, [CUBLASLT_ALGO_CONFIG_SPLITK_NUM] = 1}};
    memset(algo, 0, sizeof *algo);
    memcpy(algo, &config, sizeof config);
    return algorithm_of(algo) ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_SUPPORTED;
}

static cublasStatus_t list(const uint32_t *values, size_t count, void *buffer, size_t size,
                           size_t *written) {
    *written = count * sizeof *values;
    if (size < *written)
        return CUBLAS_STATUS_INVALID_VALUE;
    memcpy(buffer, values, *written);
    return CUBLAS_STATUS_SUCCESS;
}

static cublasStatus_t capability(const cublasLtMatmulAlgo_t *algo,
                                 cublasLtMatmulAlgoCapAttributes_t attribute, void *buffer,
                                 size_t size, size_t *written) {
    const struct fake_algorithm *a = algorithm_of(algo);
    switch ((int)attribute) {
    case CUBLASLT_ALGO_CAP_TILE_IDS:
        return list(a->tiles, a->tile_count, buffer, size, written);
    case CUBLASLT_ALGO_CAP_STAGES_IDS:
        return list(a->stages, a->stage_count, buffer, size, written);
    case CUBLASLT_ALGO_CAP_CUSTOM_OPTION_MAX:
        return list(&a->custom_most, 1, buffer, size, written);
    case CUBLASLT_ALGO_CAP_REDUCTION_SCHEME_MASK:
        return list(&a->schemes, 1, buffer, size, written);
    case CUBLASLT_ALGO_CAP_CTA_SWIZZLING_SUPPORT:
        return list(&a->swizzles, 1, buffer, size, written);
    case CUBLASLT_ALGO_CAP_SPLITK_SUPPORT:
        return list(&a->splits, 1, buffer, size, written);
    default:
        return CUBLAS_STATUS_INVALID_VALUE;
    }
}

static bool is_narrow(cublasLtMatmulAlgoConfigAttributes_t attribute) {
    return attribute == CUBLASLT_ALGO_CONFIG_INNER_SHAPE_ID ||
           attribute == CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID;
}

static cublasStatus_t set(cublasLtMatmulAlgo_t *algo,
                          cublasLtMatmulAlgoConfigAttributes_t attribute, const void *buffer,
                          size_t size) {
    struct fake_config config = fake_config_of(algo);
    uint16_t narrow;
    if (size != (is_narrow(attribute) ? sizeof narrow : sizeof *config.values) ||
        (attribute == CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID && algorithm_of(algo)->lacks_clusters))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (is_narrow(attribute)) {
        memcpy(&narrow, buffer, sizeof narrow);
        config.values[attribute] = narrow;
    } else {
        memcpy(&config.values[attribute], buffer, size);
    }
    memcpy(algo, &config, sizeof config);
    return CUBLAS_STATUS_SUCCESS;
}

static cublasStatus_t check(cublasLtHandle_t handle, cublasLtMatmulDesc_t operation,
                            cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                            cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                            const cublasLtMatmulAlgo_t *algo,
                            cublasLtMatmulHeuristicResult_t *result) {
    (void)handle, (void)operation, (void)a, (void)b, (void)c, (void)d;
    const struct fake_config config = fake_config_of(algo);
    fake_cublaslt.checks++;
    memset(result, 0xff, sizeof *result); /* the library does not promise to set algo */
    result->workspaceSize = fake_cublaslt.workspace ? fake_cublaslt.workspace(&config) : 0;
    return !fake_cublaslt.accepts || fake_cublaslt.accepts(&config) ? CUBLAS_STATUS_SUCCESS
                                                                    : CUBLAS_STATUS_NOT_SUPPORTED;
}

const struct cublas_api fake_cublaslt_api = {
    .cublasLtMatmulAlgoGetIds = get_ids,
    .cublasLtMatmulAlgoInit = init,
    .cublasLtMatmulAlgoCapGetAttribute = capability,
    .cublasLtMatmulAlgoConfigSetAttribute = set,
    .cublasLtMatmulAlgoCheck = check,
};
