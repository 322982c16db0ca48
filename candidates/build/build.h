/* Compiling candidates: a pool of compilers and a cache. A build is a function of content: of all
 * that the compiler has read, and of nothing else.
 *
 * The compiler works in the set's folder, so that relative paths are the set's, and is given no
 * path of this machine but those of the folders that this program adds. The operating system tells
 * which files it looks up (candidates/build/watch.h).
 *
 * A compiled kernel lies in the cache as KEY-HASH.so, of which HASH is that of its content. KEY is
 * the hash of the source and its file's name, the wrapper, the flags, the architecture, what the
 * compiler says of its version, and the environment variables that tell compilers to do otherwise.
 *
 * KEY.deps lists the last few libraries of the key, each with all that was looked up for it
 * (candidates/build/reads.h). A library is used again if it and all of that are as they were: the
 * same file of the cache means the same content. Otherwise, and where not all is known that a
 * compiler has read, the source is compiled again. The programs of the machine, the host's compiler
 * among them, and nvcc's toolkit are what the version stands for.
 *
 * An entry vouches for itself. So a cache is refused that others than this user and root may write
 * to, or in which git tracks files; and so is an entry. A cache that only can be read serves.
 *
 * A compile has a folder of its own in the cache, below work.XXXXXX, which the builder holds a lock
 * of. In it is a scratch folder that the compiler writes to, also as its TMPDIR. Files that are
 * kept are renamed out of the folder, so that machines can share a cache. The rest is removed with
 * the folder: by the builder; where that is killed, by who watches the compiler; or else by the
 * next builder that finds the lock free. A failed compile leaves KEY.log, never a library. */
#ifndef CANDIDATES_BUILD_BUILD_H
#define CANDIDATES_BUILD_BUILD_H

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
 * compile that is killed is tried once more, by itself. The fate of a file is a result. -1
 * after error() means a fault of the machine (no cache folder) or a stop. */
int build_all(const struct candidate_set *set, const bool *wanted,
              const struct build_options *options, struct built *results, build_progress *progress,
              void *context);

#endif
