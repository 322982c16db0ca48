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
#define OTHER HANDLE(CUstream, 0x201)
#define EVENT HANDLE(CUevent, 0x301)

static char told[4096]; /* what is under test, in words */
static cupti_watcher *watcher;
static size_t persisting, stack = 1024;

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
static CUresult get_limit(size_t *value, CUlimit limit) {
    *value = limit == CU_LIMIT_PERSISTING_L2_CACHE_SIZE ? persisting : stack;
    return CUDA_SUCCESS;
}

static unsigned char map[128];
static int number = 1;
static float *pointer;
static char mark;
static void *parameters[] = {map, &number, &pointer, &mark};
/* The player's. */
static CUresult play_launch(const CUlaunchConfig *config, CUfunction function, void **given,
                            void **extra) {
    (void)function;
    (void)given;
    (void)extra;
    assert_null(config->hStream);
    tell(" k%u", config->gridDimX);
    for (unsigned i = 0; i < config->numAttrs; i++)
        tell("+%d", (int)config->attrs[i].id);
    return CUDA_SUCCESS;
}
static CUresult play_fill(CUdeviceptr at, unsigned char value, size_t bytes, CUstream stream) {
    (void)value;
    assert_null(stream);
    tell(" f%u", (unsigned)bytes);
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
    driver.cuCtxGetLimit = get_limit;
    driver.cuLaunchKernelEx = play_launch;
    driver.cuMemsetD8Async = play_fill;
    driver.cuFuncGetParamInfo = parameter_info;
    driver.cuCtxGetCurrent = get_context;
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

uint64_t fixed_memory_arena_bytes(void) {
    return 0; /* no recording is carried out here */
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
    tell("played");
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
    IS(NULL, on_one_stream, "played | k2 f64 k3 | k2 f64 k3");
}

static void one_launch(void) {
    launch(2, NULL);
}

static void launch_with(unsigned grid, CUlaunchAttributeID id) {
    CUlaunchAttribute one = {.id = id};
    one.value.programmaticStreamSerializationAllowed = 1;
    const cuLaunchKernel_params p = a_launch(grid, NULL);
    const CUlaunchConfig config = {.gridDimX = p.gridDimX,
                                   .gridDimY = 1,
                                   .gridDimZ = 1,
                                   .blockDimX = 32,
                                   .blockDimY = 1,
                                   .blockDimZ = 1,
                                   .attrs = &one,
                                   .numAttrs = 1};
    const cuLaunchKernelEx_params ex = {&config, p.f, p.kernelParams, NULL};
    CALLED(cuLaunchKernelEx, &ex);
}
static void launch_early(unsigned grid) {
    launch_with(grid, CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION);
}
static void waits_before_an_early_launch(void) {
    launch_early(2);
    CALLED(cuCtxSynchronize, NULL);
    launch_early(3);
    launch_early(4);
    record_event(EVENT, NULL);
    launch_early(5);
}
TEST(a_launch_is_not_early_behind_a_wait_or_an_event) {
    IS(NULL, waits_before_an_early_launch, "played | k2+6 k3 k4+6 k5 | k2+6 k3 k4+6 k5");
}

#define OTHER_STREAM(name)                                                                         \
    "it works on another stream than the one it is given (" name "): hand that one over"
static void launches_elsewhere(void) {
    launch(2, NULL);
    record_event(EVENT, NULL);
    wait_for(OTHER, EVENT);
    launch(3, OTHER);
}
static void fills_elsewhere(void) {
    fill(BASE + 16384, OTHER);
}
static void copies_elsewhere(void) {
    const cuMemcpyDtoDAsync_v2_params p = {BASE + 16384, BASE, 64, OTHER};
    CALLED(cuMemcpyDtoDAsync_v2, &p);
}
static void on_the_threads_stream(void) {
    const cuLaunchKernel_params p = a_launch(2, NULL);
    CALLED(cuLaunchKernel_ptsz, &p);
}
TEST(another_stream_is_refused_by_the_name_of_the_call) {
    IS(NULL, launches_elsewhere, OTHER_STREAM("cuLaunchKernel"));
    IS(NULL, fills_elsewhere, OTHER_STREAM("cuMemsetD8Async"));
    IS(NULL, copies_elsewhere, OTHER_STREAM("cuMemcpyDtoDAsync_v2"));
    IS(NULL, on_the_threads_stream, OTHER_STREAM("cuLaunchKernel_ptsz"));
}

static void waits_for_others(void) {
    const cuStreamSynchronize_params p = {OTHER};
    record_event(EVENT, OTHER);
    wait_for(NULL, EVENT);
    CALLED(cuStreamSynchronize, &p);
    launch(2, NULL);
}
TEST(a_stream_that_does_no_work_is_nothing) {
    IS(launches_elsewhere, waits_for_others, "played | k2 | k2");
}

static void captures(void) {
    const cuStreamBeginCapture_v2_params p = {OTHER, CU_STREAM_CAPTURE_MODE_GLOBAL};
    CALLED(cuStreamBeginCapture_v2, &p);
}
static void launches_a_graph(void) {
    const cuGraphLaunch_params p = {HANDLE(CUgraphExec, 0x501), NULL};
    CALLED(cuGraphLaunch, &p);
}
TEST(graphs_are_refused_at_any_time) {
    IS(captures, one_launch, "it captures its work as a graph (cuStreamBeginCapture_v2)");
    IS(NULL, launches_a_graph, "it uses graphs (cuGraphLaunch)");
}

static void sets_of_a_stream(CUstreamAttrID id) {
    const CUstreamAttrValue value = {0};
    const cuStreamSetAttribute_params p = {OTHER, id, &value};
    CALLED(cuStreamSetAttribute, &p);
}
static void a_window(void) {
    sets_of_a_stream(CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW);
}
static void how_the_host_waits(void) {
    sets_of_a_stream(CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY);
}
static void a_window_of_a_launch(void) {
    launch_with(2, CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW);
}
TEST(attributes_of_a_stream_are_refused) {
    IS(a_window, one_launch,
       "it sets attribute 1 of a stream (cuStreamSetAttribute), which outlasts the call: give it "
       "to the launch");
    IS(how_the_host_waits, one_launch, "played | k2 | k2");
    IS(NULL, a_window_of_a_launch, "a launch has attribute 1, which means nothing elsewhere");
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
TEST(limits_that_change_are_refused) {
    IS(sets_persisting, one_launch,
       "it sets limit 6 of the context to 4096 (cuCtxSetLimit), which outlasts the call");
    IS(sets_stack, one_launch,
       "it sets limit 0 of the context to 4096 (cuCtxSetLimit), which outlasts the call");
    IS(NULL, sets_stack_again, "played | k2 | k2");
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
    IS(prefers_l1, prefers_l1, "played | k2 | k2");
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
    fill(at, NULL);
    const cuMemFree_v2_params given = {at};
    CALLED(cuMemFree_v2, &given);
    CUdeviceptr other = 1;
    const cuMemAlloc_v2_params q = {&other, 64};
    CALLED(cuMemAlloc_v2, &q);
    assert_true(other == at); /* work on the stream is done in order */
    launch_early(2);
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
    } cases[] = {{0, 0, "played | k2 | k2"},
                 {NEW, NEW, "played | k2 | k2"},
                 {NEW, 0, "played m512 | k2 | k2"},
                 {0, NEW, "played m512 | k2 | k2"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        held = cases[i].held;
        last = cases[i].last;
        IS(takes_memory, one_launch, cases[i].told);
    }
    held = last = 0;
}

TEST(a_launch_is_not_early_behind_memory_that_is_freed) {
    IS(NULL, memory_in_each_call, "played | f64 k2 | f64 k2");
}
