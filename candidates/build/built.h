/* How a set is compiled, and what came of each file. */
#ifndef CANDIDATES_BUILD_BUILT_H
#define CANDIDATES_BUILD_BUILT_H

#include <stdbool.h>

struct build_options {
    const char *cache;   /* NULL: $GEMMGATE_CACHE, $XDG_CACHE_HOME/gemmgate or ~/.cache/gemmgate */
    const char *include; /* where gemmgate.h is; NULL: this program's own */
    char arch[16];       /* of .cu files: "80", "86", "89", "90a"; "" where there are none */
    int jobs;            /* compilers at once, at least 1 */
    double timeout_seconds;   /* a file */
    const volatile int *stop; /* when it becomes nonzero compilers are killed and build_all ends */
    /* Called in each child before it becomes a compiler, to lock it into its scratch folder; other
     * than 0 after error() is a failed compile. NULL: compilers are not locked in. */
    int (*confine)(const char *scratch);
};

/* LACKING: not the source's fault but this machine's, which lacks a compiler, a header, memory...
 */
enum build_outcome { BUILD_NOT_WANTED, BUILD_OK, BUILD_FAILED, BUILD_LACKING, BUILD_TIMED_OUT };

struct built {
    enum build_outcome outcome;
    char so[1024];      /* the library that a runner loads */
    char message[2048]; /* what the compiler said from its first error on, unless BUILD_OK */
    double seconds;     /* of compiling; 0 where the cache had it */
    bool cached;
};

/* Called for each candidate when its fate is known. */
struct candidate;
typedef void build_progress(void *context, const struct candidate *candidate,
                            const struct built *built);

#endif
