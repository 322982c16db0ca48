/* The CSV files of a folder: rows.h written and read. Functions return 0, or -1 after error() that
 * names file, line and cause. */
#ifndef REPORTS_ROWS_ROWS_CSV_H
#define REPORTS_ROWS_ROWS_CSV_H

#include "reports/rows/rows.h"

/* Every kind of row has its file, also without rows. */
int rows_csv_write(const char *folder, const struct rows *rows);

/* Appends what the folder's files hold. Refused: other columns than this version's, texts that are
 * too long, words that it does not know, numbers that are none, a row twice, a file cut off. */
int rows_csv_read(const char *folder, struct rows *rows);

#endif
