/* XXH128 of files and strings, as 32 hexadecimal digits. */
#ifndef CANDIDATES_HASH_H
#define CANDIDATES_HASH_H

/* 0, or -1 after error(). */
int hash_file(const char *path, char hex[33]);

/* The same without a message; for files that may be missing. */
int hash_file_quietly(const char *path, char hex[33]);

/* The same for a header that many sources share: hashed once and remembered for the life of the
 * process. */
int hash_header(const char *path, char hex[33]);

/* Hash of the concatenation of NUL-ended strings, each with its NUL; the list ends with NULL. */
void hash_strings(const char *const *strings, char hex[33]);

#endif
