/* Whether a shared library exports a symbol, as its table for the loader says. Nothing of it runs.
 * The file may be damaged: false then. */
#ifndef CANDIDATES_BUILD_EXPORTS_H
#define CANDIDATES_BUILD_EXPORTS_H

#include <stdbool.h>

bool exports_symbol(const char *so, const char *name);

#endif
