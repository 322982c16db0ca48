/* Another release of a library, beside the one that the program is linked with. Its baselines are
 * the program's own with other functions. They are named by the release: cublas@12.4.5-nn. */
#ifndef BASELINES_RELEASE_H
#define BASELINES_RELEASE_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

#define RELEASE_NAME 40 /* of a release, with the NUL */
#define RELEASE_WHY 384 /* why one cannot be had, with the NUL */
#define RELEASE_MOST 8  /* of all libraries, beside those that the program is linked with */

struct release {
    const char *library;     /* "cuBLAS" */
    char name[RELEASE_NAME]; /* "12.4.5" */
    char folder[PATH_MAX];   /* that it was loaded from: the one given, or a copy's */
};

/* A library of which releases can be loaded. A build has a table of them. */
struct release_kind {
    const char *library; /* "OpenBLAS" */
    const char *file;    /* libopenblas.so; a number may follow */
    int32_t device;      /* enum gemm_device: that of its baselines */

    /* Loads the file, which lies in the folder. *functions is what baselines find in *state then
     * (struct baseline). 0, or -1 with why. */
    int (*load)(const char *folder, const char *file, char name[RELEASE_NAME],
                const void **functions, char why[RELEASE_WHY]);

    /* The release that the program is linked with. */
    void (*linked)(char name[RELEASE_NAME]);
};
extern const struct release_kind *const release_kinds[]; /* NULL-ended; in table.c */

/* Loads the release that the folder holds, or its lib or lib64, and adds its baselines
 * (baseline_add). Where it has to be told from one that is loaded already, copies of its
 * files are loaded, which are made in the cache folder unless they are there. NULL: such a library
 * is refused. Refused are also a folder without a library, or with one of another architecture, and
 * a release that is there already. 0, or -1 with why. */
int release_load(const char *folder, const char *cache, struct release *release,
                 char why[RELEASE_WHY]);

/* For `load`: opens the file by itself, so that none of its symbols is another library's. NULL with
 * why. */
void *release_open(const char *folder, const char *file, char why[RELEASE_WHY]);

#endif
