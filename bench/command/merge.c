/* gemmgate merge. */
#include "reports/run/merge.h"

#include "bench/command/commands.h"

int command_merge(struct settings *settings) {
    return merge_runs(settings->arguments, settings->argument_count, settings->output);
}
