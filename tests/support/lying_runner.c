/* For tests: a runner that a kernel has taken over. The name of the kernel that it has loaded says
 * which field of the replies is a lie from then on. */
#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/process/wire.h"

int __real_wire_receive(int fd, void *message, size_t size);
int __real_wire_send(int fd, const void *message, size_t size);
int __wrap_wire_receive(int fd, void *message, size_t size);
int __wrap_wire_send(int fd, const void *message, size_t size);

static struct wire_request asked;
static char lie[WIRE_NAME];

/* One block more than was asked for, with times in it that nobody needs long for. */
static void add_block(struct wire_reply *reply) {
    struct stat file;
    const size_t stride = wire_block_floats(&asked.time);
    if (reply->time.blocks != asked.time.most_blocks || fstat(WIRE_SHARED_FD, &file) < 0)
        return;
    const size_t bytes = (size_t)file.st_size;
    float *samples = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, WIRE_SHARED_FD, 0);
    if (samples == MAP_FAILED)
        return;
    for (size_t i = 0; i < stride; i++)
        samples[reply->time.blocks * stride + i] = 1e-9F;
    reply->time.blocks++;
    munmap(samples, bytes);
}

static void lie_in(struct wire_reply *reply) {
    if (asked.verb == WIRE_ADD && asked.add.kind == ARM_CANDIDATE) {
        memcpy(lie, reply->add.name, sizeof lie);
        if (strcmp(lie, "endless-setup") == 0)
            reply->add.setup_seconds = INFINITY;
        if (strcmp(lie, "negative-setup") == 0)
            reply->add.setup_seconds = -1;
        if (strcmp(lie, "no-size") == 0)
            reply->add.padded = (struct shape){0, 0, 0};
        if (strcmp(lie, "too-small") == 0)
            reply->add.padded.k--;
    }
    if (asked.verb == WIRE_CALL && strcmp(lie, "endless-call") == 0)
        reply->call.seconds = INFINITY;
    if (asked.verb == WIRE_CALL && strcmp(lie, "timeless-call") == 0)
        reply->call.seconds = NAN;
    if (asked.verb == WIRE_CALL && strcmp(lie, "other-verb") == 0)
        reply->verb = WIRE_TIME;
    if (asked.verb == WIRE_TIME && strcmp(lie, "more-blocks") == 0)
        add_block(reply);
}

int __wrap_wire_receive(int fd, void *message, size_t size) {
    const int status = __real_wire_receive(fd, message, size);
    if (status == 0 && size == sizeof asked)
        memcpy(&asked, message, size);
    return status;
}

int __wrap_wire_send(int fd, const void *message, size_t size) {
    static struct wire_reply reply;
    memcpy(&reply, message, sizeof reply);
    lie_in(&reply);
    return __real_wire_send(fd, &reply, size);
}
