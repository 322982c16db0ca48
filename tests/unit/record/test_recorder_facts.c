/* What a kernel asks the driver for, as CUPTI tells it, is counted: in a process that records, and
 * in one that is watched late. Each is a process of its own, since the recorder is there once. */
#include "tests/support/test.h"

#include "tests/support/fake_driver.h"

static struct facts facts;
static const struct facts_seen *seen(const char *name) {
    for (uint32_t i = 0; i < facts.seen_count; i++)
        if (strcmp(facts.seen[i].name, name) == 0)
            return &facts.seen[i];
    fail_msg("%s was not seen", name);
    return NULL;
}
static void setup_and_call(void (*setup)(void), void (*call)(void)) {
    recorder_begin_setup();
    load_module();
    setup();
    recorder_end();
    for (int i = 0; i < 3; i++) {
        begin_call(i > 0);
        call();
        recorder_end();
        one_launch(); /* between calls: nobody's */
    }
}
static void in_a_process(void (*test)(void)) {
    int status;
    const pid_t child = fork();
    if (child == 0) {
        test();
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void takes_much(void) {
    CUdeviceptr at[2] = {1, 1};
    for (int i = 0; i < 2; i++) {
        const cuMemAlloc_v2_params p = {&at[i], 1000};
        CALLED(cuMemAlloc_v2, &p);
    }
    CALLED(cuMemFree_v2, &(const cuMemFree_v2_params){at[0]});
    const cuMemAlloc_v2_params more = {&at[0], 500};
    CALLED(cuMemAlloc_v2, &more);
}
static void launches_twice(void) {
    launch(2, NULL);
    launch_early(3);
    fill(BASE + 16384, NULL);
}
static void count_when_recorded(void) {
    const char *fault;
    char why[RECORDING_WHY];
    assert_int_equal(recorder_start(false, &fault), 0);
    setup_and_call(takes_much, launches_twice);
    recorder_tell(&facts, why);
    assert_string_equal(why, "");
    assert_int_equal(facts.calls, 3);
    assert_int_equal(facts.held_bytes, 2000); /* and not the 512s that they take */
    assert_int_equal(facts.held_call, 0);
    assert_int_equal(facts.last.kernels, 2);
    assert_int_equal(facts.last.others, 1);
    assert_int_equal(seen("cuMemAlloc_v2")->times[FACTS_SETUP], 3);
    assert_int_equal(seen("cuLaunchKernelEx")->times[FACTS_FIRST], 1);
    assert_int_equal(seen("cuLaunchKernelEx")->times[FACTS_LATER], 2);
    const struct facts_seen *kernel = seen("k(M, int, float*, char)");
    assert_true(kernel->is_kernel);
    assert_int_equal(kernel->times[FACTS_LATER], 4);
    assert_int_equal(kernel->dependent, 3);
    assert_int_equal(kernel->grid[0], 3);
    const uint32_t grids[2][3] = {{2, 1, 1}, {3, 1, 1}}, block[3] = {32, 1, 1};
    const uint64_t first = facts_digest(0, "_Z1k1MiPfc", grids[0], block);
    assert_true(facts.last.digest == facts_digest(first, "_Z1k1MiPfc", grids[1], block));
    recorder_tell(&facts, why);
    assert_int_equal(facts.calls, 0); /* they begin anew */
}
TEST(what_is_asked_of_the_driver_is_counted) {
    in_a_process(count_when_recorded);
}

/* Names are CUPTI's then: what was loaded before is not known. */
static void launch_by_symbol(CUstream stream) {
    const cuLaunchKernel_params p = a_launch(2, stream);
    CUpti_CallbackData data = {.callbackSite = CUPTI_API_EXIT,
                               .functionName = "cuLaunchKernel",
                               .functionParams = &p,
                               .symbolName = "_Z3onePf",
                               .functionReturnValue = &status_told};
    watcher(CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel, &data);
}
static int elsewhere; /* the call that works on another stream; 0: none */
static void watched_call(int call) {
    CUdeviceptr at = 77;
    const cuMemAlloc_v2_params p = {&at, 1000};
    begin_call(call != 1);
    launch_by_symbol(call == elsewhere ? OTHER : NULL);
    fill(BASE, NULL); /* which nobody records */
    CALLED(cuMemAlloc_v2, &p);
    assert_int_equal(at, 77); /* and memory is the driver's */
    recorder_end();
}
static void watch_late(void) {
    static const char *const refused[] = {"", "", OTHER_STREAM("cuLaunchKernel")};
    const char *fault;
    char why[RECORDING_WHY];
    static const int calls[] = {0, 2, 1};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        elsewhere = calls[i];
        assert_int_equal(recorder_start(true, &fault), 0);
        for (int call = 1; call <= 3; call++)
            watched_call(call);
        recorder_tell(&facts, why);
        assert_string_equal(why, refused[elsewhere]);
        assert_int_equal(facts.calls, 3);
        assert_int_equal(seen("one(float*)")->times[FACTS_LATER], 2);
        assert_int_equal(facts.last.others, 1);
        const uint32_t grid[3] = {2, 1, 1}, block[3] = {32, 1, 1};
        assert_true(facts.last.digest == facts_digest(0, "_Z3onePf", grid, block));
    }
}
TEST(who_is_watched_late_is_counted_and_refused) {
    in_a_process(watch_late);
}
