/* Which commit of its own repository a set of kernels is. */
#ifndef BENCH_RUN_SET_COMMIT_H
#define BENCH_RUN_SET_COMMIT_H

#define SET_COMMIT 65

/* What `git rev-parse HEAD` says in the folder; "" where it is in no repository, or there is no
 * git.
 */
void set_commit(const char *folder, char commit[SET_COMMIT]);

#endif
