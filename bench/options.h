/* The options of `run` and `check`, turned into a plan. */
#ifndef BENCH_OPTIONS_H
#define BENCH_OPTIONS_H

#include <stdbool.h>

#include "bench/plan.h"
#include "candidates/build.h"

struct options {
    struct plan plan;
    struct build_options build;
    bool resume;
    const char *run; /* -o */
};

/* Parses the command line of `run` (timed) or `check` (not). 0, or -1 after a message on stderr.
 * The caller frees options->plan with plan_free in either case. */
int options_parse(int argc, char **argv, bool timed, struct options *options);

#endif
