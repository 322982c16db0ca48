#include "reports/files.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/error.h"

int files_join(char path[PATH_MAX], const char *folder, const char *name) {
    int length = snprintf(path, PATH_MAX, "%s/%s", folder, name);
    return length >= 0 && length < PATH_MAX ? 0 : error("%.200s...: the path is too long", folder);
}

int file_open(struct file *file, const char *folder, const char *name) {
    file->stream = NULL;
    if (files_join(file->path, folder, name) < 0)
        return -1;
    int length = snprintf(file->part, sizeof file->part, "%s.part", file->path);
    if (length < 0 || length >= PATH_MAX)
        return error("%.200s...: the path is too long", folder);
    file->stream = fopen(file->part, "w");
    return file->stream ? 0 : error("%s: cannot write: %s", file->part, strerror(errno));
}

void file_abandon(struct file *file) {
    fclose(file->stream);
    unlink(file->part);
}

int file_commit(struct file *file) {
    errno = 0;
    if (fflush(file->stream) == EOF || ferror(file->stream) || fsync(fileno(file->stream)) < 0) {
        error("%s: cannot write: %s", file->path,
              errno ? strerror(errno) : "an earlier write failed");
        file_abandon(file);
        return -1;
    }
    if (fclose(file->stream) == EOF || rename(file->part, file->path) < 0) {
        error("%s: cannot write: %s", file->path, strerror(errno));
        unlink(file->part);
        return -1;
    }
    return files_sync_parent(file->path);
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

int files_sync_folder(const char *folder) {
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int status = fd < 0 || fsync(fd) < 0
                     ? error("%s: cannot sync the folder: %s", folder, strerror(errno))
                     : 0;
    if (fd >= 0)
        close(fd);
    return status;
}

int files_sync_parent(const char *path) {
    char folder[PATH_MAX];
    if (snprintf(folder, sizeof folder, "%s", path) >= PATH_MAX)
        return error("%.200s...: the path is too long", path);
    char *slash = strrchr(folder, '/');
    if (!slash)
        return files_sync_folder(".");
    slash[slash == folder] = 0;
    return files_sync_folder(folder);
}

static int remove_one(const char *path, const struct stat *is, int type, struct FTW *walk) {
    (void)is, (void)type, (void)walk;
    remove(path);
    return 0;
}

void files_remove_tree(const char *path) {
    nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}
