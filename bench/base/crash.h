/* What a process of ours was at when a signal ended it: one line on stderr, and then the signal
 * does what it would have done. */
#ifndef BENCH_BASE_CRASH_H
#define BENCH_BASE_CRASH_H

/* From now on, until crash_unwatch: before code that is not ours is loaded, which may set handlers
 * of its own. */
void crash_watch(const char *program);
void crash_unwatch(void);

/* What is under way now, a string that stays. Returns what was. */
const char *crash_step(const char *step);

#endif
