#include "bench/base/file_bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/base/error.h"

#define MOST_BYTES (1 << 30)

/* O_NONBLOCK: a fifo in a kernel's place does not hold the judge. */
int file_bytes_read(const char *path, struct file_bytes *file) {
    struct stat status;
    int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0)
        return error("%s: %s", path, strerror(errno));
    if (fstat(descriptor, &status) < 0 || !S_ISREG(status.st_mode) || status.st_size > MOST_BYTES) {
        close(descriptor);
        return error("%s: it is no regular file of at most 1 GiB", path);
    }
    *file = (struct file_bytes){malloc((size_t)status.st_size + 1), 0};
    if (!file->bytes) {
        close(descriptor);
        return error("%s: no memory for its %lld bytes", path, (long long)status.st_size);
    }
    while (file->size < (size_t)status.st_size) {
        ssize_t got =
            read(descriptor, file->bytes + file->size, (size_t)status.st_size - file->size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        file->size += (size_t)got;
    }
    close(descriptor);
    if (file->size < (size_t)status.st_size) {
        file_bytes_free(file);
        return error("%s: it cannot be read to its end", path);
    }
    return 0;
}

void file_bytes_free(struct file_bytes *file) {
    free(file->bytes);
    *file = (struct file_bytes){0};
}
