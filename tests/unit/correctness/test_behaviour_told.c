/* What is told of recorded calls without judging them: kinds, sums, a summary, a copy. */

#include <stdlib.h>

#include "tests/support/recorded_events.h"
#include "tests/support/test.h"

TEST(functions_have_kinds) {
    static const struct {
        const char *name;
        enum behaviour_kind kind;
    } functions[] = {
        {"cudaMalloc", BEHAVIOUR_ALLOC},
        {"cudaMallocAsync", BEHAVIOUR_ALLOC},
        {"cuMemAlloc_v2", BEHAVIOUR_ALLOC},
        {"cudaFree", BEHAVIOUR_ALLOC},
        {"cuMemMap", BEHAVIOUR_ALLOC},
        {"cudaMemPoolCreate", BEHAVIOUR_ALLOC},
        {"cudaDeviceSynchronize", BEHAVIOUR_SYNC},
        {"cuCtxSynchronize", BEHAVIOUR_SYNC},
        {"cudaStreamSynchronize", BEHAVIOUR_SYNC},
        {"cudaStreamSynchronize_ptsz", BEHAVIOUR_SYNC},
        {"cudaEventSynchronize", BEHAVIOUR_SYNC},
        {"cudaEventQuery", BEHAVIOUR_SYNC},
        {"cudaEventCreateWithFlags", BEHAVIOUR_EVENT},
        {"cudaEventElapsedTime", BEHAVIOUR_EVENT},
        {"cudaStreamWaitEvent", BEHAVIOUR_EVENT},
        {"cudaStreamCreateWithPriority", BEHAVIOUR_STREAM},
        {"cuCtxCreate_v4", BEHAVIOUR_STREAM},
        {"cudaStreamDestroy", BEHAVIOUR_OTHER},
        {"cudaStreamBeginCapture", BEHAVIOUR_GRAPH},
        {"cudaGraphLaunch", BEHAVIOUR_GRAPH},
        {"cuGraphInstantiateWithFlags", BEHAVIOUR_GRAPH},
        {"cudaStreamIsCapturing", BEHAVIOUR_OTHER},
        {"cudaGraphicsMapResources", BEHAVIOUR_OTHER},
        {"cudaGraphAddHostNode", BEHAVIOUR_CALLBACK},
        {"cudaLaunchHostFunc", BEHAVIOUR_CALLBACK},
        {"cudaStreamAddCallback", BEHAVIOUR_CALLBACK},
        {"cudaDeviceSetLimit", BEHAVIOUR_LIMIT},
        {"cuCtxSetLimit", BEHAVIOUR_LIMIT},
        {"cudaDeviceGetLimit", BEHAVIOUR_OTHER},
        {"cudaSetDeviceFlags", BEHAVIOUR_LIMIT},
        {"cudaStreamSetAttribute", BEHAVIOUR_LIMIT},
        {"cudaStreamGetAttribute", BEHAVIOUR_OTHER},
        {"cuModuleLoadDataEx", BEHAVIOUR_MODULE},
        {"cudaLibraryLoadData", BEHAVIOUR_MODULE},
        {"cuLibraryGetKernel", BEHAVIOUR_OTHER},
        {"cudaLaunchKernel", BEHAVIOUR_OTHER},
        {"cudaFuncSetAttribute", BEHAVIOUR_OTHER},
        {"cudaMemcpyAsync", BEHAVIOUR_OTHER},
        {"myMalloc", BEHAVIOUR_OTHER},
        {"cu", BEHAVIOUR_OTHER},
        {"", BEHAVIOUR_OTHER},
    };
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (behaviour_call_kind(functions[i].name) != functions[i].kind)
            fail_msg("%s: %d", functions[i].name, behaviour_call_kind(functions[i].name));
}

TEST_WITH(summary_is_of_the_steady_calls, forget_events, NULL) {
    for (int i = 0; i < 50; i++)
        kernel(1, "tried")->end_ns += 1000000;
    event(1, BEHAVIOUR_ALLOC, "cudaMalloc");
    for (int call = 2; call <= 5; call++) {
        struct behaviour_event *main_one = kernel(call, "gemm");
        main_one->end_ns += 100;
        main_one->registers = 168;
        main_one->shared_bytes = 229756;
        kernel(call, "reduce");
        on_device(call, BEHAVIOUR_MEMSET, "memset", OWN);
        if (call == 3)
            event(call, BEHAVIOUR_SYNC, "cudaDeviceSynchronize");
    }
    char text[400], cut[40];
    behaviour_summary(events, count, 5, text, sizeof text);
    assert_string_equal(text, "a call: 2 kernels, 1 memsets, 0 copies, 0 allocations, 0.25 syncs; "
                              "streams 2; main 1x2x3 blocks of 1x2x3, 168 registers, 229756 bytes "
                              "shared: gemm");
    memset(cut, 'x', sizeof cut);
    behaviour_summary(events, count, 5, cut, 20);
    assert_string_equal(cut, "a call: 2 kernels, ");
    assert_int_equal(cut[20], 'x');

    forget_events(NULL);
    kernel(1, "gemm"); /* the only call there is */
    behaviour_summary(events, count, 1, text, sizeof text);
    assert_non_null(strstr(text, "a call: 1 kernels"));
    assert_non_null(strstr(text, "shared: gemm"));

    behaviour_summary(events, 0, 1, text, sizeof text);
    assert_string_equal(text, "a call: 0 kernels, 0 memsets, 0 copies, 0 allocations, 0 syncs; "
                              "streams 0");
}

/* The process that records is the kernel's own: it can leave names without an end. */
TEST_WITH(endless_names_end_in_a_copy, forget_events, NULL) {
    char text[256], wanted[sizeof events->name] = "";
    for (int call = 1; call <= 3; call++) {
        struct behaviour_event *endless = kernel(call, "");
        memset(endless->name, 'x', sizeof endless->name);
        kernel(call, "the next one");
    }
    memset(wanted, 'x', sizeof wanted - 1);
    struct behaviour_event *copy = behaviour_copy(events, count);
    assert_non_null(copy);
    for (uint64_t i = 0; i < count; i++) {
        assert_string_equal(copy[i].name, i % 2 ? "the next one" : wanted);
        memset(events[i].name, 'y', sizeof events[i].name);
        assert_memory_equal(&copy[i], &events[i], offsetof(struct behaviour_event, name));
    }
    behaviour_summary(copy, count, 3, text, sizeof text);
    assert_non_null(strstr(text, "shared: xxx"));
    assert_null(strstr(text, "yyy"));
    free(copy);
    copy = behaviour_copy(events, 0);
    assert_non_null(copy);
    free(copy);
}

/* What is freed counts no more, nor what failed; the largest sum at any time does. */
TEST(memory_is_summed_over_time) {
    static struct finding_list found;
    const struct behaviour_event steps[] = {
        {.call = 0, .kind = BEHAVIOUR_ALLOC, .bytes = 600, .address = 1},
        {.call = 1, .kind = BEHAVIOUR_ALLOC, .bytes = 300, .address = 2},
        {.call = 1, .kind = BEHAVIOUR_ALLOC, .address = 2},
        {.call = 1, .kind = BEHAVIOUR_ALLOC, .bytes = 5000}, /* failed */
        {.call = 1, .kind = BEHAVIOUR_COPY, .bytes = 5000, .address = 9},
        {.call = 2, .kind = BEHAVIOUR_ALLOC, .bytes = 400, .address = 2},
        {.call = 3, .kind = BEHAVIOUR_ALLOC, .address = 7}, /* not seen allocated */
        {.call = 3, .kind = BEHAVIOUR_ALLOC, .address = 1},
    };
    const uint64_t all = sizeof steps / sizeof *steps;
    const struct behaviour_recorded whole = {3, 3, 0};
    behaviour_memory(steps, all, whole, 1000, &found);
    assert_int_equal(found.count, 0);
    behaviour_memory(steps, all, whole, 999, &found);
    assert_int_equal(found.count, 1);
    assert_int_equal(found.items[0].kind, FINDING_WORKSPACE);
    assert_string_equal(found.items[0].text, "1000 bytes, in call 2; its workspace is 999 bytes");
    behaviour_memory(steps, 1, whole, 599, &found);
    assert_string_equal(found.items[1].text, "600 bytes, in setup; its workspace is 599 bytes");
}

/* Call 1 is followed by others, which may have freed what it had allocated. */
TEST(calls_between_may_have_freed) {
    static struct finding_list found;
    const struct behaviour_event steps[] = {
        {.call = 0, .kind = BEHAVIOUR_ALLOC, .bytes = 600, .address = 1},
        {.call = 1, .kind = BEHAVIOUR_ALLOC, .bytes = 300, .address = 2},
        {.call = 2, .kind = BEHAVIOUR_ALLOC, .bytes = 310, .address = 3},
        {.call = 3, .kind = BEHAVIOUR_ALLOC, .bytes = 1, .address = 4},
    };
    const struct behaviour_recorded whole = {3, 3, 0}, apart = {3, 1, 20};
    behaviour_memory(steps, 4, whole, 911, &found);
    assert_string_equal(found.items[0].text, "1211 bytes, in call 3; its workspace is 911 bytes");
    behaviour_memory(steps, 4, apart, 911, &found);
    assert_int_equal(found.count, 1);
    behaviour_memory(steps, 4, apart, 910, &found);
    assert_string_equal(found.items[1].text, "911 bytes, in call 23; its workspace is 910 bytes");
}

/* The kernels of a call, in whatever order; other grids are other work. */
TEST(test_work) {
    struct behaviour_event launches[] = {
        {.call = 4, .kind = BEHAVIOUR_KERNEL, .symbol = 7, .grid = {8, 1, 1}, .block = {128, 1, 1}},
        {.call = 4, .kind = BEHAVIOUR_MEMSET},
        {.call = 4, .kind = BEHAVIOUR_KERNEL, .symbol = 9, .grid = {2, 2, 1}, .block = {64, 1, 1}},
        {.call = 3, .kind = BEHAVIOUR_KERNEL, .symbol = 5, .grid = {1, 1, 1}, .block = {32, 1, 1}},
    };
    const uint32_t grids[2][3] = {{8, 1, 1}, {2, 2, 1}}, blocks[2][3] = {{128, 1, 1}, {64, 1, 1}};
    const uint64_t both =
        behaviour_kernel(9, grids[1], blocks[1]) + behaviour_kernel(7, grids[0], blocks[0]);
    assert_true(behaviour_work(launches, 4, 4) == both);
    assert_true(behaviour_work(launches, 4, 3) != both);
    assert_true(behaviour_work(launches, 4, 2) == 0);
    launches[0].grid[0] = 9;
    assert_true(behaviour_work(launches, 4, 4) != both);
}
