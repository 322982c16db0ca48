/* Two kernels that were timed in processes of their own, an earlier release and the candidate: how
 * their speeds compare, by the libraries that both processes have. Pure: no files. */
#ifndef REPORTS_ROWS_APART_H
#define REPORTS_ROWS_APART_H

#include "reports/rows/derive_values.h"

/* In each block of either process, ln(geometric mean of the libraries' times / the kernel's time). A
 * visit's estimate is that of the candidate's process minus that of the earlier release's. This is
 * ln(earlier release's time / candidate's time) where the libraries are as fast in both. Only that
 * visit counts, or (-1) those that both have. */
struct visits apart_change(const struct samples *candidates, const struct samples *earlier,
                           const char *candidate, int visit);

#endif
