/* The commands, one function each, with settings parsed by the option table. Each returns an exit
 * status. Then what several of them do. */
#ifndef BENCH_COMMAND_COMMANDS_H
#define BENCH_COMMAND_COMMANDS_H

#include "bench/command/options/settings.h"

#define X(id, function) int command_##function(struct settings *settings);
COMMANDS(X)
#undef X

/* One run, measured: makes a plan of the settings and carries it out. Returns an exit status. */
int measure_run(const struct settings *settings);

/* Prints the page of a command that lists, for people; with --json the rows of its table `id`, for
 * programs (NULL: the page's facts and tables). Frees the page. Returns an exit status. */
struct document;
int listing_print(const struct settings *settings, struct document *page, const char *id);

#endif
