/* Whether somebody wants the judge to end. The unit in hand then ends after the batch that is
 * running. A runner that has not answered two seconds later is killed. */
#ifndef BENCH_PROCESS_INTERRUPT_H
#define BENCH_PROCESS_INTERRUPT_H

/* Nonzero since a signal has come. */
extern volatile int interrupted;

/* Until interrupt_catch is called, a signal ends the program with EXIT_INTERRUPTED: nothing is in
 * hand. */
void interrupt_end(void);

/* From now on SIGINT, SIGTERM and SIGHUP set it. A second SIGINT ends the program at once; a
 * scheduler's SIGTERM may come more than once. A SIGHUP that is ignored, as under nohup, stays so.
 */
void interrupt_catch(void);

#endif
