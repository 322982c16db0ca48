/* The recorder's state, and what its handlers add to it. */
#include <stdarg.h>
#include <stdio.h>

#include "bench/replay/recorder_parts.h"

struct recorder_state recorder;

void recorder_refuse(const char *format, ...) {
    va_list arguments;
    if (*recorder.why)
        return;
    va_start(arguments, format);
    vsnprintf(recorder.why, sizeof recorder.why, format, arguments);
    va_end(arguments);
}

bool recorder_runs_now(CUstream stream) {
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    recorder.stream = 0;
    if (!stream || stream == CU_STREAM_LEGACY)
        return true;
    if (recorder.driver->cuStreamIsCapturing(stream, &status) != CUDA_SUCCESS) {
        recorder_refuse("the driver does not tell whether a stream is being captured");
        return false;
    }
    if (status != CU_STREAM_CAPTURE_STATUS_NONE)
        return false;
    uint32_t *count = &recorder.writer.head.streams, i = 0;
    if (recorder.phase != RECORDER_CALL)
        return true;
    while (i < *count && recorder.streams[i] != stream)
        i++;
    if (i == *count && i < RECORDER_STREAMS)
        recorder.streams[(*count)++] = stream;
    recorder.stream = i + 1;
    return true;
}

void recorder_add_step(const struct recording_step *step) {
    struct recording_writer *writer = &recorder.writer;
    if (recorder.phase != RECORDER_CALL)
        return;
    struct recording_step placed = *step;
    if (placed.stream == 0)
        placed.stream = recorder.stream;
    recording_add_step(writer, &placed);
    if (writer->full)
        return;
    struct recording_call *call = recording_entry(
        writer, RECORDING_TABLE_calls, recording_next(writer, RECORDING_TABLE_calls) - 1);
    call->steps++;
}
