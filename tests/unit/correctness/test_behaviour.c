/* What a kernel is accused of by its recorded calls. */

#include "tests/support/recorded_events.h"
#include "tests/support/test.h"

enum { CALLS = 10 };

static struct finding_list list;

static int forget(void **state) {
    memset(&list, 0, sizeof list);
    return forget_events(state);
}

static void judge(int calls) {
    behaviour_judge(events, count, (struct behaviour_recorded){calls, calls, 0}, &list);
}

/* Exactly so many findings in all. */
static void assert_findings(size_t wanted) {
    if (list.count != wanted)
        for (size_t i = 0; i < list.count; i++)
            print_message("%s: %s\n", finding_word(list.items[i].kind), list.items[i].text);
    assert_int_equal(list.count, wanted);
}

static void assert_finding(enum finding_kind kind, const char *text) {
    for (size_t i = 0; i < list.count; i++)
        if (list.items[i].kind == kind && strcmp(list.items[i].text, text) == 0)
            return;
    for (size_t i = 0; i < list.count; i++)
        print_message("%s: %s\n", finding_word(list.items[i].kind), list.items[i].text);
    fail_msg("no %s: %s", finding_word(kind), text);
}

TEST_WITH(honest_kernel_has_no_finding, forget, NULL) {
    event(0, BEHAVIOUR_ALLOC, "cudaMalloc")->bytes = 1 << 20;
    event(0, BEHAVIOUR_SYNC, "cudaDeviceSynchronize");
    event(0, BEHAVIOUR_EVENT, "cudaEventCreate");
    event(0, BEHAVIOUR_MODULE, "cuModuleLoadData");
    on_device(0, BEHAVIOUR_COPY, "memcpy HtoD", OWN);
    for (int call = 1; call <= CALLS; call++) {
        event(call, BEHAVIOUR_OTHER, "cudaLaunchKernel");
        on_device(call, BEHAVIOUR_MEMSET, "memset", GIVEN);
        kernel(call, "void gemm<float>(float*)");
        /* Kernels that run side by side may be seen in either order. */
        kernel(call, call % 2 ? "first" : "second");
        kernel(call, call % 2 ? "second" : "first");
        on_device(call, BEHAVIOUR_COPY, "memcpy DtoD", GIVEN);
    }
    judge(CALLS);
    assert_findings(0);
}

TEST_WITH(calls_are_named, forget, NULL) {
    for (int call = 0; call <= CALLS; call++) {
        if (call == 0 || call == 3)
            event(call, BEHAVIOUR_LIMIT, "cudaDeviceSetLimit");
        if (call >= 1 && call <= 4)
            event(call, BEHAVIOUR_LIMIT, "cudaStreamSetAttribute");
        if (call % 2 == 1)
            event(call, BEHAVIOUR_LIMIT, "cudaDeviceSetCacheConfig");
        if (call == 0)
            event(call, BEHAVIOUR_LIMIT, "cudaSetDeviceFlags");
        if (call < 3)
            event(call, BEHAVIOUR_LIMIT, "cuCtxSetLimit");
        if (call)
            kernel(call, "gemm");
    }
    judge(CALLS);
    assert_findings(5);
    assert_finding(FINDING_CUDA_LIMIT, "cudaDeviceSetLimit, 2 times in setup and call 3");
    assert_finding(FINDING_CUDA_LIMIT, "cudaStreamSetAttribute, 4 times in calls 1 to 4");
    assert_finding(FINDING_CUDA_LIMIT, "cudaDeviceSetCacheConfig, 5 times in 5 calls up to call 9");
    assert_finding(FINDING_CUDA_LIMIT, "cudaSetDeviceFlags, 1 time in setup");
    assert_finding(FINDING_CUDA_LIMIT, "cuCtxSetLimit, 3 times in setup and calls 1 to 2");
}

/* Whether a launch may begin early is told of every call; that accuses nobody. */
TEST_WITH(dependent_launches_are_told, forget, NULL) {
    for (int call = 0; call <= CALLS; call++) {
        event(call, BEHAVIOUR_OTHER, "cudaLaunchKernelExC")->dependent = call % 2;
        event(call, BEHAVIOUR_OTHER, "cudaLaunchKernelExC");
        kernel(call, "gemm");
    }
    judge(CALLS);
    assert_findings(1);
    assert_finding(FINDING_DEPENDENT_LAUNCH,
                   "cudaLaunchKernelExC, 5 times in 5 calls up to call 9");
    assert_false(finding_is_refused(FINDING_DEPENDENT_LAUNCH));
}

/* Calls that were not recorded are counted, too. */
TEST_WITH(calls_are_numbered_as_the_process_makes_them, forget, NULL) {
    for (int call = 1; call <= CALLS; call++) {
        if (call <= 8)
            event(call, BEHAVIOUR_LIMIT, "cudaStreamSetAttribute");
        if (call == 9)
            event(call, BEHAVIOUR_LIMIT, "cudaDeviceSetLimit");
        if (call >= 8)
            event(call, BEHAVIOUR_LIMIT, "cuCtxSetLimit");
        if (call != 8)
            kernel(call, call < 10 ? "gemm" : "gemv");
    }
    behaviour_judge(events, count, (struct behaviour_recorded){CALLS, 7, 50}, &list);
    assert_finding(FINDING_CUDA_LIMIT, "cudaStreamSetAttribute, 8 times in 8 calls up to call 58");
    assert_finding(FINDING_CUDA_LIMIT, "cudaDeviceSetLimit, 1 time in call 59");
    assert_finding(FINDING_CUDA_LIMIT, "cuCtxSetLimit, 3 times in calls 58 to 60");
    assert_finding(FINDING_NO_KERNEL, "1 of 10 calls, the first of them call 58");
    assert_finding(FINDING_CHANGING_KERNELS,
                   "2 of 8 calls after call 2 differ from it, the first of them call 58");
}

TEST_WITH(first_call_is_told_from_later_ones, forget, NULL) {
    for (int call = 1; call <= CALLS; call++) {
        for (int i = 0; i < 2; i++)
            event(call, BEHAVIOUR_ALLOC, "cudaMalloc")->bytes = (uint64_t)(call * 10 + i);
        event(call, BEHAVIOUR_SYNC, "cudaDeviceSynchronize");
        event(call, BEHAVIOUR_MODULE, "cuLibraryLoadData");
        kernel(call, "gemm");
    }
    judge(CALLS);
    assert_findings(5);
    assert_finding(FINDING_CUDA_ALLOC, "cudaMalloc, 2 times of at most 11 bytes in call 1");
    assert_finding(FINDING_ALLOC_PER_CALL,
                   "cudaMalloc, 18 times of at most 101 bytes in calls 2 to 10");
    assert_finding(FINDING_CUDA_SYNC, "cudaDeviceSynchronize, 1 time in call 1");
    assert_finding(FINDING_SYNC_PER_CALL, "cudaDeviceSynchronize, 9 times in calls 2 to 10");
    assert_finding(FINDING_CODE_LOADING, "cuLibraryLoadData, 9 times in calls 2 to 10");
}

TEST_WITH(other_streams_are_found, forget, NULL) {
    event(0, BEHAVIOUR_STREAM, "cudaStreamCreate");
    for (int call = 1; call <= CALLS; call++) {
        kernel(call, "gemm");
        on_device(call, BEHAVIOUR_KERNEL, "escaped", OWN);
        on_device(call, BEHAVIOUR_MEMSET, "memset", OWN)->bytes = 64;
        on_device(call, BEHAVIOUR_COPY, "memcpy DtoD", OWN)->bytes = 32;
    }
    judge(CALLS);
    assert_findings(4);
    assert_finding(FINDING_CUDA_STREAM, "cudaStreamCreate, 1 time in setup");
    assert_finding(FINDING_OTHER_STREAM, "escaped, 9 times in calls 2 to 10");
    assert_finding(FINDING_OTHER_STREAM, "memset, 9 times of at most 64 bytes in calls 2 to 10");
    assert_finding(FINDING_OTHER_STREAM,
                   "memcpy DtoD, 9 times of at most 32 bytes in calls 2 to 10");
}

/* A kernel that tries its variants on a stream of its own and then keeps to the one it is given. */
TEST_WITH(tuning_elsewhere_is_no_escape, forget, NULL) {
    for (int i = 0; i < 100; i++)
        on_device(1, BEHAVIOUR_KERNEL, "variant", OWN);
    for (int call = 1; call <= CALLS; call++)
        kernel(call, "gemm");
    judge(CALLS);
    for (size_t i = 0; i < list.count; i++)
        assert_true(list.items[i].kind != FINDING_OTHER_STREAM);
}

/* A graph's branches run beside the stream it was launched on; a graph launched elsewhere has
 * nothing on the given stream. */
TEST_WITH(graphs_join_only_the_stream_they_are_launched_on, forget, NULL) {
    for (int call = 1; call <= 4; call++) {
        event(call, BEHAVIOUR_GRAPH, "cudaGraphLaunch");
        kernel(call, "root")->in_graph = 1;
        on_device(call, BEHAVIOUR_KERNEL, "branch", OWN)->in_graph = 1;
    }
    judge(4);
    assert_findings(3);
    assert_finding(FINDING_CUDA_GRAPH, "cudaGraphLaunch, 4 times in calls 1 to 4");
    assert_finding(FINDING_CUDA_GRAPH, "root, 4 times in calls 1 to 4");
    assert_finding(FINDING_CUDA_GRAPH, "branch, 4 times in calls 1 to 4");

    forget(NULL);
    for (int call = 1; call <= 4; call++) {
        kernel(call, "decoy");
        on_device(call, BEHAVIOUR_KERNEL, "root", OWN)->in_graph = 1;
    }
    judge(4);
    assert_findings(2);
    assert_finding(FINDING_OTHER_STREAM, "root, 3 times in calls 2 to 4");
}

TEST_WITH(calls_of_the_host_are_found, forget, NULL) {
    for (int call = 1; call <= 2; call++) {
        event(call, BEHAVIOUR_CALLBACK, "cudaLaunchHostFunc");
        event(call, BEHAVIOUR_EVENT, "cudaEventRecord");
        on_device(call, BEHAVIOUR_COPY, "memcpy DtoH", GIVEN);
        on_device(call, BEHAVIOUR_COPY, "memcpy HtoD", GIVEN);
        kernel(call, "gemm");
    }
    judge(2);
    assert_findings(4);
    assert_finding(FINDING_CUDA_HOST_CALL, "cudaLaunchHostFunc, 2 times in calls 1 to 2");
    assert_finding(FINDING_CUDA_EVENT, "cudaEventRecord, 2 times in calls 1 to 2");
    assert_finding(FINDING_HOST_COPY, "memcpy DtoH, 2 times in calls 1 to 2");
    assert_finding(FINDING_HOST_COPY, "memcpy HtoD, 2 times in calls 1 to 2");
}

TEST_WITH(self_tuning_begins_where_warming_up_ends, forget, NULL) {
    for (int tried = 1; tried <= 6; tried++) {
        forget(NULL);
        for (int i = 0; i < tried; i++)
            kernel(1, "gemm");
        for (int call = 2; call <= CALLS; call++)
            kernel(call, "gemm");
        judge(CALLS);
        assert_findings(tried > 1);
        if (tried > 4)
            assert_int_equal(list.items[0].kind, FINDING_SELF_TUNING);
        else if (tried > 1)
            assert_int_equal(list.items[0].kind, FINDING_FIRST_CALL_WORK);
    }
    assert_finding(FINDING_SELF_TUNING, "6 kernels in the first call, at most 1 in later ones");

    forget(NULL); /* more are not kept */
    for (int i = 0; i < BEHAVIOUR_MOST; i++)
        kernel(1, "gemm");
    kernel(2, "gemm");
    judge(2);
    assert_finding(FINDING_SELF_TUNING,
                   "at least 8192 kernels in the first call, at most 1 in later ones");

    forget(NULL); /* the most of any later call counts */
    for (int call = 1; call <= 3; call++)
        for (int i = 0; i < (call == 1 ? 6 : call == 2 ? 2 : 1); i++)
            kernel(call, "gemm");
    judge(3);
    assert_finding(FINDING_FIRST_CALL_WORK,
                   "6 kernels, 0 memsets and copies; later at most 2 and 0");

    forget(NULL);
    on_device(1, BEHAVIOUR_MEMSET, "memset", GIVEN);
    for (int call = 1; call <= CALLS; call++)
        kernel(call, "gemm");
    judge(CALLS);
    assert_findings(1);
    assert_finding(FINDING_FIRST_CALL_WORK,
                   "1 kernels, 1 memsets and copies; later at most 1 and 0");
}

TEST_WITH(one_call_is_not_compared, forget, NULL) {
    for (int i = 0; i < 100; i++)
        kernel(1, "gemm");
    judge(1);
    assert_findings(0);
}

TEST_WITH(calls_without_a_kernel_are_found, forget, NULL) {
    for (int call = 1; call <= CALLS; call++)
        if (call % 3)
            kernel(call, "gemm");
        else
            on_device(call, BEHAVIOUR_COPY, "memcpy DtoD", GIVEN); /* of the last result */
    judge(CALLS);
    assert_finding(FINDING_NO_KERNEL, "3 of 10 calls, the first of them call 3");

    forget(NULL);
    kernel(1, "gemm"); /* and no event at all after it */
    judge(CALLS);
    assert_finding(FINDING_NO_KERNEL, "9 of 10 calls, the first of them call 2");
}

TEST_WITH(changes_of_kernel_grid_or_block_are_found, forget, NULL) {
    for (int what = 0; what < 4; what++) {
        forget(NULL);
        for (int call = 1; call <= CALLS; call++) {
            struct behaviour_event *new = kernel(call, "gemm");
            if (call != 6)
                continue;
            if (what == 0)
                strcpy(new->name, "gemv");
            else if (what == 1)
                new->grid[2]++;
            else if (what == 2)
                new->block[0]++;
            else
                kernel(call, "gemm");
        }
        judge(CALLS);
        assert_findings(1);
        assert_finding(FINDING_CHANGING_KERNELS,
                       "1 of 8 calls after call 2 differ from it, the first of them call 6");
    }
}

/* A flood of names neither overflows nor hides that they were seen. */
TEST_WITH(names_beyond_the_room_share_a_line, forget, NULL) {
    char name[32];
    for (int i = 0; i < 100; i++) {
        snprintf(name, sizeof name, "cudaMemAdvise%d", i);
        event(1, BEHAVIOUR_LIMIT, name);
    }
    kernel(1, "gemm");
    judge(1);
    assert_findings(FINDINGS_A_KIND);
    assert_finding(FINDING_CUDA_LIMIT, "cudaMemAdvise14, 1 time in call 1");
    assert_finding(FINDING_CUDA_LIMIT, "others, 85 times in call 1");
}

TEST_WITH(calls_not_recorded_whole_are_passed_over, forget, NULL) {
    for (int call = 1; call <= 3; call++)
        kernel(call, "gemm");
    event(4, BEHAVIOUR_LIMIT, "cudaDeviceSetLimit");
    kernel(4, "gemv");
    judge(3);
    assert_findings(0);
    char text[200];
    behaviour_summary(events, count, 3, text, sizeof text);
    assert_non_null(strstr(text, "a call: 1 kernels"));
}
