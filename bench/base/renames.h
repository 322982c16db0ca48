/* Kernels that have another name in a later set: "OLD=NEW,OLD=NEW...". */
#ifndef BENCH_BASE_RENAMES_H
#define BENCH_BASE_RENAMES_H

#include <stddef.h>

#define RENAMES_MOST 64

struct renames {
    struct renames_pair {
        char old[64], new_[64];
    } list[RENAMES_MOST];
    size_t count;
};

/* NULL: none. 0, or -1 after error() that begins with --renamed. */
int renames_parse(const char *text, struct renames *renames);

#endif
