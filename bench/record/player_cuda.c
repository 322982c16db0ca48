#include "bench/record/player.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/device/fixed_memory.h"
#include "bench/record/player_parts.h"

int player_refuse(struct player *player, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(player->why, RECORDING_WHY, format, arguments);
    va_end(arguments);
    return 1;
}

int player_failed(struct player *player, const char *what, CUresult status) {
    return player_refuse(player, "%s: %s", what, cuda_driver_words(status));
}

const char *player_name(const struct player *player, struct recording_span name) {
    return recording_name(&player->recording, name);
}

CUdeviceptr player_address(const struct player *player, struct recording_address address) {
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
            return player_failed(player, "a module cannot be loaded by itself", status);
    }
    return 0;
}

static int set_up_function(struct player *player, uint32_t i) {
    const struct cuda_driver *driver = player->driver;
    const struct recording_function *from = &player->recording.functions[i];
    const char *name = player_name(player, from->name);
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
    return player_refuse(player, "the kernel %.100s cannot be set up: %s", name,
                         cuda_driver_words(status));
}

static int find_variable(struct player *player, uint32_t i) {
    const struct recording_variable *from = &player->recording.variables[i];
    const char *name = player_name(player, from->name);
    size_t bytes = 0;
    CUresult status = player->driver->cuModuleGetGlobal(&player->variables[i], &bytes,
                                                        player->modules[from->image], name);
    return status == CUDA_SUCCESS && bytes == from->held.size
               ? 0
               : player_refuse(player, "the variable %.100s is not to be had again", name);
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
            player_address(player, (struct recording_address){.variable = r->pointers[i].variable,
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
    return status == CUDA_SUCCESS ? 0
                                  : player_failed(player, "its memory cannot be restored", status);
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

/* Whether the kernel takes the parameters that the recording has. They are handed over one by one,
 * so where they lie does not matter. */
static bool fits(const struct player *player, const struct recording_launch *launch) {
    const CUfunction function = player->functions[launch->function];
    size_t offset, size;
    for (uint32_t i = 0; i < launch->parameters; i++) {
        const struct recording_parameter *p =
            &player->recording.parameters[launch->first_parameter + i];
        if (player->driver->cuFuncGetParamInfo(function, i, &offset, &size) != CUDA_SUCCESS ||
            size != p->size)
            return false;
    }
    return player->driver->cuFuncGetParamInfo(function, launch->parameters, &offset, &size) !=
           CUDA_SUCCESS;
}

static int prepare_launch(struct player *player, const struct recording_launch *launch,
                          struct ready *ready) {
    const struct recording *r = &player->recording;
    ready->function = player->functions[launch->function];
    ready->bytes = room(player, launch->bytes.size, 1);
    ready->parameters = room(player, launch->parameters, sizeof *ready->parameters);
    if (player->starved)
        return error("no memory for the parameters of a launch");
    if (!fits(player, launch))
        return player_refuse(player, "the kernel %.100s takes other parameters than were recorded",
                             player_name(player, r->functions[launch->function].name));
    memcpy(ready->bytes, r->blob + launch->bytes.at, launch->bytes.size);
    for (uint32_t i = 0; i < launch->parameters; i++)
        ready->parameters[i] = ready->bytes + r->parameters[launch->first_parameter + i].offset;
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
        return player_refuse(player, "it was recorded in another range of memory");
    if (head->arena_bytes > 0 && fixed_memory_grow_arena(head->arena_bytes, &why) < 0)
        return player_refuse(player, "its memory: %s", why);
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
        return player_refuse(player, "%s", fault);
    int status = recording_read(bytes, size, &player->recording, &fault);
    if (status != 0)
        return status < 0 ? -1 : player_refuse(player, "the recording: %s", fault);
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

const char *player_doing(const struct player *player) {
    return player->doing;
}

const char *player_explain(int status) {
    return cuda_driver_words((CUresult)status);
}
