/* The cache of compiled kernels, kept by content. candidates/build/build.h describes its files.
 * Functions that return int give 0, or -1 after error(). */
#ifndef CANDIDATES_BUILD_CACHE_H
#define CANDIDATES_BUILD_CACHE_H

#include "candidates/build/job.h"

/* Finds or makes the folder: builder->cache. */
int cache_open(struct builder *builder);

/* FOLDER/KEY and the suffix. */
int cache_file(const struct builder *builder, const struct job *job, const char *suffix,
               char path[PATH_MAX]);

/* Sets job->key once its arguments are set; version is what its compiler says. */
void cache_make_key(struct builder *builder, struct job *job, const char *version);

/* Whether the cache has the kernel: job->built->so. What an earlier compile cost is read either
 * way. */
bool cache_find(const struct builder *builder, struct job *job);

/* Moves a finished library into the cache: the job is BUILD_OK, or has a message where there is no
 * library or a header cannot be read. */
int cache_publish(const struct builder *builder, struct job *job, double bytes);

/* Leads the loader from a wrapper to the library that it calls, if it is one. */
int cache_link_given(const struct job *job);

/* Copies the libraries that are in the cache, so that each result has a file of its own. */
int cache_set_apart(const struct builder *builder, struct built *results);

#endif
