#include "bench/replay/player.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/device/cuda_driver.h"
#include "bench/device/fixed_memory.h"
#include "bench/replay/recording.h"

/* A launch as the driver wants it. */
struct ready {
    CUlaunchConfig config;
    CUfunction function;
    unsigned char *bytes;
    void **parameters;
};

struct player {
    const struct cuda_driver *driver;
    struct recording recording;
    CUmodule *modules;      /* by image */
    CUfunction *functions;  /* by function */
    CUdeviceptr *variables; /* where they are here */
    CUlaunchAttribute *attributes;
    struct ready *ready; /* by step */
    CUdeviceptr held;    /* what memory and variables held, one behind the other */
    char *why;
};

/* Returns 1. */
static int refuse(struct player *player, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static int refuse(struct player *player, const char *format, ...) {
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
    if (status == CUDA_SUCCESS && from->large_clusters)
        status = driver->cuFuncSetAttribute(*function,
                                            CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1);
    if (status == CUDA_SUCCESS)
        return 0;
    return refuse(player, "the kernel %.100s cannot be set up: %s", name,
                  cuda_driver_words(status));
}

static int find_variables(struct player *player) {
    const struct recording *r = &player->recording;
    for (uint32_t i = 0; i < r->head.counts[RECORDING_TABLE_variables]; i++) {
        const struct recording_variable *from = &r->variables[i];
        const char *name = name_of(player, from->name);
        size_t bytes = 0;
        const CUresult status = player->driver->cuModuleGetGlobal(
            &player->variables[i], &bytes, player->modules[from->image], name);
        if (status != CUDA_SUCCESS || bytes != from->held.size)
            return refuse(player, "the variable %.100s is not to be had again", name);
    }
    return 0;
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
    if (r->head.arena_bytes > 0)
        status = driver->cuMemsetD8Async(r->head.arena, 0, r->head.arena_bytes, NULL);
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

static bool is_known_attribute(uint32_t id) {
    static const CUlaunchAttributeID known[] = {
        CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW,
        CU_LAUNCH_ATTRIBUTE_COOPERATIVE,
        CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION,
        CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE,
        CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION,
        CU_LAUNCH_ATTRIBUTE_PRIORITY,
        CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP,
        CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN,
        CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION,
        CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (id == (uint32_t)known[i])
            return true;
    return false;
}

static int take_attributes(struct player *player) {
    const struct recording *r = &player->recording;
    for (uint32_t i = 0; i < r->head.counts[RECORDING_TABLE_attributes]; i++) {
        const struct recording_attribute *from = &r->attributes[i];
        if (!is_known_attribute(from->id))
            return refuse(player, "a launch has attribute %u", from->id);
        player->attributes[i].id = (CUlaunchAttributeID)from->id;
        memcpy(&player->attributes[i].value, from->value, sizeof from->value);
    }
    return 0;
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
    ready->bytes = malloc(launch->bytes.size + 1);
    ready->parameters = calloc(launch->parameters + 1, sizeof *ready->parameters);
    if (!ready->bytes || !ready->parameters)
        return error("no memory for the parameters of a launch");
    if (!fits(player, launch))
        return refuse(player, "the kernel %.100s takes other parameters than were recorded",
                      name_of(player, r->functions[launch->function].name));
    memcpy(ready->bytes, r->blob + launch->bytes.at, launch->bytes.size);
    for (uint32_t i = 0; i < launch->pointers; i++) {
        const struct recording_pointer *p = &r->pointers[launch->first_pointer + i];
        const uint64_t address = player->variables[p->variable] + p->addend;
        memcpy(ready->bytes + p->offset, &address, sizeof address);
    }
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

static int prepare_steps(struct player *player) {
    const struct recording *r = &player->recording;
    int status = 0;
    for (uint32_t i = 0; i < r->head.counts[RECORDING_TABLE_steps] && status == 0; i++)
        if (r->steps[i].kind == RECORDING_LAUNCH)
            status = prepare_launch(player, &r->steps[i].launch, &player->ready[i]);
    return status;
}

static int make_room(struct player *player) {
    const uint32_t *counts = player->recording.head.counts;
    player->modules = calloc(counts[RECORDING_TABLE_images] + 1, sizeof *player->modules);
    player->functions = calloc(counts[RECORDING_TABLE_functions] + 1, sizeof *player->functions);
    player->variables = calloc(counts[RECORDING_TABLE_variables] + 1, sizeof *player->variables);
    player->attributes = calloc(counts[RECORDING_TABLE_attributes] + 1, sizeof *player->attributes);
    player->ready = calloc(counts[RECORDING_TABLE_steps] + 1, sizeof *player->ready);
    if (!player->modules || !player->functions || !player->variables || !player->attributes ||
        !player->ready)
        return error("no memory for a recording");
    return 0;
}

static int make_arena(struct player *player) {
    const struct recording_head *head = &player->recording.head;
    const char *why;
    int number = 0;
    fixed_memory_choose_arena(number);
    while (head->arena != fixed_memory_arena() && ++number < FIXED_ARENAS)
        fixed_memory_choose_arena(number);
    if (head->base != fixed_memory_base() || head->base_bytes != FIXED_BYTES ||
        number == FIXED_ARENAS)
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
        status = make_arena(player);
    if (status == 0)
        status = load_modules(player);
    for (uint32_t i = 0;
         i < player->recording.head.counts[RECORDING_TABLE_functions] && status == 0; i++)
        status = set_up_function(player, i);
    if (status == 0)
        status = find_variables(player);
    if (status == 0)
        status = upload_held(player);
    if (status == 0)
        status = take_attributes(player);
    return status == 0 ? prepare_steps(player) : status;
}

void player_close(struct player *player) {
    if (!player)
        return;
    const uint32_t *counts = player->recording.head.counts;
    for (uint32_t i = 0; player->ready && i < counts[RECORDING_TABLE_steps]; i++) {
        free(player->ready[i].bytes);
        free(player->ready[i].parameters);
    }
    for (uint32_t i = 0; player->modules && i < counts[RECORDING_TABLE_images]; i++)
        if (player->modules[i])
            player->driver->cuModuleUnload(player->modules[i]);
    if (player->held)
        player->driver->cuMemFree(player->held);
    free(player->modules);
    free(player->functions);
    free(player->variables);
    free(player->attributes);
    free(player->ready);
    recording_free(&player->recording);
    free(player);
}

int player_calls(const struct player *player) {
    return (int)player->recording.head.counts[RECORDING_TABLE_calls];
}

struct player_operands player_operands(const struct player *player, int call) {
    const struct recording_call *from = &player->recording.calls[call];
    return (struct player_operands){from->a, from->b_row, from->b_col, from->c};
}

int player_streams(const struct player *player) {
    return (int)player->recording.head.streams;
}

/* How many streams the call's steps were on; no more than there is room for are told apart. */
static int count_streams(const struct recording *r, const struct recording_call *call) {
    uint32_t list[64];
    int count = 0;
    for (uint32_t i = call->first_step; i < call->first_step + call->steps; i++) {
        int at = 0;
        while (at < count && list[at] != r->steps[i].stream)
            at++;
        if (at == count && count < (int)(sizeof list / sizeof *list))
            list[count++] = r->steps[i].stream;
    }
    return count;
}

int player_side_by_side(const struct player *player) {
    const struct recording *r = &player->recording;
    int most = 0;
    for (uint32_t c = 0; c < r->head.counts[RECORDING_TABLE_calls]; c++) {
        const int streams = count_streams(r, &r->calls[c]);
        most = streams > most ? streams : most;
    }
    return most;
}

int player_unread(const struct player *player) {
    return (int)player->recording.head.unread;
}

static CUdeviceptr place_of(const struct player *player, struct recording_place place) {
    return place.variable == RECORDING_NONE ? place.offset
                                            : player->variables[place.variable] + place.offset;
}

static CUresult play_fill(const struct player *player, const struct recording_fill *fill) {
    const struct cuda_driver *driver = player->driver;
    const CUdeviceptr to = place_of(player, fill->to);
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
    const CUdeviceptr to = place_of(player, copy->to), from = place_of(player, copy->from);
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

int player_play(struct player *player, int number) {
    const struct recording *r = &player->recording;
    const struct recording_call *call = &r->calls[number];
    CUresult status = CUDA_SUCCESS;
    for (uint32_t i = call->first_step; i < call->first_step + call->steps; i++) {
        const struct recording_step *step = &r->steps[i];
        const struct ready *ready = &player->ready[i];
        if (step->kind == RECORDING_LAUNCH)
            status = player->driver->cuLaunchKernelEx(&ready->config, ready->function,
                                                      ready->parameters, NULL);
        else if (step->kind == RECORDING_FILL)
            status = play_fill(player, &step->fill);
        else
            status = play_copy(player, &step->copy);
        if (status != CUDA_SUCCESS)
            break;
    }
    return (int)status;
}

const char *player_explain(int status) {
    return cuda_driver_words((CUresult)status);
}
