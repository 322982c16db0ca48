/* Nsight Compute's counters of chosen kernels of a run, each beside a library. */
#ifndef BENCH_RUN_PROFILE_RUN_H
#define BENCH_RUN_PROFILE_RUN_H

struct profile_call {
    const char *run;        /* the run directory that has measured them */
    const char *shapes;     /* MxNxK,MxNxK,... */
    const char *candidates; /* the folder that it has measured */
    const char *cutlass;    /* or NULL */
    const char *baseline;   /* X-max: the faster layout of each shape */
    const char *device;     /* cuda:N */
};

/* Writes RUN/profile/profile.csv, and prints its path and how far its times are from the run's.
 * Returns an exit status: EXIT_TROUBLE where some kernel could not be profiled. */
int profile_run(const struct profile_call *call);

#endif
