/* What completes command lines in a shell, made from the tables of commands and options:
 * gemmgate --completion bash|zsh. */
#ifndef BENCH_COMMAND_OPTIONS_OPTION_COMPLETION_H
#define BENCH_COMMAND_OPTIONS_OPTION_COMPLETION_H

#include <stdio.h>

/* 0, or -1 after error() where the shell is neither. */
int option_completion(FILE *out, const char *shell);

#endif
