/* Which devices have measured the visits of a unit, as one label: "cuda:0" where it was one, else
 * that of every visit, "cuda:0+2+1"; of a shard "2/8 node7 cuda:0+2+1". */
#ifndef REPORTS_ROWS_DEVICE_LABEL_H
#define REPORTS_ROWS_DEVICE_LABEL_H

#include <stddef.h>

#include "reports/rows/columns.h"

/* Adds the device of the next visit, of which there have been so many. 0, or -1 where the two
 * cannot be one label: they differ before the number, or there is no room. The label is as it was
 * then. Whatever it is before the first visit goes. */
int device_label_add(char label[RUNDIR_NAME], size_t visits, const char *device);

/* 1 for a single device, however many visits it has measured. */
size_t device_label_count(const char *label);

/* The label of the device that has measured the visit; all visits' where there is but one. */
void device_label_of(const char *label, size_t visit, char device[RUNDIR_NAME]);

#endif
