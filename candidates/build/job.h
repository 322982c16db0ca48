/* A builder at work, and one file on its way through a compiler. */
#ifndef CANDIDATES_BUILD_JOB_H
#define CANDIDATES_BUILD_JOB_H

#include <limits.h>
#include <stdio.h>

#include "bench/base/child.h"
#include "candidates/build/built.h"
#include "candidates/build/reads.h"
#include "candidates/set/candidate.h"

#define JOB_ARGUMENTS 64

struct job {
    const struct candidate *candidate;
    struct built *built;
    char key[33];
    char compiler[PATH_MAX];
    const char *arguments[JOB_ARGUMENTS]; /* without the compiler, -o and the source */
    int64_t source_bytes;
    struct child child;     /* the compiler, once it is started */
    char part[PATH_MAX];    /* a folder for all that is not kept */
    char scratch[PATH_MAX]; /* the folder in it that is the compiler's; the rest is the builder's */
};

struct builder {
    const struct candidate_set *set;
    const struct build_options *options;
    char cache[PATH_MAX];
    char work[PATH_MAX];    /* a folder in it for compiles, locked; "": none yet */
    int lock;               /* of that */
    char include[PATH_MAX]; /* "-I..." */
    char gencode[64];
    char compiler[PATH_MAX]; /* whose version is known, */
    char *version;           /* and its words; NULL: none is */
    struct reads_roots roots;
    struct job *jobs;
    size_t count;
};

/* compiler.c: finding a compiler, and starting it on a kernel in a folder of its own. */

/* The path, or "". $CUDACXX, $NVCC, nvcc along PATH or the toolkit's usual place; $CC or cc. */
void compiler_find_nvcc(char path[PATH_MAX]);
void compiler_find_cc(char path[PATH_MAX]);

/* Sets builder->version to the compiler's words about it, which are a part of the key; "" where it says
 * nothing, or fails. */
void compiler_ask_version(struct builder *builder, const char *compiler);

/* The wrapper with which a candidate is compiled that has a call. */
void compiler_write_wrapper(FILE *out, const struct builder *builder, const struct job *job);

/* Sets job->arguments. */
void compiler_set_arguments(struct builder *builder, struct job *job);

/* Makes the job's folder, in which `log` is what the compiler says, and starts it. 0, or -1 after
 * error(), with no folder left. */
int compiler_start(struct builder *builder, struct job *job, struct child *child);

/* cache.c: the cache of compiled kernels, kept by content. candidates/build/build.h describes its
 * files. Functions that return int give 0, or -1 after error(). */

/* Finds or makes the folder: builder->cache. Refuses one whose entries others may have made. */
int cache_open(struct builder *builder);

/* The folder for compiles, and the end of those whose builder is gone. */
int cache_begin_work(struct builder *builder);
void cache_end_work(struct builder *builder);

/* FOLDER/KEY and the suffix. */
int cache_file(const struct builder *builder, const struct job *job, const char *suffix,
               char path[PATH_MAX]);

/* Sets job->key once its arguments are set and the version of its compiler is known. */
void cache_make_key(struct builder *builder, struct job *job);

/* Whether the cache has the kernel: job->built->so. */
bool cache_find(const struct builder *builder, struct job *job);

/* Moves a finished library into the cache: the job is BUILD_OK, or has a message where there is no
 * library. Where it is not known what the compiler has read, the next build compiles anew. */
int cache_publish(struct builder *builder, struct job *job);

#endif
