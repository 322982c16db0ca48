/* How much memory there is for what a process starts. */
#ifndef CANDIDATES_BUILD_MEMORY_H
#define CANDIDATES_BUILD_MEMORY_H

/* How many bytes this process can still use: the least of what the machine has available and of
 * what the limits of its control group, and of the groups above it, leave. Containers and jobs have
 * such limits. proc is where proc is mounted. groups is where control groups of version 2 are
 * mounted (/sys/fs/cgroup). A limit that cannot be read is none. If nothing can be read, the result
 * is 1e15. */
double memory_available(const char *proc, const char *groups);

/* How many of `wanted` have room in so many bytes, of which each needs `each`: one at least. */
int memory_fits(double bytes, double each, int wanted);

#endif
