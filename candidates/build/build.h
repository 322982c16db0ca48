/* Compiling candidates: a pool of compilers and a content-addressed cache.
 *
 * A compiled kernel lies in the cache as KEY.so, KEY the hash of source, its path, flags, compiler,
 * architecture and the environment variables that add flags. Beside it KEY.deps holds the library's
 * own hash and that of every header the compiler read; an entry whose hashes no longer agree is
 * compiled again. A compile has a folder of its own in the cache, and in it a scratch folder that
 * the compiler writes to, TMPDIR included; what is kept is renamed out of it, so that machines can
 * share a cache, and the rest goes with the folder. A failed compile leaves KEY.log, never a
 * KEY.so. KEY.code is bench/run/disassembly.h's. */
#ifndef CANDIDATES_BUILD_BUILD_H
#define CANDIDATES_BUILD_BUILD_H

#include <stdbool.h>

#include "candidates/set/set.h"

struct build_options {
    const char *cache;   /* NULL: $GEMMGATE_CACHE, $XDG_CACHE_HOME/gemmgate or ~/.cache/gemmgate */
    const char *include; /* where gemmgate.h is */
    char arch[16];       /* of .cu files: "80", "86", "89", "90a"; "" where there are none */
    int jobs;            /* compilers at once, at least 1 */
    double timeout_seconds;   /* a file */
    const volatile int *stop; /* when it becomes nonzero compilers are killed and build_all ends */
    /* Called in each child before it becomes a compiler, to lock it into its scratch folder; other
     * than 0 after error() is a failed compile. NULL: compilers are not locked in. */
    int (*confine)(const char *scratch);
};

/* Own include folder, 20 minutes a file, so many compilers at once: the caller knows the cores. */
void build_defaults(struct build_options *options, int jobs);

enum build_outcome { BUILD_NOT_WANTED, BUILD_OK, BUILD_FAILED, BUILD_TIMED_OUT };

struct built {
    enum build_outcome outcome;
    char so[1024];
    char message[2048]; /* the end of what the compiler said, unless BUILD_OK */
    double seconds;     /* of compiling; of the compile that filled the cache if cached */
    bool cached;
    bool in_cache; /* so is a file of the cache, and not a library that was given */
};

/* Called for each candidate when its fate is known. */
typedef void build_progress(void *context, const struct candidate *candidate,
                            const struct built *built);

/* Compiles what the cache lacks, the longest first (by earlier times, else by their sources), at
 * most `jobs` at once and no more than memory holds, a container's or a job's where it is less than
 * the machine's. wanted and results have one entry a candidate, in the set's order; wanted may be
 * NULL: all are. One that is killed is tried once more, by itself. What becomes of a file is a
 * result; -1 after error() only for a fault of the machine (no cache folder) or a stop. */
int build_all(const struct candidate_set *set, const bool *wanted,
              const struct build_options *options, struct built *results, build_progress *progress,
              void *context);

#endif
