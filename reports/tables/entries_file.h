/* An INI file that lists entries, a section each. What its first section, [defaults], says need not
 * be said again. */
#ifndef REPORTS_TABLES_ENTRIES_FILE_H
#define REPORTS_TABLES_ENTRIES_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "bench/base/inifile.h"

/* The file that is read: inifile's target. */
struct entries_file {
    const char *what; /* the file is, for messages: "a list of claims" */
    const char *one;  /* an entry is: "claim" */
    size_t bytes;     /* of an entry; it begins with char name[RUNDIR_NAME], its section's */
    size_t most;      /* entries that are read */
    /* Of the first `needed` rows an entry must have each, by itself or by [defaults]; those behind
     * them are optional. */
    const struct inifile_row *rows;
    int needed;
    void *defaults; /* an entry of zeros, which [defaults] fills */

    /* What was read; the caller frees the list, also after an error. */
    void *list;
    size_t count;

    /* entries_file.c's own: */
    void *entry;               /* of the section; NULL before the first */
    uint64_t said_by_defaults; /* keys of [defaults], a bit each */
    int line;                  /* of the section */
};

/* 0, or -1 after error() with file, line and cause. */
int entries_file_read(struct entries_file *entries, const char *path);

#endif
