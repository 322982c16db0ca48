/* What commands list: one table, for people or, with --json, for programs. */
#ifndef BENCH_COMMAND_LISTING_H
#define BENCH_COMMAND_LISTING_H

#include "bench/command/options/settings.h"
#include "reports/page/document.h"

/* Prints the page, or with --json the rows of its table `id` (NULL: the page's facts and tables),
 * to stdout, and frees it. Returns an exit status. */
int listing_print(const struct settings *settings, struct document *page, const char *id);

#endif
