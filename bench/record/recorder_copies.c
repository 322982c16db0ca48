/* Fills and copies that run on the device. Whether addresses are the kernel's own is settled when
 * all is recorded. */
#include "bench/record/recorder_parts.h"

static struct recording_address address_of(CUdeviceptr at) {
    return (struct recording_address){.variable = RECORDING_NONE, .offset = at};
}

static void fill(CUdeviceptr to, unsigned value, unsigned element, size_t count) {
    const struct recording_step step = {
        .kind = RECORDING_FILL,
        .fill = {.to = address_of(to), .value = value, .element = element, .count = count}};
    if (count > 0)
        recorder_add_step(&step);
}

#define FILL(bits, member)                                                                         \
    void recorder_on_fill_##bits(const struct recorder_event *event) {                             \
        const cuMemsetD##bits##_v2_params *p = event->parameters;                                  \
        if (recorder_takes(event, NULL))                                                           \
            fill(p->dstDevice, p->member, bits / 8, p->N);                                         \
    }                                                                                              \
    void recorder_on_fill_async_##bits(const struct recorder_event *event) {                       \
        const cuMemsetD##bits##Async_params *p = event->parameters;                                \
        if (recorder_takes(event, p->hStream))                                                     \
            fill(p->dstDevice, p->member, bits / 8, p->N);                                         \
    }
FILL(8, uc)
FILL(16, us)
FILL(32, ui)

/* Where there are unified addresses, memory of the host has other ones than the device's. */
static bool on_device(CUmemorytype type) {
    return type == CU_MEMORYTYPE_DEVICE || type == CU_MEMORYTYPE_UNIFIED;
}

static bool make_copy(const CUDA_MEMCPY2D *copy, struct recording_step *step) {
    if (!on_device(copy->srcMemoryType) || !on_device(copy->dstMemoryType)) {
        recorder_refuse("it copies between the host and the device");
        return false;
    }
    const CUdeviceptr from = copy->srcDevice + copy->srcY * copy->srcPitch + copy->srcXInBytes,
                      to = copy->dstDevice + copy->dstY * copy->dstPitch + copy->dstXInBytes;
    *step = (struct recording_step){.kind = RECORDING_COPY,
                                    .copy = {.to = address_of(to),
                                             .from = address_of(from),
                                             .width = copy->WidthInBytes,
                                             .height = copy->Height,
                                             .to_pitch = copy->dstPitch,
                                             .from_pitch = copy->srcPitch}};
    return true;
}

static void add_copy(const CUDA_MEMCPY2D *copy) {
    struct recording_step step;
    if (copy->WidthInBytes > 0 && copy->Height > 0 && make_copy(copy, &step))
        recorder_add_step(&step);
}

static void copy_bytes(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
    const CUDA_MEMCPY2D copy = {.srcMemoryType = CU_MEMORYTYPE_UNIFIED,
                                .srcDevice = from,
                                .srcPitch = bytes,
                                .dstMemoryType = CU_MEMORYTYPE_UNIFIED,
                                .dstDevice = to,
                                .dstPitch = bytes,
                                .WidthInBytes = bytes,
                                .Height = 1};
    add_copy(&copy);
}

void recorder_on_copy(const struct recorder_event *event) {
    const cuMemcpy_params *p = event->parameters; /* cuMemcpyDtoD_v2's are the same */
    if (recorder_takes(event, NULL))
        copy_bytes(p->dst, p->src, p->ByteCount);
}

void recorder_on_copy_async(const struct recorder_event *event) {
    const cuMemcpyAsync_params *p = event->parameters; /* cuMemcpyDtoDAsync_v2's are the same */
    if (recorder_takes(event, p->hStream))
        copy_bytes(p->dst, p->src, p->ByteCount);
}

void recorder_on_copy_2d(const struct recorder_event *event) {
    const cuMemcpy2D_v2_params *p = event->parameters;
    if (recorder_takes(event, NULL))
        add_copy(p->pCopy);
}

void recorder_on_copy_2d_async(const struct recorder_event *event) {
    const cuMemcpy2DAsync_v2_params *p = event->parameters;
    if (recorder_takes(event, p->hStream))
        add_copy(p->pCopy);
}
