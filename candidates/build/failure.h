/* Why a compiler failed, by its status and by what it said in the log. */
#ifndef CANDIDATES_BUILD_FAILURE_H
#define CANDIDATES_BUILD_FAILURE_H

#include "candidates/build/job.h"

/* Whether the compiler, or a program that it had started, was killed by somebody else than this
 * builder, which kills those that take too long. Most likely the operating system killed it for
 * want of memory. If a program of the compiler is killed, the compiler says so in the log and ends
 * as if it had failed. */
bool failure_was_kill(int status, const char *log);

/* Puts what the compiler said into the result, from its first error on. A hint comes before it if
 * the compiler was killed, or if the text sounds as if the sandbox caused the failure. */
void failure_explain(const struct job *job, bool confined, const char *log);

#endif
