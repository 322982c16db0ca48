/* What became of a kernel on a shape: data, never an error of the program.
 * The one list that gives names, CSV words and sentences. */
#ifndef BENCH_BASE_OUTCOME_H
#define BENCH_BASE_OUTCOME_H

/* X(identifier, csv word, sentence for people without a final stop). Order is severity: later is worse. */
#define OUTCOMES(X)                                                                                \
    X(OK, "ok", "passed every check")                                                              \
    X(UNSUPPORTED, "unsupported", "the kernel says it does not serve this problem")                \
    X(NOT_COMPARED, "not-compared",                                                                \
      "fails when timed beside the candidate, but not when timed alone")                           \
    X(NOT_BUILT, "not-built", "this machine lacks what compiling the kernel needs")                \
    X(NO_MEMORY, "no-memory",                                                                      \
      "the device had too little free memory before the kernel was loaded")                        \
    X(NO_COMPILE, "no-compile", "the source does not compile")                                     \
    X(NO_LOAD, "no-load", "the compiled kernel cannot be loaded")                                  \
    X(WRONG_ABI, "wrong-abi", "the kernel was built against another gemmgate.h")                   \
    X(SETUP_FAILED, "setup-failed", "the kernel's setup reported an error")                        \
    X(LAUNCH_FAILED, "launch-failed", "the kernel's launch reported an error")                     \
    X(DEVICE_ERROR, "device-error", "the device reported an error after the call")                 \
    X(TIMED_OUT, "timed-out", "the call did not end within its time limit")                        \
    X(EXITED, "exited", "the kernel ended its process")                                            \
    X(CRASHED, "crashed", "the kernel's process was killed by a signal")                           \
    X(NOTHING_COMPARED, "nothing-compared",                                                        \
      "no entry of the reference was small enough to be compared bit for bit")                     \
    X(NAN_LEFT, "nan", "C holds NaN after the call: elements left untouched or computed as NaN")   \
    X(INEXACT, "inexact", "C differs from a product that is known exactly")                        \
    X(DEVIATES, "deviates", "C is farther from the FP32 product than every baseline")              \
    X(VALUES, "values", "C is wrong where entries are large, tiny, infinite or NaN")               \
    X(UNSTABLE, "unstable", "right in some calls, wrong in others")                                \
    X(MEMCHECK, "memcheck", "compute-sanitizer found a memory error")                              \
    X(INPUT_CHANGED, "input-changed", "A or B was changed by the call")                            \
    X(WROTE_OUTSIDE, "wrote-outside", "memory outside C was written")                              \
    X(PRECISION, "precision", "partial sums are kept in less than the kernel claims")              \
    X(TOO_FAST, "too-fast", "faster than the device can be: the work was not done while timed")    \
    X(ESCAPED, "escaped", "work goes on after the timed interval has ended")                       \
    X(REPLAYED, "replayed", "C of a timed call is not the product of that call's inputs")          \
    X(FORBIDDEN, "forbidden", "the audit found what its policy rejects")                           \
    X(DISHONEST, "dishonest",                                                                      \
      "what its process reports disagrees with the judge's own clock, or with a replay")

#define OUTCOME_ENUM(id, word, sentence) OUTCOME_##id,
enum outcome { OUTCOMES(OUTCOME_ENUM) OUTCOME_COUNT };
#undef OUTCOME_ENUM

/* The word for CSV files. */
const char *outcome_word(enum outcome outcome);

#endif
