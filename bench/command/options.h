/* The options of the commands that measure, turned into a plan. */
#ifndef BENCH_COMMAND_OPTIONS_H
#define BENCH_COMMAND_OPTIONS_H

#include <stdbool.h>

#include "bench/plan/plan.h"
#include "candidates/build/build.h"
#include "reports/gate/gate_policy.h"

enum options_command { OPTIONS_RUN, OPTIONS_CHECK, OPTIONS_COMPARE, OPTIONS_GATE };

struct options {
    struct plan plan;
    struct build_options build;
    bool resume;
    const char *run;   /* -o */
    int shard, shards; /* from 1; 0: the whole */

    /* compare and gate */
    bool measure;             /* false: judge what is measured; plan is empty then */
    const char *arguments[2]; /* of compare: old and new; of gate: RUN; NULL where not given */
    const char *against;      /* a store or run directory to compare with; NULL: none */
    const char *entry;        /* of the store */
    const char *baseline;     /* through which two runs are compared */
    const char *weights;
    bool release;
    struct gate_policy gate;
};

/* Parses the command line. 0, or -1 after a message on stderr. The caller frees with options_free
 * in either case. */
int options_parse(int argc, char **argv, enum options_command command, struct options *options);
void options_free(struct options *options);

/* For an option that names what is worked on: of two, one would be dropped unseen. Of settings the
 * last counts, so that scripts can have defaults. 0, or -1 after error(). */
int options_take_once(const char *option, const char *text, const char **slot);

#endif
