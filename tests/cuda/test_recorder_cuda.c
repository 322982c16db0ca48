/* What the recorder counts of calls whose contents are known, in a process that it watches from the
 * first, and in one that it is attached to late; exits 77, which ctest shows as skipped, where there
 * is no GPU or no CUPTI. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <cuda_runtime_api.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/base/error.h"
#include "bench/device/device.h"
#include "bench/record/recorder.h"

/* What a process has told. */
struct told {
    struct facts facts, elsewhere;
    char why[RECORDING_WHY], elsewhere_why[RECORDING_WHY];
};
static struct told *early, *late;

static void *device;
static char *memory;
static cudaStream_t own;

static void works(bool good) {
    if (!good)
        _exit(EXIT_TROUBLE);
}

static void launch(int times) {
    for (int i = 0; i < times; i++)
        works(device_cuda.delay(device, 0) == 0);
}

static void leave(const char *why) {
    print_message("skipped: %s\n", why);
    _exit(EXIT_NO_DEVICE);
}

static void open_device(void) {
    const char *why = "";
    if (device_cuda.count(&why) == 0)
        leave(why);
    works(device_cuda.open(0, &device) == 0);
}

/* Nothing of these calls takes memory, which the recorder would serve at fixed addresses. */
static void watch_early(void) {
    const char *why = "";
    if (recorder_start(false, &why) < 0)
        leave(why);
    recorder_begin_setup();
    recorder_end();
    open_device();
    for (int call = 1; call <= 3; call++) {
        recorder_begin_call(call == 1 ? NULL : &(struct gemm_args){.a = NULL});
        launch(call == 1 ? 9 : 2);
        recorder_end();
        launch(1); /* which is nobody's */
    }
    recorder_tell(&early->facts, early->why);
}

static void call_late(int call, cudaStream_t stream) {
    void *more;
    recorder_begin_call(call == 1 ? NULL : &(struct gemm_args){.a = NULL});
    launch(call == 1 ? 9 : 2);
    works(cudaMalloc(&more, 12345) == cudaSuccess && cudaFree(more) == cudaSuccess);
    works(cudaMemsetAsync(memory, 0, 64, stream) == cudaSuccess);
    works(cudaMemcpyAsync(memory, memory + 64, 32, cudaMemcpyDeviceToDevice, cudaStreamLegacy) ==
          cudaSuccess);
    works(cudaStreamSynchronize(own) == cudaSuccess);
    recorder_end();
    launch(1);
}

/* In the first call another stream is tuning. */
static void watch_late(void) {
    const char *why = "";
    recorder_load();
    open_device();
    launch(3);
    works(cudaMalloc((void **)&memory, 4096) == cudaSuccess);
    works(cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking) == cudaSuccess);
    if (recorder_start(true, &why) < 0)
        leave(why);
    for (int call = 1; call <= 3; call++)
        call_late(call, call == 1 ? own : cudaStreamLegacy);
    recorder_tell(&late->facts, late->why);
    for (int call = 1; call <= 3; call++)
        call_late(call, call == 3 ? own : cudaStreamLegacy);
    recorder_tell(&late->elsewhere, late->elsewhere_why);
}

static const struct facts_seen *kernel_of(const struct facts *facts) {
    for (uint32_t i = 0; i < facts->seen_count; i++)
        if (facts->seen[i].is_kernel)
            return &facts->seen[i];
    fail_msg("no kernel was seen");
    return NULL;
}

static uint32_t times(const struct facts *facts, enum facts_kind kind, enum facts_when when) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < facts->seen_count; i++)
        if (!facts->seen[i].is_kernel && facts_function_kind(facts->seen[i].name) == kind)
            sum += facts->seen[i].times[when];
    return sum;
}

static void every_call_has_its_own_work_and_no_other(void **state) {
    (void)state;
    const struct facts *const both[] = {&early->facts, &late->facts};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(both[i]->calls, 3);
        assert_int_equal(both[i]->idle, 0);
        assert_int_equal(both[i]->first.kernels, 9);
        assert_int_equal(both[i]->last.kernels, 2);
        assert_int_equal(kernel_of(both[i])->times[FACTS_FIRST], 9);
        assert_int_equal(kernel_of(both[i])->times[FACTS_LATER], 4);
        assert_int_not_equal(strncmp(kernel_of(both[i])->name, "_Z", 2), 0); /* demangled */
    }
    assert_string_equal(late->why, "");
    assert_int_equal(late->facts.last.others, 2);
    assert_int_equal(times(&late->facts, FACTS_ALLOC, FACTS_LATER), 4);
    assert_int_equal(times(&late->facts, FACTS_SYNC, FACTS_LATER), 2);
    assert_int_equal(times(&late->facts, FACTS_FILL, FACTS_FIRST), 1);
}

static void the_same_launches_have_the_same_digest(void **state) {
    (void)state;
    assert_true(early->facts.last.digest == early->facts.second.digest);
    assert_true(early->facts.last.digest == late->facts.last.digest);
    assert_true(early->facts.last.digest != 0);
    assert_true(early->facts.first.digest != early->facts.last.digest);
}

static void another_stream_is_refused_late(void **state) {
    (void)state;
    assert_non_null(strstr(late->elsewhere_why, "it works on another stream"));
    assert_int_equal(late->elsewhere.calls, 3);
}

/* In a process of its own, which alone uses CUDA. Returns its exit status. */
static int in_process(void (*watch)(void), struct told **told) {
    int status = 0;
    *told = mmap(NULL, sizeof **told, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    const pid_t child = *told == MAP_FAILED ? -1 : fork();
    if (child == 0) {
        watch();
        _exit(0);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
        return EXIT_TROUBLE;
    return WEXITSTATUS(status);
}

int main(void) {
    int status = in_process(watch_early, &early);
    if (status == 0)
        status = in_process(watch_late, &late);
    if (status != 0)
        return status;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_call_has_its_own_work_and_no_other),
        cmocka_unit_test(the_same_launches_have_the_same_digest),
        cmocka_unit_test(another_stream_is_refused_late),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
