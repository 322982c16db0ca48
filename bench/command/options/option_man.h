/* The manual page, made from the tables of commands and options: gemmgate --man. */
#ifndef BENCH_COMMAND_OPTIONS_OPTION_MAN_H
#define BENCH_COMMAND_OPTIONS_OPTION_MAN_H

#include <stdio.h>

void option_man(FILE *out, const char *version);

#endif
