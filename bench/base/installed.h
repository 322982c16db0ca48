/* Where the program's own files lie: gemmgate.h, the stand-in, what ci/ has. No path is baked in:
 * they are found from the place of the program that runs. */
#ifndef BENCH_BASE_INSTALLED_H
#define BENCH_BASE_INSTALLED_H

#include <limits.h>

/* The program's own path, without links. 0, or -1 after error(). */
int installed_program(char path[PATH_MAX]);

/* The whole path of one of its own files or folders, named as in the source tree:
 * "candidates/standin". The root is the nearest folder above the program that has
 * candidates/gemmgate.h or share/gemmgate/candidates/gemmgate.h. 0, or -1 after error(). */
int installed_find(const char *name, char path[PATH_MAX]);

/* The same for a program that is called `name`, as if it lay at that path. */
int installed_find_from(const char *program, const char *name, char path[PATH_MAX]);

#endif
