#include "bench/process/wire.h"

#include <errno.h>
#include <sys/socket.h>
#include <sys/types.h>

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
