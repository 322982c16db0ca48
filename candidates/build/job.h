/* A builder at work, and one file on its way through a compiler. */
#ifndef CANDIDATES_BUILD_JOB_H
#define CANDIDATES_BUILD_JOB_H

#include <limits.h>
#include <stdio.h>

#include "bench/base/child.h"
#include "candidates/build/built.h"
#include "candidates/build/headers.h"
#include "candidates/set/candidate.h"

#define JOB_ARGUMENTS 64

struct job {
    const struct candidate *candidate;
    struct built *built;
    char key[33];
    char compiler[PATH_MAX];
    const char *arguments[JOB_ARGUMENTS]; /* without the compiler, -MF, -o and the source */
    double known_seconds, bytes;          /* of an earlier compile, or a guess */
    double source_bytes;
    bool again; /* its compiler was killed once */
    struct child child;
    char part[PATH_MAX];    /* a folder for all that is not kept */
    char scratch[PATH_MAX]; /* the folder in it that is the compiler's; the rest is the builder's */
    char source[PATH_MAX];
};

struct builder {
    const struct candidate_set *set;
    const struct build_options *options;
    char cache[PATH_MAX];
    char include[PATH_MAX]; /* "-I..." */
    char gencode[64];
    char maker[64]; /* "host.pid": folders of no two builders share a name */
    struct headers headers;
    struct job *jobs;
    size_t count;
};

/* Whether the candidate is compiled with a wrapper, and the wrapper; `source` is what it includes.
 */
bool job_has_wrapper(const struct builder *builder, const struct job *job);
void job_write_wrapper(FILE *out, const struct builder *builder, const struct job *job,
                       const char *source);

#endif
