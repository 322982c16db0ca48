#include "bench/process/read_only.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#include "bench/base/hash.h"

static int by_size(const void *left, const void *right) {
    const struct read_only_part *a = left, *b = right;
    return (a->bytes > b->bytes) - (a->bytes < b->bytes);
}

/* A line of /proc/PID/maps. False: it is no such mapping. */
static bool read_mapping(const char *line, struct read_only_part *part) {
    char access[5] = "", path[256] = "";
    uint64_t end;
    if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %*s %*s %*s %255s", &part->begin, &end, access,
               path) != 4 ||
        access[0] != 'r' || access[1] == 'w' || access[3] != 'p' || *path != '/')
        return false;
    const char *name = strrchr(path, '/') + 1;
    if (strncmp(name, "libcu", 5) == 0 || strncmp(name, "libnv", 5) == 0)
        return false;
    part->bytes = end - part->begin;
    snprintf(part->name, sizeof part->name, "%.*s", READ_ONLY_NAME - 1, name);
    return true;
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

void read_only_remember(pid_t pid, size_t most, struct read_only *there) {
    char path[64], line[512];
    size_t bytes = 0;
    int kept = 0;
    there->count = 0;
    snprintf(path, sizeof path, "/proc/%d/maps", (int)pid);
    FILE *maps = fopen(path, "r");
    while (maps && there->count < READ_ONLY_PARTS && fgets(line, sizeof line, maps))
        there->count += read_mapping(line, &there->parts[there->count]);
    if (maps)
        fclose(maps);
    qsort(there->parts, (size_t)there->count, sizeof *there->parts, by_size);
    for (int i = 0; i < there->count && bytes + there->parts[i].bytes <= most; i++) {
        there->parts[kept] = there->parts[i];
        bytes += there->parts[i].bytes;
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
