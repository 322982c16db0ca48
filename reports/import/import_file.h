/* A file of others (query/form.h) becomes a run. Queries make rows of it:
 *
 *     import_words.sql    what several forms of file use
 *     import_TOOL.sql     the form's own tables
 *     import_arms.sql     makes times and ratios of what a tool has measured
 *
 * The table `asked` has the caller's wishes. */
#ifndef REPORTS_IMPORT_IMPORT_FILE_H
#define REPORTS_IMPORT_IMPORT_FILE_H

#include <jansson.h>

#include "reports/query/form.h"

/* The file's entry in manifest.json; NULL after error(). mode NULL: it has no one mode. */
json_t *import_source(const char *file, const char *mode);

/* Makes RUN of rows, with the plan and the manifest, which it takes (NULL: error() was called), and prints its
 * name. 0, or -1 after error(); then there is no RUN. */
int import_write(const char *run, json_t *plan, json_t *manifest, const struct rows *rows);

#endif
