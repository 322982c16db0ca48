/* A builder at work, and one file on its way through a compiler. */
#ifndef CANDIDATES_BUILD_JOB_H
#define CANDIDATES_BUILD_JOB_H

#include <limits.h>
#include <stdio.h>

#include "bench/base/child.h"
#include "candidates/build/built.h"
#include "candidates/set/candidate.h"

#define JOB_ARGUMENTS 64

struct job {
    const struct candidate *candidate;
    struct built *built;
    char key[33];
    const char *arguments[JOB_ARGUMENTS]; /* without the compiler, -o and the source */
    char *wrapper; /* the source that it is compiled with where it has a call; else NULL */
    int64_t source_bytes;
    struct child child;     /* the compiler, once it is started */
    char part[PATH_MAX];    /* a folder for all that is not kept */
    char scratch[PATH_MAX]; /* the folder in it that is the compiler's; the rest is the builder's */
};

struct compiler {
    char path[PATH_MAX]; /* "": there is none, or it was not looked for */
    char *version; /* its words, which are a part of the key; "" where it says nothing, or fails */
};

struct builder {
    const struct candidate_set *set;
    const struct build_options *options;
    build_progress *progress;
    void *context; /* its own */
    char cache[PATH_MAX];
    char work[PATH_MAX];    /* a folder in it for compiles */
    int lock;               /* of the cache, shared */
    char include[PATH_MAX]; /* "-I" and the folder of gemmgate.h */
    char gencode[64];
    struct compiler compilers[2]; /* of C and of CUDA: job_compiler */
    char toolkit[PATH_MAX];       /* the root of nvcc's own files; "": none */
    struct job *jobs;
    size_t count;
};

static inline struct compiler *job_compiler(const struct builder *builder, const struct job *job) {
    return (struct compiler *)&builder->compilers[job->candidate->type == CANDIDATE_CU];
}

/* compiler.c: finding a compiler, and starting it on a kernel in a folder of its own. */

/* Finds the job's compiler: $CUDACXX, $NVCC, nvcc along PATH or in the toolkit's usual place; $CC or
 * cc. */
const struct compiler *compiler_find(struct builder *builder, const struct job *job);

/* Sets job->arguments and job->wrapper. */
void compiler_set_arguments(struct builder *builder, struct job *job);

/* Makes the job's folder, in which `log` is what the compiler says, and starts it. 0, or -1 after
 * error(), with no folder left. */
int compiler_start(struct builder *builder, struct job *job);

/* cache.c: the cache of compiled kernels, kept by content. candidates/build/build.h describes its
 * files. Functions that return int give 0, or -1 after error(). */

/* Finds or makes the folder: builder->cache. Refuses one whose entries others may have made. */
int cache_open(struct builder *builder);

/* The folder for compiles, and the end of those whose builder is gone; nothing to end after -1. */
int cache_begin_work(struct builder *builder);
void cache_end_work(struct builder *builder);

/* Sets job->key once its arguments are set and its compiler is known. */
void cache_make_key(struct builder *builder, struct job *job);

/* Whether the cache has the kernel: job->built->so. */
bool cache_find(const struct builder *builder, struct job *job);

/* Moves a finished library into the cache: the job is BUILD_OK, or has a message where there is no
 * library. Where it is not known what the compiler has read, the next build compiles anew. */
int cache_publish(struct builder *builder, struct job *job);

/* reads.c: the files that a compile has read, as lines that hold on other machines, too.
 *
 * A line is "STATE KIND NAME". NAME is a path from the set's folder ("tile.h", "../common.h"), or an
 * absolute one. KIND is how it was looked up (enum watch_kind). STATE is the hash of the content; of
 * what a folder lists; of where a link leads; or "folder" or "absent". A file that was looked for and
 * not found counts, too: were it there, the compiler might take it.
 *
 * What belongs to the compiler is left out, since its version is in the key: programs and libraries
 * of the machine, and the toolkit of nvcc. The machine's headers, in /usr/include and /usr/local,
 * count, and so does every folder that an argument -I names. */

/* To be called before anything is compiled or looked at. */
void reads_begin(void);

/* Writes the lines of what was looked up, from the file of candidates/build/watch.h. 0; or 1 with
 * why where not all of it is known: the library then serves this once. */
#define READS_WHY 256
int reads_write(const struct builder *builder, const struct job *job, FILE *out,
                char why[READS_WHY]);

/* Whether a line is what it was. */
bool reads_hold(const struct builder *builder, const char *line);

#endif
