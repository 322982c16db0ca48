/* The files of the recorder share this. All of it is under one lock, which recorder.c takes. */
#ifndef BENCH_RECORD_RECORDER_PARTS_H
#define BENCH_RECORD_RECORDER_PARTS_H

#include <stdbool.h>

#include <cuda.h>
#include <cupti.h>

#include "bench/device/cuda_driver.h"
#include "bench/record/cubin.h"
#include "bench/record/recording_writer.h"
#include "correctness/contract/facts.h"

enum recorder_phase { RECORDER_OFF, RECORDER_COUNTED, RECORDER_SETUP, RECORDER_CALL };

struct recorder_state {
    const struct cuda_driver *driver;
    enum recorder_phase phase;
    bool late;  /* attached: calls are watched, and nothing is kept */
    bool begun; /* the kernel's library is being loaded, or has been */
    bool kept;  /* recorder_keep_memory has run */
    struct recording_writer writer;
    bool settled; /* since the last step of the call the host or an event has waited for it */
    char why[RECORDING_WHY]; /* why it cannot be recorded; "" where nothing is known */
    struct facts facts;
};
extern struct recorder_state recorder;

/* The first reason is kept. */
void recorder_refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A call to the driver that has returned. */
struct recorder_event {
    const CUpti_CallbackData *data;
    const void *parameters; /* the call's struct of generated_cuda_meta.h */
    bool per_thread;        /* it takes no stream for the thread's default stream */
};

/* Takes in such a call. The table of recorder.c says which calls each has. */
typedef void recorder_handler(const struct recorder_event *event);
recorder_handler recorder_on_alloc, recorder_on_alloc_pitch, recorder_on_alloc_async,
    recorder_on_alloc_pool, recorder_on_free, recorder_on_free_async; /* recorder_memory.c */
recorder_handler recorder_on_launch, recorder_on_cooperative, recorder_on_launch_ex,
    recorder_on_get_function, recorder_on_get_kernel,
    recorder_on_kernel_function; /* recorder_kernels.c */
recorder_handler recorder_on_fill_8, recorder_on_fill_16, recorder_on_fill_32,
    recorder_on_fill_async_8, recorder_on_fill_async_16, recorder_on_fill_async_32,
    recorder_on_copy, recorder_on_copy_async, recorder_on_copy_2d,
    recorder_on_copy_2d_async; /* recorder_copies.c */
recorder_handler recorder_on_function_cache, recorder_on_kernel_cache,
    recorder_on_function_attribute, recorder_on_kernel_attribute; /* recorder_settings.c */

/* Whether the call has put work on the stream that the kernel was given, and is to become a step.
 * Refuses another stream. */
bool recorder_takes(const struct recorder_event *event, CUstream given);

/* Adds a step to the call in hand. */
void recorder_add_step(const struct recording_step *step);

/* recorder_memory.c */
void recorder_keep_arena(void);
uint64_t recorder_arena_bytes(void);

/* recorder_modules.c: modules and their variables. */
struct recorder_module {
    unsigned char *image;
    size_t size;
    char hash[33];
    uint32_t number; /* in the recording, or RECORDING_NONE */
    bool kept;       /* its variables are */
};
void recorder_take_module(const void *image, size_t size);

/* The module that has the kernel; NULL after recorder_refuse. */
struct recorder_module *recorder_find_module(const char *kernel);

/* Its number in the recording, which has it then. Refuses one whose variables hold what is not
 * known. */
uint32_t recorder_number_module(struct recorder_module *module);

/* Keeps what its variables hold, unless that is kept. The function is one of its own; NULL where
 * none is known. */
void recorder_keep_variables_of(struct recorder_module *module, CUfunction function);

/* Variables whose addresses are known: which one an address lies in. False where in none. */
bool recorder_find_variable(uint64_t address, struct recording_address *where);

/* recorder_kernels.c: functions and launches. */
void recorder_load_names(void);
void recorder_keep_variables(void);
void recorder_finish_functions(void);

/* recorder_settings.c: whether the function prefers L1 or shared memory. */
CUfunc_cache recorder_preferred_cache(CUfunction function);

#endif
