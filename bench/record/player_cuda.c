#include "bench/record/player.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/device/cuda_driver.h"
#include "bench/device/fixed_memory.h"
#include "bench/record/cubin.h"

/* A launch as the driver wants it. */
struct ready {
    CUlaunchConfig config;
    CUfunction function;
    void **parameters; /* each is in the recording's blob */
};

struct player {
    const struct cuda_driver *driver;
    struct recording recording;
    CUmodule *modules;      /* by image */
    CUfunction *functions;  /* by function */
    CUdeviceptr *variables; /* where they are here */
    CUlaunchAttribute *attributes;
    struct ready *ready; /* by step */
    CUdeviceptr blob;    /* the recording's, on the device: what memory and variables held */
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

/* 0; 1 where the recording cannot be carried out here; -1 after error(). Each of these is for an entry
 * of a table. */
typedef int entry_maker(struct player *player, uint32_t number);

static int take_attribute(struct player *player, uint32_t number) {
    const struct recording_attribute *from = &player->recording.attributes[number];
    player->attributes[number].id = (CUlaunchAttributeID)from->id;
    memcpy(&player->attributes[number].value, from->value, RECORDING_ATTRIBUTE_BYTES);
    return 0;
}

/* The variables of a module that are looked for among those of its recording. */
struct looked_for {
    struct player *player;
    uint32_t image;
    int status;
};

static void look_for(void *context, const char *name, uint64_t size) {
    struct looked_for *looked = context;
    const struct recording *r = &looked->player->recording;
    CUdeviceptr at;
    size_t bytes;
    (void)size;
    for (uint32_t i = 0; i < r->head.counts[RECORDING_TABLE_variables]; i++)
        if (r->variables[i].image == looked->image &&
            strcmp(name_of(looked->player, r->variables[i].name), name) == 0)
            return;
    if (looked->player->driver->cuModuleGetGlobal(
            &at, &bytes, looked->player->modules[looked->image], name) == CUDA_SUCCESS)
        looked->status = refuse(looked->player, "the variable %.100s is not restored", name);
}

/* A variable that is not in the recording would keep what a call has left in it. */
static int load_module(struct player *player, uint32_t number) {
    const struct recording *r = &player->recording;
    const struct recording_span image = r->images[number].bytes;
    struct looked_for looked = {player, number, 0};
    const CUresult status =
        player->driver->cuModuleLoadData(&player->modules[number], r->blob + image.at);
    if (status != CUDA_SUCCESS)
        return failed(player, "a module cannot be loaded by itself", status);
    cubin_list_variables(r->blob + image.at, image.size, look_for, &looked);
    return looked.status;
}

static int set_up_function(struct player *player, uint32_t number) {
    const struct cuda_driver *driver = player->driver;
    const struct recording_function *from = &player->recording.functions[number];
    const char *name = name_of(player, from->name);
    CUfunction *function = &player->functions[number];
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

static int find_variable(struct player *player, uint32_t number) {
    const struct recording_variable *from = &player->recording.variables[number];
    const char *name = name_of(player, from->name);
    size_t bytes = 0;
    CUresult status = player->driver->cuModuleGetGlobal(&player->variables[number], &bytes,
                                                        player->modules[from->image], name);
    return status == CUDA_SUCCESS && bytes == from->held.size
               ? 0
               : refuse(player, "the variable %.100s is not to be had again", name);
}

static unsigned char *in_blob(struct player *player, uint64_t at) {
    const struct recording *r = &player->recording;
    return (unsigned char *)r->memory + (r->blob - (unsigned char *)r->memory) + at;
}

/* Variables are elsewhere in each process. A recording that lies may have names or images overwritten
 * by this: images are loaded by now, and names end in the zero behind the blob at the latest. */
static int write_pointer(struct player *player, uint32_t number) {
    const struct recording_pointer *pointer = &player->recording.pointers[number];
    const CUdeviceptr address =
        address_of(player, (struct recording_address){.variable = pointer->variable,
                                                      .offset = pointer->addend});
    memcpy(in_blob(player, pointer->at), &address, sizeof address);
    return 0;
}

/* The parameters are handed over one by one. Each lies so far behind the first one as the driver
 * says. */
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
    ready->parameters = calloc(count + 1, sizeof *ready->parameters);
    if (!ready->parameters)
        return error("no memory for the parameters of a launch");
    for (size_t i = 0; i < count; i++) {
        driver->cuFuncGetParamInfo(ready->function, i, &at, &size);
        ready->parameters[i] = in_blob(player, launch->bytes.at + (at - first));
    }
    return 0;
}

static int prepare_step(struct player *player, uint32_t number) {
    const struct recording_step *step = &player->recording.steps[number];
    const struct recording_launch *launch = &step->launch;
    struct ready *ready = &player->ready[number];
    if (step->kind != RECORDING_LAUNCH)
        return 0;
    ready->function = player->functions[launch->function];
    ready->config = (CUlaunchConfig){.gridDimX = launch->grid[0],
                                     .gridDimY = launch->grid[1],
                                     .gridDimZ = launch->grid[2],
                                     .blockDimX = launch->block[0],
                                     .blockDimY = launch->block[1],
                                     .blockDimZ = launch->block[2],
                                     .sharedMemBytes = launch->shared_bytes,
                                     .attrs = player->attributes + launch->first_attribute,
                                     .numAttrs = launch->attributes};
    return find_parameters(player, launch, ready);
}

static int make_entries(struct player *player) {
    static const struct {
        enum recording_table table;
        entry_maker *make;
    } order[] = {
        {RECORDING_TABLE_attributes, take_attribute}, {RECORDING_TABLE_images, load_module},
        {RECORDING_TABLE_functions, set_up_function}, {RECORDING_TABLE_variables, find_variable},
        {RECORDING_TABLE_pointers, write_pointer},    {RECORDING_TABLE_steps, prepare_step}};
    int status = 0;
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        for (uint32_t j = 0; j < player->recording.head.counts[order[i].table] && status == 0; j++)
            status = order[i].make(player, j);
    return status;
}

static int upload_blob(struct player *player) {
    const struct recording *r = &player->recording;
    if (r->head.counts[RECORDING_TABLE_memories] + r->head.counts[RECORDING_TABLE_variables] == 0)
        return 0;
    CUresult status = player->driver->cuMemAlloc(&player->blob, r->head.blob_bytes);
    if (status == CUDA_SUCCESS)
        status = player->driver->cuMemcpyHtoD(player->blob, r->blob, r->head.blob_bytes);
    return status == CUDA_SUCCESS ? 0 : failed(player, "its memory cannot be restored", status);
}

static CUresult restore_span(const struct player *player, CUdeviceptr to,
                             struct recording_span held) {
    return player->driver->cuMemcpyDtoDAsync(to, player->blob + held.at, held.size, NULL);
}

int player_restore(struct player *player) {
    const struct recording *r = &player->recording;
    const uint32_t *counts = r->head.counts;
    CUresult status = CUDA_SUCCESS;
    const uint64_t mapped = fixed_memory_arena_bytes(); /* as much as any recording here needs */
    if (mapped > 0)
        status = player->driver->cuMemsetD8Async(r->head.arena, 0, mapped, NULL);
    for (uint32_t i = 0; i < counts[RECORDING_TABLE_memories] && status == CUDA_SUCCESS; i++)
        status = restore_span(player, r->memories[i].address, r->memories[i].held);
    for (uint32_t i = 0; i < counts[RECORDING_TABLE_variables] && status == CUDA_SUCCESS; i++)
        status = restore_span(player, player->variables[i], r->variables[i].held);
    return (int)status;
}

/* None is empty, so that none is NULL. */
static void *make_table(const struct player *player, enum recording_table table, size_t size) {
    return calloc(player->recording.head.counts[table] + 1, size);
}

static int make_tables(struct player *player) {
    player->modules = make_table(player, RECORDING_TABLE_images, sizeof *player->modules);
    player->functions = make_table(player, RECORDING_TABLE_functions, sizeof *player->functions);
    player->variables = make_table(player, RECORDING_TABLE_variables, sizeof *player->variables);
    player->attributes = make_table(player, RECORDING_TABLE_attributes, sizeof *player->attributes);
    player->ready = make_table(player, RECORDING_TABLE_steps, sizeof *player->ready);
    return player->modules && player->functions && player->variables && player->attributes &&
                   player->ready
               ? 0
               : error("no memory for a recording");
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
    status = make_tables(player);
    if (status == 0)
        status = make_arena(player);
    if (status == 0)
        status = make_entries(player);
    return status == 0 ? upload_blob(player) : status;
}

void player_close(struct player *player) {
    if (!player)
        return;
    const uint32_t *counts = player->recording.head.counts;
    for (uint32_t i = 0; player->modules && i < counts[RECORDING_TABLE_images]; i++)
        if (player->modules[i])
            player->driver->cuModuleUnload(player->modules[i]);
    for (uint32_t i = 0; player->ready && i < counts[RECORDING_TABLE_steps]; i++)
        free(player->ready[i].parameters);
    if (player->blob)
        player->driver->cuMemFree(player->blob);
    free(player->modules);
    free(player->functions);
    free(player->variables);
    free(player->attributes);
    free(player->ready);
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
