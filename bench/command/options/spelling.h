/* How far a word is from one that was meant. */
#ifndef BENCH_COMMAND_OPTIONS_SPELLING_H
#define BENCH_COMMAND_OPTIONS_SPELLING_H

#include <stddef.h>

#define SPELLING_FAR 3 /* from here on two words have nothing to do with each other */

/* Letters to put in, leave out, change or swap with the next one (optimal string alignment), up to
 * SPELLING_FAR; SPELLING_FAR, too, where more than a third of the longer word would change. */
size_t spelling_distance(const char *typed, const char *meant);

#endif
