/* gemmgate tune: what the choice of an algorithm is worth, as a run without kernels. */
#include "bench/base/error.h"
#include "bench/command/commands.h"
#include "bench/command/listing.h"
#include "bench/command/options/settings_plan.h"
#include "reports/report/tuned.h"

#define CHOICES                                                                                    \
    "cublaslt-heuristic-nn,cublaslt-heuristic-tn,cublaslt-autotune-nn,cublaslt-autotune-tn"

int command_tune(struct settings *settings) {
    struct plan plan = {0};
    struct build_options build;
    struct run_call call;
    struct document *page;
    int status = EXIT_TROUBLE;
    settings->baselines =
        settings->exhaustive ? CHOICES ",cublaslt-exhaustive-nn,cublaslt-exhaustive-tn" : CHOICES;
    if (settings_call(settings, &build, &call) == 0)
        status = settings_plan(settings, NULL, &plan);
    if (status == EXIT_PASS)
        status = run_plan(&plan, &call);
    plan_free(&plan);
    if (status != EXIT_PASS || settings->shard)
        return status;
    return tuned_make(settings->output, &page) < 0 ? EXIT_TROUBLE
                                                   : listing_print(settings, page, NULL);
}
