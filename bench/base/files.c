#include "bench/base/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <libgen.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/base/error.h"
#include "bench/base/need.h"

const char *files_below(const char *folder, const char *path) {
    size_t length = strlen(folder);
    while (length > 0 && folder[length - 1] == '/')
        length--;
    if (length == 0 || strncmp(folder, path, length) != 0 || (path[length] && path[length] != '/'))
        return NULL;
    return path + length + strspn(path + length, "/");
}

int files_join(char path[PATH_MAX], const char *folder, const char *name) {
    int length = snprintf(path, PATH_MAX, "%s/%s", folder, name);
    return length >= 0 && length < PATH_MAX ? 0 : error("%.200s...: the path is too long", folder);
}

int file_open(struct file *file, const char *folder, const char *name) {
    if (files_join(file->path, folder, name) < 0)
        return -1;
    file->stream = need_stream(&file->bytes, &file->size);
    return 0;
}

void file_abandon(struct file *file) {
    fclose(file->stream);
    free(file->bytes);
}

/* 0, or -1 with errno; the file may be there then. */
static int write_all(const char *path, const char *bytes, size_t size, bool sync) {
    FILE *out = fopen(path, "we");
    if (!out)
        return -1;
    int status = fwrite(bytes, 1, size, out) == size && fflush(out) == 0 &&
                         (!sync || fsync(fileno(out)) == 0)
                     ? 0
                     : -1;
    const int cause = errno;
    if (fclose(out) != 0 && status == 0)
        return -1;
    errno = cause;
    return status;
}

static int commit(struct file *file, bool sync) {
    char part[PATH_MAX];
    const bool fits = snprintf(part, sizeof part, "%s.part", file->path) < PATH_MAX;
    fclose(file->stream);
    errno = ENAMETOOLONG;
    const int status =
        fits && write_all(part, file->bytes, file->size, sync) == 0 ? rename(part, file->path) : -1;
    const int cause = errno;
    free(file->bytes);
    if (status == 0)
        return sync ? files_sync_parent(file->path) : 0;
    if (fits)
        unlink(part);
    return error("%s: cannot write: %s", file->path, strerror(cause));
}

int file_commit(struct file *file) {
    return commit(file, true);
}

int file_commit_unsynced(struct file *file) {
    return commit(file, false);
}

int files_make_folder(const char *folder) {
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s", folder) >= PATH_MAX)
        return error("%.200s...: the path is too long", folder);
    for (char *end = path + 1;; end++) {
        char at = *end;
        if (at != '/' && at)
            continue;
        *end = 0;
        if (mkdir(path, 0777) < 0 && errno != EEXIST)
            return error("%s: cannot make the folder: %s", path, strerror(errno));
        if (!at)
            break;
        *end = at;
    }
    struct stat is;
    if (stat(folder, &is) < 0 || !S_ISDIR(is.st_mode))
        return error("%s: is no folder", folder);
    return 0;
}

int files_sync_parent(const char *path) {
    char folder[PATH_MAX];
    if (snprintf(folder, sizeof folder, "%s", path) >= PATH_MAX)
        return error("%.200s...: the path is too long", path);
    const char *parent = dirname(folder);
    const int fd = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const int status = fd < 0 || fsync(fd) < 0
                           ? error("%s: cannot sync the folder: %s", parent, strerror(errno))
                           : 0;
    if (fd >= 0)
        close(fd);
    return status;
}

static int remove_one(const char *path, const struct stat *is, int type, struct FTW *walk) {
    (void)is, (void)type, (void)walk;
    remove(path);
    return 0;
}

void files_remove_tree(const char *path) {
    nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

int files_exists(const char *path, bool *there) {
    struct stat is;
    *there = stat(path, &is) == 0;
    return *there || errno == ENOENT || errno == ENOTDIR ? 0
                                                         : error("%s: %s", path, strerror(errno));
}

static int is_entry(const struct dirent *entry) {
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

char **files_names(const char *folder) {
    struct dirent **list;
    const int count = scandir(folder, &list, is_entry, alphasort);
    if (count < 0)
        return NULL;
    char **names = need((size_t)count + 1, sizeof *names);
    for (int i = 0; i < count; i++) {
        names[i] = need_copy(list[i]->d_name);
        free(list[i]);
    }
    free(list);
    return names;
}

void files_free_names(char **names) {
    for (size_t i = 0; names && names[i]; i++)
        free(names[i]);
    free(names);
}

FILE *files_open(const char *path, uint64_t most) {
    struct stat is;
    const int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (descriptor < 0)
        return NULL;
    int cause = 0;
    if (fstat(descriptor, &is) < 0)
        cause = errno;
    else if (!S_ISREG(is.st_mode))
        cause = S_ISDIR(is.st_mode) ? EISDIR : FILES_IRREGULAR;
    else if ((uint64_t)is.st_size > most)
        cause = EFBIG;
    FILE *file = cause ? NULL : fdopen(descriptor, "rb");
    if (!file) {
        cause = cause ? cause : errno;
        close(descriptor);
        errno = cause;
    }
    return file;
}

const char *files_explain(int cause) {
    return cause == FILES_IRREGULAR ? "it is no regular file" : strerror(cause);
}

int file_bytes_read(const char *path, struct file_bytes *file) {
    struct stat is;
    FILE *in = files_open(path, FILES_MOST_TEXT);
    if (!in || fstat(fileno(in), &is) < 0) {
        const char *why = files_explain(errno);
        if (in)
            fclose(in);
        return error("%s: %s", path, why);
    }
    const size_t size = (size_t)is.st_size;
    *file = (struct file_bytes){malloc(size + 1), 0};
    if (!file->bytes) {
        fclose(in);
        return error("%s: no memory for its %zu bytes", path, size);
    }
    file->size = fread(file->bytes, 1, size, in);
    file->bytes[file->size] = 0;
    fclose(in);
    if (file->size == size)
        return 0;
    file_bytes_free(file);
    return error("%s: it cannot be read to its end", path);
}

void file_bytes_free(struct file_bytes *file) {
    free(file->bytes);
    *file = (struct file_bytes){0};
}

void files_value(const char *file, const char *key, char separator, char *value, size_t size) {
    char *line = NULL;
    size_t room = 0;
    FILE *in = fopen(file, "r");
    *value = 0;
    while (in && !*value && getline(&line, &room, in) >= 0) {
        char *from = line;
        if (*key) {
            from = strchr(line, separator);
            if (!from || strncmp(line, key, strlen(key)) != 0 ||
                strspn(line + strlen(key), " \t") != (size_t)(from - line) - strlen(key))
                continue;
            from++;
        }
        from += strspn(from, " \t\"");
        size_t length = strlen(from);
        while (length > 0 && strchr(" \t\"\n", from[length - 1]))
            length--;
        snprintf(value, size, "%.*s", (int)length, from);
    }
    free(line);
    if (in)
        fclose(in);
}
