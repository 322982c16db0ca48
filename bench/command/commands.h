/* The commands, one function each, with settings parsed by the option table. Each returns an exit
 * status. */
#ifndef BENCH_COMMAND_COMMANDS_H
#define BENCH_COMMAND_COMMANDS_H

#include "bench/command/options/settings.h"

#define X(id, function) int command_##function(struct settings *settings);
COMMANDS(X)
#undef X

#endif
