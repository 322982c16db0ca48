/* gemmgate tune: what the choice of an algorithm is worth, as a run without kernels. */
#include "bench/base/error.h"
#include "bench/command/commands.h"
#include "reports/report/tuned.h"

#define CHOICES                                                                                    \
    "cublaslt-heuristic-nn,cublaslt-heuristic-tn,cublaslt-autotune-nn,cublaslt-autotune-tn"

int command_tune(struct settings *settings) {
    struct document *page;
    settings->baselines =
        settings->exhaustive ? CHOICES ",cublaslt-exhaustive-nn,cublaslt-exhaustive-tn" : CHOICES;
    const int status = measure_run(settings, NULL);
    if (status != EXIT_PASS || settings->shard)
        return status;
    return tuned_make(settings->output, &page) < 0 ? EXIT_TROUBLE
                                                   : listing_print(settings, page, NULL);
}
