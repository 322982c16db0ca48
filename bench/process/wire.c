#include "bench/process/wire.h"

#include <errno.h>
#include <sys/socket.h>
#include <sys/types.h>

static void end(char *text, size_t size) {
    text[size - 1] = 0;
}

void wire_end_texts(struct wire_reply *reply) {
    end(reply->text, sizeof reply->text);
    if (reply->verb != WIRE_ADD)
        return;
    end(reply->add.name, sizeof reply->add.name);
    end(reply->add.sandbox, sizeof reply->add.sandbox);
}

size_t wire_lens_columns(enum lens lens) {
    return words_lens_is(lens, LENS_HOST_TIME) ? 2 : 1;
}

size_t wire_block_room(const struct wire_time *request, size_t bytes) {
    return (bytes / sizeof(float) - 1) / wire_block_floats(request);
}

size_t wire_block_floats(const struct wire_time *request) {
    size_t columns = 0;
    for (int lens = 0; lens < LENS_COUNT; lens++)
        if (request->lenses & 1 << lens)
            columns += wire_lens_columns((enum lens)lens);
    return columns * (size_t)request->arm_count;
}

int wire_send(int fd, const void *message, size_t size) {
    const char *p = message;
    while (size > 0) {
        ssize_t n = send(fd, p, size, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -1;
        p += n;
        size -= (size_t)n;
    }
    return 0;
}

int wire_receive(int fd, void *message, size_t size) {
    char *p = message;
    while (size > 0) {
        ssize_t n = recv(fd, p, size, 0);
        if (n < 0 && errno == EINTR)
            continue;
        if (n == 0)
            errno = EPIPE;
        if (n <= 0)
            return -1;
        p += n;
        size -= (size_t)n;
    }
    return 0;
}
