/* What a kernel's library and source tell before anything of them runs.
 *
 * The library is read as the loader will read it: by its segments and its dynamic section, never by
 * section headers, which only lend names to addresses. It may be hostile: what the loader would
 * read in a way not followed here is the finding `malformed`. The file must not change between this
 * and its loading.
 *
 * What it cannot see: a CUDA runtime linked into the library (nvcc's own habit; -cudart shared
 * avoids it). Then the runtime's symbols are not undefined and its needs, dlopen and threads among
 * them, are the library's; they are passed over and `static-runtime` says so. Nor can it see
 * functions reached through tables found in memory, by cudaGetDriverEntryPoint (`driver-entry`) or
 * by machine code of the kernel's own. Names of constructors are taken from the library's symbol
 * table, each known one once; a stripped library's constructors have none and are all findings. */
#ifndef CORRECTNESS_AUDIT_STATIC_AUDIT_H
#define CORRECTNESS_AUDIT_STATIC_AUDIT_H

#include "correctness/audit/finding.h"

/* Appends what is found in a shared library. 0, or -1 after error() if it cannot be read. */
int static_audit(const char *path, struct finding_list *list);

/* Appends the identifiers of a source, outside comments, strings and #include lines, that are
 * streams, graphs, threads and whatever else the sources of kernels have no use for. Macros are not
 * expanded and dead code is not known: the library is the authority. 0, or -1 after error() if it
 * cannot be read. */
int static_audit_source(const char *path, struct finding_list *list);

#endif
