/* The reward of the CUDA-L2 paper's eq. (3) for every kernel of a run, for people who train systems
 * that write kernels. */
#ifndef REPORTS_TABLES_REWARD_H
#define REPORTS_TABLES_REWARD_H

/* Prints one JSON line a candidate, shape and mode to stdout:
 *
 *     reward = mean(t_ref / t_custom) - alpha * diff - beta * L
 *
 * t_ref is the named baseline's time (NULL: the strongest there is), diff = max |C_FP32 - C| on
 * normal inputs, L the source's length in characters (0 where it is not known). A kernel that
 * failed a check has "reward": null and its outcome. Returns an exit status (bench/base/error.h).
 */
int reward_print(const char *run, const char *baseline, double alpha, double beta);

#endif
