/* `gemmgate factors`: chains of steps as a page with figures. */
#ifndef REPORTS_FACTORS_FACTORS_PAGE_H
#define REPORTS_FACTORS_FACTORS_PAGE_H

#include <stddef.h>

#include "reports/page/document.h"

/* A section for each file (factors_file.h). Into the folder: factors.md, factors.html, and for each
 * STEM.ini factors-STEM.csv, factors-STEM.png and factors-STEM.svg. A page without a picture is one
 * all the same: gnuplot may be missing. Returns an exit status; when that is EXIT_PASS,
 * *page is the caller's. */
int factors_page_make(const char *const *files, size_t count, const char *folder,
                      struct document **page);

#endif
