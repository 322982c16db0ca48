/* What a kernel's library tells before anything of it runs.
 *
 * The library is read as the loader will read it: by its segments and its dynamic section. Section
 * headers only tell device code. The library may be hostile: if the loader would read
 * something in a way that is not followed here, that is the finding `malformed`. The file must not
 * change between this and its loading.
 *
 * It cannot see what a CUDA runtime hides that is linked into the library (nvcc does so unless it
 * is given -cudart shared). The runtime's symbols are then not undefined, and what the runtime
 * needs, such as dlopen and threads, appears as a need of the library. These needs are skipped, and
 * the finding `static-runtime` says so. Nor can it see functions that are reached through tables
 * found in memory, through cudaGetDriverEntryPoint (`driver-entry`), or by machine code of the
 * kernel's own. What runs when
 * the library is loaded is judged no other than setup: it runs in the same process, as locked in
 * and recorded as that. */
#ifndef CORRECTNESS_AUDIT_STATIC_AUDIT_H
#define CORRECTNESS_AUDIT_STATIC_AUDIT_H

#include "correctness/audit/finding.h"

/* Appends what is found in a shared library. 0, or -1 after error() if it cannot be read. */
int static_audit(const char *path, struct finding_list *list);

#endif
