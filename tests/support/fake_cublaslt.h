/* For tests: a cublasLt that knows no GPU. Its algorithms are described here; what it accepts is a
 * rule of the test's. */
#ifndef TESTS_SUPPORT_FAKE_CUBLASLT_H
#define TESTS_SUPPORT_FAKE_CUBLASLT_H

#include <stdbool.h>
#include <stdint.h>

#include "baselines/cuda/cublas_api.h"

enum { FAKE_ALGORITHMS = 4, FAKE_VALUES = 40 };

struct fake_algorithm {
    int id;
    uint32_t tiles[FAKE_VALUES], tile_count, stages[FAKE_VALUES], stage_count;
    uint32_t custom_most, schemes, swizzles,
        splits;          /* as cublasLtMatmulAlgoCapGetAttribute tells */
    bool lacks_clusters; /* as a release before them */
};

/* A configuration by number of its attribute (cublasLtMatmulAlgoConfigAttributes_t). */
struct fake_config {
    uint32_t values[9];
};

extern struct fake_cublaslt {
    struct fake_algorithm algorithms[FAKE_ALGORITHMS];
    int count;
    cublasStatus_t ids_status;                       /* of cublasLtMatmulAlgoGetIds */
    bool (*accepts)(const struct fake_config *);     /* NULL: all */
    size_t (*workspace)(const struct fake_config *); /* NULL: 0 */
    long checks;
} fake_cublaslt;

extern const struct cublas_api fake_cublaslt_api;

struct fake_config fake_config_of(const cublasLtMatmulAlgo_t *algo);

#endif
