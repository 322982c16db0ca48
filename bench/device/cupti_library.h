/* CUPTI, which records what a process asks of CUDA, is loaded where it is wanted and never linked.
 */
#ifndef BENCH_DEVICE_CUPTI_LIBRARY_H
#define BENCH_DEVICE_CUPTI_LIBRARY_H

/* A handle for dlsym, or NULL with *why (static storage). */
void *cupti_library_open(const char **why);

#endif
