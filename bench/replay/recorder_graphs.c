/* A graph is recorded with its edges. What it holds is read when it becomes executable; afterwards
 * only calls that are handled here change it. */
#include <stdlib.h>
#include <string.h>

#include "bench/replay/recorder_parts.h"

enum { MOST_GRAPHS = 64, MOST_NODES = 1024, MOST_EDGES = 65536, MOST_DEPTH = 4 };

static struct graph {
    CUgraphExec exec; /* NULL: this place is free */
    struct {
        CUgraphNode node;
        struct recording_step step;
    } * nodes;
    struct recording_edge *edges;
    uint32_t count, edge_count;
    uint32_t number; /* in the recording, as it is now; or RECORDING_NONE */
    bool node_priority;
    bool unknown; /* something in it cannot be replayed */
} graphs[MOST_GRAPHS];

static struct graph *find_graph(CUgraphExec exec) {
    for (int i = 0; i < MOST_GRAPHS; i++)
        if (graphs[i].exec == exec)
            return &graphs[i];
    return NULL;
}

enum { NODE_ATTRIBUTES = 9 };

/* Of what a kernel node may have beyond its parameters, what somebody has set. */
static unsigned node_attributes(CUgraphNode node, CUlaunchAttribute *list) {
    static const CUlaunchAttributeID ids[NODE_ATTRIBUTES] = {
        CU_LAUNCH_ATTRIBUTE_COOPERATIVE,
        CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION,
        CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE,
        CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW,
        CU_LAUNCH_ATTRIBUTE_PRIORITY,
        CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP,
        CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN,
        CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION,
        CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT};
    unsigned count = 0;
    for (size_t i = 0; i < NODE_ATTRIBUTES; i++) {
        static const CUlaunchAttributeValue zero;
        CUlaunchAttribute *attribute = &list[count];
        memset(attribute, 0, sizeof *attribute);
        attribute->id = ids[i];
        if (recorder.driver->cuGraphKernelNodeGetAttribute(node, ids[i], &attribute->value) ==
            CUDA_SUCCESS)
            count += ids[i] == CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW
                         ? attribute->value.accessPolicyWindow.num_bytes > 0
                     : ids[i] == CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT
                         ? attribute->value.sharedMemCarveout - 1 < 100
                         : memcmp(&attribute->value, &zero, sizeof zero) != 0;
    }
    return count;
}

static bool make_kernel(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *p,
                        struct recording_step *step) {
    CUlaunchAttribute attributes[NODE_ATTRIBUTES];
    if (p->func)
        recorder_take_handle(p->func, false);
    else
        recorder_take_handle(p->kern, true);
    const struct recorder_launch launch = {.function = p->func ? p->func : (CUfunction)p->kern,
                                           .grid = {p->gridDimX, p->gridDimY, p->gridDimZ},
                                           .block = {p->blockDimX, p->blockDimY, p->blockDimZ},
                                           .shared_bytes = p->sharedMemBytes,
                                           .parameters = p->kernelParams,
                                           .extra = p->extra,
                                           .attributes = attributes,
                                           .attribute_count = node_attributes(node, attributes)};
    return recorder_make_launch(&launch, step);
}

static bool make_copy(CUgraphNode node, struct recording_step *step) {
    CUDA_MEMCPY3D p;
    if (recorder.driver->cuGraphMemcpyNodeGetParams(node, &p) != CUDA_SUCCESS || p.Depth != 1 ||
        p.srcZ || p.dstZ)
        return false;
    const CUDA_MEMCPY2D copy = {.srcXInBytes = p.srcXInBytes,
                                .srcY = p.srcY,
                                .srcMemoryType = p.srcMemoryType,
                                .srcDevice = p.srcDevice,
                                .srcPitch = p.srcPitch,
                                .dstXInBytes = p.dstXInBytes,
                                .dstY = p.dstY,
                                .dstMemoryType = p.dstMemoryType,
                                .dstDevice = p.dstDevice,
                                .dstPitch = p.dstPitch,
                                .WidthInBytes = p.WidthInBytes,
                                .Height = p.Height};
    return recorder_make_copy(&copy, step);
}

static bool make_fill(CUgraphNode node, struct recording_step *step) {
    CUDA_MEMSET_NODE_PARAMS p;
    if (recorder.driver->cuGraphMemsetNodeGetParams(node, &p) != CUDA_SUCCESS)
        return false;
    recorder_make_fill(p.dst, p.pitch, p.value, p.elementSize, p.width, p.height, step);
    return true;
}

static bool append_node(struct graph *graph, CUgraphNode node, const struct recording_step *step) {
    void *more = graph->count < MOST_NODES
                     ? realloc(graph->nodes, (graph->count + 1) * sizeof *graph->nodes)
                     : NULL;
    if (!more)
        return false;
    graph->nodes = more;
    graph->nodes[graph->count].node = node;
    graph->nodes[graph->count++].step = *step;
    return true;
}

static bool append_nothing(struct graph *graph) {
    return append_node(graph, NULL, &(struct recording_step){.kind = RECORDING_NOTHING});
}

static bool append_edge(struct graph *graph, uint32_t from, uint32_t to,
                        const CUgraphEdgeData *data) {
    void *more = graph->edge_count < MOST_EDGES
                     ? realloc(graph->edges, (graph->edge_count + 1) * sizeof *graph->edges)
                     : NULL;
    if (!more)
        return false;
    graph->edges = more;
    graph->edges[graph->edge_count++] = (struct recording_edge){.from = from,
                                                                .to = to,
                                                                .from_port = data->from_port,
                                                                .to_port = data->to_port,
                                                                .type = data->type};
    return true;
}

static bool expand(struct graph *graph, CUgraph from, int depth);

/* Adds the node. A graph inside becomes its nodes, between two that do nothing. */
static bool add_node(struct graph *graph, CUgraphNode node, int depth) {
    CUgraphNodeType type;
    CUDA_KERNEL_NODE_PARAMS kernel;
    struct recording_step step;
    CUgraph child;
    if (recorder.driver->cuGraphNodeGetType(node, &type) != CUDA_SUCCESS)
        return false;
    switch (type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
        return recorder.driver->cuGraphKernelNodeGetParams(node, &kernel) == CUDA_SUCCESS &&
               make_kernel(node, &kernel, &step) && append_node(graph, node, &step);
    case CU_GRAPH_NODE_TYPE_MEMCPY:
        return make_copy(node, &step) && append_node(graph, node, &step);
    case CU_GRAPH_NODE_TYPE_MEMSET:
        return make_fill(node, &step) && append_node(graph, node, &step);
    case CU_GRAPH_NODE_TYPE_GRAPH:
        return recorder.driver->cuGraphChildGraphNodeGetGraph(node, &child) == CUDA_SUCCESS &&
               append_nothing(graph) && expand(graph, child, depth + 1);
    case CU_GRAPH_NODE_TYPE_EMPTY:
        return append_nothing(graph);
    default:
        return false;
    }
}

struct shape {
    CUgraphNode *nodes, *from, *to;
    CUgraphEdgeData *edges;
    size_t node_count, edge_count;
};

/* False where it cannot be read. */
static bool read_shape(CUgraph graph, struct shape *shape) {
    const struct cuda_driver *driver = recorder.driver;
    if (driver->cuGraphGetNodes(graph, NULL, &shape->node_count) != CUDA_SUCCESS ||
        driver->cuGraphGetEdges(graph, NULL, NULL, NULL, &shape->edge_count) != CUDA_SUCCESS ||
        shape->node_count > MOST_NODES || shape->edge_count > (size_t)MOST_NODES * MOST_NODES)
        return false;
    shape->nodes = calloc(shape->node_count + 1, sizeof *shape->nodes);
    shape->from = calloc(shape->edge_count + 1, sizeof *shape->from);
    shape->to = calloc(shape->edge_count + 1, sizeof *shape->to);
    shape->edges = calloc(shape->edge_count + 1, sizeof *shape->edges);
    if (!shape->nodes || !shape->from || !shape->to || !shape->edges)
        return false;
    return (shape->node_count == 0 ||
            driver->cuGraphGetNodes(graph, shape->nodes, &shape->node_count) == CUDA_SUCCESS) &&
           (shape->edge_count == 0 ||
            driver->cuGraphGetEdges(graph, shape->from, shape->to, shape->edges,
                                    &shape->edge_count) == CUDA_SUCCESS);
}

/* Whether all that it waits for is done. */
static bool is_ready(const struct shape *shape, CUgraphNode node, const uint32_t *first) {
    for (size_t e = 0; e < shape->edge_count; e++)
        for (size_t i = 0; shape->to[e] == node && i < shape->node_count; i++)
            if (shape->nodes[i] == shape->from[e] && first[i] == RECORDING_NONE)
                return false;
    return true;
}

/* Where a node of the shape begins and ends in ours: RECORDING_NONE where it is not yet added. */
struct places {
    uint32_t first[MOST_NODES], last[MOST_NODES];
};

static bool add_in_order(struct graph *graph, const struct shape *shape, struct places *places,
                         int depth) {
    for (size_t i = 0; i < shape->node_count; i++)
        places->first[i] = RECORDING_NONE;
    for (size_t left = shape->node_count; left > 0; left--) {
        size_t next = 0;
        while (next < shape->node_count && (places->first[next] != RECORDING_NONE ||
                                            !is_ready(shape, shape->nodes[next], places->first)))
            next++;
        if (next == shape->node_count)
            return false;
        const uint32_t first = graph->count;
        if (!add_node(graph, shape->nodes[next], depth))
            return false;
        places->first[next] = first;
        places->last[next] = graph->count - 1;
    }
    return true;
}

static size_t index_of(const struct shape *shape, CUgraphNode node) {
    size_t i = 0;
    while (i < shape->node_count && shape->nodes[i] != node)
        i++;
    return i;
}

static bool add_edges(struct graph *graph, const struct shape *shape, const struct places *places) {
    for (size_t e = 0; e < shape->edge_count; e++) {
        const size_t from = index_of(shape, shape->from[e]), to = index_of(shape, shape->to[e]);
        if (from == shape->node_count || to == shape->node_count ||
            !append_edge(graph, places->last[from], places->first[to], &shape->edges[e]))
            return false;
    }
    return true;
}

static bool is_in(CUgraphNode node, const CUgraphNode *list, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (list[i] == node)
            return true;
    return false;
}

/* A graph inside another begins where the node before its first does, and ends at one more. */
static bool enclose(struct graph *graph, const struct shape *shape, const struct places *places,
                    uint32_t before) {
    static const CUgraphEdgeData plain;
    if (!append_nothing(graph))
        return false;
    const uint32_t after = graph->count - 1;
    for (size_t i = 0; i < shape->node_count; i++) {
        const CUgraphNode node = shape->nodes[i];
        if (!is_in(node, shape->to, shape->edge_count) &&
            !append_edge(graph, before, places->first[i], &plain))
            return false;
        if (!is_in(node, shape->from, shape->edge_count) &&
            !append_edge(graph, places->last[i], after, &plain))
            return false;
    }
    return shape->node_count > 0 || append_edge(graph, before, after, &plain);
}

/* Adds the nodes of the graph and their edges. False where something in it cannot be replayed. */
static bool expand(struct graph *graph, CUgraph from, int depth) {
    struct shape shape = {0};
    struct places places;
    const uint32_t before = graph->count - 1;
    const bool sound = depth < MOST_DEPTH && read_shape(from, &shape) &&
                       add_in_order(graph, &shape, &places, depth) &&
                       add_edges(graph, &shape, &places) &&
                       (depth == 0 || enclose(graph, &shape, &places, before));
    free(shape.nodes);
    free(shape.from);
    free(shape.to);
    free(shape.edges);
    return sound;
}

static void take_graph(CUgraphExec exec, CUgraph from) {
    struct graph *graph = find_graph(exec);
    if (!graph)
        graph = find_graph(NULL);
    if (!graph) {
        recorder_refuse("it has too many graphs");
        return;
    }
    graph->exec = exec;
    graph->count = graph->edge_count = 0;
    graph->number = RECORDING_NONE;
    graph->unknown = !expand(graph, from, 0);
}

static void instantiate(CUgraphExec exec, CUgraph from, unsigned long long flags) {
    take_graph(exec, from);
    struct graph *graph = find_graph(exec);
    if (!graph)
        return;
    graph->node_priority = flags & CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY;
    graph->unknown |= (flags & CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH) != 0;
}

static void on_instantiate(const struct recorder_event *event, const void *parameters) {
    const cuGraphInstantiate_v2_params *p = parameters; /* cuGraphInstantiate's begin as these do */
    if (recorder_is_done(event))
        instantiate(*p->phGraphExec, p->hGraph, 0);
}

static void on_instantiate_flags(const struct recorder_event *event, const void *parameters) {
    const cuGraphInstantiateWithFlags_params *p = parameters;
    if (recorder_is_done(event))
        instantiate(*p->phGraphExec, p->hGraph, p->flags);
}

static void on_instantiate_params(const struct recorder_event *event, const void *parameters) {
    const cuGraphInstantiateWithParams_params *p = parameters;
    if (recorder_is_done(event))
        instantiate(*p->phGraphExec, p->hGraph, p->instantiateParams->flags);
}

static void on_update(const struct recorder_event *event, const void *parameters) {
    const cuGraphExecUpdate_v2_params *p = parameters;
    if (recorder_is_done(event))
        take_graph(p->hGraphExec, p->hGraph);
}

/* The node keeps its attributes. */
static void on_set_kernel(const struct recorder_event *event, const void *parameters) {
    const cuGraphExecKernelNodeSetParams_v2_params *p = parameters;
    struct graph *graph = recorder_is_done(event) ? find_graph(p->hGraphExec) : NULL;
    uint32_t i = 0;
    if (!graph)
        return;
    while (i < graph->count && graph->nodes[i].node != p->hNode)
        i++;
    graph->number = RECORDING_NONE;
    if (i == graph->count) {
        graph->unknown = true;
        return;
    }
    struct recording_launch *launch = &graph->nodes[i].step.launch;
    const uint32_t first = launch->first_attribute, count = launch->attributes;
    graph->unknown |= !make_kernel(p->hNode, p->nodeParams, &graph->nodes[i].step);
    launch->first_attribute = first;
    launch->attributes = count;
}

/* Every other way to change one begins with the graph that is changed. */
static void on_change(const struct recorder_event *event, const void *parameters) {
    struct graph *graph = event->leaving ? find_graph(*(const CUgraphExec *)parameters) : NULL;
    if (graph)
        graph->unknown = true;
}

static void on_destroy(const struct recorder_event *event, const void *parameters) {
    struct graph *graph = event->leaving ? find_graph(*(const CUgraphExec *)parameters) : NULL;
    if (graph && graph->exec)
        graph->exec = NULL;
}

static uint32_t write_graph(const struct graph *graph) {
    struct recording_writer *writer = &recorder.writer;
    const struct recording_graph entry = {
        .first_node = recording_next(writer, RECORDING_TABLE_nodes),
        .nodes = graph->count,
        .first_edge = recording_next(writer, RECORDING_TABLE_edges),
        .edges = graph->edge_count,
        .node_priority = graph->node_priority};
    for (uint32_t i = 0; i < graph->count; i++)
        recording_add_node(writer, &(struct recording_node){graph->nodes[i].step});
    for (uint32_t i = 0; i < graph->edge_count; i++)
        recording_add_edge(writer, &graph->edges[i]);
    return recording_add_graph(writer, &entry);
}

/* A stream that is captured takes it for a part of what is captured. */
static void on_graph_launch(const struct recorder_event *event, const void *parameters) {
    const cuGraphLaunch_params *p = parameters;
    const CUstream stream = recorder_stream(event, p->hStream);
    const CUlaunchAttribute *list;
    if (!recorder_is_done(event) || recorder.phase != RECORDER_CALL || !recorder_runs_now(stream))
        return;
    struct graph *graph = find_graph(p->hGraph);
    if (!graph || graph->unknown) {
        recorder_refuse("a graph of it holds what cannot be replayed");
        return;
    }
    if (recorder_stream_attributes(stream, &list) > 0)
        recorder_refuse("it launches a graph on a stream with attributes of its own");
    if (graph->count == 0)
        return;
    if (graph->number == RECORDING_NONE)
        graph->number = write_graph(graph);
    recorder_add_step(
        &(struct recording_step){.kind = RECORDING_GRAPH, .graph = {graph->number, 0}});
}

void recorder_handle_graphs(struct recorder_slot *handlers) {
    RECORDER_HANDLE(cuGraphInstantiate, on_instantiate);
    RECORDER_HANDLE(cuGraphInstantiate_v2, on_instantiate);
    RECORDER_HANDLE(cuGraphInstantiateWithFlags, on_instantiate_flags);
    RECORDER_HANDLE_BOTH(cuGraphInstantiateWithParams, _ptsz, on_instantiate_params);
    RECORDER_HANDLE(cuGraphExecUpdate, on_update);
    RECORDER_HANDLE(cuGraphExecUpdate_v2, on_update);
    RECORDER_HANDLE(cuGraphExecKernelNodeSetParams_v2, on_set_kernel);
    RECORDER_HANDLE(cuGraphExecKernelNodeSetParams, on_change);
    RECORDER_HANDLE(cuGraphExecMemcpyNodeSetParams, on_change);
    RECORDER_HANDLE(cuGraphExecMemsetNodeSetParams, on_change);
    RECORDER_HANDLE(cuGraphExecHostNodeSetParams, on_change);
    RECORDER_HANDLE(cuGraphExecChildGraphNodeSetParams, on_change);
    RECORDER_HANDLE(cuGraphExecEventRecordNodeSetEvent, on_change);
    RECORDER_HANDLE(cuGraphExecEventWaitNodeSetEvent, on_change);
    RECORDER_HANDLE(cuGraphExecNodeSetParams, on_change);
    RECORDER_HANDLE(cuGraphExecBatchMemOpNodeSetParams, on_change);
    RECORDER_HANDLE(cuGraphNodeSetEnabled, on_change);
    RECORDER_HANDLE(cuGraphExecDestroy, on_destroy);
    RECORDER_HANDLE_BOTH(cuGraphLaunch, _ptsz, on_graph_launch);
}
