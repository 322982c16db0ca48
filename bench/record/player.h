/* Carries out a recording in a process that has never loaded the kernel's library. */
#ifndef BENCH_RECORD_PLAYER_H
#define BENCH_RECORD_PLAYER_H

#include <stddef.h>
#include <stdint.h>

#include "bench/record/recording.h"

struct player;

/* Loads it on the current device, whose fixed memory (bench/device/fixed_memory.h) is open; *player
 * is for player_close in any case. 0; 1 with why where it cannot be carried out here; -1 after
 * error(). */
int player_open(const void *bytes, size_t size, struct player **player, char why[RECORDING_WHY]);
void player_close(struct player *player);

/* The recording that it carries out. */
const struct recording *player_recording(const struct player *player);

/* Enqueues on the legacy default stream what the kernel's memory is to hold before the first call,
 * to the last byte that is mapped. 0, or a status. */
int player_restore(struct player *player);

/* Enqueues a call there. 0, or a status. */
int player_play(struct player *player, int call);

/* The driver's words for a status. */
const char *player_explain(int status);

#endif
