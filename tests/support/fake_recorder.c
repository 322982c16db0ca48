/* For tests: records what kernels launch on the fake GPU (fake_recording.h). */
#include "bench/record/recorder.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/record/recording_writer.h"
#include "bench/runner/runner.h"
#include "tests/support/fake_memory.h"
#include "tests/support/fake_recording.h"
#include "tests/support/small_recording.h"

static struct {
    struct recording_writer writer;
    const char *how; /* the fake_recording of the kernel that is recorded, or "" */
    bool watches, keeps, counts, late;
    char why[RECORDING_WHY];
    struct facts facts;
} recorder;

void recorder_load(void) {
}

int recorder_start(bool late, const char **why) {
    recorder.late |= late;
    *why = "no CUPTI to record with";
    return getenv("FAKE_GPU_BLIND") ? -1 : 0;
}

/* A kernel of the fake GPU takes its memory from the host. */
void recorder_fill_arena(uint32_t fill) {
    (void)fill;
}

static void begin_watching(bool call) {
    facts_begin(&recorder.facts, call);
    recorder.watches = true;
}

void recorder_begin_setup(void) {
    begin_watching(false);
}

void recorder_begin_counted(void) {
    recorder.counts = true;
    begin_watching(true);
}

void recorder_keep_memory(void) {
}

void recorder_begin_call(const struct gemm_args *kept) {
    recorder.keeps = kept && !recorder.late;
    if (recorder.keeps)
        recording_begin_call(&recorder.writer, kept);
    begin_watching(true);
}

void recorder_end(void) {
    facts_end(&recorder.facts);
    recorder.keeps = recorder.watches = recorder.counts = false;
}

void recorder_tell(struct facts *facts, char why[RECORDING_WHY]) {
    *facts = recorder.facts;
    memset(&recorder.facts, 0, sizeof recorder.facts);
    snprintf(why, RECORDING_WHY, "%s", recorder.why);
    *recorder.why = 0;
}

/* How a kernel is recorded. A library of ours has no file, and is as it comes. */
static const char *how_of(const struct arm *arm) {
    const char *how = arm->loaded.library ? dlsym(arm->loaded.library, "fake_recording") : NULL;
    return how ? how : "";
}

static bool is(const char *how, const char *word) {
    return strcmp(how, word) == 0;
}

/* The kernel's file, and one function of its name. */
static void begin(const struct arm *arm) {
    struct recording_writer *writer = &recorder.writer;
    struct fake_work work = {.problem = arm->problem};
    struct link_map *library = NULL;
    dlinfo(arm->loaded.library, RTLD_DI_LINKMAP, &library);
    snprintf(work.library, sizeof work.library, "%s", library->l_name);
    recording_add_bytes(writer, &work, sizeof work);
    const struct recording_image image = small_image(writer);
    recording_add_image(writer, &image);
    const struct recording_function function = {
        .carveout = -1,
        .name = recording_add_bytes(writer, arm->ops->name, strlen(arm->ops->name) + 1)};
    recording_add_function(writer, &function);
}

/* Libraries that read one copy of B do the same by their first algorithms, unless $FAKE_GPU_OTHER_WORK
 * is set. */
static uint64_t exact_of(const struct arm *arm) {
    const char *read = strrchr(arm->ops->name, '-');
    const char *hashed = getenv("FAKE_GPU_OTHER_WORK") || !read ? arm->ops->name : read;
    return facts_hash(arm->variant > 0 ? (uint64_t)arm->variant : 0, hashed, strlen(hashed));
}

static void watch(const struct arm *arm, const char *how) {
    const bool other = recorder.late && is(how, "other-work");
    facts_add_launch(&recorder.facts, &(struct facts_launch){.name = arm->ops->name,
                                                             .symbol = arm->ops->name,
                                                             .grid = {other ? 2 : 1, 1, 1},
                                                             .block = {1, 1, 1}});
    if (recorder.counts)
        facts_add_exact(&recorder.facts, exact_of(arm));
    if (is(how, recorder.late ? "late-stream" : "stream"))
        snprintf(recorder.why, sizeof recorder.why,
                 "it works on another stream than the one it is given: hand that one over");
}

/* In the place of runner_launch: what a driver sees. A launch stands for all that the call does. */
int __real_runner_launch(const struct arm *arm, const struct gemm_args *args);
int __wrap_runner_launch(const struct arm *arm, const struct gemm_args *args);
int __wrap_runner_launch(const struct arm *arm, const struct gemm_args *args) {
    fake_gpu_note("launch %s", arm->ops->name);
    if (recorder.watches)
        watch(arm, how_of(arm));
    if (recorder.keeps) {
        struct recording_writer *writer = &recorder.writer;
        const struct recording_step step = {.kind = RECORDING_LAUNCH,
                                            .launch = {.grid = {1, 1, 1}, .block = {1, 1, 1}}};
        if (recording_next(writer, RECORDING_TABLE_images) == 0)
            begin(arm);
        recorder.how = how_of(arm);
        recording_append_step(writer, &step);
    }
    return __real_runner_launch(arm, args);
}

/* The kernel's own wish, carried out on what was written. */
static void spoil(struct recording_head *head, uint64_t *bytes) {
    head->magic ^= is(recorder.how, "magic");
    head->version ^= is(recorder.how, "version");
    if (is(recorder.how, "claimed"))
        *bytes = UINT64_MAX;
}

int recorder_write(void *to, uint64_t room, uint64_t *bytes, char why[RECORDING_WHY]) {
    struct recording_head *head = &recorder.writer.head;
    *bytes = 0;
    if (*recorder.why) {
        snprintf(why, RECORDING_WHY, "%s", recorder.why);
        return 1;
    }
    head->base = fake_memory_base() - is(recorder.how, "base");
    head->base_bytes = FAKE_MEMORY_BYTES;
    head->arena = head->base + FAKE_MEMORY_BYTES / 2;
    *bytes = recording_write(&recorder.writer, to, room);
    spoil(to, bytes);
    return 0;
}
