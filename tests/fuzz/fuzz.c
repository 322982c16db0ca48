#include "tests/fuzz/fuzz.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/base/files.h"

static const char separator[] = "====\n";
enum { SEPARATOR = sizeof separator - 1 };

size_t fuzz_read;
static char folder[256];

void fuzz_broken(const char *file, int line, const char *promise) {
    fprintf(stderr, "%s:%d: broken promise: %s\n", file, line, promise);
    abort();
}

void fuzz_forget(void) {
    if (*folder)
        files_remove_tree(folder);
    *folder = 0;
}

const char *fuzz_folder(void) {
    const char *places[] = {getenv("TMPDIR"), "/dev/shm", "/tmp"};
    for (size_t i = 0; i < 3 && !*folder; i++) {
        if (!places[i])
            continue;
        snprintf(folder, sizeof folder, "%s/gemmgate_fuzz.XXXXXX", places[i]);
        if (!mkdtemp(folder))
            *folder = 0;
        else
            atexit(fuzz_forget);
    }
    fuzz_promise(*folder);
    return folder;
}

const char *fuzz_path(const char *name) {
    static char paths[32][512];
    static unsigned next;
    char *path = paths[next++ % 32];
    snprintf(path, sizeof paths[0], "%s/%s", fuzz_folder(), name);
    return path;
}

const char *fuzz_put(const char *name, const void *data, size_t size) {
    const char *path = fuzz_path(name);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    fuzz_promise(file >= 0 && write(file, data, size) == (ssize_t)size && close(file) == 0);
    return path;
}

void fuzz_split(const uint8_t *data, size_t size, struct fuzz_part *parts, size_t count) {
    memset(parts, 0, count * sizeof *parts);
    for (size_t i = 0; i < count && data; i++) {
        const uint8_t *end = i + 1 < count ? memmem(data, size, separator, SEPARATOR) : NULL;
        parts[i] = (struct fuzz_part){data, end ? (size_t)(end - data) : size};
        size -= parts[i].size + (end ? SEPARATOR : 0);
        data = end ? end + SEPARATOR : NULL;
    }
}

void fuzz_put_parts(const char *const *names, const struct fuzz_part *parts, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (parts[i].data)
            fuzz_put(names[i], parts[i].data, parts[i].size);
        else
            unlink(fuzz_path(names[i]));
}
