/* Finding a compiler, and starting it on a kernel in a folder of its own. */
#ifndef CANDIDATES_BUILD_COMPILER_H
#define CANDIDATES_BUILD_COMPILER_H

#include "candidates/build/job.h"

/* The path, or "". $CUDACXX, $NVCC, nvcc along PATH or the toolkit's usual place; $CC or cc. */
void compiler_find_nvcc(char path[PATH_MAX]);
void compiler_find_cc(char path[PATH_MAX]);

/* What it says of its version, which is a part of the key. 0, or -1 after error(). */
int compiler_version(const struct builder *builder, const char *compiler, char *text, size_t size);

/* Sets job->arguments. */
void compiler_set_arguments(struct builder *builder, struct job *job);

/* Makes the job's folder, in which `log` is what the compiler says, and starts job->child. 0, or -1
 * after error(), with no folder left. */
int compiler_start(struct builder *builder, struct job *job);

#endif
