/* What CUPTI records of calls whose contents are known; exits 77, which ctest shows as skipped,
 * where there is no GPU or no CUPTI. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <cuda_runtime_api.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/device/device.h"
#include "bench/device/trace.h"

enum { CALLS = 200, ROOM = 60000 };

static void *device;
static char *memory;
static struct behaviour_event events[ROOM];
static uint64_t count;

static void works(cudaError_t status) {
    if (status != cudaSuccess)
        fail_msg("%s", cudaGetErrorString(status));
}

/* Call 0 makes a stream, the first launches more than is kept, every other call one kernel more
 * than the one before up to nine, and tenth calls do what else there is. In between comes work that
 * is nobody's. */
static int record(void **state) {
    (void)state;
    uint64_t dropped;
    cudaStream_t own;
    works(cudaMalloc((void **)&memory, 4096));
    for (int call = 0; call <= CALLS; call++) {
        works(cudaMemset(memory, 1, 77));
        assert_int_equal(device_cuda.delay(device, 0), 0);
        assert_int_equal(trace_begin(call), 0);
        if (call == 0)
            works(cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking));
        for (int i = 0; i < (call == 1 ? 3 * BEHAVIOUR_MOST : call % 10); i++)
            assert_int_equal(device_cuda.delay(device, 0), 0);
        if (call && call % 10 == 0) {
            void *more;
            works(cudaMalloc(&more, 12345));
            works(cudaFree(more));
            works(cudaMemsetAsync(memory, 0, 64, own));
            works(cudaMemcpyAsync(memory, memory + 64, 32, cudaMemcpyDeviceToDevice,
                                  cudaStreamLegacy));
            works(cudaStreamSynchronize(own));
            works(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1 << 20));
        }
        assert_int_equal(trace_end(call), 0);
        assert_int_equal(device_cuda.delay(device, 0), 0);
    }
    works(cudaStreamDestroy(own));
    works(cudaFree(memory));
    assert_int_equal(trace_collect(events, ROOM, &count, &dropped), 0);
    assert_int_equal(dropped, 0);
    assert_in_range(count, 1, ROOM);
    return 0;
}

static int seen(int call, enum behaviour_kind kind) {
    int times = 0;
    for (uint64_t i = 0; i < count; i++)
        times += events[i].call == call && events[i].kind == kind;
    return times;
}

static void every_call_has_its_own_work_and_no_other(void **state) {
    (void)state;
    for (int call = 0; call <= CALLS; call++) {
        const int tenth = call && call % 10 == 0;
        assert_int_equal(seen(call, BEHAVIOUR_KERNEL), call == 1 ? BEHAVIOUR_MOST : call % 10);
        assert_int_equal(seen(call, BEHAVIOUR_MEMSET), tenth);
        assert_int_equal(seen(call, BEHAVIOUR_COPY), tenth);
        assert_int_equal(seen(call, BEHAVIOUR_ALLOC), 2 * tenth);
        assert_int_equal(seen(call, BEHAVIOUR_SYNC), tenth);
        assert_int_equal(seen(call, BEHAVIOUR_LIMIT), tenth);
        assert_int_equal(seen(call, BEHAVIOUR_STREAM), call == 0);
    }
}

static void events_are_in_order_and_described(void **state) {
    (void)state;
    uint64_t last = 0;
    for (uint64_t i = 0; i < count; i++) {
        const struct behaviour_event *event = &events[i];
        assert_true(i == 0 || events[i - 1].call <= event->call);
        if (event->start_ns) {
            assert_true(event->start_ns >= last && event->end_ns >= event->start_ns);
            last = event->start_ns;
        }
        if (event->kind == BEHAVIOUR_KERNEL) {
            assert_int_equal(event->stream, event->given_stream);
            assert_true(event->grid[0] > 0 && event->block[0] > 0 && event->registers > 0);
            assert_int_not_equal(strncmp(event->name, "_Z", 2), 0); /* demangled */
        } else if (event->kind == BEHAVIOUR_MEMSET) {
            assert_int_not_equal(event->stream, event->given_stream);
            assert_int_equal(event->bytes, 64);
        } else if (event->kind == BEHAVIOUR_COPY) {
            assert_int_equal(event->stream, event->given_stream);
            assert_int_equal(event->bytes, 32);
            assert_string_equal(event->name, "memcpy DtoD");
        } else if (event->kind == BEHAVIOUR_ALLOC) {
            assert_int_equal(event->bytes, strncmp(event->name, "cudaMalloc", 10) ? 0 : 12345);
        }
    }
}

int main(void) {
    const char *why = "";
    if (trace_start(&why) < 0 || device_cuda.count(&why) == 0) {
        print_message("skipped: %s\n", why);
        return EXIT_NO_DEVICE;
    }
    if (device_cuda.open(0, &device) < 0)
        return EXIT_TROUBLE;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_call_has_its_own_work_and_no_other),
        cmocka_unit_test(events_are_in_order_and_described),
    };
    const int failed = cmocka_run_group_tests(tests, record, NULL);
    device_cuda.close(device);
    return failed;
}
