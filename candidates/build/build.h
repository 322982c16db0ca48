/* Compiling candidates: a pool of compilers and a content-addressed cache.
 *
 * A compiled kernel lies in the cache as KEY-VARIANT.so. KEY is the hash of the source and its
 * file's name, the wrapper, the flags, the architecture, what the compiler says of its version, and
 * the environment variables that add flags. VARIANT is the hash of the headers. No path is in
 * either, so a library serves wherever the set, its headers and this program lie, and on other
 * machines.
 *
 * KEY.deps lists the last few libraries of the key. For each it has the hash of the library and the
 * hash of every header, with the name that candidates/build/headers.h gives the header. A library
 * is used again if it and all of its headers are unchanged. Otherwise the source is compiled again.
 *
 * For CUDA sources two things are not part of key or list. The toolkit's headers are left out
 * because they belong to the compiler, whose version is in the key. The host's compiler and the
 * system's headers (/usr/include, /usr/local/include) are left out because device code does not
 * depend on them. The system's headers are listed only if a flag or variable names a system folder.
 * A library that was compiled with a newer C++ library than the machine's may fail to load: compile
 * on the older system.
 *
 * A compile has a folder of its own in the cache. In it is a scratch folder that the compiler
 * writes to, also as its TMPDIR. What is kept is renamed out of the folder, so that machines can
 * share a cache. The rest is removed with the folder. A failed compile leaves KEY.log, never a
 * library. */
#ifndef CANDIDATES_BUILD_BUILD_H
#define CANDIDATES_BUILD_BUILD_H

#include <limits.h>
#include <stdbool.h>

#include "candidates/build/built.h"
#include "candidates/set/set.h"

/* Sets a limit of 20 minutes a file, and `jobs` compilers at once. */
void build_defaults(struct build_options *options, int jobs);

/* Called for each candidate when its fate is known. */
typedef void build_progress(void *context, const struct candidate *candidate,
                            const struct built *built);

/* Compiles what the cache lacks. The compile that is expected to take longest starts first, judged
 * by earlier times or else by the sources. At most `jobs` run at once, and no more than memory
 * holds; a container's or a job's memory counts if it is less than the machine's. wanted and
 * results have one entry a candidate, in the set's order. If wanted is NULL, all are wanted. A
 * compile that is killed is tried once more, by itself. What becomes of a file is a result. -1
 * after error() means a fault of the machine (no cache folder) or a stop. */
int build_all(const struct candidate_set *set, const bool *wanted,
              const struct build_options *options, struct built *results, build_progress *progress,
              void *context);

/* The cache that is meant: the option's (NULL: none is given), else $GEMMGATE_CACHE,
 * $XDG_CACHE_HOME/gemmgate or ~/.cache/gemmgate. 0, or -1 after error(). */
int cache_folder(const char *option, char folder[PATH_MAX]);

#endif
