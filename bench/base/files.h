/* Files and folders. A file that is written is there whole or not at all: it gets a temporary name,
 * is brought to the disk, then renamed. Functions return 0, or -1 after error(). */
#ifndef BENCH_BASE_FILES_H
#define BENCH_BASE_FILES_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Writes "folder/name". */
int files_join(char path[PATH_MAX], const char *folder, const char *name);

/* By letters alone: the rest of the path behind the folder and slashes, "" for the folder itself;
 * NULL if the path does not lie in the folder. */
const char *files_below(const char *folder, const char *path);

/* A file being written. It is kept in memory until file_commit, so that only file_commit can meet a
 * fault of the disk. Write to stream without looking at a status. Call file_commit,
 * file_commit_unsynced or file_abandon once after every file_open that succeeds. */
struct file {
    FILE *stream;
    char path[PATH_MAX];
    char *bytes; /* of the memory stream */
    size_t size;
};
int file_open(struct file *file, const char *folder, const char *name);

/* Writes to path with ".part" appended, fsyncs, renames and fsyncs the folder. When any of it
 * fails, what path held before stays, and the temporary is gone. */
int file_commit(struct file *file);

/* The same without fsync, for what can be made again from other files: where the machine stops within
 * seconds, it may be lost. */
int file_commit_unsynced(struct file *file);

void file_abandon(struct file *file);

/* Makes the folder and what leads to it; one that is there already is fine. */
int files_make_folder(const char *folder);

/* fsync of the folder that holds path. */
int files_sync_parent(const char *path);

/* Removes a folder with all it holds, or a file; says nothing when it cannot or nothing is there.
 */
void files_remove_tree(const char *path);

/* Whether there is something of that name. A fault that leaves it open is an error(). */
int files_exists(const char *path, bool *there);

/* The names of what is in the folder, sorted, and NULL; NULL with errno where it cannot be read. The
 * caller frees them with files_free_names, which takes NULL, too. */
char **files_names(const char *folder);
void files_free_names(char **names);

/* Opens a file that somebody else has made, for reading, in place of fopen: NULL with errno where it
 * cannot be opened, has more than `most` bytes, or is no regular file, which may have no end or wait
 * for another process. */
FILE *files_open(const char *path, uint64_t most);
#define FILES_MOST_TEXT ((uint64_t)1 << 30) /* a GiB, far more than any text of a user has */

/* Words for errno then: strerror's, or that it is no regular file. */
#define FILES_IRREGULAR (-1) /* beside the errnos */
const char *files_explain(int cause);

/* A whole file in memory, with a NUL behind it. */
struct file_bytes {
    unsigned char *bytes;
    size_t size;
};

/* Reads a regular file of at most 1 GiB. On failure there is nothing to free. */
int file_bytes_read(const char *path, struct file_bytes *file);
void file_bytes_free(struct file_bytes *file);

/* Reads a value from a file of lines "key<separator>value". The first line with the key counts. The
 * value has no quotes or white space around it, and is "" where there is no such line. With the key
 * "" the value is the whole first line. */
void files_value(const char *file, const char *key, char separator, char *value, size_t size);

#endif
