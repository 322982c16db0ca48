/* A whole file in memory, for audits of files that kernels come in. */
#ifndef BENCH_BASE_FILE_BYTES_H
#define BENCH_BASE_FILE_BYTES_H

#include <stddef.h>

struct file_bytes {
    unsigned char *bytes;
    size_t size;
};

/* Reads a regular file of at most 1 GiB. 0, or -1 after error(). */
int file_bytes_read(const char *path, struct file_bytes *file);
void file_bytes_free(struct file_bytes *file);

#endif
