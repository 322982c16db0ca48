/* CUPTI, which records what a process asks of CUDA, is loaded where it is wanted and never linked. It
 * lets a process subscribe once: that subscription, for all who watch the process. */
#ifndef BENCH_DEVICE_CUPTI_WATCH_H
#define BENCH_DEVICE_CUPTI_WATCH_H

#include <cupti.h>

/* Called on whatever thread. What a watcher itself asks of CUDA meanwhile nobody is told, but for
 * modules that are loaded by it. */
typedef void cupti_watcher(CUpti_CallbackDomain domain, CUpti_CallbackId id, const void *data);

enum { CUPTI_WATCH_RUNTIME = 1, CUPTI_WATCH_DRIVER = 2, CUPTI_WATCH_MODULES = 4 };

/* Watchers are called in the order in which they came; an earlier one may change what a call has
 * returned for those behind it. A watcher may be told more than it has asked for. 0, or -1 with
 * *why (static storage). */
int cupti_watch(cupti_watcher *watcher, int what, const char **why);

/* The last to leave ends the subscription. 0, or -1 with *why. */
int cupti_unwatch(cupti_watcher *watcher, const char **why);

/* CUPTI itself: a handle for dlsym, or NULL with *why (static storage). */
void *cupti_watch_library(const char **why);

#endif
