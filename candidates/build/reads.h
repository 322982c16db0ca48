/* The files that a compile has read, as lines that hold on other machines, too.
 *
 * A line is "STATE KIND NAME". NAME is a path from the set's folder ("tile.h", "../common.h"), or an
 * absolute one. KIND is how it was looked
 * up (enum watch_kind). STATE is the hash of the content; of what a folder lists; of where a link
 * leads; or "folder" or "absent". A file that was looked for and not found counts, too: were it
 * there, the compiler might take it.
 *
 * What belongs to the compiler is left out, since its version is in the key: programs and libraries
 * of the machine, and the toolkit of nvcc. The machine's headers, in /usr/include and /usr/local,
 * count, and so does every folder that an argument -I names. */
#ifndef CANDIDATES_BUILD_READS_H
#define CANDIDATES_BUILD_READS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "candidates/set/candidate.h"

#define READS_WHY 256

/* Whose files count, and by which names. */
struct reads_roots {
    const struct candidate_set *set; /* its folder and the folders of headers that it names count */
    const char *include;             /* "-I" and the folder of gemmgate.h, which counts */
    const char *compiler;            /* a program, which its version stands for; NULL: none */
    char toolkit[PATH_MAX];          /* nvcc's own root; "": none */
};

/* To be called before anything is compiled or looked at. */
void reads_begin(void);

/* Notes the toolkit that this nvcc is of: the folder above its own, if nvcc.profile lies beside it.
 */
void reads_set_toolkit(struct reads_roots *roots, const char *nvcc);

/* Writes the lines of what was looked up, from the file of candidates/build/watch.h. 0; or 1 with
 * why where not all of it is known: the library then serves this once. */
int reads_write(const struct reads_roots *roots, const char *lookups, FILE *out,
                char why[READS_WHY]);

/* Whether a line is what it was. */
bool reads_hold(const struct reads_roots *roots, const char *line);

#endif
