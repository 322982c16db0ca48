/* XXH128 of bytes, files and strings, as 32 hexadecimal digits, as xxhsum -H128 prints it. */
#ifndef BENCH_BASE_HASH_H
#define BENCH_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

void hash_bytes(const void *bytes, size_t size, char hex[33]);

/* A 64-bit hash (XXH3) for tables in memory. before: the hash of the bytes in front of these, 0 where
 * there are none. */
uint64_t hash_number(uint64_t before, const void *bytes, size_t size);

/* Of regular files only. 0, or -1 after error(). */
int hash_file(const char *path, char hex[33]);

/* The same without a message, but with errno as files_open has it; for files that may be missing. */
int hash_file_quietly(const char *path, char hex[33]);

/* The same for a header that many sources share, of at most a GiB: hashed once and remembered for
 * the life of the process. */
int hash_header(const char *path, char hex[33]);

/* Hash of the concatenation of NUL-ended strings, each with its NUL; the list ends with NULL. */
void hash_strings(const char *const *strings, char hex[33]);

#endif
