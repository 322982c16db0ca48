/* How the devices of a run differ, for its report. */
#ifndef REPORTS_TABLES_BY_DEVICE_H
#define REPORTS_TABLES_BY_DEVICE_H

#include <stdio.h>

#include "reports/page/markdown.h"

/* A table with a line a device and lens; nothing for a run on one device. Failures stay in
 * ferror(out). */
void by_device_write(FILE *out, const struct report *report);

#endif
