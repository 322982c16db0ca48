#include <stdlib.h>

#include "bench/base/error.h"
#include "bench/replay/player_parts.h"

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
    const CUDA_MEMSET_NODE_PARAMS memset = {.dst = player_place(player, fill->to),
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
                                  .srcDevice = player_place(player, copy->from),
                                  .srcPitch = one ? copy->width : copy->from_pitch,
                                  .srcHeight = copy->height,
                                  .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                                  .dstDevice = player_place(player, copy->to),
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
    return status == CUDA_SUCCESS ? 0
                                  : player_failed(player, "a graph of it cannot be made", status);
}

int player_make_graphs(struct player *player) {
    int status = 0;
    for (uint32_t i = 0; i < player->recording.head.counts[RECORDING_TABLE_graphs] && status == 0;
         i++)
        status = make_graph(player, i);
    return status;
}
