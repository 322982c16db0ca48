/* The fate of a kernel on a shape: data, never an error of the program.
 * The one list that gives names, CSV words and sentences. */
#ifndef BENCH_BASE_OUTCOME_H
#define BENCH_BASE_OUTCOME_H

/* X(identifier, csv word, what the kernel did, for people). Order is severity: later is worse. */
#define OUTCOMES(X)                                                                                \
    X(OK, "ok", "passed every check")                                                              \
    X(UNSUPPORTED, "unsupported", "says that it does not serve this problem")                      \
    X(NOT_BUILT, "not-built", "was not built, since this machine lacks what that needs")           \
    X(NO_MEMORY, "no-memory", "was not loaded, since the device had too little free memory")       \
    X(NO_COMPILE, "no-compile", "does not compile")                                                \
    X(NO_LOAD, "no-load", "cannot be loaded")                                                      \
    X(WRONG_ABI, "wrong-abi", "was built against another gemmgate.h")                              \
    X(SETUP_FAILED, "setup-failed", "reports an error of its setup")                               \
    X(LAUNCH_FAILED, "launch-failed", "reports an error of its launch")                            \
    X(DEVICE_ERROR, "device-error", "left an error on the device")                                 \
    X(TIMED_OUT, "timed-out", "did not end in time")                                               \
    X(EXITED, "exited", "ended its process")                                                       \
    X(CRASHED, "crashed", "was killed by a signal")                                                \
    X(NOTHING_COMPARED, "nothing-compared",                                                        \
      "met no entry of the reference small enough to be compared bit for bit")                     \
    X(NAN_LEFT, "nan", "leaves NaN in C, untouched or computed")                                   \
    X(INEXACT, "inexact", "misses a product that is known exactly")                                \
    X(DEVIATES, "deviates", "is farther from the FP32 product than every baseline")                \
    X(VALUES, "values", "is wrong where entries are large, tiny, infinite or NaN")                 \
    X(UNSTABLE, "unstable", "is right in some calls and wrong in others")                          \
    X(MEMCHECK, "memcheck", "makes a memory error that compute-sanitizer finds")                   \
    X(INPUT_CHANGED, "input-changed", "changes A or B")                                            \
    X(WROTE_OUTSIDE, "wrote-outside", "writes memory outside of C")                                \
    X(PRECISION, "precision", "keeps partial sums in less than it claims")                         \
    X(TOO_FAST, "too-fast", "is faster than the device can be: its work was not done while timed") \
    X(ESCAPED, "escaped", "goes on working after the timed interval has ended")                    \
    X(REPLAYED, "replayed", "leaves a C that is not the product of that timed call's inputs")      \
    X(UNRECORDED, "unrecorded", "does more in a call than can be recorded, or cannot be recorded") \
    X(DISHONEST, "dishonest", "reports what the judge's own clock, or the stage, contradicts")

#define OUTCOME_ENUM(id, word, sentence) OUTCOME_##id,
enum outcome { OUTCOMES(OUTCOME_ENUM) OUTCOME_COUNT };
#undef OUTCOME_ENUM

/* The words for CSV files; the last is NULL. */
extern const char *const outcome_words[OUTCOME_COUNT + 1];
const char *outcome_word(enum outcome outcome);

#endif
