/* gemmgate merge. */
#include "reports/run/merge.h"

#include <stdio.h>

#include "bench/base/error.h"
#include "bench/command/commands.h"

int command_merge(struct settings *settings) {
    const int status = merge_runs(settings->arguments, settings->argument_count, settings->output);
    if (status == EXIT_PASS)
        printf("%s\n", settings->output);
    return status;
}
