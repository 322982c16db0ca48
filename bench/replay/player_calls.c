#include "bench/replay/player_parts.h"

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

static CUresult play_step(struct player *player, uint32_t number, CUstream stream) {
    const struct recording_step *step = &player->recording.steps[number];
    if (step->kind == RECORDING_LAUNCH)
        return play_launch(player, &step->launch, &player->ready[number], stream);
    player->doing = step->kind == RECORDING_FILL ? "its memory cannot be filled"
                                                 : "its memory cannot be copied";
    return step->kind == RECORDING_FILL ? play_fill(player, &step->fill, stream)
                                        : play_copy(player, &step->copy, stream);
}

int player_play_at(struct player *player, int number, const struct player_operands *operands,
                   void *stream) {
    const struct recording_call *call = &player->recording.calls[number];
    CUresult status = CUDA_SUCCESS;
    player->operands = *operands;
    for (uint32_t i = 0; i < call->steps && status == CUDA_SUCCESS; i++)
        status = play_step(player, call->first_step + i, stream);
    return (int)status;
}

int player_play(struct player *player, int number) {
    const struct recording_call *call = &player->recording.calls[number];
    const struct player_operands operands = {call->a, call->b_row, call->b_col, call->c};
    return player_play_at(player, number, &operands, NULL);
}
