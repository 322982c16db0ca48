/* What whoever starts a compiler or disassembler in a process group and folder of its own needs to
 * end it. */
#ifndef BENCH_BASE_CHILD_H
#define BENCH_BASE_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

/* Whether it has ended; it is not waited for yet, so that its group cannot be another's. */
bool child_has_ended(pid_t pid);

/* Removes the folder and all in it once its group is killed; a warning where that fails. */
void child_remove_folder(const char *folder);

#endif
