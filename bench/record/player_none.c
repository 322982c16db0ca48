#include "bench/record/player.h"

#include <stdio.h>

int player_open(const void *bytes, size_t size, struct player **player, char why[RECORDING_WHY]) {
    (void)bytes, (void)size;
    *player = NULL;
    snprintf(why, RECORDING_WHY,
             "device work needs a GPU, and this gemmgate was built without CUDA");
    return 1;
}

void player_close(struct player *player) {
    (void)player;
}

const struct recording *player_recording(const struct player *player) {
    (void)player;
    return NULL;
}

int player_restore(struct player *player) {
    (void)player;
    return -1;
}

int player_play(struct player *player, int call) {
    (void)player, (void)call;
    return -1;
}

const char *player_explain(int status) {
    (void)status;
    return "host device has no driver";
}
