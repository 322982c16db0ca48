/* Two runs of which one is imported, and has no samples: their times, beside each other. */
#ifndef REPORTS_TABLES_BESIDE_H
#define REPORTS_TABLES_BESIDE_H

#include <stdbool.h>

#include "reports/page/document.h"
#include "reports/query/query.h"
#include "reports/run/opened.h"

/* Whether the two runs, which the database has by these names, have a time of one shape by one lens. */
bool beside_any(sqlite3 *db, const char *here, const char *there);

/* Adds what such numbers are worth, and the tables `beside`, a row for two kernels, and `beside-shapes`,
 * one for each of their shapes. */
void beside_fill(struct document *page, sqlite3 *db, const char *here, const char *there);

/* Adds a note where the run is imported. name: what the page calls it. */
void beside_note(struct document *page, const char *name, const struct about *about);

#endif
