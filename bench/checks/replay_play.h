/* The two halves of one try of bench/checks/replay.h: recording, and carrying out on the stage. */
#ifndef BENCH_CHECKS_REPLAY_PLAY_H
#define BENCH_CHECKS_REPLAY_PLAY_H

#include "bench/context/unit_context.h"

/* A runner that records, and what is known of the candidate in it. */
struct replay_source {
    struct runner_process process; /* the caller's to drop */
    bool ready;                    /* the candidate is set up in it */
    int arm;
};

struct replay {
    struct unit_context *context;
    struct arm_state *arm;
    struct replay_row row;
    int calls, unkept;              /* in the sequence, and before it */
    uint64_t seed, secret;          /* of the sequence's inputs, and what seals are keyed with */
    uint64_t drawn;                 /* decides which call's C is looked at whole */
    struct recorded recorded;       /* the caller's to forget */
    uint64_t native[WIRE_RECORDED]; /* seals of the native products */
    bool steady;                    /* made again natively they had the same bits */
    enum process_answer answer;     /* to what was asked last */
    bool forged;                    /* somebody has answered in the recorder's stead */
    bool trouble;                   /* our own fault, said through error() */
};

/* Notes why the kernel cannot be replayed. Returns 0. */
int replay_cannot(struct replay *replay, const char *why);

/* Asks a runner. False, with the row's reason, where it does not do as it is asked. */
bool replay_ask(struct replay *replay, struct runner_process *process, const char *doing,
                struct wire_request request, struct wire_reply *reply);

/* False, with the row's reason, where there is no recording to carry out. */
bool replay_record(struct replay *replay, struct replay_source *source);

/* Fills the row: bits and C. */
void replay_play(struct replay *replay);

#endif
