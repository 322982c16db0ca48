/* Known regressions: kernels that may be slower for a while, by shape. */
#ifndef REPORTS_GATE_GATE_KNOWN_H
#define REPORTS_GATE_GATE_KNOWN_H

#include <stdbool.h>
#include <stddef.h>

#include "bench/base/shape.h"

#define GATE_NAME 64

/* A regression that is accepted for a while. */
struct gate_known {
    char pattern[GATE_NAME]; /* MxNxK, a part may be *, a kernel's label may follow a dot */
    double limit;            /* share that it may be slower */
    char reason[256], link[256];
    char expires[11]; /* YYYY-MM-DD: the last day on which it counts */
    int line;         /* in its file */
};

/* Reads an INI file, a section each:
 *
 *     [64x*x8192]                 [4096x4096x64.blocked]
 *     limit = 8 %                 ...
 *     reason = waits for the new scheduler
 *     link = https://...
 *     expires = 2027-01-31
 *
 * Anything unknown, out of range, said twice or missing is an error() with file, line and cause. 0
 * or -1; the caller frees the list in either case. */
int gate_known_read(const char *path, struct gate_known **known, size_t *count);

/* Whether it counts no more; today is YYYY-MM-DD. */
bool gate_known_expired(const struct gate_known *known, const char *today);

/* Whether the kernel and shape are those of its pattern. */
bool gate_known_matches(const struct gate_known *known, struct shape shape, const char *candidate);

#endif
