/* Whether a kernel's native time agrees with that of its recorded work. Pure functions.
 *
 * Both are ratios t_library / t_kernel beside the same library: of the rounds that were timed, and
 * of one replay, which is one process more at one place in memory. Of 57 kernels of the CUDA-L2
 * release on two H100s, the native and the replayed ratio differed by 2.2 % (standard deviation, by
 * the median of absolute deviations), more than rounds show: that is REPLAYED_SCATTER. */
#ifndef TIMING_REPLAYED_H
#define TIMING_REPLAYED_H

#define REPLAYED_SCATTER 0.02 /* standard deviation of ln ratio */
#define REPLAYED_MARGIN 0.02  /* natively faster by so much more than the interval is no chance */
#define REPLAYED_TRIES 3      /* processes that must find a product wrong before it accuses */

struct replayed_times {
    double native, replayed; /* t_library / t_kernel; NaN: not known */
    double native_sd;        /* of the rounds' ln ratio; NaN for one round */
    double native_error;     /* standard error within one round's process; NaN: not known */
    double rounds;
    double replayed_error; /* the same of the replay */
    double clock_step;     /* of the native times, as a share of them */
    double side_by_side;   /* streams that a call's work was on: it may have overlapped, and the
                            * replay   has it one after the other */
};

enum replayed_verdict {
    REPLAYED_UNKNOWN,
    REPLAYED_AGREES,
    REPLAYED_DIFFERS /* two measuring places, not two kernels: no accusation */
};

/* Half the width of the 95 % interval of ln(native / replayed): a prediction interval of one
 * process more (Student's t with rounds - 1 degrees of freedom, sd * sqrt(1 + 1 / rounds)), joined
 * as roots of sums of squares with REPLAYED_SCATTER and the errors, and a step of the clock. */
double replayed_half(const struct replayed_times *times);

enum replayed_verdict replayed_judge(const struct replayed_times *times);

/* "", agrees or differs. */
const char *replayed_word(enum replayed_verdict verdict);

#endif
