/* CUPTI, which tells what a process asks of the CUDA driver, is loaded where it is wanted and never
 * linked. It lets a process subscribe once. */
#ifndef BENCH_DEVICE_CUPTI_WATCH_H
#define BENCH_DEVICE_CUPTI_WATCH_H

#include <cupti.h>

/* Called on whatever thread, also for what it asks of the driver itself. */
typedef void cupti_watcher(CUpti_CallbackDomain domain, CUpti_CallbackId id, const void *data);

/* From now on the watcher is told of all calls that reach the driver, on both sides of each, and of
 * modules that are loaded. Once a process. 0, or -1 with *why (static storage). */
int cupti_watch(cupti_watcher *watcher, const char **why);

/* CUPTI itself: a handle for dlsym, or NULL with *why (static storage). */
void *cupti_watch_library(const char **why);

#endif
