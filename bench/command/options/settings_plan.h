/* From what the command line says to what a run does. */
#ifndef BENCH_COMMAND_OPTIONS_SETTINGS_PLAN_H
#define BENCH_COMMAND_OPTIONS_SETTINGS_PLAN_H

#include "bench/command/options/settings.h"
#include "bench/plan/plan.h"
#include "bench/run/run.h"
#include "reports/gate/gate_policy.h"

/* The plan as far as the options say it: the members that the option table fills, and those that it
 * has in other units. Looks at nothing but the settings. Seconds and visits that were not given are
 * 0. */
void settings_decide(const struct settings *settings, struct plan *plan);

/* The whole plan: settings_decide, and what is looked up after it: shapes, kernels, device,
 * libraries. Returns an exit status: EXIT_PASS, or EXIT_TROUBLE or EXIT_NO_DEVICE after error(). The
 * caller frees the plan with plan_free in any case. */
int settings_plan(const struct settings *settings, struct plan *plan);

/* The shapes that --suite or --shapes names. 0, or -1 after error(). */
int settings_suite(const struct settings *settings, struct plan *plan);

/* Puts the device of --device into the plan: "host", "cuda" or "cuda:N". NULL: the first GPU if a
 * kernel of the plan's sets needs one, else the first device of the best kind that has one. Returns
 * an exit status: EXIT_PASS, EXIT_TROUBLE after error(), and EXIT_NO_DEVICE after error() where the
 * sets need a GPU and there is none. */
int device_option(const char *text, struct plan *plan);

/* How the plan is carried out, which has no part in what comes out. The call points to build. 0, or
 * -1 after error(). */
int settings_call(const struct settings *settings, struct build_options *build,
                  struct run_call *call);

/* For what is measured already: refuses the options that are about measuring. 0, or -1 after
 * error(). */
int settings_refuse_measuring(const struct settings *settings, const char *measured);

/* The usual margins, or what --margin says. */
void settings_margins(const struct settings *settings, struct gate_policy *policy);

/* Reads --shard: "I/N", I from 1 to N. NULL: the whole, which is 0 of 0. 0, or -1 after error(). */
int settings_shard(const char *text, int *shard, int *shards);

#endif
