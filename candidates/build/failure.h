/* Why a compiler failed, by its status and by what it said in the log. */
#ifndef CANDIDATES_BUILD_FAILURE_H
#define CANDIDATES_BUILD_FAILURE_H

#include "candidates/build/job.h"

/* Whether the compiler, or a program that it had started, was killed, and not by this builder, who
 * does so to those that are too long: most likely by the kernel, for want of memory. Compilers tell
 * of their programs, and end like any that failed. */
bool failure_was_kill(int status, const char *log);

/* Puts what the compiler said into the result, after a hint if it was killed, or sounds like the
 * sandbox's doing. */
void failure_explain(const struct job *job, bool confined, const char *log);

#endif
