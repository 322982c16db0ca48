/* Calls are enqueued on the legacy default stream. */
#include "bench/record/player_parts.h"

static CUresult play_fill(const struct player *player, const struct recording_fill *fill) {
    const struct cuda_driver *driver = player->driver;
    const CUdeviceptr to = player_address(player, fill->to);
    if (fill->height == 1)
        return fill->element == 1
                   ? driver->cuMemsetD8Async(to, (unsigned char)fill->value, fill->width, NULL)
               : fill->element == 2
                   ? driver->cuMemsetD16Async(to, (unsigned short)fill->value, fill->width, NULL)
                   : driver->cuMemsetD32Async(to, fill->value, fill->width, NULL);
    return fill->element == 1
               ? driver->cuMemsetD2D8Async(to, fill->pitch, (unsigned char)fill->value, fill->width,
                                           fill->height, NULL)
           : fill->element == 2
               ? driver->cuMemsetD2D16Async(to, fill->pitch, (unsigned short)fill->value,
                                            fill->width, fill->height, NULL)
               : driver->cuMemsetD2D32Async(to, fill->pitch, fill->value, fill->width, fill->height,
                                            NULL);
}

static CUresult play_copy(const struct player *player, const struct recording_copy *copy) {
    const CUdeviceptr to = player_address(player, copy->to),
                      from = player_address(player, copy->from);
    if (copy->height == 1)
        return player->driver->cuMemcpyDtoDAsync(to, from, copy->width, NULL);
    const CUDA_MEMCPY2D two = {.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                               .srcDevice = from,
                               .srcPitch = copy->from_pitch,
                               .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                               .dstDevice = to,
                               .dstPitch = copy->to_pitch,
                               .WidthInBytes = copy->width,
                               .Height = copy->height};
    return player->driver->cuMemcpy2DAsync(&two, NULL);
}

static CUresult play_launch(struct player *player, const struct recording_launch *launch,
                            struct ready *ready) {
    const struct recording *r = &player->recording;
    player->doing = player_name(player, r->functions[launch->function].name);
    return player->driver->cuLaunchKernelEx(&ready->config, ready->function, ready->parameters,
                                            NULL);
}

static CUresult play_step(struct player *player, uint32_t number) {
    const struct recording_step *step = &player->recording.steps[number];
    if (step->kind == RECORDING_LAUNCH)
        return play_launch(player, &step->launch, &player->ready[number]);
    player->doing = step->kind == RECORDING_FILL ? "its memory cannot be filled"
                                                 : "its memory cannot be copied";
    return step->kind == RECORDING_FILL ? play_fill(player, &step->fill)
                                        : play_copy(player, &step->copy);
}

int player_play(struct player *player, int number) {
    const struct recording_call *call = &player->recording.calls[number];
    CUresult status = CUDA_SUCCESS;
    for (uint32_t i = 0; i < call->steps && status == CUDA_SUCCESS; i++)
        status = play_step(player, call->first_step + i);
    return (int)status;
}
