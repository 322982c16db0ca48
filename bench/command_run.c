/* gemmgate run, check and build. */
#include "bench/commands.h"

#include <argp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/error.h"
#include "bench/judge.h"
#include "bench/options.h"

static int carry_out(int argc, char **argv, bool timed) {
    struct options options;
    int status = EXIT_TROUBLE;
    if (options_parse(argc, argv, timed, &options) == 0)
        status = judge_run(&options.plan, &options.build, options.resume, options.run);
    plan_free(&options.plan);
    return status;
}

int command_run(int argc, char **argv) {
    return carry_out(argc, argv, true);
}

int command_check(int argc, char **argv) {
    return carry_out(argc, argv, false);
}
