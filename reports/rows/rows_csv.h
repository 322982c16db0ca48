/* The CSV files of a folder: rows.h written and read. Functions return 0, or -1 after error() that
 * names file, line and cause. */
#ifndef REPORTS_ROWS_ROWS_CSV_H
#define REPORTS_ROWS_ROWS_CSV_H

#include "reports/rows/rows.h"

/* A unit's folder has what was measured. A run's has what follows from samples, too. */
enum rows_csv_folder { ROWS_CSV_UNIT, ROWS_CSV_RUN };

/* Every kind of row has its file, also without rows. */
int rows_csv_write(const char *folder, enum rows_csv_folder of, const struct rows *rows);

/* Appends what the folder's files hold. Refused: other columns than this version's, texts that are
 * too long, words that it does not know, numbers that are none, a row twice, a file cut off. */
int rows_csv_read(const char *folder, enum rows_csv_folder of, struct rows *rows);

#endif
