/* The parts of a player on a GPU: player_cuda.c loads a recording, player_calls.c carries out
 * calls. */
#ifndef BENCH_RECORD_PLAYER_PARTS_H
#define BENCH_RECORD_PLAYER_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "bench/device/cuda_driver.h"
#include "bench/record/player.h"

/* A launch as the driver wants it. */
struct ready {
    CUlaunchConfig config;
    CUfunction function;
    unsigned char *bytes;
    void **parameters;
};

/* A piece of memory; the newest is the first. */
struct player_room {
    struct player_room *before;
    max_align_t bytes[];
};

struct player {
    const struct cuda_driver *driver;
    struct recording recording;
    CUmodule *modules;      /* by image */
    CUfunction *functions;  /* by function */
    CUdeviceptr *variables; /* where they are here */
    CUlaunchAttribute *attributes;
    struct ready *ready;      /* by step */
    CUdeviceptr held;         /* what memory and variables held, one behind the other */
    struct player_room *room; /* all of these tables: player_close frees it */
    bool starved;             /* for want of room */
    const char *doing;
    char *why;
};

/* Notes why the recording cannot be carried out here; returns 1. */
int player_refuse(struct player *player, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
int player_failed(struct player *player, const char *what, CUresult status);

const char *player_name(const struct player *player, struct recording_span name);

CUdeviceptr player_address(const struct player *player, struct recording_address address);

#endif
