/* The words of users and files for modes, lenses, caches and places: one list each, for the enum
 * and the words. The words stand in the order of the enum, and NULL after the last. */
#ifndef BENCH_BASE_WORDS_H
#define BENCH_BASE_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* How calls follow one another. offline: each after the one before; server: after a random gap. */
#define WORDS_MODES(X)                                                                             \
    X(MODE_OFFLINE, "offline")                                                                     \
    X(MODE_SERVER, "server")

/* The interval that a lens reads, by its traits; bench/runner/interval.c acts on them. */
#define WORDS_LENSES(X)                                                                            \
    X(LENS_CALL, "call", LENS_HOST_TIME)                                                           \
    X(LENS_DEVICE, "device", LENS_HELD)                                                            \
    X(LENS_STREAM, "stream", LENS_HELD | LENS_MANY)                                                \
    X(LENS_WAIT, "wait", LENS_HOST_CLOCK | LENS_HOST_TIME)

enum lens_trait {
    LENS_HELD = 1, /* behind a hold: the device meets start, calls and stop without a gap */
    LENS_MANY = 2, /* many calls, divided by their number; not with gaps or sweeps between them */
    LENS_HOST_TIME = 4, /* what each launch took the host is kept, too */
    LENS_HOST_CLOCK = 8 /* no event: the host's clock, until the device is idle. Where --lens names
                          * it only */
};

/* The last-level cache before each call. warm: as the calls before left it; cold: swept. */
#define WORDS_CACHES(X)                                                                            \
    X(CACHE_WARM, "warm")                                                                          \
    X(CACHE_COLD, "cold")

/* Where times were taken. own: in the kernel's own process, as the lens or the device wants it.
 * stage: by a lens of the device's time, in a process of ours that loads no kernel under test.
 * unbounded: in the kernel's own process, where no device work is known to be that of the calls. */
#define WORDS_PLACES(X)                                                                            \
    X(PLACE_OWN, "own")                                                                            \
    X(PLACE_STAGE, "stage")                                                                        \
    X(PLACE_UNBOUNDED, "unbounded")

#define X(id, ...) id,
enum mode { WORDS_MODES(X) MODE_COUNT };
enum lens { WORDS_LENSES(X) LENS_COUNT };
enum cache { WORDS_CACHES(X) CACHE_COUNT };
enum place { WORDS_PLACES(X) PLACE_COUNT };
#undef X

extern const char *const words_modes[MODE_COUNT + 1];
extern const char *const words_lenses[LENS_COUNT + 1];
extern const char *const words_caches[CACHE_COUNT + 1];
extern const char *const words_places[PLACE_COUNT + 1];

bool words_lens_is(enum lens lens, enum lens_trait trait);

/* The lenses that have it: bits 1 << enum lens. */
int words_lenses_with(enum lens_trait trait);

/* The word's place in the list, or -1. */
int words_find(const char *const *list, const char *word);

/* Writes "a, b or c" and returns text. */
const char *words_list(const char *const *list, char *text, size_t size);

/* The words of the text, with commas between and blanks around them: bits 1 << place in the list. 0
 * where one is not in the list. */
int words_bits(const char *const *list, const char *text);

#endif
