/* A graph is replayed node by node, in an order that its edges allow. What a graph holds is read
 * when it becomes executable; afterwards only calls that are handled here change it. */
#include <stdlib.h>
#include <string.h>

#include "bench/replay/recorder_parts.h"

enum { MOST_GRAPHS = 64, MOST_NODES = 1024, MOST_DEPTH = 4 };

static struct graph {
    CUgraphExec exec; /* NULL: this place is free */
    struct {
        CUgraphNode node;
        struct recording_step step;
    } * steps;
    int count;
    bool unknown;  /* something in it cannot be replayed */
    bool branches; /* its nodes do not all wait for one another */
} graphs[MOST_GRAPHS];

static struct graph *find_graph(CUgraphExec exec) {
    for (int i = 0; i < MOST_GRAPHS; i++)
        if (graphs[i].exec == exec)
            return &graphs[i];
    return NULL;
}

/* Of what a kernel node may have beyond its parameters. */
static unsigned node_attributes(CUgraphNode node, bool programmatic, CUlaunchAttribute *list) {
    static const CUlaunchAttributeID ids[] = {
        CU_LAUNCH_ATTRIBUTE_COOPERATIVE, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION,
        CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE};
    unsigned count = 0;
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        CUlaunchAttribute *attribute = &list[count];
        memset(attribute, 0, sizeof *attribute);
        attribute->id = ids[i];
        if (recorder.driver->cuGraphKernelNodeGetAttribute(node, ids[i], &attribute->value) !=
            CUDA_SUCCESS)
            continue;
        const CUlaunchAttributeValue *value = &attribute->value;
        count += ids[i] == CU_LAUNCH_ATTRIBUTE_COOPERATIVE         ? value->cooperative != 0
                 : ids[i] == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION ? value->clusterDim.x > 0
                                                                   : 1;
    }
    if (programmatic) {
        memset(&list[count], 0, sizeof list[count]);
        list[count].id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
        list[count++].value.programmaticStreamSerializationAllowed = 1;
    }
    return count;
}

static bool make_kernel(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *p, bool programmatic,
                        struct recording_step *step) {
    CUlaunchAttribute attributes[8];
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
                                           .attribute_count =
                                               node_attributes(node, programmatic, attributes)};
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

static bool append(struct graph *graph, CUgraphNode node, const struct recording_step *step) {
    void *more = graph->count < MOST_NODES
                     ? realloc(graph->steps, (size_t)(graph->count + 1) * sizeof *graph->steps)
                     : NULL;
    if (!more)
        return false;
    graph->steps = more;
    graph->steps[graph->count].node = node;
    graph->steps[graph->count++].step = *step;
    return true;
}

static bool expand(struct graph *graph, CUgraph from, int depth);

static bool add_node(struct graph *graph, CUgraphNode node, bool programmatic, int depth) {
    CUgraphNodeType type;
    CUDA_KERNEL_NODE_PARAMS kernel;
    struct recording_step step;
    CUgraph child;
    if (recorder.driver->cuGraphNodeGetType(node, &type) != CUDA_SUCCESS)
        return false;
    switch (type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
        return recorder.driver->cuGraphKernelNodeGetParams(node, &kernel) == CUDA_SUCCESS &&
               make_kernel(node, &kernel, programmatic, &step) && append(graph, node, &step);
    case CU_GRAPH_NODE_TYPE_MEMCPY:
        return make_copy(node, &step) && append(graph, node, &step);
    case CU_GRAPH_NODE_TYPE_MEMSET:
        return make_fill(node, &step) && append(graph, node, &step);
    case CU_GRAPH_NODE_TYPE_GRAPH:
        return recorder.driver->cuGraphChildGraphNodeGetGraph(node, &child) == CUDA_SUCCESS &&
               expand(graph, child, depth + 1);
    case CU_GRAPH_NODE_TYPE_EMPTY:
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
        return true;
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

/* Whether all that it waits for is done; *programmatic where it may begin before these end. */
static bool is_ready(const struct shape *shape, CUgraphNode node, const bool *done,
                     bool *programmatic) {
    *programmatic = false;
    for (size_t e = 0; e < shape->edge_count; e++) {
        if (shape->to[e] != node)
            continue;
        *programmatic |= shape->edges[e].type == CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC;
        for (size_t i = 0; i < shape->node_count; i++)
            if (shape->nodes[i] == shape->from[e] && !done[i])
                return false;
    }
    return true;
}

static bool has_edge(const struct shape *shape, CUgraphNode from, CUgraphNode to) {
    for (size_t e = 0; e < shape->edge_count; e++)
        if (shape->from[e] == from && shape->to[e] == to)
            return true;
    return false;
}

static bool expand_in_order(struct graph *graph, const struct shape *shape, int depth) {
    bool done[MOST_NODES] = {false};
    CUgraphNode last = NULL;
    for (size_t left = shape->node_count; left > 0; left--) {
        size_t next = 0;
        bool programmatic = false;
        while (next < shape->node_count &&
               (done[next] || !is_ready(shape, shape->nodes[next], done, &programmatic)))
            next++;
        if (next == shape->node_count || !add_node(graph, shape->nodes[next], programmatic, depth))
            return false;
        graph->branches |= last && !has_edge(shape, last, shape->nodes[next]);
        last = shape->nodes[next];
        done[next] = true;
    }
    return true;
}

/* Adds the nodes of the graph. False where something in it cannot be replayed. */
static bool expand(struct graph *graph, CUgraph from, int depth) {
    struct shape shape = {0};
    const bool sound =
        depth < MOST_DEPTH && read_shape(from, &shape) && expand_in_order(graph, &shape, depth);
    free(shape.nodes);
    free(shape.from);
    free(shape.to);
    free(shape.edges);
    return sound;
}

/* Each node may be a branch of its own: which ones run side by side is the driver's choice. */
static uint32_t branch_of(const struct graph *graph, int i) {
    return graph->branches ? RECORDER_STREAMS + 1 + (uint32_t)i : 0;
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
    graph->count = 0;
    graph->branches = false;
    graph->unknown = !expand(graph, from, 0);
    for (int i = 0; i < graph->count; i++)
        graph->steps[i].step.stream = branch_of(graph, i);
}

static void on_instantiate(const struct recorder_event *event, const void *parameters) {
    const cuGraphInstantiateWithFlags_params *p = parameters; /* others begin as these do */
    if (event->leaving && event->status == CUDA_SUCCESS)
        take_graph(*p->phGraphExec, p->hGraph);
}

static void on_update(const struct recorder_event *event, const void *parameters) {
    const cuGraphExecUpdate_v2_params *p = parameters;
    if (event->leaving && event->status == CUDA_SUCCESS)
        take_graph(p->hGraphExec, p->hGraph);
}

static void on_set_kernel(const struct recorder_event *event, const void *parameters) {
    const cuGraphExecKernelNodeSetParams_v2_params *p = parameters;
    struct graph *graph = event->leaving ? find_graph(p->hGraphExec) : NULL;
    int i = 0;
    if (!graph || event->status != CUDA_SUCCESS)
        return;
    while (i < graph->count && graph->steps[i].node != p->hNode)
        i++;
    if (i == graph->count || !make_kernel(p->hNode, p->nodeParams, false, &graph->steps[i].step))
        graph->unknown = true;
    else
        graph->steps[i].step.stream = branch_of(graph, i);
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

static void on_graph_launch(const struct recorder_event *event, const void *parameters) {
    const cuGraphLaunch_params *p = parameters;
    if (!event->leaving || event->status != CUDA_SUCCESS || recorder.phase != RECORDER_CALL)
        return;
    const struct graph *graph = find_graph(p->hGraph);
    if (!recorder_runs_now(p->hStream) || !graph || graph->unknown)
        recorder_refuse("a graph of it holds what cannot be replayed");
    for (int i = 0; graph && i < graph->count; i++)
        recorder_add_step(&graph->steps[i].step);
}

#define AT(name) handlers[CUPTI_DRIVER_TRACE_CBID_##name]
void recorder_handle_graphs(recorder_handler **handlers) {
    AT(cuGraphInstantiate) = AT(cuGraphInstantiate_v2) = on_instantiate;
    AT(cuGraphInstantiateWithFlags) = on_instantiate;
    AT(cuGraphInstantiateWithParams) = AT(cuGraphInstantiateWithParams_ptsz) = on_instantiate;
    AT(cuGraphExecUpdate) = AT(cuGraphExecUpdate_v2) = on_update;
    AT(cuGraphExecKernelNodeSetParams_v2) = on_set_kernel;
    AT(cuGraphExecKernelNodeSetParams) = on_change;
    AT(cuGraphExecMemcpyNodeSetParams) = AT(cuGraphExecMemsetNodeSetParams) = on_change;
    AT(cuGraphExecHostNodeSetParams) = AT(cuGraphExecChildGraphNodeSetParams) = on_change;
    AT(cuGraphExecNodeSetParams) = AT(cuGraphExecBatchMemOpNodeSetParams) = on_change;
    AT(cuGraphNodeSetEnabled) = on_change;
    AT(cuGraphExecDestroy) = on_destroy;
    AT(cuGraphLaunch) = AT(cuGraphLaunch_ptsz) = on_graph_launch;
}
