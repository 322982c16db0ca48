#include "bench/command/measure.h"

#include "bench/base/error.h"
#include "bench/command/options/settings_plan.h"

int measure_run(const struct settings *settings, const struct gate_policy *judged) {
    struct plan plan = {0};
    struct build_options build;
    struct run_call call;
    int status = EXIT_TROUBLE;
    if (settings_call(settings, &build, &call) == 0)
        status = settings_plan(settings, judged, &plan);
    if (status == EXIT_PASS)
        status = run_plan(&plan, &call);
    plan_free(&plan);
    return status;
}
