/* RUN/xxh128sums: the digest of every file that a complete run is made of, a line a file, as `xxhsum -c`
 * reads them. They show whether a file was changed since. Who changes a file on purpose can write its
 * digest, too: what the samples give only verify.h says. */
#ifndef REPORTS_RUN_DIGESTS_H
#define REPORTS_RUN_DIGESTS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#define DIGESTS_FILE "xxh128sums"

/* Writes manifest.json, which comes last of all files, and where it says that the run is complete the
 * digests. 0, or -1 after error(). */
int digests_write_manifest(const char *run, const json_t *plan, const json_t *manifest);

/* Whether the run has no digests; `why`, which is left alone else, then says what follows. */
bool digests_lack(const char *run, char *why, size_t size);

/* Whether all files are as they were when the run was complete; else why that is not known, or which
 * file differs. */
bool digests_hold(const char *run, const json_t *plan, char *why, size_t size);

#endif
