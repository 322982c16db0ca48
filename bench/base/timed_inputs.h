/* What timed calls multiply, since it moves a card's power and clock. correctness/numbers/input.h
 * has the numbers. Checks have inputs of their own. */
#ifndef BENCH_BASE_TIMED_INPUTS_H
#define BENCH_BASE_TIMED_INPUTS_H

enum timed_inputs { INPUTS_NORMAL, INPUTS_UNIFORM, INPUTS_INTEGERS, INPUTS_ZEROS, INPUTS_COUNT };

/* By enum timed_inputs, and NULL after the last. */
extern const char *const timed_inputs_words[INPUTS_COUNT + 1];

/* Why times on these inputs judge no kernel: "a kernel that ...". NULL: they do, or the word is none
 * of these. */
const char *timed_inputs_unjudged(const char *word);

#endif
