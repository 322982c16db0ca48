/* The columns of the run directory's CSV files, one list a file. The structs of rows.h, the reader
 * and writer of rows_csv.c and `gemmgate list columns` come from them; a column that is added here
 * is in all of these.
 *
 * X(of, form, name, detail, meaning), of the struct `of`, after the columns m, n and k that every file begins with:
 *
 *     form      what a member is           detail
 *     TEXT      char name[bytes]           bytes, with the NUL
 *     KEPT      const char *name           the same: a text that many rows have (rows_add)
 *     WORD      char name[RUNDIR_NAME]     the only words allowed: an array of rows.c
 *     KEPT_WORD const char *name           the same
 *     NUMBER    double name                unit; "" for a count or a pure number
 *     UNBOUND   double name                the same, and may be infinite
 *
 * Columns marked KEY name a row, together with the shape: no two rows have the same. A number that
 * is missing is NaN in memory and empty in the file. */
#ifndef REPORTS_ROWS_COLUMNS_H
#define REPORTS_ROWS_COLUMNS_H

#define RUNDIR_NAME 96  /* kernel, candidate, mode, lens: longest name and its NUL */
#define RUNDIR_TEXT 512 /* free text: details, notes */
#define RUNDIR_CODE 8   /* f16, tn, warm */
#define RUNDIR_HASH 40

/* The baseline that is the same kernel of an earlier release, in a run made with --against. */
#define RUNDIR_PREVIOUS "previous"

/* clang-format off */
#define CHECK_COLUMNS(X, of) \
    X(of, KEY_TEXT, candidate, RUNDIR_NAME, "kernel under test of the unit; empty in a unit without one") \
    X(of, KEY_TEXT, kernel, RUNDIR_NAME, "whom the row is about: the candidate or a baseline") \
    X(of, WORD, outcome, outcome_words, "what became of the kernel") \
    X(of, TEXT, detail, RUNDIR_TEXT, "evidence: first wrong entry, signal, last lines printed") \
    X(of, NUMBER, share_compared, "0 to 1", "part of C's entries in the exact check") \
    X(of, UNBOUND, deviation, "", "largest distance of C from the reference") \
    X(of, UNBOUND, bound, "", "largest deviation that the check allows; empty for baselines") \
    X(of, UNBOUND, paper_bound, "", "largest deviation of a baseline; empty for baselines") \
    X(of, NUMBER, coarse, "0 to 1", "part of C that is over 1.5 last places from the reference") \
    X(of, TEXT, reference, RUNDIR_CODE, "who made the product that C was compared with: gpu or cpu") \
    X(of, TEXT, claimed, RUNDIR_CODE, "accumulator that is claimed: f16 or f32") \
    X(of, TEXT, seen, RUNDIR_CODE, "accumulator that the probe saw; empty until it ran") \
    X(of, NUMBER, padding_share, "0 to 1", "part of the padded product's operations that is padding") \
    X(of, NUMBER, setup_seconds, "s", "the kernel's setup") \
    X(of, NUMBER, first_call_seconds, "s", "its first call") \
    X(of, TEXT, variant, RUNDIR_TEXT, "what a tuned baseline chose") \
    X(of, TEXT, work, RUNDIR_HASH, "hash of all that a library's launches are given, parameters too; libraries of a shape with the same one are one arm on the stage; empty: not known") \
    X(of, TEXT, layout, RUNDIR_CODE, "which copy of B the candidate reads: nn, tn, both or none") \
    X(of, NUMBER, code_length, "characters", "length of the source, the paper's L") \
    X(of, NUMBER, bm, "", "tile's rows, where the source says so") \
    X(of, NUMBER, bn, "", "tile's columns, likewise") \
    X(of, NUMBER, bk, "", "tile's depth, likewise") \
    X(of, NUMBER, stages, "", "stages of the pipeline, likewise") \
    X(of, NUMBER, swizzle, "", "swizzle, likewise") \
    X(of, TEXT, source, RUNDIR_TEXT, "the candidate's file, relative to its set") \
    X(of, TEXT, source_hash, RUNDIR_HASH, "XXH128 of that file, in hex") \
    X(of, TEXT, device, RUNDIR_NAME, "which device measured the row") \
    X(of, TEXT, note, RUNDIR_TEXT, "why a number is missing, and other remarks")

#define TIME_COLUMNS(X, of) \
    X(of, KEY_KEPT, candidate, RUNDIR_NAME, "kernel under test of the unit; empty in a unit without one") \
    X(of, KEY_KEPT, kernel, RUNDIR_NAME, "whose times they are: the candidate or a baseline") \
    X(of, KEY_KEPT, mode, RUNDIR_NAME, "offline or server") \
    X(of, KEY_KEPT, lens, RUNDIR_NAME, "call, device, stream or wait") \
    X(of, KEPT, cache, RUNDIR_CODE, "state of the L2 cache before each call: warm or cold") \
    X(of, KEPT_WORD, place, words_places, "where the times were taken. own: in the kernel's own process; stage: in one that loads no kernel under test") \
    X(of, NUMBER, samples, "", "intervals that the numbers are of: timed and not marked") \
    X(of, NUMBER, visits, "", "processes they are from") \
    X(of, NUMBER, mean, "s", "mean of the samples; of an imported run, which has none, the number of the tool") \
    X(of, NUMBER, median, "s", "median of the samples") \
    X(of, NUMBER, sd, "s", "standard deviation of the samples") \
    X(of, NUMBER, p05, "s", "5th percentile") \
    X(of, NUMBER, p90, "s", "90th percentile; empty where samples are few") \
    X(of, NUMBER, p95, "s", "95th percentile") \
    X(of, NUMBER, p99, "s", "99th percentile; empty where samples are few") \
    X(of, NUMBER, tflops, "TFLOP/s", "2mnk of the shape without padding, over the median; of an imported run over the mean") \
    X(of, NUMBER, marked, "0 to 1", "part of the samples that hold host time, since the hold before them gave up; they are in no number of the row") \
    X(of, NUMBER, host_seconds, "s", "median of what a call took the host: the launch, and any wait in it; by call and wait only") \
    X(of, NUMBER, joules, "J", "what a call drew: mean over rows of calls; with --energy, by device only") \
    X(of, NUMBER, joules_sd, "J", "standard deviation over these rows") \
    X(of, NUMBER, joules_rows, "", "how many rows they are") \
    X(of, NUMBER, sm_mhz, "MHz", "mean SM clock while the kernel was timed") \
    X(of, NUMBER, cycles, "", "median times sm_mhz: a change of clock moves the time and not this") \
    X(of, NUMBER, light_seconds, "s", "no kernel can be faster on this device") \
    X(of, KEPT, device, RUNDIR_NAME, "which device measured the row") \
    X(of, KEPT, note, RUNDIR_TEXT, "why a number is missing, and other remarks")

#define RATIO_COLUMNS(X, of) \
    X(of, KEY_KEPT, candidate, RUNDIR_NAME, "kernel under test") \
    X(of, KEY_KEPT, baseline, RUNDIR_NAME, "what it is compared with") \
    X(of, KEY_KEPT, mode, RUNDIR_NAME, "offline or server") \
    X(of, KEY_KEPT, lens, RUNDIR_NAME, "call, device, stream or wait") \
    X(of, KEPT, cache, RUNDIR_CODE, "state of the L2 cache before each call: warm or cold") \
    X(of, KEPT_WORD, place, words_places, "where the times were taken. own: in the kernel's own process; stage: in one that loads no kernel under test") \
    X(of, NUMBER, speedup, "", "as the paper counts: mean of t_baseline / t_candidate as measured, minus 1") \
    X(of, NUMBER, ratio, "", "estimate of t_baseline / t_candidate, over visits; where launch_seconds is there, by call and wait at the launch that the plan states, by device and stream at an empty call of 2.8 and 1.55 us") \
    X(of, NUMBER, ci_low, "", "lower end of its 95 % interval over visits; empty for one visit") \
    X(of, NUMBER, ci_high, "", "upper end of its 95 % interval") \
    X(of, NUMBER, samples, "", "blocks that the estimate is of: timed, not marked, and not those that chose a layout") \
    X(of, NUMBER, visits, "", "visits they are from") \
    X(of, NUMBER, visit_sd, "", "standard deviation of the visits' own estimates of ln(t_baseline / t_candidate); empty for one visit") \
    X(of, NUMBER, block_error, "", "standard error of such an estimate, were its blocks independent") \
    X(of, NUMBER, clock_step, "", "steps of the clock, of both kernels' medians together") \
    X(of, NUMBER, variance, "", "variance of one visit that stands behind the interval: its half-width in ln ratio is t * sqrt(variance / visits)") \
    X(of, NUMBER, freedom, "", "degrees of freedom of Student's t behind the interval") \
    X(of, NUMBER, seconds, "s", "time of the candidate, by the estimator of the ratio: geometric mean over visits") \
    X(of, NUMBER, baseline_seconds, "s", "the same of the baseline: seconds times ratio") \
    X(of, NUMBER, plain_ratio, "", "the ratio as measured; empty: it is the one above") \
    X(of, NUMBER, launch_seconds, "s", "what a launch took the host, geometric mean over libraries and blocks; by device and stream what an empty call took; no value: the ratio is as measured") \
    X(of, NUMBER, launch_slope, "", "by how much ln ratio rises for each 1 by which ln launch (or the empty call) rises, where it is stated") \
    X(of, NUMBER, disturbed, "0 to 1", "part of the blocks that were disturbed") \
    X(of, NUMBER, timed_visits, "", "visits that were timed: those above and those left out") \
    X(of, NUMBER, left_out, "", "visits that are in no number of the row: more than a tenth of their blocks were disturbed") \
    X(of, NUMBER, reward, "", "the paper's equation 3 with the plan's alpha and beta") \
    X(of, KEPT_WORD, verdict, verdicts, "what the interval shows: faster, same (within 2 % of 1), slower or undecided; environment: the machine was disturbed") \
    X(of, KEPT, device, RUNDIR_NAME, "which device measured the row") \
    X(of, KEPT, note, RUNDIR_TEXT, "why a number is missing, and other remarks")

/* What each visit of a row of ratios.csv says by itself. */
#define VISIT_COLUMNS(X, of) \
    X(of, KEY_KEPT, candidate, RUNDIR_NAME, "kernel under test") \
    X(of, KEY_KEPT, baseline, RUNDIR_NAME, "what it is compared with") \
    X(of, KEY_KEPT, mode, RUNDIR_NAME, "offline or server") \
    X(of, KEY_KEPT, lens, RUNDIR_NAME, "call, device, stream or wait") \
    X(of, KEY_NUMBER, visit, "", "which one: 0, 1, ...") \
    X(of, NUMBER, ratio, "", "estimate of t_baseline / t_candidate in this visit") \
    X(of, NUMBER, left_out, "", "1: it is left out, since more than a tenth of its blocks were disturbed; it has no ratio then")

/* Things whose true result is known: 1. */
#define CONTROL_COLUMNS(X, of) \
    X(of, KEY_KEPT, candidate, RUNDIR_NAME, "kernel under test of the unit") \
    X(of, KEY_KEPT_WORD, control, controls, "aa: a baseline beside itself; across: one baseline over another, in the first half of the visits over the last; autotune: an autotuned library over its first suggestion, where it is another; delay: a baseline with two known delays") \
    X(of, KEY_KEPT, baseline, RUNDIR_NAME, "which baseline it is") \
    X(of, KEY_KEPT, mode, RUNDIR_NAME, "offline or server") \
    X(of, KEY_KEPT, lens, RUNDIR_NAME, "call, device, stream or wait") \
    X(of, NUMBER, ratio, "", "aa: estimate of t_baseline / t_control; across: that of the first visits over that of the last; autotune: t_baseline / t_first_suggestion, 1 or less; delay: seconds found for each second planted") \
    X(of, NUMBER, ci_low, "", "lower end of its 95 % interval over visits; empty for one visit") \
    X(of, NUMBER, ci_high, "", "upper end of its 95 % interval") \
    X(of, NUMBER, speedup, "", "aa, as the paper counts: mean of t_baseline / t_control, minus 1") \
    X(of, NUMBER, samples, "", "blocks timed") \
    X(of, NUMBER, visits, "", "processes they are from") \
    X(of, NUMBER, planted, "s", "delay: how much longer the long one is; else empty") \
    X(of, NUMBER, found, "s", "delay: median of what the long one costs more; else empty") \
    X(of, NUMBER, launch, "s", "delay: what a delay costs beside its length; else empty") \
    X(of, NUMBER, visit_sd, "", "standard deviation of the visits' own estimates, of ln ratio or of a delay's ratio; empty for one visit. Of across: scaled, so that visit_sd^2 / visits is the variance of the difference") \
    X(of, NUMBER, block_error, "", "standard error of such an estimate, were its blocks independent") \
    X(of, NUMBER, clock_step, "", "steps of the clock, on the same scale") \
    X(of, NUMBER, error, "", "standard error behind the interval") \
    X(of, NUMBER, freedom, "", "degrees of freedom of Student's t behind the interval, as in ratios.csv") \
    X(of, KEPT_WORD, verdict, control_verdicts, "off: the interval misses 1; missed: a delay that was not found; unknown: no interval") \
    X(of, KEY_KEPT, device, RUNDIR_NAME, "which device measured the row") \
    X(of, KEPT, note, RUNDIR_TEXT, "why a number is missing, and other remarks")

/* Under what conditions a unit was timed in one mode, and what that cost. */
#define CONDITION_COLUMNS(X, of) \
    X(of, KEY_TEXT, candidate, RUNDIR_NAME, "kernel under test of the unit; empty in a unit without one") \
    X(of, KEY_TEXT, mode, RUNDIR_NAME, "offline or server") \
    X(of, TEXT, device, RUNDIR_NAME, "which device it was") \
    X(of, NUMBER, blocks, "", "blocks of the lens that needed most") \
    X(of, NUMBER, start_seconds, "s", "runners started and ended, device opened, kernels set up and tuned") \
    X(of, NUMBER, reference_seconds, "s", "products that results are compared with, made and checked") \
    X(of, NUMBER, check_seconds, "s", "checks of the results") \
    X(of, NUMBER, audit_seconds, "s", "audit of the candidate's library and recorded calls") \
    X(of, NUMBER, warmup_seconds, "s", "warm-up") \
    X(of, NUMBER, wall_seconds, "s", "timing after the warm-up") \
    X(of, NUMBER, timed_seconds, "s", "part of wall_seconds inside timed intervals, by all lenses") \
    X(of, NUMBER, call_seconds, "s", "part of timed_seconds by the call lens") \
    X(of, NUMBER, device_seconds, "s", "the same by device") \
    X(of, NUMBER, stream_seconds, "s", "the same by stream") \
    X(of, TEXT, steady, RUNDIR_NAME, "whether clock and power were steady after the warm-up: yes, no or unknown") \
    X(of, NUMBER, sm_mhz_min, "MHz", "lowest SM clock") \
    X(of, NUMBER, sm_mhz_mean, "MHz", "mean SM clock") \
    X(of, NUMBER, sm_mhz_max, "MHz", "highest SM clock") \
    X(of, NUMBER, memory_mhz_mean, "MHz", "mean memory clock") \
    X(of, NUMBER, power_w_mean, "W", "mean power") \
    X(of, NUMBER, power_w_max, "W", "highest power") \
    X(of, NUMBER, temperature_c_max, "°C", "highest temperature") \
    X(of, TEXT, throttle, RUNDIR_TEXT, "every reason for lower clocks that was seen") \
    X(of, NUMBER, processes, "", "most at once on the GPU, the timed one included; empty: not told") \
    X(of, NUMBER, disturbed, "0 to 1", "part of the blocks that were disturbed") \
    X(of, TEXT, note, RUNDIR_TEXT, "why a number is missing, and other remarks")

/* What an audit found in a kernel under test. */
#define AUDIT_COLUMNS(X, of) \
    X(of, KEY_TEXT, candidate, RUNDIR_NAME, "kernel under test of the unit") \
    X(of, KEY_TEXT, kernel, RUNDIR_NAME, "whom the row is about: the candidate, its earlier release, or a library") \
    X(of, KEY_WORD, part, audit_parts, "what was looked at") \
    X(of, KEY_TEXT, finding, RUNDIR_NAME, "what was found, one word of correctness/contract/finding.h") \
    X(of, KEY_NUMBER, number, "", "of this finding in this part: 1, 2, ...") \
    X(of, WORD, level, levels, "fact, or that it refuses the kernel") \
    X(of, TEXT, text, RUNDIR_TEXT, "what was found, one sentence")

/* What came of recording a candidate's work and carrying it out in a process without its library. A
 * row a try. */
#define RECORDING_COLUMNS(X, of) \
    X(of, KEY_TEXT, candidate, RUNDIR_NAME, "kernel under test of the unit") \
    X(of, KEY_TEXT, kernel, RUNDIR_NAME, "the kernel that was recorded: the candidate, or its earlier release") \
    X(of, KEY_NUMBER, number, "", "which try: 1, 2, ...; each in fresh processes") \
    X(of, WORD, result, recording_results, "same: its products have the bits that its own process made; right: bits differ from call to call, and C is right; wrong: C is wrong, or has other bits where the kernel has the same each time; no: there is no recording to carry out") \
    X(of, TEXT, why, RUNDIR_TEXT, "why it cannot be recorded, or which product is wrong: of the process that was recorded, or of the stage") \
    X(of, NUMBER, calls, "", "calls in the sequence that was recorded") \
    X(of, NUMBER, same_calls, "", "those whose product has the bits that its own process made") \
    X(of, TEXT, kernels, RUNDIR_HASH, "hash of the kernels of the last call that was recorded, with their grids and blocks") \
    X(of, TEXT, own_kernels, RUNDIR_HASH, "the same of a last call of the process that was timed; empty: not known. Where they differ the kernel has chosen otherwise") \
    X(of, NUMBER, seconds, "s", "what the try took") \
    X(of, TEXT, note, RUNDIR_TEXT, "why a number is missing, and other remarks")
/* clang-format on */

/* X(row, files, FILE, COLUMNS): struct row_row, the members row##s and row##_count of struct rows.
 */
#define ROW_KINDS(X)                                                                               \
    X(check, ROWS_CHECKS, "checks.csv", CHECK_COLUMNS)                                             \
    X(time, ROWS_TIMES, "times.csv", TIME_COLUMNS)                                                 \
    X(ratio, ROWS_RATIOS, "ratios.csv", RATIO_COLUMNS)                                             \
    X(visit, ROWS_VISITS, "visits.csv", VISIT_COLUMNS)                                             \
    X(control, ROWS_CONTROLS, "controls.csv", CONTROL_COLUMNS)                                     \
    X(condition, ROWS_CONDITIONS, "conditions.csv", CONDITION_COLUMNS)                             \
    X(audit, ROWS_AUDITS, "audit.csv", AUDIT_COLUMNS)                                              \
    X(recording, ROWS_RECORDINGS, "recordings.csv", RECORDING_COLUMNS)

#endif
