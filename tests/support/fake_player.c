/* For tests: carries out recordings of the fake GPU (fake_recording.h). */
#include "bench/record/player.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/base/error.h"
#include "candidates/set/load.h"
#include "tests/support/fake_memory.h"
#include "tests/support/fake_recording.h"

/* What a library's own setup gets. */
#define WORKSPACE_BYTES ((size_t)32 << 20)

struct player {
    struct recording recording;
    const struct fake_work *work;
    struct loaded loaded;
    int (*launch)(void *state, const struct gemm_args *args);
    void *state;
};

static int refuse(char why[RECORDING_WHY], const char *cause) {
    snprintf(why, RECORDING_WHY, "the recording: %s", cause);
    return 1;
}

static void take_down(struct player *player) {
    if (player->state && player->loaded.ops->teardown)
        player->loaded.ops->teardown(player->state);
    player->state = NULL;
}

static int set_up(struct player *player) {
    const struct kernel_ops *ops = player->loaded.ops;
    if (!ops->setup)
        return 0;
    take_down(player);
    const int status = ops->setup(&player->work->problem, WORKSPACE_BYTES, &player->state);
    unsetenv("FAKE_GPU_LEFT"); /* no host code runs on a stage */
    return status;
}

int player_open(const void *bytes, size_t size, struct player **result, char why[RECORDING_WHY]) {
    const char *fault;
    struct player *player = *result = calloc(1, sizeof *player);
    if (!player)
        return error("no memory for a player");
    const int status = recording_read(bytes, size, &player->recording, &fault);
    if (status != 0)
        return status < 0 ? -1 : refuse(why, fault);
    if (player->recording.head.base != fake_memory_base())
        return refuse(why, "it was recorded in another range of memory");
    if (player->recording.head.blob_bytes < sizeof *player->work)
        return refuse(why, "it names no work");
    player->work = (const struct fake_work *)player->recording.blob;
    fake_gpu_plays = true;
    if (load_candidate(player->work->library, &player->loaded, why, RECORDING_WHY) != LOAD_OK) {
        player->loaded.ops = NULL;
        return 1;
    }
    *(void **)&player->launch = dlsym(player->loaded.library, "fake_kernel");
    if (!player->launch)
        player->launch = player->loaded.ops->launch;
    return set_up(player) == 0 ? 0 : refuse(why, "its memory cannot be made");
}

void player_close(struct player *player) {
    if (!player)
        return;
    if (player->loaded.ops) {
        take_down(player);
        load_close(&player->loaded);
    }
    recording_free(&player->recording);
    free(player);
}

const struct recording *player_recording(const struct player *player) {
    return &player->recording;
}

int player_restore(struct player *player) {
    return set_up(player);
}

static sigjmp_buf in_front;

static void leave_work(int signal) {
    (void)signal;
    siglongjmp(in_front, 1);
}

/* As on a GPU work that reaches memory which is not its own ends with an error, and the process goes
 * on. */
static int carry_out(const struct player *player, const struct gemm_args *args) {
    const struct sigaction ours = {.sa_handler = leave_work};
    struct sigaction before;
    sigaction(SIGSEGV, &ours, &before);
    const int status =
        sigsetjmp(in_front, 1) == 0 ? player->launch(player->state, args) : FAKE_FAULT;
    sigaction(SIGSEGV, &before, NULL);
    return status;
}

int player_play(struct player *player, int number) {
    const struct recording_call *call = &player->recording.calls[number];
    const struct gemm_args args = {.problem = player->work->problem,
                                   .a = (const void *)(uintptr_t)call->a,
                                   .b_row = (const void *)(uintptr_t)call->b_row,
                                   .b_col = (const void *)(uintptr_t)call->b_col,
                                   .c = (void *)(uintptr_t)call->c};
    const bool locked = fake_memory_lock(true);
    const int status = carry_out(player, &args);
    fake_memory_lock(locked);
    fake_gpu_lost |= status == FAKE_FAULT;
    return status == FAKE_FAULT ? 0 : status;
}

const char *player_explain(int status) {
    (void)status;
    return "a kernel on the stage has failed";
}
