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

/* A handler is called on both sides of a driver call; parameters is its struct of
 * generated_cuda_meta.h. */
struct recorder_event {
    const CUpti_CallbackData *data;
    bool per_thread; /* it takes no stream for the thread's default stream */
    bool leaving;
    CUresult status; /* when leaving */
};
typedef void recorder_handler(const struct recorder_event *event, const void *parameters);

/* Sets the handlers of a file's calls: handlers has an entry for each CUpti_driver_api_trace_cbid.
 */
struct recorder_slot {
    recorder_handler *handler;
    bool per_thread;
};
void recorder_handle_memory(struct recorder_slot *handlers);
void recorder_handle_kernels(struct recorder_slot *handlers);
void recorder_handle_copies(struct recorder_slot *handlers);
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
struct recorder_launch {
    CUfunction function; /* or a CUkernel */
    const char *symbol;  /* NULL: not told */
    unsigned grid[3], block[3], shared_bytes;
    void **parameters, **extra;
    const CUlaunchAttribute *attributes;
    unsigned attribute_count;
    bool cooperative;
};
void recorder_load_names(void);
void recorder_take_handle(const void *handle, bool is_kernel);
void recorder_prefer_cache(CUfunction function, CUfunc_cache cache);
void recorder_keep_variables(void);
void recorder_finish_functions(void);

#endif
