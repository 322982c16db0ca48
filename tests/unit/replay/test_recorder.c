/* What a kernel asks the driver for, as CUPTI tells it, becomes a recording, and that is played.
 * The driver is a stand-in: it notes what the player asks for. Each recording is made in a process
 * of its own, since the recorder is there once. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cuda.h>
#include <cupti.h>

#include "bench/base/files.h"
#include "bench/device/cuda_driver.h"
#include "bench/device/cupti_watch.h"
#include "bench/device/fixed_memory.h"
#include "bench/replay/player.h"
#include "bench/replay/recorder.h"
#include "tests/support/test.h"

#define BASE (UINT64_C(0x3ab) << 36)
#define HANDLE(type, number) ((type)(uintptr_t)(number))
#define KERNEL HANDLE(CUfunction, 0x11)
#define BLOCKING HANDLE(CUstream, 0x101) /* streams with 0x200 are not */
#define FREE HANDLE(CUstream, 0x201)
#define OTHER HANDLE(CUstream, 0x202)
#define EVENT HANDLE(CUevent, 0x301)
#define GRAPH HANDLE(CUgraph, 0x401)
#define EXEC HANDLE(CUgraphExec, 0x501)

static char told[4096]; /* what is under test, in words */
static cupti_watcher *watcher;
static size_t persisting, stack = 1024;
static int priority;    /* of the stream FREE */
static uint64_t window; /* of the stream FREE: where it begins, 0: none */
static int nodes_of_graph = 3;

__attribute__((format(printf, 1, 2))) static void tell(const char *format, ...) {
    const size_t length = strlen(told);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(told + length, sizeof told - length, format, arguments);
    va_end(arguments);
}

/* The driver. */
static CUresult fine(void) {
    return CUDA_SUCCESS;
}
static CUresult get_name(const char **name, CUfunction function) {
    (void)function;
    *name = "_Z1k1MiPfc";
    return CUDA_SUCCESS;
}
static CUresult get_attribute(int *value, CUfunction_attribute attribute, CUfunction function) {
    (void)function;
    *value = attribute == CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT ? -1 : 0;
    return CUDA_SUCCESS;
}
static CUresult get_global(CUdeviceptr *at, size_t *bytes, CUmodule module, const char *name) {
    (void)module;
    *at = 0x5000u + 64u * (unsigned char)name[0];
    *bytes = name[1] == 'o' ? 4 : name[1] == 'v' ? 16 : 12;
    return CUDA_SUCCESS;
}
enum { NEW = 7 };           /* words that memory holds which the kernel has not written */
static uint32_t held, last; /* words that its memory holds, and the last one of it */
static CUresult read_device(void *to, CUdeviceptr from, size_t bytes) {
    (void)from;
    for (size_t i = 0; i < bytes; i += sizeof held)
        memcpy((char *)to + i, i + sizeof held < bytes ? &held : &last, sizeof held);
    return CUDA_SUCCESS;
}
static CUresult is_capturing(CUstream stream, CUstreamCaptureStatus *status) {
    (void)stream;
    *status = CU_STREAM_CAPTURE_STATUS_NONE;
    return CUDA_SUCCESS;
}
static CUresult get_flags(CUstream stream, unsigned *flags) {
    *flags = (uintptr_t)stream & 0x200 ? CU_STREAM_NON_BLOCKING : CU_STREAM_DEFAULT;
    return CUDA_SUCCESS;
}
static CUresult stream_attribute(CUstream stream, CUstreamAttrID id, CUstreamAttrValue *value) {
    memset(value, 0, sizeof *value);
    if (id == CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP)
        value->memSyncDomainMap.remote = 1;
    if (id == CU_LAUNCH_ATTRIBUTE_PRIORITY && stream == FREE)
        value->priority = priority;
    if (id == CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW && stream == FREE && window) {
        value->accessPolicyWindow.base_ptr = HANDLE(void *, window);
        value->accessPolicyWindow.num_bytes = 4096;
    }
    return CUDA_SUCCESS;
}
static CUresult get_limit(size_t *value, CUlimit limit) {
    *value = limit == CU_LIMIT_PERSISTING_L2_CACHE_SIZE ? persisting : stack;
    return CUDA_SUCCESS;
}

/* A graph of kernels, of which the last waits for the others: for the first programmatically. */
static CUresult get_nodes(CUgraph graph, CUgraphNode *nodes, size_t *count) {
    (void)graph;
    *count = (size_t)nodes_of_graph;
    for (size_t i = 0; nodes && i < *count; i++)
        nodes[i] = HANDLE(CUgraphNode, 0x601 + i);
    return CUDA_SUCCESS;
}
static CUresult get_edges(CUgraph graph, CUgraphNode *from, CUgraphNode *to, CUgraphEdgeData *data,
                          size_t *count) {
    (void)graph;
    *count = (size_t)nodes_of_graph - 1;
    for (size_t i = 0; from && i < *count; i++) {
        from[i] = HANDLE(CUgraphNode, 0x601 + i);
        to[i] = HANDLE(CUgraphNode, 0x601 + *count);
        data[i] = (CUgraphEdgeData){.from_port = i == 0, .type = i == 0};
    }
    return CUDA_SUCCESS;
}
static CUresult node_type(CUgraphNode node, CUgraphNodeType *type) {
    (void)node;
    *type = CU_GRAPH_NODE_TYPE_KERNEL;
    return CUDA_SUCCESS;
}
static unsigned char map[128];
static int number = 1;
static float *pointer;
static char mark;
static void *parameters[] = {map, &number, &pointer, &mark};
static CUresult kernel_node(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS *kernel) {
    *kernel = (CUDA_KERNEL_NODE_PARAMS){.func = KERNEL,
                                        .gridDimX = (unsigned)((uintptr_t)node & 0xff),
                                        .gridDimY = 1,
                                        .gridDimZ = 1,
                                        .blockDimX = 32,
                                        .blockDimY = 1,
                                        .blockDimZ = 1,
                                        .kernelParams = parameters};
    return CUDA_SUCCESS;
}
static CUresult node_attribute(CUgraphNode node, CUlaunchAttributeID id,
                               CUlaunchAttributeValue *v) {
    (void)node;
    (void)id;
    memset(v, 0, sizeof *v);
    return CUDA_SUCCESS;
}

/* The player's: streams and events by the number in which they were made. */
static int made_streams, made_events;
static CUresult make_stream(CUstream *stream, unsigned flags) {
    assert_int_equal(flags, CU_STREAM_NON_BLOCKING);
    *stream = HANDLE(CUstream, ++made_streams);
    return CUDA_SUCCESS;
}
static CUresult make_event(CUevent *event, unsigned flags) {
    assert_int_equal(flags, CU_EVENT_DISABLE_TIMING);
    *event = HANDLE(CUevent, ++made_events);
    return CUDA_SUCCESS;
}
static CUresult record(CUevent event, CUstream stream) {
    tell(" e%d@%d", (int)(uintptr_t)event, (int)(uintptr_t)stream);
    return CUDA_SUCCESS;
}
static CUresult wait_event(CUstream stream, CUevent event, unsigned flags) {
    tell(" %d<e%d", (int)(uintptr_t)stream, (int)(uintptr_t)event);
    return flags == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
static CUresult play_launch(const CUlaunchConfig *config, CUfunction function, void **given,
                            void **extra) {
    (void)function;
    (void)given;
    (void)extra;
    tell(" k%u@%d", config->gridDimX, (int)(uintptr_t)config->hStream);
    for (unsigned i = 0; i < config->numAttrs; i++)
        tell("+%d", (int)config->attrs[i].id);
    return CUDA_SUCCESS;
}
static CUresult play_fill(CUdeviceptr at, unsigned char value, size_t bytes, CUstream stream) {
    (void)value;
    tell(" f%u@%d", (unsigned)bytes, (int)(uintptr_t)stream);
    return at >= BASE ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
static CUresult parameter_info(CUfunction function, size_t i, size_t *offset, size_t *size) {
    static const size_t sizes[] = {128, 4, 8, 1};
    (void)function;
    *offset = 0;
    if (i >= 4)
        return CUDA_ERROR_INVALID_VALUE;
    *size = sizes[i];
    return CUDA_SUCCESS;
}
static CUresult get_context(CUcontext *context) {
    *context = HANDLE(CUcontext, 1);
    return CUDA_SUCCESS;
}
static int made_nodes;
static CUresult create_graph(CUgraph *graph, unsigned flags) {
    *graph = GRAPH;
    made_nodes = 0;
    return flags == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
static CUresult add_kernel(CUgraphNode *node, CUgraph graph, const CUgraphNode *from, size_t count,
                           const CUDA_KERNEL_NODE_PARAMS *kernel) {
    (void)graph;
    (void)from;
    *node = HANDLE(CUgraphNode, ++made_nodes);
    tell(" node%u", kernel->gridDimX);
    return count == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
static CUresult add_edges(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                          const CUgraphEdgeData *data, size_t count) {
    (void)graph;
    tell(" %d%s%d", (int)(uintptr_t)*from, data->type ? "~" : "-", (int)(uintptr_t)*to);
    return count == 1 && data->from_port == data->type ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
static CUresult instantiate(CUgraphExec *exec, CUgraph graph, unsigned long long flags) {
    (void)graph;
    *exec = EXEC;
    return flags == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
static CUresult launch_graph(CUgraphExec exec, CUstream stream) {
    tell(" g@%d", (int)(uintptr_t)stream);
    return exec == EXEC ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

const char *cuda_driver_words(CUresult status) {
    (void)status;
    return "an error";
}
#define ANY(name) ((__typeof__(driver.name))(void (*)(void))fine)
const struct cuda_driver *cuda_driver(const char **why) {
    static struct cuda_driver driver;
#define SET(name) driver.name = ANY(name);
    CUDA_DRIVER_FUNCTIONS(SET)
#undef SET
    driver.cuFuncGetName = get_name;
    driver.cuFuncGetAttribute = get_attribute;
    driver.cuModuleGetGlobal = get_global;
    driver.cuMemcpyDtoH = read_device;
    driver.cuStreamIsCapturing = is_capturing;
    driver.cuStreamGetFlags = get_flags;
    driver.cuStreamGetAttribute = stream_attribute;
    driver.cuCtxGetLimit = get_limit;
    driver.cuGraphGetNodes = get_nodes;
    driver.cuGraphGetEdges = get_edges;
    driver.cuGraphNodeGetType = node_type;
    driver.cuGraphKernelNodeGetParams = kernel_node;
    driver.cuGraphKernelNodeGetAttribute = node_attribute;
    driver.cuStreamCreate = make_stream;
    driver.cuEventCreate = make_event;
    driver.cuEventRecord = record;
    driver.cuStreamWaitEvent = wait_event;
    driver.cuLaunchKernelEx = play_launch;
    driver.cuMemsetD8Async = play_fill;
    driver.cuFuncGetParamInfo = parameter_info;
    driver.cuCtxGetCurrent = get_context;
    driver.cuGraphCreate = create_graph;
    driver.cuGraphAddKernelNode = add_kernel;
    driver.cuGraphAddDependencies = add_edges;
    driver.cuGraphInstantiateWithFlags = instantiate;
    driver.cuGraphLaunch = launch_graph;
    *why = NULL;
    return &driver;
}

int cupti_watch(cupti_watcher *given, int what, const char **why) {
    (void)what;
    *why = NULL;
    watcher = given;
    return 0;
}
uint64_t fixed_memory_base(void) {
    return BASE;
}
static uint32_t new_memory; /* the words that it holds */
void fixed_memory_choose_arena(int which, uint32_t fill) {
    assert_int_equal(which, 0);
    new_memory = fill;
}

uint64_t fixed_memory_arena(void) {
    return BASE + FIXED_BYTES / 2;
}
bool fixed_memory_has(uint64_t address) {
    return address >= BASE && address < BASE + FIXED_BYTES;
}
int fixed_memory_grow_arena(uint64_t bytes, const char **why) {
    *why = "it is full";
    return bytes <= 1 << 20 ? 0 : -1;
}

/* The kernel: each of these is a call that reaches the driver, in between which it does it. */
static CUresult status_told;
static void enter(CUpti_CallbackId id, const char *name, const void *given, bool leaving) {
    const CUpti_CallbackData data = {.callbackSite = leaving ? CUPTI_API_EXIT : CUPTI_API_ENTER,
                                     .functionName = name,
                                     .functionParams = given,
                                     .functionReturnValue = &status_told};
    watcher(CUPTI_CB_DOMAIN_DRIVER_API, id, &data);
}
#define CALLED(name, given)                                                                        \
    (enter(CUPTI_DRIVER_TRACE_CBID_##name, #name, given, false),                                   \
     enter(CUPTI_DRIVER_TRACE_CBID_##name, #name, given, true))

static cuLaunchKernel_params a_launch(unsigned grid, CUstream stream) {
    return (cuLaunchKernel_params){.f = KERNEL,
                                   .gridDimX = grid,
                                   .gridDimY = 1,
                                   .gridDimZ = 1,
                                   .blockDimX = 32,
                                   .blockDimY = 1,
                                   .blockDimZ = 1,
                                   .hStream = stream,
                                   .kernelParams = parameters};
}
static void launch(unsigned grid, CUstream stream) {
    const cuLaunchKernel_params p = a_launch(grid, stream);
    CALLED(cuLaunchKernel, &p);
}
static void record_event(CUevent event, CUstream stream) {
    const cuEventRecord_params p = {event, stream};
    CALLED(cuEventRecord, &p);
}
static void wait_for(CUstream stream, CUevent event) {
    const cuStreamWaitEvent_params p = {stream, event, 0};
    CALLED(cuStreamWaitEvent, &p);
}
static void instantiate_graph(void) {
    CUgraphExec exec = EXEC;
    const cuGraphInstantiateWithFlags_params p = {&exec, GRAPH, 0};
    CALLED(cuGraphInstantiateWithFlags, &p);
}
static void launch_exec(CUstream stream) {
    const cuGraphLaunch_params p = {EXEC, stream};
    CALLED(cuGraphLaunch, &p);
}
static void set_limit(CUlimit limit, size_t *now, size_t value) {
    const cuCtxSetLimit_params p = {limit, value};
    enter(CUPTI_DRIVER_TRACE_CBID_cuCtxSetLimit, "cuCtxSetLimit", &p, false);
    *now = value;
    enter(CUPTI_DRIVER_TRACE_CBID_cuCtxSetLimit, "cuCtxSetLimit", &p, true);
}
static void fill(CUdeviceptr at, CUstream stream) {
    const cuMemsetD8Async_params p = {at, 0, 64, stream};
    CALLED(cuMemsetD8Async, &p);
}

static void load_module(void) {
    struct file_bytes file;
    CUfunction function = KERNEL;
    assert_int_equal(file_bytes_read(SOURCE "/tests/fuzz/corpus/cubin/quiet", &file), 0);
    CUpti_ModuleResourceData module = {.pCubin = (const char *)file.bytes, .cubinSize = file.size};
    CUpti_ResourceData resource = {.resourceDescriptor = &module};
    watcher(CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_MODULE_LOADED, &resource);
    const cuModuleGetFunction_params p = {&function, NULL, "_Z1k1MiPfc"};
    CALLED(cuModuleGetFunction, &p);
}

struct scenario {
    void (*setup)(void); /* NULL: none */
    void (*call)(void);
};

static void play(const void *bytes, uint64_t size) {
    struct player *player;
    char why[RECORDING_WHY];
    if (player_open(bytes, size, &player, why) != 0) {
        tell("not played: %s", why);
        return;
    }
    tell("; p%d", (int)player_recording(player)->head.persisting);
    const struct recording *recording = player_recording(player);
    for (uint32_t i = 0; i < recording->head.counts[RECORDING_TABLE_memories]; i++)
        tell(" m%d", (int)recording->memories[i].held.size);
    for (int i = 0; i < recording_calls(recording); i++) {
        tell(" |");
        assert_int_equal(player_play(player, i), 0);
    }
    player_close(player);
}

/* Two calls of the same. */
static void run(const struct scenario *scenario) {
    static unsigned char bytes[1 << 20];
    uint64_t size;
    const char *fault;
    char why[RECORDING_WHY];
    assert_int_equal(recorder_start(&fault), 0);
    recorder_choose_arena(0, NEW);
    assert_int_equal(new_memory, NEW);
    recorder_begin_setup();
    load_module();
    launch(1, NULL);
    if (scenario->setup)
        scenario->setup();
    recorder_end();
    recorder_keep_memory();
    for (int i = 0; i < 2; i++) {
        recorder_begin_call(HANDLE(void *, BASE), HANDLE(void *, BASE + 4096),
                            HANDLE(void *, BASE + 8192), HANDLE(void *, BASE + 16384));
        scenario->call();
        recorder_end();
    }
    if (recorder_write(bytes, sizeof bytes, &size, why) == 0) {
        play(bytes, size);
        assert_int_equal(new_memory, 0);
    } else {
        tell("%s", why);
    }
}

/* What the player asks for when it plays both calls; or why there is no recording. */
static void is_told(const struct scenario *scenario, const char *expected) {
    int ends[2], status;
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        *told = 0;
        run(scenario);
        _exit(write(ends[1], told, strlen(told)) < 0);
    }
    close(ends[1]);
    const ssize_t length = read(ends[0], told, sizeof told - 1);
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    told[length > 0 ? length : 0] = 0;
    assert_string_equal(told, expected);
}
#define IS(setup, call, expected) is_told(&(struct scenario){setup, call}, expected)

static void on_one_stream(void) {
    launch(2, NULL);
    fill(BASE + 16384, CU_STREAM_LEGACY);
    record_event(EVENT, NULL);
    const cuEventSynchronize_params event = {EVENT};
    CALLED(cuEventSynchronize, &event);
    CALLED(cuCtxSynchronize, NULL);
    launch(3, NULL);
}
TEST(a_kernel_that_waits_on_one_stream_is_plain) {
    IS(NULL, on_one_stream, "; p0 | k2@0 f64@0 k3@0 | k2@0 f64@0 k3@0");
}

static void launch_early(unsigned grid) {
    CUlaunchAttribute early = {.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION};
    early.value.programmaticStreamSerializationAllowed = 1;
    const cuLaunchKernel_params p = a_launch(grid, NULL);
    const CUlaunchConfig config = {.gridDimX = p.gridDimX,
                                   .gridDimY = 1,
                                   .gridDimZ = 1,
                                   .blockDimX = 32,
                                   .blockDimY = 1,
                                   .blockDimZ = 1,
                                   .attrs = &early,
                                   .numAttrs = 1};
    const cuLaunchKernelEx_params ex = {&config, p.f, p.kernelParams, NULL};
    CALLED(cuLaunchKernelEx, &ex);
}
static void waits_before_an_early_launch(void) {
    launch(2, NULL);
    CALLED(cuCtxSynchronize, NULL);
    launch_early(3);
    launch_early(4);
}
TEST(an_early_launch_still_waits_for_the_host) {
    IS(NULL, waits_before_an_early_launch,
       "; p0 | k2@0 e2@0 k3@0+6 k4@0+6 | k2@0 e3@0 k3@0+6 k4@0+6");
}

static void forks(void) {
    launch(2, NULL);
    record_event(EVENT, NULL);
    wait_for(FREE, EVENT);
    launch(3, FREE);
    launch(4, NULL);
    record_event(EVENT, FREE);
    wait_for(NULL, EVENT);
}
TEST(streams_wait_for_events) {
    IS(NULL, forks,
       "; p0 | e1@0 1<e1 k2@0 e3@0 1<e3 k3@1 k4@0 e4@1 0<e4 e2@1 0<e2"
       " | e1@0 1<e1 k2@0 e5@0 1<e5 k3@1 k4@0 e6@1 0<e6 e2@1 0<e2");
}

static void escapes(void) {
    launch(2, FREE);
    wait_for(NULL, EVENT); /* never recorded in the call */
}
static void recorded_before(void) {
    record_event(EVENT, FREE);
}
TEST(work_does_not_outlast_its_call) {
    IS(recorded_before, escapes, "; p0 | e1@0 1<e1 k2@1 e2@1 0<e2 | e1@0 1<e1 k2@1 e2@1 0<e2");
}

static void joins_as_the_legacy_stream_does(void) {
    launch(2, NULL);
    launch(3, BLOCKING);
    launch(4, BLOCKING);
    launch(5, NULL);
    launch(6, CU_STREAM_LEGACY);
}
TEST(the_legacy_stream_waits_for_blocking_ones) {
    IS(NULL, joins_as_the_legacy_stream_does,
       "; p0 | e1@0 1<e1 k2@0 e3@0 1<e3 k3@1 k4@1 e4@1 0<e4 k5@0 k6@0 e2@1 0<e2"
       " | e1@0 1<e1 k2@0 e5@0 1<e5 k3@1 k4@1 e6@1 0<e6 k5@0 k6@0 e2@1 0<e2");
}

static void on_the_threads_stream(void) {
    const cuLaunchKernel_params p = a_launch(2, NULL);
    CALLED(cuLaunchKernel_ptsz, &p);
}
TEST(no_stream_may_be_the_threads) {
    IS(NULL, on_the_threads_stream,
       "; p0 | e1@0 1<e1 e3@0 1<e3 k2@1 e2@1 0<e2 | e1@0 1<e1 e4@0 1<e4 k2@1 e2@1 0<e2");
}

static void host_waits(void) {
    launch(2, FREE);
    const cuStreamSynchronize_params p = {FREE};
    CALLED(cuStreamSynchronize, &p);
    launch(3, OTHER);
}
TEST(what_the_host_waits_for_comes_first) {
    IS(NULL, host_waits,
       "; p0 | e1@0 1<e1 2<e1 k2@1 e4@1 2<e4 k3@2 e2@1 0<e2 e3@2 0<e3"
       " | e1@0 1<e1 2<e1 k2@1 e5@1 2<e5 k3@2 e2@1 0<e2 e3@2 0<e3");
}

static void destroyed(void) {
    const cuEventDestroy_v2_params event = {EVENT};
    const cuStreamDestroy_v2_params stream = {FREE};
    launch(2, FREE);
    record_event(EVENT, FREE);
    CALLED(cuEventDestroy_v2, &event);
    wait_for(NULL, EVENT); /* another one by the same handle */
    CALLED(cuStreamDestroy_v2, &stream);
    launch(3, FREE);
}
TEST(a_handle_may_be_used_again) {
    IS(NULL, destroyed,
       "; p0 | e1@0 1<e1 2<e1 k2@1 k3@2 e2@1 0<e2 e3@2 0<e3"
       " | e1@0 1<e1 2<e1 k2@1 k3@2 e2@1 0<e2 e3@2 0<e3");
}

static void many_streams(void) {
    for (unsigned i = 0; i <= RECORDING_MOST_STREAMS; i++)
        launch(2, HANDLE(CUstream, 0x201 + i));
}
TEST(too_many_streams_are_refused) {
    IS(NULL, many_streams, "a call of it uses more than 16 streams");
}

static void on_a_graph(void) {
    launch_exec(NULL);
}
TEST(a_graph_keeps_its_edges) {
    IS(instantiate_graph, on_a_graph, " node1 node2 node3 1~3 2-3; p0 | g@0 | g@0");
}

static void on_a_graph_that_changes(void) {
    launch_exec(NULL);
    nodes_of_graph = 2;
    const cuGraphExecUpdate_v2_params p = {EXEC, GRAPH, NULL};
    CALLED(cuGraphExecUpdate_v2, &p);
}
TEST(a_graph_that_is_updated_is_another) {
    IS(instantiate_graph, on_a_graph_that_changes,
       " node1 node2 node3 1~3 2-3 node1 node2 1~2; p0 | g@0 | g@0");
}

static void on_a_graph_with_fewer_nodes(void) {
    const cuGraphNodeSetEnabled_params p = {EXEC, HANDLE(CUgraphNode, 0x601), 0};
    CALLED(cuGraphNodeSetEnabled, &p);
    launch_exec(NULL);
}
TEST(a_graph_that_changes_otherwise_is_refused) {
    IS(instantiate_graph, on_a_graph_with_fewer_nodes,
       "a graph of it holds what cannot be replayed");
}

static void on_free_stream(void) {
    launch(2, FREE);
}
static void a_priority(void) {
    priority = -1;
}
static void a_window(void) {
    window = BASE;
}
static void a_foreign_window(void) {
    window = 0x7000;
}
static void a_fill_there(void) {
    fill(BASE + 16384, FREE);
}
TEST(launches_have_what_their_stream_has) {
    IS(a_priority, on_free_stream,
       "; p0 | e1@0 1<e1 k2@1+8 e2@1 0<e2 | e1@0 1<e1 k2@1+8 e2@1 0<e2");
    IS(a_window, on_free_stream, "; p0 | e1@0 1<e1 k2@1+1 e2@1 0<e2 | e1@0 1<e1 k2@1+1 e2@1 0<e2");
    IS(a_foreign_window, on_free_stream,
       "it asks for an access-policy window on what is neither an operand nor its own memory");
    IS(a_window, a_fill_there, "it fills or copies memory on a stream with attributes of its own");
}

static void one_launch(void) {
    launch(2, NULL);
}
static void sets_persisting(void) {
    set_limit(CU_LIMIT_PERSISTING_L2_CACHE_SIZE, &persisting, 4096);
}
static void sets_stack(void) {
    set_limit(CU_LIMIT_STACK_SIZE, &stack, 4096);
}
static void sets_stack_again(void) {
    set_limit(CU_LIMIT_STACK_SIZE, &stack, 1024);
    launch(2, NULL);
}
TEST(limits_are_kept_or_refused) {
    IS(sets_persisting, one_launch, "; p4096 | k2@0 | k2@0");
    IS(NULL, sets_persisting, "it changes from call to call how much of the L2 persists");
    IS(sets_stack, one_launch, "it sets limit 0 of the context to 4096");
    IS(NULL, sets_stack_again, "; p0 | k2@0 | k2@0");
}

static void prefers(CUfunc_cache cache) {
    const cuFuncSetCacheConfig_params p = {KERNEL, cache};
    CALLED(cuFuncSetCacheConfig, &p);
    launch(2, NULL);
}
static void prefers_l1(void) {
    prefers(CU_FUNC_CACHE_PREFER_L1);
}
static void context_prefers_l1(void) {
    const cuCtxSetCacheConfig_params p = {CU_FUNC_CACHE_PREFER_L1};
    CALLED(cuCtxSetCacheConfig, &p);
}
static void resets_lines(void) {
    CALLED(cuCtxResetPersistingL2Cache, &(int){0});
}
static void sets_a_strange_attribute(void) {
    const cuFuncSetAttribute_params p = {KERNEL, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH, 2};
    CALLED(cuFuncSetAttribute, &p);
}
TEST(preferences_are_kept_or_refused) {
    IS(prefers_l1, prefers_l1, "; p0 | k2@0 | k2@0");
    IS(NULL, prefers_l1,
       "it changes from call to call whether a kernel prefers L1 or shared memory");
    IS(context_prefers_l1, one_launch,
       "it sets whether all kernels of the context prefer L1 or shared memory");
    IS(NULL, resets_lines, "its calls use cuCtxResetPersistingL2Cache");
    IS(sets_a_strange_attribute, one_launch, "it sets attribute 11 of a kernel");
}

static void fills_a(void) {
    fill(BASE, NULL);
}
TEST(what_a_reader_refuses_is_not_recorded) {
    IS(NULL, fills_a, "a fill or copy writes what is neither C of its call nor the kernel's own");
}

static void memory_in_each_call(void) {
    CUdeviceptr at = 1;
    const cuMemAlloc_v2_params p = {&at, 64};
    CALLED(cuMemAlloc_v2, &p);
    fill(at, FREE);
    const cuMemFree_v2_params given = {at};
    CALLED(cuMemFree_v2, &given);
    CUdeviceptr other = 1;
    const cuMemAlloc_v2_params q = {&other, 64};
    CALLED(cuMemAlloc_v2, &q);
    assert_true(other != at); /* its streams may still work in the first */
    launch(2, NULL);
}
static void takes_memory(void) {
    CUdeviceptr at = 1;
    const cuMemAlloc_v2_params p = {&at, 64};
    CALLED(cuMemAlloc_v2, &p);
}
TEST(memory_is_kept_that_the_kernel_has_written) {
    static const struct {
        uint32_t held, last;
        const char *told;
    } cases[] = {{0, 0, "; p0 | k2@0 | k2@0"},
                 {NEW, NEW, "; p0 | k2@0 | k2@0"},
                 {NEW, 0, "; p0 m512 | k2@0 | k2@0"},
                 {0, NEW, "; p0 m512 | k2@0 | k2@0"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        held = cases[i].held;
        last = cases[i].last;
        IS(takes_memory, one_launch, cases[i].told);
    }
    held = last = 0;
}

TEST(freeing_memory_waits_for_all) {
    IS(NULL, memory_in_each_call,
       "; p0 | e1@0 1<e1 f64@1 e3@0 1<e3 e4@1 0<e4 k2@0 e2@1 0<e2"
       " | e1@0 1<e1 f64@1 e5@0 1<e5 e6@1 0<e6 k2@0 e2@1 0<e2");
}
