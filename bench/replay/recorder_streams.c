/* Events, and what waits for them or for streams. In a call everything that was recorded before it
 * has ended, so that waiting for it is nothing. */
#include "bench/replay/recorder_parts.h"

enum { MOST_EVENTS = 4096 };

/* Events that were recorded in the call in hand, and the marks that they stand for. */
static struct {
    CUevent event; /* NULL: destroyed */
    uint32_t mark;
} events[MOST_EVENTS];
static int event_count;

void recorder_forget_events(void) {
    event_count = 0;
}

static int find_event(CUevent event) {
    int i = 0;
    while (i < event_count && events[i].event != event)
        i++;
    return i;
}

static bool in_call(const struct recorder_event *event) {
    return recorder_is_done(event) && recorder.phase == RECORDER_CALL;
}

/* One that is recorded while its stream is captured belongs to the graph. */
static void on_record(const struct recorder_event *event, const void *parameters) {
    const cuEventRecord_params *p = parameters; /* cuEventRecordWithFlags's begin as these do */
    const struct recording_step mark = {.kind = RECORDING_MARK};
    if (!in_call(event) || !p->hEvent)
        return;
    const int i = find_event(p->hEvent);
    if (!recorder_runs_now(recorder_stream(event, p->hStream))) {
        if (i < event_count)
            events[i].event = NULL;
        return;
    }
    if (i == MOST_EVENTS) {
        recorder_refuse("a call of it records more than %d events", MOST_EVENTS);
        return;
    }
    event_count += i == event_count;
    events[i].event = p->hEvent;
    events[i].mark = recorder_add_step(&mark);
}

static void on_wait_event(const struct recorder_event *event, const void *parameters) {
    const cuStreamWaitEvent_params *p = parameters;
    const int i = in_call(event) ? find_event(p->hEvent) : event_count;
    if (i == event_count || !recorder_runs_now(recorder_stream(event, p->hStream)))
        return;
    recorder_add_step(
        &(struct recording_step){.kind = RECORDING_WAIT, .wait = {.mark = events[i].mark}});
}

/* Or has asked and was told that it is done. */
static void on_synchronize_event(const struct recorder_event *event, const void *parameters) {
    const cuEventSynchronize_params *p = parameters; /* cuEventQuery's are the same */
    const int i = in_call(event) ? find_event(p->hEvent) : event_count;
    if (i < event_count)
        recorder_wait_mark(events[i].mark);
}

static void on_destroy_event(const struct recorder_event *event, const void *parameters) {
    const cuEventDestroy_v2_params *p = parameters;
    const int i = recorder_is_done(event) ? find_event(p->hEvent) : event_count;
    if (i < event_count)
        events[i].event = NULL;
}

static void on_synchronize_stream(const struct recorder_event *event, const void *parameters) {
    const cuStreamSynchronize_params *p = parameters; /* cuStreamQuery's are the same */
    if (in_call(event))
        recorder_wait_stream(recorder_stream(event, p->hStream));
}

static void on_destroy_stream(const struct recorder_event *event, const void *parameters) {
    const cuStreamDestroy_v2_params *p = parameters;
    if (recorder_is_done(event))
        recorder_forget_stream(p->hStream);
}

/* Has no parameters, or a context of which there is one. */
static void on_synchronize(const struct recorder_event *event, const void *parameters) {
    (void)parameters;
    if (in_call(event))
        recorder_wait_all();
}

void recorder_handle_streams(struct recorder_slot *handlers) {
    RECORDER_HANDLE_BOTH(cuEventRecord, _ptsz, on_record);
    RECORDER_HANDLE_BOTH(cuEventRecordWithFlags, _ptsz, on_record);
    RECORDER_HANDLE_BOTH(cuStreamWaitEvent, _ptsz, on_wait_event);
    RECORDER_HANDLE(cuEventSynchronize, on_synchronize_event);
    RECORDER_HANDLE(cuEventQuery, on_synchronize_event);
    RECORDER_HANDLE(cuEventDestroy, on_destroy_event);
    RECORDER_HANDLE(cuEventDestroy_v2, on_destroy_event);
    RECORDER_HANDLE_BOTH(cuStreamSynchronize, _ptsz, on_synchronize_stream);
    RECORDER_HANDLE_BOTH(cuStreamQuery, _ptsz, on_synchronize_stream);
    RECORDER_HANDLE(cuStreamDestroy, on_destroy_stream);
    RECORDER_HANDLE(cuStreamDestroy_v2, on_destroy_stream);
    RECORDER_HANDLE(cuCtxSynchronize, on_synchronize);
    RECORDER_HANDLE(cuCtxSynchronize_v2, on_synchronize);
}
