/* Words of a command line as a shell takes them. */
#ifndef BENCH_BASE_QUOTE_H
#define BENCH_BASE_QUOTE_H

#include <stdio.h>

/* Writes the word: in single quotes where a shell would read it as anything but one word. */
void quote_word(FILE *out, const char *word);

#endif
