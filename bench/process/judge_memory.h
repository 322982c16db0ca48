/* The judge's memory, out of a kernel's reach where there is no Landlock. A process may write the
 * memory of another one of its user through /proc, unless that one says no or has a capability that
 * the first has not. Landlock forbids it to all that are locked in. Without it the judge says no,
 * and who is locked in gives a capability up. */
#ifndef BENCH_PROCESS_JUDGE_MEMORY_H
#define BENCH_PROCESS_JUDGE_MEMORY_H

/* For the judge, before it locks anybody in. 0, or -1 after error() where its memory stays open. */
int judge_memory_shut(void);

/* For who is locked in: gives up the capability to look into other processes. 0, or -1 after
 * error(). */
int judge_memory_renounce(void);

#endif
