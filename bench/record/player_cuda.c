#include "bench/record/player.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/device/cuda_driver.h"
#include "bench/device/fixed_memory.h"

/* A launch as the driver wants it. */
struct ready {
    CUlaunchConfig config;
    CUfunction function;
    unsigned char *bytes;
    void **parameters;
};

/* A piece of memory; the newest is the first. */
struct player_room {
    struct player_room *before;
    max_align_t bytes[];
};

struct player {
    const struct cuda_driver *driver;
    struct recording recording;
    CUmodule *modules;      /* by image */
    CUfunction *functions;  /* by function */
    CUdeviceptr *variables; /* where they are here */
    CUlaunchAttribute *attributes;
    struct ready *ready;      /* by step */
    CUdeviceptr held;         /* what memory and variables held, one behind the other */
    struct player_room *room; /* all of these tables: player_close frees it */
    bool starved;             /* for want of room */
    char *why;
};

/* Notes why the recording cannot be carried out here; returns 1. */
__attribute__((format(printf, 2, 3))) static int refuse(struct player *player, const char *format,
                                                        ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(player->why, RECORDING_WHY, format, arguments);
    va_end(arguments);
    return 1;
}

static int failed(struct player *player, const char *what, CUresult status) {
    return refuse(player, "%s: %s", what, cuda_driver_words(status));
}

static const char *name_of(const struct player *player, struct recording_span name) {
    return recording_name(&player->recording, name);
}

static CUdeviceptr address_of(const struct player *player, struct recording_address address) {
    return address.offset +
           (address.variable == RECORDING_NONE ? 0 : player->variables[address.variable]);
}

/* Zeroed memory that player_close frees. One more than is asked for, so that none is NULL. */
static void *room(struct player *player, size_t count, size_t size) {
    struct player_room *made = calloc(1, sizeof *made + (count + 1) * size);
    if (!made) {
        player->starved = true;
        return NULL;
    }
    made->before = player->room;
    player->room = made;
    return made->bytes;
}

static int load_modules(struct player *player) {
    const struct recording *r = &player->recording;
    for (uint32_t i = 0; i < r->head.counts[RECORDING_TABLE_images]; i++) {
        const CUresult status =
            player->driver->cuModuleLoadData(&player->modules[i], r->blob + r->images[i].bytes.at);
        if (status != CUDA_SUCCESS)
            return failed(player, "a module cannot be loaded by itself", status);
    }
    return 0;
}

static int set_up_function(struct player *player, uint32_t i) {
    const struct cuda_driver *driver = player->driver;
    const struct recording_function *from = &player->recording.functions[i];
    const char *name = name_of(player, from->name);
    CUfunction *function = &player->functions[i];
    CUresult status = driver->cuModuleGetFunction(function, player->modules[from->image], name);
    if (status == CUDA_SUCCESS && from->most_dynamic_shared > 0)
        status = driver->cuFuncSetAttribute(
            *function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, from->most_dynamic_shared);
    if (status == CUDA_SUCCESS && from->carveout >= 0)
        status = driver->cuFuncSetAttribute(
            *function, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, from->carveout);
    if (status == CUDA_SUCCESS && from->cache != CU_FUNC_CACHE_PREFER_NONE)
        status = driver->cuFuncSetCacheConfig(*function, (CUfunc_cache)from->cache);
    if (status == CUDA_SUCCESS && from->large_clusters)
        status = driver->cuFuncSetAttribute(*function,
                                            CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1);
    if (status == CUDA_SUCCESS)
        return 0;
    return refuse(player, "the kernel %.100s cannot be set up: %s", name,
                  cuda_driver_words(status));
}

static int find_variable(struct player *player, uint32_t i) {
    const struct recording_variable *from = &player->recording.variables[i];
    const char *name = name_of(player, from->name);
    size_t bytes = 0;
    CUresult status = player->driver->cuModuleGetGlobal(&player->variables[i], &bytes,
                                                        player->modules[from->image], name);
    return status == CUDA_SUCCESS && bytes == from->held.size
               ? 0
               : refuse(player, "the variable %.100s is not to be had again", name);
}

static int find_variables(struct player *player) {
    const struct recording *r = &player->recording;
    int status = 0;
    for (uint32_t i = 0; i < r->head.counts[RECORDING_TABLE_variables] && status == 0; i++)
        status = find_variable(player, i);
    return status;
}

/* Variables are elsewhere in each process. A recording that lies may have names or images overwritten
 * by this: images are loaded by now, and names end in the zero behind the blob at the latest. */
static void write_pointers(struct player *player) {
    const struct recording *r = &player->recording;
    unsigned char *blob = (unsigned char *)r->memory + (r->blob - (unsigned char *)r->memory);
    for (uint32_t i = 0; i < r->head.counts[RECORDING_TABLE_pointers]; i++) {
        const CUdeviceptr address =
            address_of(player, (struct recording_address){.variable = r->pointers[i].variable,
                                                          .offset = r->pointers[i].addend});
        memcpy(blob + r->pointers[i].at, &address, sizeof address);
    }
}

/* All that restoring needs, on the device. */
static int upload_held(struct player *player) {
    const struct recording *r = &player->recording;
    const uint32_t *counts = r->head.counts;
    CUdeviceptr at;
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < counts[RECORDING_TABLE_memories]; i++)
        bytes += r->memories[i].held.size;
    for (uint32_t i = 0; i < counts[RECORDING_TABLE_variables]; i++)
        bytes += r->variables[i].held.size;
    if (bytes == 0)
        return 0;
    CUresult status = player->driver->cuMemAlloc(&player->held, bytes);
    at = player->held;
    for (uint32_t i = 0; i < counts[RECORDING_TABLE_memories] && status == CUDA_SUCCESS; i++) {
        const struct recording_span held = r->memories[i].held;
        status = player->driver->cuMemcpyHtoD(at, r->blob + held.at, held.size);
        at += held.size;
    }
    for (uint32_t i = 0; i < counts[RECORDING_TABLE_variables] && status == CUDA_SUCCESS; i++) {
        const struct recording_span held = r->variables[i].held;
        status = player->driver->cuMemcpyHtoD(at, r->blob + held.at, held.size);
        at += held.size;
    }
    return status == CUDA_SUCCESS ? 0 : failed(player, "its memory cannot be restored", status);
}

int player_restore(struct player *player) {
    const struct recording *r = &player->recording;
    const uint32_t *counts = r->head.counts;
    const struct cuda_driver *driver = player->driver;
    CUdeviceptr from = player->held;
    CUresult status = CUDA_SUCCESS;
    const uint64_t mapped = fixed_memory_arena_bytes(); /* as much as any recording here needs */
    if (mapped > 0)
        status = driver->cuMemsetD8Async(r->head.arena, 0, mapped, NULL);
    for (uint32_t i = 0; i < counts[RECORDING_TABLE_memories] && status == CUDA_SUCCESS; i++) {
        const struct recording_memory *memory = &r->memories[i];
        status = driver->cuMemcpyDtoDAsync(memory->address, from, memory->held.size, NULL);
        from += memory->held.size;
    }
    for (uint32_t i = 0; i < counts[RECORDING_TABLE_variables] && status == CUDA_SUCCESS; i++) {
        const uint64_t size = r->variables[i].held.size;
        status = driver->cuMemcpyDtoDAsync(player->variables[i], from, size, NULL);
        from += size;
    }
    return (int)status;
}

static void take_attributes(struct player *player) {
    const struct recording *r = &player->recording;
    for (uint32_t i = 0; i < r->head.counts[RECORDING_TABLE_attributes]; i++) {
        player->attributes[i].id = (CUlaunchAttributeID)r->attributes[i].id;
        memcpy(&player->attributes[i].value, r->attributes[i].value, RECORDING_ATTRIBUTE_BYTES);
    }
}

/* The parameters are handed over one by one. Each lies so far behind the first one as the driver
 * says. 0; 1 where the kernel takes others than were recorded; -1 after error(). */
static int find_parameters(struct player *player, const struct recording_launch *launch,
                           struct ready *ready) {
    const struct cuda_driver *driver = player->driver;
    size_t count = 0, first = 0, at, size, end = 0;
    for (; driver->cuFuncGetParamInfo(ready->function, count, &at, &size) == CUDA_SUCCESS;
         count++) {
        first = count == 0 ? at : first;
        end = at - first + size;
    }
    if (end != launch->bytes.size)
        return refuse(player, "the kernel %.100s takes other parameters than were recorded",
                      name_of(player, player->recording.functions[launch->function].name));
    ready->parameters = room(player, count, sizeof *ready->parameters);
    for (size_t i = 0; i < count && !player->starved; i++) {
        driver->cuFuncGetParamInfo(ready->function, i, &at, &size);
        ready->parameters[i] = ready->bytes + (at - first);
    }
    return player->starved ? error("no memory for the parameters of a launch") : 0;
}

static int prepare_launch(struct player *player, const struct recording_launch *launch,
                          struct ready *ready) {
    const struct recording *r = &player->recording;
    ready->function = player->functions[launch->function];
    ready->bytes = room(player, launch->bytes.size, 1);
    if (player->starved)
        return error("no memory for the parameters of a launch");
    memcpy(ready->bytes, r->blob + launch->bytes.at, launch->bytes.size);
    const int status = find_parameters(player, launch, ready);
    if (status != 0)
        return status;
    ready->config = (CUlaunchConfig){.gridDimX = launch->grid[0],
                                     .gridDimY = launch->grid[1],
                                     .gridDimZ = launch->grid[2],
                                     .blockDimX = launch->block[0],
                                     .blockDimY = launch->block[1],
                                     .blockDimZ = launch->block[2],
                                     .sharedMemBytes = launch->shared_bytes,
                                     .attrs = player->attributes + launch->first_attribute,
                                     .numAttrs = launch->attributes};
    return 0;
}

static int prepare_launches(struct player *player) {
    const struct recording *r = &player->recording;
    int status = 0;
    for (uint32_t i = 0; i < r->head.counts[RECORDING_TABLE_steps] && status == 0; i++)
        if (r->steps[i].kind == RECORDING_LAUNCH)
            status = prepare_launch(player, &r->steps[i].launch, &player->ready[i]);
    return status;
}

static int make_room(struct player *player) {
    const uint32_t *counts = player->recording.head.counts;
    player->modules = room(player, counts[RECORDING_TABLE_images], sizeof *player->modules);
    player->functions = room(player, counts[RECORDING_TABLE_functions], sizeof *player->functions);
    player->variables = room(player, counts[RECORDING_TABLE_variables], sizeof *player->variables);
    player->attributes =
        room(player, counts[RECORDING_TABLE_attributes], sizeof *player->attributes);
    player->ready = room(player, counts[RECORDING_TABLE_steps], sizeof *player->ready);
    return player->starved ? error("no memory for a recording") : 0;
}

static int make_arena(struct player *player) {
    const struct recording_head *head = &player->recording.head;
    const char *why;
    if (head->base != fixed_memory_base() || head->base_bytes != FIXED_BYTES ||
        head->arena != fixed_memory_arena())
        return refuse(player, "it was recorded in another range of memory");
    if (head->arena_bytes > 0 && fixed_memory_grow_arena(head->arena_bytes, &why) < 0)
        return refuse(player, "its memory: %s", why);
    return 0;
}

int player_open(const void *bytes, size_t size, struct player **result, char why[RECORDING_WHY]) {
    const char *fault;
    struct player *player = calloc(1, sizeof *player);
    *result = player;
    if (!player)
        return error("no memory for a player");
    player->why = why;
    player->driver = cuda_driver(&fault);
    if (!player->driver)
        return refuse(player, "%s", fault);
    int status = recording_read(bytes, size, &player->recording, &fault);
    if (status != 0)
        return status < 0 ? -1 : refuse(player, "the recording: %s", fault);
    status = make_room(player);
    if (status == 0)
        take_attributes(player);
    if (status == 0)
        status = make_arena(player);
    if (status == 0)
        status = load_modules(player);
    for (uint32_t i = 0;
         i < player->recording.head.counts[RECORDING_TABLE_functions] && status == 0; i++)
        status = set_up_function(player, i);
    if (status == 0)
        status = find_variables(player);
    if (status == 0) {
        write_pointers(player);
        status = upload_held(player);
    }
    return status == 0 ? prepare_launches(player) : status;
}

void player_close(struct player *player) {
    if (!player)
        return;
    const uint32_t *counts = player->recording.head.counts;
    for (uint32_t i = 0; player->modules && i < counts[RECORDING_TABLE_images]; i++)
        if (player->modules[i])
            player->driver->cuModuleUnload(player->modules[i]);
    if (player->held)
        player->driver->cuMemFree(player->held);
    while (player->room) {
        struct player_room *before = player->room->before;
        free(player->room);
        player->room = before;
    }
    recording_free(&player->recording);
    free(player);
}

const struct recording *player_recording(const struct player *player) {
    return &player->recording;
}

const char *player_explain(int status) {
    return cuda_driver_words((CUresult)status);
}

static CUresult play_fill(const struct player *player, const struct recording_fill *fill) {
    const struct cuda_driver *driver = player->driver;
    const CUdeviceptr to = address_of(player, fill->to);
    return fill->element == 1
               ? driver->cuMemsetD8Async(to, (unsigned char)fill->value, fill->count, NULL)
           : fill->element == 2
               ? driver->cuMemsetD16Async(to, (unsigned short)fill->value, fill->count, NULL)
               : driver->cuMemsetD32Async(to, fill->value, fill->count, NULL);
}

static CUresult play_copy(const struct player *player, const struct recording_copy *copy) {
    const CUdeviceptr to = address_of(player, copy->to), from = address_of(player, copy->from);
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

static CUresult play_step(const struct player *player, uint32_t number) {
    const struct recording_step *step = &player->recording.steps[number];
    const struct ready *ready = &player->ready[number];
    switch (step->kind) {
    case RECORDING_LAUNCH:
        return player->driver->cuLaunchKernelEx(&ready->config, ready->function, ready->parameters,
                                                NULL);
    case RECORDING_FILL:
        return play_fill(player, &step->fill);
    default:
        return play_copy(player, &step->copy);
    }
}

int player_play(struct player *player, int number) {
    const struct recording_call *call = &player->recording.calls[number];
    CUresult status = CUDA_SUCCESS;
    for (uint32_t i = 0; i < call->steps && status == CUDA_SUCCESS; i++)
        status = play_step(player, call->first_step + i);
    return (int)status;
}
