#include "bench/replay/player_parts.h"

/* The streams that wait at a step, of those that its call uses: not the one that it waits for. */
static uint32_t waiting(const struct player *player, uint32_t call,
                        const struct recording_step *step) {
    const uint32_t all = player->used[call],
                   marked = player->recording.steps[step->wait.mark].stream;
    return (step->stream == RECORDING_NONE ? all : UINT32_C(1) << step->stream) &
           ~(UINT32_C(1) << marked);
}

static CUresult make_event(const struct player *player, CUevent *event) {
    return *event ? CUDA_SUCCESS : player->driver->cuEventCreate(event, CU_EVENT_DISABLE_TIMING);
}

static bool has_attribute(const struct recording *r, const struct recording_step *step,
                          uint32_t id) {
    const struct recording_launch *launch = &step->launch;
    for (uint32_t i = 0; step->kind == RECORDING_LAUNCH && i < launch->attributes; i++)
        if (r->attributes[launch->first_attribute + i].id == id)
            return true;
    return false;
}

/* Notes which streams a call uses, and makes the events of marks that streams wait for. Where a
 * launch may begin before the one before it ends, a mark between them keeps it from that. */
static CUresult prepare_call(struct player *player, uint32_t number) {
    const struct recording *r = &player->recording;
    const struct recording_call *call = &r->calls[number];
    const struct recording_step *first = r->steps + call->first_step;
    CUresult status = CUDA_SUCCESS;
    bool early = false;
    for (uint32_t i = 0; i < call->steps; i++) {
        if (first[i].stream != RECORDING_NONE)
            player->used[number] |= UINT32_C(1) << first[i].stream;
        early |= has_attribute(r, &first[i], RECORDING_PROGRAMMATIC_STREAM_SERIALIZATION);
    }
    for (uint32_t i = 0; i < call->steps && early && status == CUDA_SUCCESS; i++)
        if (first[i].kind == RECORDING_MARK)
            status = make_event(player, &player->marks[call->first_step + i]);
    for (uint32_t i = 0; i < call->steps && status == CUDA_SUCCESS; i++)
        if (first[i].kind == RECORDING_WAIT && waiting(player, number, &first[i]))
            status = make_event(player, &player->marks[first[i].wait.mark]);
    return status;
}

int player_make_streams(struct player *player) {
    const struct recording_head *head = &player->recording.head;
    CUresult status = make_event(player, &player->begun);
    for (uint32_t i = 1; i <= head->streams && status == CUDA_SUCCESS; i++) {
        status = player->driver->cuStreamCreate(&player->streams[i], CU_STREAM_NON_BLOCKING);
        if (status == CUDA_SUCCESS)
            status = make_event(player, &player->ended[i]);
    }
    for (uint32_t i = 0; i < head->counts[RECORDING_TABLE_calls] && status == CUDA_SUCCESS; i++)
        status = prepare_call(player, i);
    return status == CUDA_SUCCESS ? 0 : player_failed(player, "its streams cannot be made", status);
}

void player_close_streams(struct player *player) {
    const struct cuda_driver *driver = player->driver;
    for (uint32_t i = 0; i < player->recording.head.counts[RECORDING_TABLE_steps]; i++)
        if (player->marks && player->marks[i])
            driver->cuEventDestroy(player->marks[i]);
    for (int i = 1; i <= RECORDING_MOST_STREAMS; i++) {
        if (player->streams[i])
            driver->cuStreamDestroy(player->streams[i]);
        if (player->ended[i])
            driver->cuEventDestroy(player->ended[i]);
    }
    if (player->begun)
        driver->cuEventDestroy(player->begun);
}

static CUresult play_fill(const struct player *player, const struct recording_fill *fill,
                          CUstream stream) {
    const struct cuda_driver *driver = player->driver;
    const CUdeviceptr to = player_place(player, fill->to);
    if (fill->height == 1)
        return fill->element == 1
                   ? driver->cuMemsetD8Async(to, (unsigned char)fill->value, fill->width, stream)
               : fill->element == 2
                   ? driver->cuMemsetD16Async(to, (unsigned short)fill->value, fill->width, stream)
                   : driver->cuMemsetD32Async(to, fill->value, fill->width, stream);
    return fill->element == 1
               ? driver->cuMemsetD2D8Async(to, fill->pitch, (unsigned char)fill->value, fill->width,
                                           fill->height, stream)
           : fill->element == 2
               ? driver->cuMemsetD2D16Async(to, fill->pitch, (unsigned short)fill->value,
                                            fill->width, fill->height, stream)
               : driver->cuMemsetD2D32Async(to, fill->pitch, fill->value, fill->width, fill->height,
                                            stream);
}

static CUresult play_copy(const struct player *player, const struct recording_copy *copy,
                          CUstream stream) {
    const CUdeviceptr to = player_place(player, copy->to), from = player_place(player, copy->from);
    if (copy->height == 1)
        return player->driver->cuMemcpyDtoDAsync(to, from, copy->width, stream);
    const CUDA_MEMCPY2D two = {.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                               .srcDevice = from,
                               .srcPitch = copy->from_pitch,
                               .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                               .dstDevice = to,
                               .dstPitch = copy->to_pitch,
                               .WidthInBytes = copy->width,
                               .Height = copy->height};
    return player->driver->cuMemcpy2DAsync(&two, stream);
}

static CUresult play_wait(const struct player *player, uint32_t call,
                          const struct recording_step *step) {
    const uint32_t streams = waiting(player, call, step);
    CUresult status = CUDA_SUCCESS;
    for (uint32_t i = 0; streams >> i && status == CUDA_SUCCESS; i++)
        if (streams >> i & 1)
            status = player->driver->cuStreamWaitEvent(player->streams[i],
                                                       player->marks[step->wait.mark], 0);
    return status;
}

static CUresult play_launch(struct player *player, const struct recording_launch *launch,
                            struct ready *ready, CUstream stream) {
    const struct recording *r = &player->recording;
    player->doing = "a tensor map cannot be made";
    const CUresult status =
        recording_is_loose(r) ? player_write_pointers(player, launch, ready) : CUDA_SUCCESS;
    if (status != CUDA_SUCCESS)
        return status;
    player->doing = player_name(player, r->functions[launch->function].name);
    ready->config.hStream = stream;
    return player->driver->cuLaunchKernelEx(&ready->config, ready->function, ready->parameters,
                                            NULL);
}

static CUresult play_step(struct player *player, uint32_t call, uint32_t number) {
    const struct cuda_driver *driver = player->driver;
    const struct recording_step *step = &player->recording.steps[number];
    player->doing = "a step of it cannot be carried out";
    if (step->kind == RECORDING_WAIT)
        return play_wait(player, call, step);
    const CUstream stream = player->streams[step->stream];
    switch (step->kind) {
    case RECORDING_LAUNCH:
        return play_launch(player, &step->launch, &player->ready[number], stream);
    case RECORDING_FILL:
        player->doing = "its memory cannot be filled";
        return play_fill(player, &step->fill, stream);
    case RECORDING_COPY:
        return play_copy(player, &step->copy, stream);
    case RECORDING_GRAPH:
        return driver->cuGraphLaunch(player->graphs[step->graph.graph], stream);
    default:
        return player->marks[number] ? driver->cuEventRecord(player->marks[number], stream)
                                     : CUDA_SUCCESS;
    }
}

/* All streams of its own wait for the call's stream, before the call; it waits for them behind. */
static CUresult begin_streams(const struct player *player, uint32_t streams) {
    CUresult status = CUDA_SUCCESS;
    if (streams > 1)
        status = player->driver->cuEventRecord(player->begun, player->streams[0]);
    for (uint32_t i = 1; streams >> i && status == CUDA_SUCCESS; i++)
        if (streams >> i & 1)
            status = player->driver->cuStreamWaitEvent(player->streams[i], player->begun, 0);
    return status;
}

static CUresult end_streams(const struct player *player, uint32_t streams) {
    CUresult status = CUDA_SUCCESS;
    for (uint32_t i = 1; streams >> i && status == CUDA_SUCCESS; i++) {
        if (!(streams >> i & 1))
            continue;
        status = player->driver->cuEventRecord(player->ended[i], player->streams[i]);
        if (status == CUDA_SUCCESS)
            status = player->driver->cuStreamWaitEvent(player->streams[0], player->ended[i], 0);
    }
    return status;
}

int player_play_at(struct player *player, int number, const struct player_operands *operands,
                   void *stream) {
    const struct recording_call *call = &player->recording.calls[number];
    const uint32_t streams = player->used[number];
    player->operands = *operands;
    player->streams[0] = stream;
    player->doing = "its streams cannot be used";
    CUresult status = begin_streams(player, streams);
    for (uint32_t i = 0; i < call->steps && status == CUDA_SUCCESS; i++)
        status = play_step(player, (uint32_t)number, call->first_step + i);
    return (int)(status == CUDA_SUCCESS ? end_streams(player, streams) : status);
}

int player_play(struct player *player, int number) {
    const struct recording_call *call = &player->recording.calls[number];
    const struct player_operands operands = {call->a, call->b_row, call->b_col, call->c};
    return player_play_at(player, number, &operands, NULL);
}
