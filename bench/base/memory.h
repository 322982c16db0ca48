/* How much memory there is for what a process starts. */
#ifndef BENCH_BASE_MEMORY_H
#define BENCH_BASE_MEMORY_H

/* The least, in bytes, of what the machine has available and what the limits of the process's
 * control group and of those above it leave: a container's, or a job's. proc is where proc is
 * mounted, groups where control groups are (/sys/fs/cgroup), of version 2, or of version 1 with the
 * memory controller in its folder `memory`. What cannot be read limits nothing; 1e15 where nothing
 * can. */
double memory_available(const char *proc, const char *groups);

#endif
