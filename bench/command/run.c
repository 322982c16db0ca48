/* gemmgate run and check. */
#include <stdio.h>

#include "bench/base/error.h"
#include "bench/command/commands.h"
#include "bench/command/settings_plan.h"

int command_run(struct settings *settings) {
    struct plan plan = {0};
    struct build_options build;
    struct run_call call;
    int status = EXIT_TROUBLE;
    if (settings_call(settings, &build, &call) == 0)
        status = settings_plan(settings, NULL, &plan);
    if (status == EXIT_PASS)
        status = run_plan(&plan, &call);
    if (status == EXIT_PASS)
        printf("%s\n", settings->output);
    plan_free(&plan);
    return status;
}

/* Its plan has no modes, see settings_plan. */
int command_check(struct settings *settings) {
    return command_run(settings);
}
