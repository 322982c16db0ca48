/* A document as a file, in the format that the file's name ends with. */
#ifndef REPORTS_PAGE_WRITE_FILE_H
#define REPORTS_PAGE_WRITE_FILE_H

#include "reports/page/document.h"

/* Writes folder/name: .md, .html or .json is the whole page, .csv the table of that id (NULL where
 * the name does not end so). Pictures of an .html lie in the folder. 0, or -1 after error(). */
int write_file(const char *folder, const char *name, const struct document *page,
               const char *table);

#endif
