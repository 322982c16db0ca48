/* Watches which files a compiler looks up, as the operating system sees it: no list of the
 * compiler's own is believed. Each call that names a file is notified to a process that waits
 * beside the compiler (seccomp's user notifications), notes the name, and lets the call go on. The
 * same process ends the compiler, with all that it has started, where this program is gone.
 *
 * This module knows calls and absolute paths; candidates/build/job.h knows what they mean. */
#ifndef CANDIDATES_BUILD_WATCH_H
#define CANDIDATES_BUILD_WATCH_H

/* For child_program.confine. The scratch folder lies alone in a folder of the job. Calls what watch_with has set, to lock the compiler in. 0, or -1 after
 * error(); it returns in the process that becomes the compiler. */
int watch_confine(const char *scratch);
void watch_with(int (*confine)(const char *scratch)); /* NULL: it is not locked in */

/* The notes lie beside the scratch folder: records that end with a NUL, each a kind, '+' where
 * something was there or '-', and an absolute path. Paths below the job's folder are left out. The last record is WATCH_END alone: a
 * list without it is not whole. */
#define WATCH_FILE "lookups"
enum watch_kind {
    WATCH_OPEN = 'o',    /* its content is read, or what a folder lists */
    WATCH_LOOK = 's',    /* whether it is there, and what it is */
    WATCH_LINK = 'l',    /* where a link leads */
    WATCH_UNKNOWN = 'u', /* the compiler learns what no path says; in the path's place: how */
    WATCH_END = '.'
};

#endif
