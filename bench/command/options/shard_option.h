/* What --shard says. */
#ifndef BENCH_COMMAND_OPTIONS_SHARD_OPTION_H
#define BENCH_COMMAND_OPTIONS_SHARD_OPTION_H

/* "I/N", I from 1 to N, or "auto": the part of a job array that this process is, by the environment
 * of Slurm or Kubernetes. NULL: the whole, which is 0 of 0. 0, or -1 after error(). */
int shard_option(const char *text, int *shard, int *shards);

#endif
