/* Tensor maps. A launch has their bytes, which only the driver can read: what they say is known
 * from the calls that make them. */
#include <string.h>

#include "bench/replay/recorder_parts.h"

_Static_assert(sizeof(CUtensorMap) == RECORDING_MAP_BYTES, "it is kept whole");

/* One that is made again has the same bytes. */
static void add_map(const struct recording_map *map) {
    struct recording_writer *writer = &recorder.writer;
    const uint32_t count = recording_next(writer, RECORDING_TABLE_maps);
    for (uint32_t i = count; i-- > 0;) {
        const struct recording_map *other = recording_entry(writer, RECORDING_TABLE_maps, i);
        if (memcmp(other->bytes, map->bytes, sizeof map->bytes) == 0)
            return;
    }
    recording_add_map(writer, map);
}

static void on_encode(const struct recorder_event *event, const void *parameters) {
    const cuTensorMapEncodeTiled_params *p = parameters;
    if (!recorder_is_done(event) || p->tensorRank > RECORDING_RANK)
        return;
    struct recording_map map = {.address = (uint64_t)(uintptr_t)p->globalAddress,
                                .rank = p->tensorRank,
                                .type = (uint32_t)p->tensorDataType,
                                .interleave = (uint32_t)p->interleave,
                                .swizzle = (uint32_t)p->swizzle,
                                .l2_promotion = (uint32_t)p->l2Promotion,
                                .fill = (uint32_t)p->oobFill};
    memcpy(map.bytes, p->tensorMap, sizeof map.bytes);
    for (uint32_t i = 0; i < map.rank; i++) {
        map.dims[i] = p->globalDim[i];
        map.box[i] = p->boxDim[i];
        map.steps[i] = p->elementStrides[i];
        if (i + 1 < map.rank)
            map.strides[i] = p->globalStrides[i];
    }
    add_map(&map);
}

/* The first of what either call is given is the map. */
static void on_other(const struct recorder_event *event, const void *parameters) {
    struct recording_map map = {.rank = 0};
    if (!recorder_is_done(event))
        return;
    memcpy(map.bytes, *(const CUtensorMap *const *)parameters, sizeof map.bytes);
    add_map(&map);
}

void recorder_handle_maps(struct recorder_slot *handlers) {
    RECORDER_HANDLE(cuTensorMapEncodeTiled, on_encode);
    RECORDER_HANDLE(cuTensorMapEncodeIm2col, on_other);
    RECORDER_HANDLE(cuTensorMapReplaceAddress, on_other);
}
