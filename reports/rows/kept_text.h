/* Texts that many rows have, each kept once and until the program ends: names of kernels, words,
 * notes. Not for threads. */
#ifndef REPORTS_ROWS_KEPT_TEXT_H
#define REPORTS_ROWS_KEPT_TEXT_H

/* The text that is kept and says the same. */
const char *kept_text(const char *text);

#endif
