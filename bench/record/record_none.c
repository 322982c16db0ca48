/* Stands in for recorder and player where there is no CUDA, or no CUPTI. A runner that has no recorder
 * asks for nothing but whether there is one. */
#include "bench/record/player.h"
#include "bench/record/recorder.h"

#include <stdio.h>
#include <string.h>

static const char reason[] = "host device has no driver";

void recorder_load(void) {
}

int recorder_start(bool late, const char **why) {
    (void)late;
    *why = reason;
    return -1;
}

void recorder_begin_setup(void) {
}

void recorder_begin_counted(void) {
}

void recorder_begin_call(const struct gemm_args *kept) {
    (void)kept;
}

void recorder_fill_arena(uint32_t fill) {
    (void)fill;
}

void recorder_end(void) {
}

void recorder_keep_memory(void) {
}

void recorder_tell(struct facts *facts, char why[RECORDING_WHY]) {
    memset(facts, 0, sizeof *facts);
    snprintf(why, RECORDING_WHY, "%s", reason);
}

int recorder_write(void *to, uint64_t room, uint64_t *bytes, char why[RECORDING_WHY]) {
    (void)to, (void)room;
    *bytes = 0;
    snprintf(why, RECORDING_WHY, "%s", reason);
    return 1;
}

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
    return reason;
}
