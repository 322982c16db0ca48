/* What a process may not change of itself: the code, constants and bound addresses of its program
 * and libraries. A kernel that shares the process can make them writable and change them. The judge
 * sees that from outside. */
#ifndef BENCH_PROCESS_READ_ONLY_H
#define BENCH_PROCESS_READ_ONLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define READ_ONLY_PARTS 512
#define READ_ONLY_MOST (2 << 20) /* bytes of a part; the code of OpenBLAS has more */
#define READ_ONLY_NAME 48

struct read_only {
    int count;
    struct read_only_part {
        uint64_t begin, bytes;
        char hash[33], name[READ_ONLY_NAME]; /* of the file */
    } parts[READ_ONLY_PARTS];
};

/* Remembers what is there now: mappings of files, and of the system's clocks, that are not writable
 * and not larger than READ_ONLY_MOST. What CUDA's own libraries do to theirs is not known: they are
 * left out. Nothing, where the system does not let this process look. */
void read_only_remember(pid_t pid, struct read_only *there);

/* The first part that is not as it was, or NULL. */
const struct read_only_part *read_only_changed(pid_t pid, const struct read_only *there);

/* Whether the code of a library is there twice, and its name then. A kernel has loaded it apart
 * from the process's own (dlmopen): nothing that watches that sees what such a one calls. */
bool read_only_twice(pid_t pid, char name[READ_ONLY_NAME]);

#endif
