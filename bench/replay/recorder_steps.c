/* The recorder's state, and the steps of a call on their streams. */
#include <stdarg.h>
#include <stdio.h>

#include "bench/replay/recorder_parts.h"

struct recorder_state recorder;

/* The streams of the call in hand. The first is the call's, the legacy default stream: it waits for
 * all streams that are not made otherwise (blocking ones), and they wait for it. Here such waits
 * are steps like others. */
static struct {
    CUstream handle; /* NULL: destroyed, or the call's */
    bool blocking;
    bool ahead;  /* has done what the call's stream has not waited for */
    bool behind; /* has not waited for what the call's stream has done */
} streams[1 + RECORDING_MOST_STREAMS];
static uint32_t stream_count = 1;

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

CUstream recorder_stream(const struct recorder_event *event, CUstream given) {
    return !given && event->per_thread ? CU_STREAM_PER_THREAD : given;
}

static bool is_legacy(CUstream stream) {
    return !stream || stream == CU_STREAM_LEGACY;
}

/* The number of a stream that has worked in this call; RECORDING_NONE: it has not. */
static uint32_t find_stream(CUstream stream) {
    if (is_legacy(stream))
        return 0;
    for (uint32_t i = 1; i < stream_count; i++)
        if (streams[i].handle == stream)
            return i;
    return RECORDING_NONE;
}

static uint32_t take_stream(CUstream stream) {
    unsigned flags = 0;
    const uint32_t known = find_stream(stream);
    if (known != RECORDING_NONE)
        return known;
    if (stream_count > RECORDING_MOST_STREAMS) {
        recorder_refuse("a call of it uses more than %d streams", RECORDING_MOST_STREAMS);
        return 0;
    }
    if (recorder.driver->cuStreamGetFlags(stream, &flags) != CUDA_SUCCESS)
        recorder_refuse("the driver does not tell what a stream waits for");
    const bool blocking = !(flags & CU_STREAM_NON_BLOCKING);
    streams[stream_count].handle = stream;
    streams[stream_count].blocking = streams[stream_count].behind = blocking;
    streams[stream_count].ahead = false;
    if (recorder.writer.head.streams < stream_count)
        recorder.writer.head.streams = stream_count;
    return stream_count++;
}

bool recorder_runs_now(CUstream stream) {
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    if (!is_legacy(stream) &&
        recorder.driver->cuStreamIsCapturing(stream, &status) != CUDA_SUCCESS) {
        recorder_refuse("the driver does not tell whether a stream is being captured");
        return false;
    }
    if (status != CU_STREAM_CAPTURE_STATUS_NONE)
        return false;
    if (recorder.phase == RECORDER_CALL)
        recorder.stream = take_stream(stream);
    return true;
}

static uint32_t add_step(const struct recording_step *step) {
    return recording_append_step(&recorder.writer, step);
}

static uint32_t add_mark(uint32_t stream) {
    return add_step(&(struct recording_step){.kind = RECORDING_MARK, .stream = stream});
}

static void add_wait(uint32_t stream, uint32_t mark) {
    add_step(
        &(struct recording_step){.kind = RECORDING_WAIT, .stream = stream, .wait = {.mark = mark}});
}

/* What the legacy default stream is asked for waits for all blocking streams, and they for it. */
static void join_legacy(void) {
    for (uint32_t i = 1; i < stream_count; i++) {
        if (!streams[i].blocking)
            continue;
        if (streams[i].ahead)
            add_wait(0, add_mark(i));
        streams[i].ahead = false;
        streams[i].behind = true;
    }
}

static void join_blocking(uint32_t stream) {
    if (streams[stream].behind)
        add_wait(stream, add_mark(0));
    streams[stream].behind = false;
    streams[stream].ahead = streams[stream].blocking;
}

uint32_t recorder_add_step(const struct recording_step *step) {
    if (recorder.phase != RECORDER_CALL)
        return RECORDING_NONE;
    struct recording_step placed = *step;
    placed.stream = recorder.stream;
    if (placed.stream == 0)
        join_legacy();
    else
        join_blocking(placed.stream);
    return add_step(&placed);
}

void recorder_forget_streams(void) {
    stream_count = 1;
}

void recorder_forget_stream(CUstream stream) {
    const uint32_t number = find_stream(stream);
    if (number != RECORDING_NONE)
        streams[number].handle = NULL;
}

void recorder_wait_mark(uint32_t mark) {
    add_wait(RECORDING_NONE, mark);
}

void recorder_wait_stream(CUstream stream) {
    const uint32_t number = find_stream(stream);
    if (recorder.phase != RECORDER_CALL || number == RECORDING_NONE)
        return;
    if (number == 0)
        join_legacy();
    add_wait(RECORDING_NONE, add_mark(number));
}

void recorder_wait_all(void) {
    for (uint32_t i = 0; i < stream_count && recorder.phase == RECORDER_CALL; i++)
        add_wait(RECORDING_NONE, add_mark(i));
}
