#include "bench/process/read_only.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#include "bench/base/hash.h"

/* A line of /proc/PID/maps. */
struct mapping {
    uint64_t begin, end, offset;
    char access[5], path[256];
};

/* Calls visit for each mapping of the process until it returns false. */
static void each_mapping(pid_t pid, bool (*visit)(const struct mapping *, void *), void *context) {
    char file[64], line[512];
    struct mapping m;
    bool more = true;
    snprintf(file, sizeof file, "/proc/%d/maps", (int)pid);
    FILE *maps = fopen(file, "r");
    while (maps && more && fgets(line, sizeof line, maps)) {
        *m.path = 0;
        more = sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %*s %*s %255s", &m.begin,
                      &m.end, m.access, &m.offset, m.path) < 4 ||
               visit(&m, context);
    }
    if (maps)
        fclose(maps);
}

static const char *file_name(const struct mapping *m) {
    const char *slash = strrchr(m->path, '/');
    return slash ? slash + 1 : m->path;
}

/* The clocks of the system are called in [vdso]. */
static bool is_kept(const struct mapping *m) {
    const char *name = file_name(m);
    return m->access[0] == 'r' && m->access[1] != 'w' && m->access[3] == 'p' &&
           m->end - m->begin <= READ_ONLY_MOST &&
           (*m->path == '/' || strcmp(name, "[vdso]") == 0) && strncmp(name, "libcu", 5) != 0 &&
           strncmp(name, "libnv", 5) != 0;
}

static bool add_part(const struct mapping *m, void *context) {
    struct read_only *there = context;
    struct read_only_part *part = &there->parts[there->count];
    if (!is_kept(m))
        return true;
    part->begin = m->begin;
    part->bytes = m->end - m->begin;
    snprintf(part->name, sizeof part->name, "%.*s", READ_ONLY_NAME - 1, file_name(m));
    return ++there->count < READ_ONLY_PARTS;
}

/* False where it cannot be read; errno is EFAULT where there is nothing. */
static bool hash_part(pid_t pid, const struct read_only_part *part, char hash[33]) {
    char *copy = malloc(part->bytes);
    const struct iovec to = {copy, part->bytes}, from = {(void *)part->begin, part->bytes};
    errno = 0;
    const ssize_t bytes = copy ? process_vm_readv(pid, &to, 1, &from, 1, 0) : -1;
    const bool whole = bytes == (ssize_t)part->bytes;
    if (whole)
        hash_bytes(copy, part->bytes, hash);
    const int cause = bytes >= 0 ? EFAULT : errno; /* its end is gone */
    free(copy);
    errno = cause;
    return whole;
}

void read_only_remember(pid_t pid, struct read_only *there) {
    int kept = 0;
    there->count = 0;
    each_mapping(pid, add_part, there);
    for (int i = 0; i < there->count; i++) {
        there->parts[kept] = there->parts[i];
        kept += hash_part(pid, &there->parts[i], there->parts[kept].hash);
    }
    there->count = kept;
}

const struct read_only_part *read_only_changed(pid_t pid, const struct read_only *there) {
    char hash[33];
    for (int i = 0; i < there->count; i++)
        if (hash_part(pid, &there->parts[i], hash) ? strcmp(hash, there->parts[i].hash) != 0
                                                   : errno == EFAULT)
            return &there->parts[i];
    return NULL;
}

/* Code of libraries that is mapped: a hash of its file and place in it, and how often. */
struct code {
    char (*seen)[33];
    int count, most;
    char *twice;
};

static bool add_code(const struct mapping *m, void *context) {
    struct code *code = context;
    char text[300], hash[33];
    if (m->access[2] != 'x' || !strstr(m->path, ".so") || code->count == code->most)
        return true;
    snprintf(text, sizeof text, "%s %" PRIx64, m->path, m->offset);
    hash_bytes(text, strlen(text), hash);
    for (int i = 0; i < code->count; i++)
        if (strcmp(code->seen[i], hash) == 0) {
            snprintf(code->twice, READ_ONLY_NAME, "%.*s", READ_ONLY_NAME - 1, file_name(m));
            return false;
        }
    strcpy(code->seen[code->count++], hash);
    return true;
}

bool read_only_twice(pid_t pid, char name[READ_ONLY_NAME]) {
    char seen[READ_ONLY_PARTS][33];
    struct code code = {.seen = seen, .most = READ_ONLY_PARTS, .twice = name};
    *name = 0;
    each_mapping(pid, add_code, &code);
    return *name != 0;
}
