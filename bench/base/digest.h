/* XXH128 in hex, as xxhsum -H128 prints it. */
#ifndef BENCH_BASE_DIGEST_H
#define BENCH_BASE_DIGEST_H

#include <stddef.h>

void digest_bytes(const void *bytes, size_t size, char hex[33]);

/* Of a file's content; -1 after error(). */
int digest_file(const char *path, char hex[33]);

#endif
