/* What the files of the recorder share. All of it is under one lock, which recorder.c takes. */
#ifndef BENCH_REPLAY_RECORDER_PARTS_H
#define BENCH_REPLAY_RECORDER_PARTS_H

#include <stdbool.h>

#include <cuda.h>
#include <cupti.h>

#include "bench/device/cuda_driver.h"
#include "bench/replay/recording_writer.h"
#include "candidates/recipe/cubin.h"

enum recorder_phase { RECORDER_OFF, RECORDER_SETUP, RECORDER_CALL };

struct recorder_state {
    const struct cuda_driver *driver;
    enum recorder_phase phase;
    bool begun; /* the kernel's library is being loaded, or has been */
    bool kept;  /* recorder_keep_memory has run */
    struct recording_writer writer;
    uint32_t stream;         /* what recorder_runs_now was last asked of, as in a step */
    char why[RECORDING_WHY]; /* it cannot be replayed, "" where nothing is known */
};
extern struct recorder_state recorder;

/* The first reason is kept. */
void recorder_refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A handler is called on both sides of a driver call; parameters is its struct of
 * generated_cuda_meta.h. */
struct recorder_event {
    const CUpti_CallbackData *data;
    bool per_thread; /* it takes no stream for the thread's default stream */
    bool leaving;
    CUresult status; /* when leaving */
};
typedef void recorder_handler(const struct recorder_event *event, const void *parameters);

/* Sets the handlers of a file's calls: handlers has a place for each CUpti_driver_api_trace_cbid.
 */
struct recorder_slot {
    recorder_handler *handler;
    bool per_thread;
};
void recorder_handle_memory(struct recorder_slot *handlers);
void recorder_handle_kernels(struct recorder_slot *handlers);
void recorder_handle_copies(struct recorder_slot *handlers);
void recorder_handle_graphs(struct recorder_slot *handlers);
void recorder_handle_maps(struct recorder_slot *handlers);
void recorder_handle_streams(struct recorder_slot *handlers);
void recorder_handle_settings(struct recorder_slot *handlers);

/* In these functions: sets the handler of a call, and of its form with a default stream for each
 * thread, whose name ends otherwise. */
#define RECORDER_HANDLE(name, function)                                                            \
    (handlers[CUPTI_DRIVER_TRACE_CBID_##name] = (struct recorder_slot){function, false})
#define RECORDER_HANDLE_BOTH(name, end, function)                                                  \
    (RECORDER_HANDLE(name, function),                                                              \
     handlers[CUPTI_DRIVER_TRACE_CBID_##name##end] = (struct recorder_slot){function, true})

/* Whether a call has done what it was asked for, and is being left. */
bool recorder_is_done(const struct recorder_event *event);

/* The stream that a call is given. */
CUstream recorder_stream(const struct recorder_event *event, CUstream given);

/* recorder_steps.c */
/* Whether the work goes to the device now; the legacy stream cannot be captured. Notes streams of
 * the kernel's own. */
bool recorder_runs_now(CUstream stream);

/* Adds a step to the call in hand, on that stream, behind what the driver lets it wait for. Returns
 * its number. */
uint32_t recorder_add_step(const struct recording_step *step);

/* A call begins: no stream has worked in it. */
void recorder_forget_streams(void);
void recorder_forget_stream(CUstream stream);

/* The host has waited for the mark, for a stream, for all of them: what follows comes after it. */
void recorder_wait_mark(uint32_t mark);
void recorder_wait_stream(CUstream stream);
void recorder_wait_all(void);

/* recorder_streams.c: a call begins, and no event has been recorded in it. */
void recorder_forget_events(void);

/* recorder_memory.c */
void recorder_keep_arena(void);
void recorder_free_arena(void); /* what the call before has given back */
uint64_t recorder_arena_bytes(void);
bool recorder_is_host_memory(uint64_t address);

/* recorder_kernels.c: modules, functions and launches. */
struct recorder_launch {
    CUfunction function; /* or a CUkernel in its place */
    const char *symbol;  /* NULL: not told */
    unsigned grid[3], block[3], shared_bytes;
    void **parameters, **extra;
    const CUlaunchAttribute *attributes;
    unsigned attribute_count;
    bool cooperative;
    const CUstream *stream; /* whose attributes it has; NULL: none's */
};
void recorder_take_module(const void *image, size_t size);
void recorder_take_handle(const void *handle, bool is_kernel);
void recorder_prefer_cache(CUfunction function, CUfunc_cache cache);
bool recorder_make_launch(const struct recorder_launch *launch, struct recording_step *step);
void recorder_keep_variables(void);
void recorder_finish_functions(void);

/* Variables whose addresses are known: the place of an address. False where it is in none. */
bool recorder_find_variable(uint64_t address, struct recording_place *place);

/* recorder_settings.c: the attributes of a stream that its launches have, as a list that is good
 * until the next call. */
unsigned recorder_stream_attributes(CUstream stream, const CUlaunchAttribute **list);

/* recorder_copies.c */
bool recorder_make_copy(const CUDA_MEMCPY2D *copy, struct recording_step *step);
void recorder_make_fill(CUdeviceptr to, size_t pitch, unsigned value, unsigned element,
                        size_t width, size_t height, struct recording_step *step);

#endif
