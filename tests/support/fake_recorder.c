/* For tests: records what kernels launch on the fake GPU (fake_recording.h). */
#include "bench/replay/recorder.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/replay/recording_writer.h"
#include "bench/runner/runner.h"
#include "tests/support/fake_memory.h"
#include "tests/support/fake_recording.h"

static struct {
    struct recording_writer writer;
    const struct arm *arm; /* whose calls are kept */
    const char *how;       /* its fake_recording, or "" */
    bool watches, keeps;
    struct facts facts;
} recorder;

void recorder_load(void) {
}

int recorder_start(const char **why) {
    *why = "no CUPTI to record with";
    return getenv("FAKE_GPU_BLIND") ? -1 : 0;
}

int recorder_attach(const char **why) {
    return recorder_start(why);
}

/* A kernel of the fake GPU takes its memory from the host. */
void recorder_choose_arena(int number, uint32_t fill) {
    (void)fill;
    recorder.writer.head.arena = (uint64_t)number;
}

static void begin_watching(bool call) {
    facts_begin(&recorder.facts, call);
    recorder.watches = true;
}

void recorder_begin_setup(void) {
    begin_watching(false);
}

void recorder_begin_unkept(void) {
    begin_watching(true);
}

void recorder_keep_memory(void) {
}

void recorder_begin_call(const void *a, const void *b_row, const void *b_col, const void *c) {
    recording_begin_call(&recorder.writer, a, b_row, b_col, c);
    recorder.keeps = true;
    begin_watching(true);
}

void recorder_end(void) {
    facts_end(&recorder.facts);
    recorder.keeps = recorder.watches = false;
}

void recorder_tell(struct facts *facts, char why[RECORDING_WHY]) {
    *facts = recorder.facts;
    memset(&recorder.facts, 0, sizeof recorder.facts);
    snprintf(why, RECORDING_WHY, "%s", "");
}

static void begin(const struct arm *arm) {
    struct fake_work work = {.problem = arm->problem};
    struct link_map *library = NULL;
    const char *how = NULL;
    if (arm->loaded.library) {
        dlinfo(arm->loaded.library, RTLD_DI_LINKMAP, &library);
        how = dlsym(arm->loaded.library, "fake_recording");
    }
    recorder.arm = arm;
    recorder.how = !library ? "refused" : how ? how : "";
    snprintf(work.library, sizeof work.library, "%s", library ? library->l_name : "");
    recording_add_bytes(&recorder.writer, &work, sizeof work);
}

/* In the place of runner_launch: what a driver sees. A step stands for all that the call does. */
int __real_runner_launch(const struct arm *arm, const struct gemm_args *args);
int __wrap_runner_launch(const struct arm *arm, const struct gemm_args *args);
int __wrap_runner_launch(const struct arm *arm, const struct gemm_args *args) {
    fake_gpu_note("launch %s", arm->ops->name);
    if (recorder.watches)
        facts_add_launch(&recorder.facts, &(struct facts_launch){.name = arm->ops->name,
                                                                 .symbol = arm->ops->name,
                                                                 .grid = {1, 1, 1},
                                                                 .block = {1, 1, 1}});
    if (recorder.keeps) {
        struct recording_writer *writer = &recorder.writer;
        const struct recording_step step = {
            .kind = RECORDING_FILL,
            .fill = {.to = {.variable = RECORDING_NONE, .offset = (uint64_t)(uintptr_t)args->c},
                     .element = 2,
                     .width = (uint64_t)(args->problem.m * args->problem.n),
                     .height = 1}};
        struct recording_call *call = recording_entry(
            writer, RECORDING_TABLE_calls, recording_next(writer, RECORDING_TABLE_calls) - 1);
        if (!recorder.arm)
            begin(arm);
        recording_add_step(writer, &step);
        call->steps++;
    }
    return __real_runner_launch(arm, args);
}

/* The kernel's own wish, carried out on what was written. */
static void spoil(struct recording_head *head, uint64_t *bytes) {
    head->magic ^= strcmp(recorder.how, "magic") == 0;
    head->version ^= strcmp(recorder.how, "version") == 0;
    if (strcmp(recorder.how, "claimed") == 0)
        *bytes = UINT64_MAX;
}

int recorder_write(void *to, uint64_t room, uint64_t *bytes, char why[RECORDING_WHY]) {
    struct recording_head *head = &recorder.writer.head;
    *bytes = 0;
    if (strcmp(recorder.how, "refused") == 0) {
        snprintf(why, RECORDING_WHY, "the fake GPU cannot record it");
        return 1;
    }
    head->base = fake_memory_base() - (strcmp(recorder.how, "base") == 0);
    head->base_bytes = FAKE_MEMORY_BYTES;
    head->arena = head->base + (2 + head->arena) * FAKE_MEMORY_BYTES / 4;
    *bytes = recording_write(&recorder.writer, to, room);
    spoil(to, bytes);
    return 0;
}
