/* The recorder's state, and the steps of a call. A call works on one stream, the one that it was
 * given: in a recorder the legacy default stream. */
#include <stdarg.h>
#include <stdio.h>

#include "bench/record/recorder_parts.h"

struct recorder_state recorder;

void recorder_refuse(const char *format, ...) {
    va_list arguments;
    if (*recorder.why)
        return;
    va_start(arguments, format);
    vsnprintf(recorder.why, sizeof recorder.why, format, arguments);
    va_end(arguments);
}

bool recorder_is_done(const struct recorder_event *event) {
    return event->leaving && event->status == CUDA_SUCCESS;
}

/* A call that takes no stream for the thread's default stream works on another one. Where nothing
 * is kept, the stream is all that matters. */
bool recorder_takes(const struct recorder_event *event, CUstream given) {
    if (!recorder_is_done(event) || recorder.phase != RECORDER_CALL)
        return false;
    if ((given || !event->per_thread) && (!given || given == CU_STREAM_LEGACY))
        return !recorder.late;
    recorder_refuse("it works on another stream than the one it is given (%s): hand that one over",
                    event->data->functionName);
    return false;
}

void recorder_add_step(const struct recording_step *step) {
    recorder.settled = false;
    recording_append_step(&recorder.writer, step);
}

static void on_settled(const struct recorder_event *event, const void *parameters) {
    (void)parameters;
    recorder.settled |= event->leaving;
}

void recorder_handle_waits(struct recorder_slot *handlers) {
    RECORDER_HANDLE_BOTH(cuEventRecord, _ptsz, on_settled);
    RECORDER_HANDLE_BOTH(cuEventRecordWithFlags, _ptsz, on_settled);
    RECORDER_HANDLE_BOTH(cuStreamWaitEvent, _ptsz, on_settled);
    RECORDER_HANDLE(cuEventSynchronize, on_settled);
    RECORDER_HANDLE(cuEventQuery, on_settled);
    RECORDER_HANDLE_BOTH(cuStreamSynchronize, _ptsz, on_settled);
    RECORDER_HANDLE_BOTH(cuStreamQuery, _ptsz, on_settled);
    RECORDER_HANDLE(cuCtxSynchronize, on_settled);
    RECORDER_HANDLE(cuCtxSynchronize_v2, on_settled);
}
