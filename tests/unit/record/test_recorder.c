/* What a kernel asks the driver for, as CUPTI tells it, becomes a recording, and that is played.
 * The driver notes what the player asks for. Each recording is made in a process of its own, since
 * the recorder is there once. */
#include "tests/support/test.h"

#include "tests/support/fake_driver.h"

struct scenario {
    void (*setup)(void); /* NULL: none */
    void (*call)(void);
    bool late; /* the calls are the first that use its module */
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
    assert_int_equal(recorder_start(false, &fault), 0);
    recorder_fill_arena(NEW);
    assert_int_equal(new_memory, NEW);
    recorder_begin_setup();
    if (!scenario->late) {
        load_module();
        launch(1, NULL);
    }
    if (scenario->setup)
        scenario->setup();
    recorder_end();
    recorder_keep_memory();
    for (int i = 0; i < 2; i++) {
        begin_call(true);
        scenario->call();
        recorder_end();
    }
    const bool recorded = recorder_write(bytes, sizeof bytes, &size, why) == 0;
    moved = 0x100000;
    if (recorded)
        play(bytes, size);
    else
        tell("%s", why);
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
#define IS(setup, call, expected) is_told(&(struct scenario){setup, call, false}, expected)

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

static void fails_to_launch(void) {
    status_told = CUDA_ERROR_INVALID_VALUE;
    launch(3, OTHER);
    fill(BASE + 16384, NULL);
    status_told = CUDA_SUCCESS;
    launch(2, NULL);
}
static void asks_too_early(void) {
    const cuEventQuery_params event = {EVENT};
    launch(2, NULL);
    status_told = CUDA_ERROR_NOT_READY;
    CALLED(cuEventQuery, &event);
    status_told = CUDA_SUCCESS;
    launch_early(3);
}
TEST(a_call_that_fails_has_done_nothing_but_it_may_have_waited) {
    IS(NULL, fails_to_launch, "played | k2 | k2");
    IS(NULL, asks_too_early, "played | k2 k3 | k2 k3");
}

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

static void a_window_of_a_launch(void) {
    launch_with(2, CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW);
}
static void sets_an_attribute(void) {
    CALLED(cuStreamSetAttribute, &(int){0});
}
static void sets_a_limit(void) {
    CALLED(cuCtxSetLimit, &(int){0});
}
static void locks_memory(void) {
    CALLED(cuMemHostAlloc, &(int){0});
}
TEST(what_outlasts_a_call_is_refused) {
    IS(NULL, a_window_of_a_launch, "a launch has attribute 1, which means nothing elsewhere");
    IS(sets_an_attribute, one_launch,
       "it sets an attribute of a stream, which outlasts the call: give it to the launch "
       "(cuStreamSetAttribute)");
    IS(sets_a_limit, one_launch,
       "it sets a limit of the context, which outlasts the call (cuCtxSetLimit)");
    IS(locks_memory, one_launch,
       "it takes locked memory of the host: take memory of the device (cuMemHostAlloc)");
}

/* The driver knows where they lie. */
static void launch_from_a_buffer(void) {
    unsigned char buffer[145] = {0};
    size_t size = sizeof buffer;
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, buffer, CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                     CU_LAUNCH_PARAM_END};
    cuLaunchKernel_params p = a_launch(2, NULL);
    memcpy(buffer + 136, &pointer, sizeof pointer);
    p.kernelParams = NULL;
    p.extra = extra;
    CALLED(cuLaunchKernel, &p);
    size--;
    if (!pointer)
        CALLED(cuLaunchKernel, &p);
}
TEST(parameters_may_come_in_one_piece) {
    kept = BASE + 64;
    pointer = HANDLE(float *, kept);
    IS(NULL, launch_from_a_buffer,
       "5 of 3ab000000040, played | k2(3ab000000040) | k2(3ab000000040)");
    kept = 0;
    pointer = NULL;
    IS(NULL, launch_from_a_buffer, "the parameters of its kernel _Z1k1MiPfc cannot be read");
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
static void carves(void) {
    const cuFuncSetAttribute_params p = {KERNEL, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT,
                                         50};
    CALLED(cuFuncSetAttribute, &p);
    launch(2, NULL);
}
static void sets_a_strange_attribute(void) {
    const cuFuncSetAttribute_params p = {KERNEL, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH, 2};
    CALLED(cuFuncSetAttribute, &p);
}
TEST(preferences_are_kept_or_refused) {
    IS(prefers_l1, prefers_l1, "played | k2 | k2");
    IS(NULL, prefers_l1,
       "it changes from call to call whether a kernel prefers L1 or shared memory");
    IS(carves, carves, "played | k2 | k2");
    IS(NULL, carves, "it changes attribute 9 of a kernel from call to call");
    IS(context_prefers_l1, one_launch,
       "it sets whether all kernels of the context prefer L1 or shared memory "
       "(cuCtxSetCacheConfig)");
    IS(NULL, resets_lines, "its calls use cuCtxResetPersistingL2Cache");
    IS(sets_a_strange_attribute, one_launch, "it sets attribute 11 of a kernel");
}

static void cooperates(void) {
    const cuLaunchKernel_params plain = a_launch(2, NULL);
    cuLaunchCooperativeKernel_params p;
    memcpy(&p, &plain, sizeof p); /* it lacks the last member */
    CALLED(cuLaunchCooperativeKernel, &p);
}
TEST(a_cooperative_launch_has_its_attribute) {
    IS(NULL, cooperates, "played | k2+2 | k2+2");
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
static void frees_and_takes(void) {
    CUdeviceptr at[3] = {1, 1, 1};
    for (int i = 0; i < 2; i++) {
        const cuMemAlloc_v2_params p = {&at[i], i ? 512 : 2048};
        CALLED(cuMemAlloc_v2, &p);
    }
    assert_true(at[0] != at[1] && at[1] - at[0] >= 2048);
    for (int i = 0; i < 2; i++) {
        const cuMemFree_v2_params given = {at[i]};
        status_told = CUDA_ERROR_INVALID_VALUE; /* the driver does not know this memory */
        CALLED(cuMemFree_v2, &given);
        assert_int_equal(status_told, CUDA_SUCCESS);
    }
    const cuMemAlloc_v2_params small = {&at[2], 64};
    CALLED(cuMemAlloc_v2, &small);
    assert_true(at[2] == at[1]); /* the smallest that is large enough */
    const cuMemFree_v2_params given = {at[2]};
    CALLED(cuMemFree_v2, &given);
    launch(2, NULL);
}
static void takes_too_much(void) {
    CUdeviceptr at = 1;
    const cuMemAlloc_v2_params p = {&at, 2 << 20};
    CALLED(cuMemAlloc_v2, &p);
}
static void frees_twice(void) {
    CUdeviceptr at = 1;
    const cuMemAlloc_v2_params p = {&at, 64};
    CALLED(cuMemAlloc_v2, &p);
    const cuMemFree_v2_params given = {at};
    CALLED(cuMemFree_v2, &given);
    CALLED(cuMemFree_v2, &given);
}
TEST(memory_comes_from_the_arena) {
    IS(frees_and_takes, frees_and_takes, "played | k2 | k2");
    IS(takes_too_much, one_launch, "it allocates 2 MiB: it is full");
    IS(frees_twice, one_launch, "it frees memory that it does not have");
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

/* Nobody knows what its variables held before the call. */
static void loads_and_launches(void) {
    load_module();
    launch(2, NULL);
}
TEST(a_module_that_a_recorded_call_is_the_first_to_launch_from_is_refused) {
    is_told(
        &(struct scenario){NULL, loads_and_launches, .late = true},
        "what variables of a module hold cannot be read: a recorded call is the first to launch "
        "from it: load it in setup");
}

/* In the 64 words of memory, in the three of two variables, and in the parameter of both launches. */
TEST(addresses_of_variables_are_written_anew_wherever_they_are_kept) {
    kept = VARIABLE('s') + 8;
    pointer = HANDLE(float *, kept);
    IS(takes_memory, one_launch, "69 of 106cc8, played m512 | k2(106cc8) | k2(106cc8)");
    kept = BASE + 64; /* operands are where they were */
    pointer = HANDLE(float *, kept);
    IS(takes_memory, one_launch,
       "69 of 3ab000000040, played m512 | k2(3ab000000040) | k2(3ab000000040)");
    kept = 0;
    pointer = NULL;
}

TEST(a_launch_is_not_early_behind_memory_that_is_freed) {
    IS(NULL, memory_in_each_call, "played | f64 k2 | f64 k2");
}
