/* Compiling candidates: a pool of compilers and a content-addressed cache.
 *
 * A compiled kernel lies in the cache as KEY-VARIANT.so. KEY is the hash of the source and its
 * file's name, the wrapper, the flags, the architecture, what the compiler says of its version, and
 * the environment variables that add flags. VARIANT is the hash of the headers. No path is in
 * either, so a library serves wherever the set, its headers and this program lie, and on other
 * machines.
 *
 * KEY.deps lists, for the last few libraries of the key, the library's hash, and every header's
 * with the name that candidates/build/headers.h gives it. A library is used again if it and all of
 * its headers are what they were; otherwise the source is compiled again.
 *
 * Of CUDA sources two things are not looked at. The toolkit's headers belong to the compiler, whose
 * version is in the key. The host's compiler and the system's headers (/usr/include,
 * /usr/local/include) are not in it because device code does not depend on them; only where a flag
 * or variable names a system folder are the system's headers listed. A library that was compiled
 * with a newer C++ library than the machine's may fail to load: compile on the older system.
 *
 * A compile has a folder of its own in the cache, and in it a scratch folder that the compiler
 * writes to, TMPDIR included; what is kept is renamed out of it, so that machines can share a
 * cache, and the rest goes with the folder. A failed compile leaves KEY.log, never a library.
 * KEY-VARIANT.code is bench/device/disassembly.h's. */
#ifndef CANDIDATES_BUILD_BUILD_H
#define CANDIDATES_BUILD_BUILD_H

#include <stdbool.h>

#include "candidates/build/built.h"
#include "candidates/set/set.h"

/* Own include folder, 20 minutes a file, so many compilers at once: the caller knows the cores. */
void build_defaults(struct build_options *options, int jobs);

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
