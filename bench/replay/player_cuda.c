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

_Static_assert(sizeof(CUtensorMap) == RECORDING_MAP_BYTES, "a map is a parameter of that size");

/* Recipes are compiled without cuda.h, by the numbers of their words. */
_Static_assert(CU_TENSOR_MAP_DATA_TYPE_UINT8 == 0 && CU_TENSOR_MAP_DATA_TYPE_INT64 == 5 &&
                   CU_TENSOR_MAP_DATA_TYPE_FLOAT16 == 6 && CU_TENSOR_MAP_DATA_TYPE_FLOAT32 == 7 &&
                   CU_TENSOR_MAP_DATA_TYPE_BFLOAT16 == 9,
               "types have the numbers of a recipe's words");
_Static_assert(CU_TENSOR_MAP_INTERLEAVE_32B == 2 && CU_TENSOR_MAP_SWIZZLE_128B == 3 &&
                   CU_TENSOR_MAP_L2_PROMOTION_L2_256B == 3 &&
                   CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA == 1,
               "so have the others");
_Static_assert(CU_CLUSTER_SCHEDULING_POLICY_SPREAD == 1 &&
                   CU_CLUSTER_SCHEDULING_POLICY_LOAD_BALANCING == 2,
               "and these");

/* A launch as the driver wants it. */
struct ready {
    CUlaunchConfig config;
    CUfunction function;
    unsigned char *bytes;
    void **parameters;
    uint64_t *mapped; /* by pointer: the address that its map is of; 0: of nothing */
};

struct player {
    const struct cuda_driver *driver;
    struct recording recording;
    CUmodule *modules;               /* by image */
    CUfunction *functions;           /* by function */
    CUdeviceptr *variables;          /* where they are here */
    struct player_operands operands; /* of the call that is enqueued */
    CUlaunchAttribute *attributes;
    struct ready *ready;                          /* by step, and then by node */
    CUgraphExec *graphs;                          /* by graph */
    CUevent *marks;                               /* by step; NULL where nothing waits for it */
    uint32_t *used;                               /* by call: its streams, a bit each */
    CUstream streams[1 + RECORDING_MOST_STREAMS]; /* the first is the call's */
    CUevent begun, ended[1 + RECORDING_MOST_STREAMS];
    CUdeviceptr held; /* what memory and variables held, one behind the other */
    const char *doing;
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

static CUdeviceptr address_of(const struct player *player, uint32_t variable, uint64_t offset) {
    const struct player_operands *o = &player->operands;
    const uint64_t operands[] = {o->a, o->b_row, o->b_col, o->c, 0};
    return offset + (variable >= RECORDING_A ? operands[variable - RECORDING_A]
                                             : player->variables[variable]);
}

static CUdeviceptr place_of(const struct player *player, struct recording_place place) {
    return address_of(player, place.variable, place.offset);
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
    for (uint32_t i = 0; i < r->head.counts[RECORDING_TABLE_variables] && status == 0; i++) {
        const struct recording_variable *from = &r->variables[i];
        if (from->image != RECORDING_NONE) {
            status = find_variable(player, i);
            continue;
        }
        const CUresult taken =
            player->driver->cuMemAlloc(&player->variables[i], recording_variable_bytes(from));
        if (taken != CUDA_SUCCESS)
            status = failed(player, "its memory is not to be had", taken);
    }
    return status;
}

/* How much of a variable is restored from the device. Memory of a loose recording's own is not: a
 * kernel has so much memory as it says, and no copy beside it. */
static uint64_t copied(const struct recording_variable *variable) {
    return variable->image == RECORDING_NONE ? 0 : variable->held.size;
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
        bytes += copied(&r->variables[i]);
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
        const uint64_t size = copied(&r->variables[i]);
        if (size > 0)
            status = player->driver->cuMemcpyHtoD(at, r->blob + r->variables[i].held.at, size);
        at += size;
    }
    return status == CUDA_SUCCESS ? 0 : failed(player, "its memory cannot be restored", status);
}

uint64_t player_persisting(const struct player *player) {
    return player->recording.head.persisting;
}

uint64_t player_memory_bytes(const struct player *player) {
    const struct recording *r = &player->recording;
    uint64_t bytes = r->head.arena_bytes;
    for (uint32_t i = 0; i < r->head.counts[RECORDING_TABLE_variables]; i++)
        bytes += recording_variable_bytes(&r->variables[i]);
    return bytes;
}

/* Of a loose recording. */
static CUresult restore_memory(const struct player *player, uint32_t i) {
    const struct recording_variable *from = &player->recording.variables[i];
    const CUdeviceptr at = player->variables[i];
    CUresult status = CUDA_SUCCESS;
    if (from->rest > 0)
        status = player->driver->cuMemsetD8Async(at + from->held.size, (unsigned char)from->fill,
                                                 from->rest, NULL);
    if (from->held.size > 0 && status == CUDA_SUCCESS)
        status = player->driver->cuMemcpyHtoD(at, player->recording.blob + from->held.at,
                                              from->held.size);
    return status;
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
        const uint64_t size = copied(&r->variables[i]);
        status = size > 0 ? driver->cuMemcpyDtoDAsync(player->variables[i], from, size, NULL)
                          : restore_memory(player, i);
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

static CUresult make_map(const struct player *player, const struct recording_map *from,
                         uint64_t address, unsigned char *to) {
    CUtensorMap map;
    cuuint32_t box[RECORDING_RANK], steps[RECORDING_RANK];
    for (int i = 0; i < RECORDING_RANK; i++) {
        box[i] = (cuuint32_t)from->box[i];
        steps[i] = (cuuint32_t)from->steps[i];
    }
    const CUresult status = player->driver->cuTensorMapEncodeTiled(
        &map, (CUtensorMapDataType)from->type, from->rank, (void *)(uintptr_t)address, from->dims,
        from->strides, box, steps, (CUtensorMapInterleave)from->interleave,
        (CUtensorMapSwizzle)from->swizzle, (CUtensorMapL2promotion)from->l2_promotion,
        (CUtensorMapFloatOOBfill)from->fill);
    if (status == CUDA_SUCCESS)
        memcpy(to, &map, sizeof map);
    return status;
}

/* Writes the addresses that a launch is given. A map is made again only where it is to be of
 * another. */
static CUresult write_pointers(const struct player *player, const struct recording_launch *launch,
                               struct ready *ready) {
    const struct recording *r = &player->recording;
    CUresult status = CUDA_SUCCESS;
    for (uint32_t i = 0; i < launch->pointers && status == CUDA_SUCCESS; i++) {
        const struct recording_pointer *p = &r->pointers[launch->first_pointer + i];
        const uint64_t address = address_of(player, p->variable, p->addend);
        if (p->map == RECORDING_NONE) {
            memcpy(ready->bytes + p->offset, &address, sizeof address);
        } else if (address != ready->mapped[i]) {
            status = make_map(player, &r->maps[p->map], address, ready->bytes + p->offset);
            ready->mapped[i] = status == CUDA_SUCCESS ? address : 0;
        }
    }
    return status;
}

static int prepare_launch(struct player *player, const struct recording_launch *launch,
                          struct ready *ready) {
    const struct recording *r = &player->recording;
    ready->function = player->functions[launch->function];
    ready->bytes = malloc(launch->bytes.size + 1);
    ready->parameters = calloc(launch->parameters + 1, sizeof *ready->parameters);
    ready->mapped = calloc(launch->pointers + 1, sizeof *ready->mapped);
    if (!ready->bytes || !ready->parameters || !ready->mapped)
        return error("no memory for the parameters of a launch");
    if (!fits(player, launch))
        return refuse(player, "the kernel %.100s takes other parameters than were recorded",
                      name_of(player, r->functions[launch->function].name));
    memcpy(ready->bytes, r->blob + launch->bytes.at, launch->bytes.size);
    if (!recording_is_loose(r))
        write_pointers(player, launch, ready);
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
    const uint32_t steps = r->head.counts[RECORDING_TABLE_steps],
                   nodes = r->head.counts[RECORDING_TABLE_nodes];
    int status = 0;
    for (uint32_t i = 0; i < steps + nodes && status == 0; i++) {
        const struct recording_step *step = i < steps ? &r->steps[i] : &r->nodes[i - steps].work;
        if (step->kind == RECORDING_LAUNCH)
            status = prepare_launch(player, &step->launch, &player->ready[i]);
    }
    return status;
}

static CUresult add_kernel(const struct player *player, CUgraph graph, const struct ready *ready,
                           CUgraphNode *node) {
    const CUlaunchConfig *config = &ready->config;
    const CUDA_KERNEL_NODE_PARAMS kernel = {.func = ready->function,
                                            .gridDimX = config->gridDimX,
                                            .gridDimY = config->gridDimY,
                                            .gridDimZ = config->gridDimZ,
                                            .blockDimX = config->blockDimX,
                                            .blockDimY = config->blockDimY,
                                            .blockDimZ = config->blockDimZ,
                                            .sharedMemBytes = config->sharedMemBytes,
                                            .kernelParams = ready->parameters};
    CUresult status = player->driver->cuGraphAddKernelNode(node, graph, NULL, 0, &kernel);
    for (unsigned i = 0; i < config->numAttrs && status == CUDA_SUCCESS; i++)
        status = player->driver->cuGraphKernelNodeSetAttribute(*node, config->attrs[i].id,
                                                               &config->attrs[i].value);
    return status;
}

static CUresult add_fill(const struct player *player, CUgraph graph, CUcontext context,
                         const struct recording_fill *fill, CUgraphNode *node) {
    const CUDA_MEMSET_NODE_PARAMS memset = {.dst = place_of(player, fill->to),
                                            .pitch = fill->pitch,
                                            .value = fill->value,
                                            .elementSize = fill->element,
                                            .width = fill->width,
                                            .height = fill->height};
    return player->driver->cuGraphAddMemsetNode(node, graph, NULL, 0, &memset, context);
}

static CUresult add_copy(const struct player *player, CUgraph graph, CUcontext context,
                         const struct recording_copy *copy, CUgraphNode *node) {
    const bool one = copy->height == 1;
    const CUDA_MEMCPY3D memcpy = {.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                                  .srcDevice = place_of(player, copy->from),
                                  .srcPitch = one ? copy->width : copy->from_pitch,
                                  .srcHeight = copy->height,
                                  .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                                  .dstDevice = place_of(player, copy->to),
                                  .dstPitch = one ? copy->width : copy->to_pitch,
                                  .dstHeight = copy->height,
                                  .WidthInBytes = copy->width,
                                  .Height = copy->height,
                                  .Depth = 1};
    return player->driver->cuGraphAddMemcpyNode(node, graph, NULL, 0, &memcpy, context);
}

static CUresult add_node(const struct player *player, CUgraph graph, CUcontext context,
                         uint32_t number, CUgraphNode *node) {
    const struct recording *r = &player->recording;
    const struct recording_step *work = &r->nodes[number].work;
    switch (work->kind) {
    case RECORDING_LAUNCH:
        return add_kernel(player, graph,
                          &player->ready[r->head.counts[RECORDING_TABLE_steps] + number], node);
    case RECORDING_FILL:
        return add_fill(player, graph, context, &work->fill, node);
    case RECORDING_COPY:
        return add_copy(player, graph, context, &work->copy, node);
    default:
        return player->driver->cuGraphAddEmptyNode(node, graph, NULL, 0);
    }
}

static CUresult fill_graph(const struct player *player, const struct recording_graph *from,
                           CUgraph graph, CUgraphNode *nodes) {
    const struct recording *r = &player->recording;
    CUcontext context;
    CUresult status = player->driver->cuCtxGetCurrent(&context);
    for (uint32_t i = 0; i < from->nodes && status == CUDA_SUCCESS; i++)
        status = add_node(player, graph, context, from->first_node + i, &nodes[i]);
    for (uint32_t i = 0; i < from->edges && status == CUDA_SUCCESS; i++) {
        const struct recording_edge *edge = &r->edges[from->first_edge + i];
        const CUgraphEdgeData data = {.from_port = (unsigned char)edge->from_port,
                                      .to_port = (unsigned char)edge->to_port,
                                      .type = (unsigned char)edge->type};
        status = player->driver->cuGraphAddDependencies(graph, &nodes[edge->from], &nodes[edge->to],
                                                        &data, 1);
    }
    return status;
}

static int make_graph(struct player *player, uint32_t i) {
    const struct recording_graph *from = &player->recording.graphs[i];
    const struct cuda_driver *driver = player->driver;
    CUgraphNode *nodes = calloc(from->nodes, sizeof *nodes);
    CUgraph graph = NULL;
    if (!nodes)
        return error("no memory for the nodes of a graph");
    CUresult status = driver->cuGraphCreate(&graph, 0);
    if (status == CUDA_SUCCESS)
        status = fill_graph(player, from, graph, nodes);
    if (status == CUDA_SUCCESS)
        status = driver->cuGraphInstantiateWithFlags(
            &player->graphs[i], graph,
            from->node_priority ? CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY : 0);
    if (graph)
        driver->cuGraphDestroy(graph);
    free(nodes);
    return status == CUDA_SUCCESS ? 0 : failed(player, "a graph of it cannot be made", status);
}

static int make_graphs(struct player *player) {
    int status = 0;
    for (uint32_t i = 0; i < player->recording.head.counts[RECORDING_TABLE_graphs] && status == 0;
         i++)
        status = make_graph(player, i);
    return status;
}

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
        early |= has_attribute(r, &first[i], RECORDING_PROGRAMMATIC_SERIALIZATION);
    }
    for (uint32_t i = 0; i < call->steps && early && status == CUDA_SUCCESS; i++)
        if (first[i].kind == RECORDING_MARK)
            status = make_event(player, &player->marks[call->first_step + i]);
    for (uint32_t i = 0; i < call->steps && status == CUDA_SUCCESS; i++)
        if (first[i].kind == RECORDING_WAIT && waiting(player, number, &first[i]))
            status = make_event(player, &player->marks[first[i].wait.mark]);
    return status;
}

static int make_streams(struct player *player) {
    const struct recording_head *head = &player->recording.head;
    CUresult status = make_event(player, &player->begun);
    for (uint32_t i = 1; i <= head->streams && status == CUDA_SUCCESS; i++) {
        status = player->driver->cuStreamCreate(&player->streams[i], CU_STREAM_NON_BLOCKING);
        if (status == CUDA_SUCCESS)
            status = make_event(player, &player->ended[i]);
    }
    for (uint32_t i = 0; i < head->counts[RECORDING_TABLE_calls] && status == CUDA_SUCCESS; i++)
        status = prepare_call(player, i);
    return status == CUDA_SUCCESS ? 0 : failed(player, "its streams cannot be made", status);
}

static int make_room(struct player *player) {
    const uint32_t *counts = player->recording.head.counts;
    player->modules = calloc(counts[RECORDING_TABLE_images] + 1, sizeof *player->modules);
    player->functions = calloc(counts[RECORDING_TABLE_functions] + 1, sizeof *player->functions);
    player->variables = calloc(counts[RECORDING_TABLE_variables] + 1, sizeof *player->variables);
    player->attributes = calloc(counts[RECORDING_TABLE_attributes] + 1, sizeof *player->attributes);
    player->ready =
        calloc(counts[RECORDING_TABLE_steps] + (size_t)counts[RECORDING_TABLE_nodes] + 1,
               sizeof *player->ready);
    player->graphs = calloc(counts[RECORDING_TABLE_graphs] + 1, sizeof(CUgraphExec));
    player->marks = calloc(counts[RECORDING_TABLE_steps] + 1, sizeof(CUevent));
    player->used = calloc(counts[RECORDING_TABLE_calls] + 1, sizeof *player->used);
    if (!player->modules || !player->functions || !player->variables || !player->attributes ||
        !player->ready || !player->graphs || !player->marks || !player->used)
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
    if (status == 0 && !recording_is_loose(&player->recording))
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
    if (status == 0)
        status = prepare_launches(player);
    if (status == 0)
        status = make_graphs(player);
    return status == 0 ? make_streams(player) : status;
}

static void close_streams(struct player *player) {
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

void player_close(struct player *player) {
    if (!player)
        return;
    const uint32_t *counts = player->recording.head.counts;
    for (uint32_t i = 0; player->graphs && i < counts[RECORDING_TABLE_graphs]; i++)
        if (player->graphs[i])
            player->driver->cuGraphExecDestroy(player->graphs[i]);
    close_streams(player);
    for (uint32_t i = 0;
         player->ready && i < counts[RECORDING_TABLE_steps] + counts[RECORDING_TABLE_nodes]; i++) {
        free(player->ready[i].bytes);
        free(player->ready[i].parameters);
        free(player->ready[i].mapped);
    }
    for (uint32_t i = 0; player->modules && i < counts[RECORDING_TABLE_images]; i++)
        if (player->modules[i])
            player->driver->cuModuleUnload(player->modules[i]);
    if (player->held)
        player->driver->cuMemFree(player->held);
    for (uint32_t i = 0; player->variables && i < counts[RECORDING_TABLE_variables]; i++)
        if (player->recording.variables[i].image == RECORDING_NONE && player->variables[i])
            player->driver->cuMemFree(player->variables[i]);
    free(player->modules);
    free(player->functions);
    free(player->variables);
    free(player->attributes);
    free(player->ready);
    free(player->graphs);
    free(player->marks);
    free(player->used);
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

static bool is_chain(const struct recording *r, const struct recording_graph *graph) {
    uint32_t links = 0;
    for (uint32_t i = 0; i < graph->edges; i++) {
        const struct recording_edge *edge = &r->edges[graph->first_edge + i];
        links += edge->to == edge->from + 1;
    }
    return links + 1 >= graph->nodes;
}

/* How many streams the call's work was on. Nodes of a graph that is no chain may have one each. */
static int count_streams(const struct recording *r, const struct recording_call *call) {
    uint32_t used = 0;
    uint32_t nodes = 0;
    for (uint32_t i = call->first_step; i < call->first_step + call->steps; i++) {
        const struct recording_step *step = &r->steps[i];
        if (step->kind == RECORDING_MARK || step->kind == RECORDING_WAIT)
            continue;
        used |= UINT32_C(1) << step->stream;
        if (step->kind == RECORDING_GRAPH && !is_chain(r, &r->graphs[step->graph.graph]) &&
            r->graphs[step->graph.graph].nodes > nodes)
            nodes = r->graphs[step->graph.graph].nodes;
    }
    const int streams = __builtin_popcount(used);
    return nodes > (uint32_t)streams ? (int)nodes : streams;
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

static CUresult play_fill(const struct player *player, const struct recording_fill *fill,
                          CUstream stream) {
    const struct cuda_driver *driver = player->driver;
    const CUdeviceptr to = place_of(player, fill->to);
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
    const CUdeviceptr to = place_of(player, copy->to), from = place_of(player, copy->from);
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
        recording_is_loose(r) ? write_pointers(player, launch, ready) : CUDA_SUCCESS;
    if (status != CUDA_SUCCESS)
        return status;
    player->doing = name_of(player, r->functions[launch->function].name);
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
    const struct player_operands operands = player_operands(player, number);
    return player_play_at(player, number, &operands, NULL);
}

const char *player_doing(const struct player *player) {
    return player->doing;
}

int64_t player_multiprocessors(void) {
    const char *why;
    const struct cuda_driver *driver = cuda_driver(&why);
    CUdevice device;
    int count;
    if (!driver || driver->cuCtxGetDevice(&device) != CUDA_SUCCESS ||
        driver->cuDeviceGetAttribute(&count, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device) !=
            CUDA_SUCCESS)
        return -1;
    return count;
}

const char *player_explain(int status) {
    return cuda_driver_words((CUresult)status);
}
