#include "bench/command/options/shard_option.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"

/* A whole number in the environment, or -1. */
static long environment_number(const char *name) {
    const char *text = getenv(name);
    char *end = NULL;
    const long value = text ? strtol(text, &end, 10) : -1;
    return text && *text && !*end && value >= 0 ? value : -1;
}

/* Slurm counts from where the array begins, Kubernetes from 0. */
static int shard_of_job(int *shard, int *shards) {
    const long task = environment_number("SLURM_ARRAY_TASK_ID");
    const long first = environment_number("SLURM_ARRAY_TASK_MIN");
    const long tasks = environment_number("SLURM_ARRAY_TASK_COUNT");
    const long index = environment_number("JOB_COMPLETION_INDEX");
    const long completions = environment_number("JOB_COMPLETIONS");
    if (task >= 0 && first >= 0 && tasks > 0 && task - first < tasks && task >= first) {
        *shard = (int)(task - first) + 1;
        *shards = (int)tasks;
    } else if (index >= 0 && index < completions) {
        *shard = (int)index + 1;
        *shards = (int)completions;
    } else {
        return error("--shard auto: neither SLURM_ARRAY_TASK_ID with _MIN and _COUNT nor "
                     "JOB_COMPLETION_INDEX with JOB_COMPLETIONS is set; an array without gaps is "
                     "wanted");
    }
    return 0;
}

int shard_option(const char *text, int *shard, int *shards) {
    int end = 0;
    *shard = *shards = 0;
    if (!text)
        return 0;
    if (strcmp(text, "auto") == 0)
        return shard_of_job(shard, shards);
    if (sscanf(text, "%d/%d%n", shard, shards, &end) != 2 || text[end] || *shard < 1 ||
        *shard > *shards)
        return error("--shard %s: I/N is wanted, I from 1 to N, or auto", text);
    return 0;
}
