/* Compiling candidates: a pool of compilers and a cache. A build is a function of content: of all
 * that the compiler has read, and of nothing else.
 *
 * The compiler works in the set's folder, so that relative paths are the set's, and is given no
 * path of this machine but those of folders of headers. These count, since a header can see its own.
 * The operating system tells which files the compiler looks up (candidates/build/watch.h).
 *
 * A compiled kernel lies in the cache as KEY-HASH.so; HASH is that of its content. KEY is the hash
 * of the source, its file's name, the wrapper, the flags, the architecture, the compiler's version,
 * and the environment variables that tell compilers to do otherwise.
 *
 * Beside it lies KEY-HASH.deps, of which HASH is its own. It names the library's hash, and lists all
 * that the compiler looked up for it (candidates/build/job.h). A library is used again if it and
 * all of that are as they were: the same file of the cache means the same content. Otherwise the
 * source is compiled again. It is compiled again, too, where it is not known what the compiler has
 * read. The compiler's version stands for the programs of the machine and for nvcc's toolkit.
 *
 * An entry vouches for itself. So the cache and its entries belong to this user or root, nobody else
 * can write to them, and git tracks no file there. A cache that only can be read serves.
 *
 * A compile has a folder of its own in the cache, below the work.XXXXXX of its builder. In it is a
 * scratch folder that the compiler writes to, also as its TMPDIR. Files that are kept are renamed out
 * of the folder, so that machines can share a cache. The rest is removed with the folder: by the
 * builder, or where that is killed, by the next one that is at work alone. A failed compile leaves
 * nothing. */
#ifndef CANDIDATES_BUILD_BUILD_H
#define CANDIDATES_BUILD_BUILD_H

#include <stdbool.h>

#include "candidates/build/built.h"
#include "candidates/set/set.h"

/* Sets a limit of 20 minutes a file, and `jobs` compilers at once. */
void build_defaults(struct build_options *options, int jobs);

/* Compiles what the cache lacks, the longest sources first. At most `jobs` run at once, and no more
 * than memory holds; a container's or a job's memory counts if it is less than the machine's. wanted
 * and results have one entry a candidate, in the set's order. If wanted is NULL, all are wanted. The
 * fate of a file is a result. -1 after error() means a fault of the machine (no cache folder) or a
 * stop. */
int build_all(const struct candidate_set *set, const bool *wanted,
              const struct build_options *options, struct built *results, build_progress *progress,
              void *context);

#endif
