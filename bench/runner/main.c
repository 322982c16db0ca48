/* gemmgate-runner: opens a device, sets up baselines and one candidate, and does what the judge
 * asks over the socket it inherits. Started by gemmgate only. */
#include "bench/runner/requests/requests.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "bench/base/error.h"
#include "bench/base/outcome.h"

static void obey(struct runner *runner, const struct wire_request *request,
                 struct wire_reply *reply) {
    switch (request->verb) {
#define X(verb, name)                                                                              \
    case WIRE_##verb:                                                                              \
        runner_##name(runner, &request->name, reply);                                              \
        break;
        WIRE_REQUESTS(X)
#undef X
    default:
        reply->status = -1;
        snprintf(reply->text, sizeof reply->text, "unknown request %u", request->verb);
    }
}

/* Failures on a lost device are the doing of a kernel. On any other the fault is
 * ours, or the machine's. */
static void tell_faults_apart(const struct runner *runner, struct wire_reply *reply) {
    const char *why;
    if (reply->status == 0 || !runner->device_state ||
        runner->device->sync(runner->device_state, &why) == 0)
        return;
    reply->status = 0;
    reply->outcome = OUTCOME_DEVICE_ERROR;
    snprintf(reply->text, sizeof reply->text, "%s", why);
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
            obey(&runner, &request, &reply);
            tell_faults_apart(&runner, &reply);
        }
        if (wire_send(WIRE_SOCKET_FD, &reply, sizeof reply) < 0)
            return EXIT_TROUBLE;
    }
    return EXIT_PASS; /* the judge hung up; memory and contexts go with the process */
}
