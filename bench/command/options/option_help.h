/* Prints --help from the tables of commands and options. */
#ifndef BENCH_COMMAND_OPTIONS_OPTION_HELP_H
#define BENCH_COMMAND_OPTIONS_OPTION_HELP_H

#include <stdio.h>

#include "bench/command/options/command_table.h"

/* gemmgate --help. */
void help_program(FILE *out);

/* gemmgate COMMAND --help. */
void help_command(FILE *out, enum command_id command);

#endif
