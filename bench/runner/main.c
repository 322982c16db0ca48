/* gemmgate-runner: opens a device, sets up baselines and one candidate, and does what the judge
 * asks over the socket it inherits. Started by gemmgate only. */
#include "bench/runner/requests/requests.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "bench/base/crash.h"
#include "bench/base/error.h"

static void describe_device(int index, struct wire_reply *reply) {
    int ordinal = index;
    for (int kind = 0; device_kinds[kind]; kind++) {
        const struct device_ops *device = device_kinds[kind];
        const char *why = "";
        int count = device->count(&why);
        /* A kind with no device is one row that says why. */
        int rows = count > 0 ? count : 1;
        if (ordinal < rows) {
            struct wire_device_reply *told = &reply->device;
            snprintf(told->kind, sizeof told->kind, "%s", device->kind);
            told->ordinal = count > 0 ? ordinal : -1;
            device->libraries(&told->info);
            if (count <= 0)
                snprintf(reply->text, sizeof reply->text, "%s", why);
            else if (device->describe(ordinal, &told->info) < 0)
                reply->status = -1;
            return;
        }
        ordinal -= rows;
    }
    reply->status = 1;
}

static void describe_baseline(int index, struct wire_reply *reply) {
    const struct baseline *baseline = index < 0 ? NULL : baseline_at(index);
    if (!baseline) {
        reply->status = 1;
        return;
    }
    const struct kernel_ops *ops = &baseline->ops;
    reply->baseline = (struct wire_baseline_reply){.device = ops->device,
                                                   .accumulate = ops->accumulate,
                                                   .elements = runner_elements(ops),
                                                   .autotuned = baseline->variants != NULL,
                                                   .optional = baseline->optional};
    snprintf(reply->baseline.name, sizeof reply->baseline.name, "%s", ops->name);
}

/* No process that has loaded a kernel under test makes what kernels are held against. */
static bool is_apart(const struct runner *runner, uint32_t verb) {
    return runner->reference ? verb == WIRE_PRODUCT : verb != WIRE_PRODUCT;
}

static void obey(struct runner *runner, const struct wire_request *request,
                 struct wire_reply *reply) {
    if (!is_apart(runner, request->verb)) {
        runner_fault(reply, "a process makes reference products, or runs kernels");
        return;
    }
    switch (request->verb) {
    case WIRE_DEVICE:
        describe_device(request->device.index, reply);
        break;
    case WIRE_BASELINE:
        describe_baseline(request->baseline.index, reply);
        break;
    case WIRE_LIBRARY:
        runner_library(&request->library, reply);
        break;
    case WIRE_OPEN:
        runner_open(runner, &request->open, reply);
        break;
    case WIRE_SHAPE:
        runner_shape(runner, &request->shape, reply);
        break;
    case WIRE_ADD:
        runner_add(runner, &request->add, reply);
        break;
    case WIRE_TUNE:
        runner_tune(runner, &request->tune, reply);
        break;
    case WIRE_CALL:
        runner_call(runner, &request->call, reply);
        break;
    case WIRE_TIME:
        runner_time(runner, &request->time, reply);
        break;
    case WIRE_TRACE:
        runner_trace(runner, &request->trace, reply);
        break;
    case WIRE_LAST:
        runner_last(runner, &request->last, reply);
        break;
    case WIRE_PROFILE:
        runner_profile(runner, &request->profile, reply);
        break;
    case WIRE_RECORD:
        runner_record(runner, &request->record, reply);
        break;
    case WIRE_LOAD:
        runner_load(runner, &request->load, reply);
        break;
    case WIRE_PLAY:
        runner_play(runner, &request->play, reply);
        break;
    case WIRE_TIME_PLAYED:
        runner_time_played(runner, &request->time_played, reply);
        break;
    case WIRE_PRODUCT:
        runner_product(runner, &request->product, reply);
        break;
    case WIRE_PEAK:
        runner_peak(runner, reply);
        break;
    default:
        reply->status = -1;
        snprintf(reply->text, sizeof reply->text, "unknown request %u", request->verb);
    }
}

static int map_shared(struct runner *runner) {
    struct stat file;
    if (fstat(WIRE_SHARED_FD, &file) < 0)
        return error("gemmgate-runner is started by gemmgate, not by hand");
    runner->shared_bytes = (size_t)file.st_size;
    runner->shared =
        mmap(NULL, runner->shared_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, WIRE_SHARED_FD, 0);
    if (runner->shared == MAP_FAILED)
        return error("cannot map the shared memory: %s", strerror(errno));
    return 0;
}

int main(void) {
    static struct runner runner;
    static struct wire_request request;
    static struct wire_reply reply;
    crash_watch("gemmgate-runner");
    if (map_shared(&runner) < 0)
        return EXIT_TROUBLE;
    while (wire_receive(WIRE_SOCKET_FD, &request, sizeof request) == 0) {
        memset(&reply, 0, sizeof reply);
        reply.version = WIRE_VERSION;
        reply.verb = request.verb;
        reply.nonce = request.nonce;
        if (request.version != WIRE_VERSION) {
            reply.status = -1;
            snprintf(reply.text, sizeof reply.text, "gemmgate and gemmgate-runner differ in build");
        } else {
            crash_step("a request of the judge");
            obey(&runner, &request, &reply);
        }
        if (wire_send(WIRE_SOCKET_FD, &reply, sizeof reply) < 0)
            return EXIT_TROUBLE;
    }
    return EXIT_PASS; /* the judge hung up; memory and contexts go with the process */
}
