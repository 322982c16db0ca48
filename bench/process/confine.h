/* Locks a compiler in. */
#ifndef BENCH_PROCESS_CONFINE_H
#define BENCH_PROCESS_CONFINE_H

/* For build_options.confine: the calling process, about to become a compiler, may write below the
 * scratch folder only, has no network and so much memory, time and disk. 0, or -1 after error(). */
int confine_compiler(const char *scratch);

#endif
