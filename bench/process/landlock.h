/* Landlock is Linux's way for a process to give up rights of its own: here where it may write. A process
 * never gets them back. It holds for the calling thread and for what that thread starts afterwards. */
#ifndef BENCH_PROCESS_LANDLOCK_H
#define BENCH_PROCESS_LANDLOCK_H

#include <stdbool.h>

/* The kernel's version of the interface; 0 and errno where it is not built in, not switched on at
 * boot, or taken away by a container. */
int landlock_abi(void);

/* From now on the process writes, makes and removes files below scratch only (NULL: nowhere), in
 * /dev/null, and unless it compiles in the GPUs' devices. One that compiles signals no others. Wants
 * no_new_privs, and a landlock_abi of 1 or more. 0, or -1 after error(). */
int landlock_enter(bool compiles, const char *scratch);

#endif
