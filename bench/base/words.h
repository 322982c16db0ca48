/* What users and files call modes, lenses and caches: one list each, for the enum and the words.
 * The words stand in the order of the enum, and NULL after the last. */
#ifndef BENCH_BASE_WORDS_H
#define BENCH_BASE_WORDS_H

/* How calls follow one another. offline: each after the one before; server: after a random gap, or
 * as they arrive. */
#define WORDS_MODES(X)                                                                             \
    X(MODE_OFFLINE, "offline")                                                                     \
    X(MODE_SERVER, "server")

/* What interval is read; runner_interval in bench/runner/interval.c says how. */
#define WORDS_LENSES(X)                                                                            \
    X(LENS_CALL, "call")                                                                           \
    X(LENS_DEVICE, "device")                                                                       \
    X(LENS_STREAM, "stream")                                                                       \
    X(LENS_LATENCY, "latency")

/* The last-level cache before each call. warm: as the calls before left it; cold: swept; rotate: as
 * left, but with operands that rotate over copies of twice its size. */
#define WORDS_CACHES(X)                                                                            \
    X(CACHE_WARM, "warm")                                                                          \
    X(CACHE_COLD, "cold")                                                                          \
    X(CACHE_ROTATE, "rotate")

#define X(id, word) id,
enum mode { WORDS_MODES(X) MODE_COUNT };
enum lens { WORDS_LENSES(X) LENS_COUNT };
enum cache { WORDS_CACHES(X) CACHE_COUNT };
#undef X

extern const char *const words_modes[MODE_COUNT + 1];
extern const char *const words_lenses[LENS_COUNT + 1];
extern const char *const words_caches[CACHE_COUNT + 1];

/* Order of two words: by place in the list, which NULL ends; those that are not in it come last,
 * by name. */
int words_compare(const char *const *list, const char *left, const char *right);

#endif
