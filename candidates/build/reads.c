#include "candidates/build/job.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "bench/base/files.h"
#include "bench/base/hash.h"
#include "bench/base/need.h"
#include "candidates/build/watch.h"

/* Takes "." and ".." out of an absolute path, by its letters alone. */
static void shorten(const char *path, char to[PATH_MAX]) {
    size_t at = 0;
    while (*path) {
        path += strspn(path, "/");
        const size_t length = strcspn(path, "/");
        if (length == 2 && strncmp(path, "..", 2) == 0) {
            while (at > 0 && to[--at] != '/') {
            }
        } else if (length > 0 && !(length == 1 && *path == '.') && at + length + 2 < PATH_MAX) {
            to[at++] = '/';
            memcpy(to + at, path, length);
            at += length;
        }
        path += length;
    }
    to[at] = 0;
}

/* Whether the absolute path is of the toolkit of nvcc, whose version is in the key of its jobs. */
static bool is_toolkits(const struct builder *builder, const struct job *job, const char *path) {
    char real[PATH_MAX];
    return job->candidate->type == CANDIDATE_CU && *builder->toolkit &&
           (files_below(builder->toolkit, path) ||
            (realpath(path, real) && files_below(builder->toolkit, real)));
}

/* Whether the path is the machine's own. Whoever can change such a file can change the machine. */
static bool is_machines(const char *path) {
    static const char *const others[] = {"/usr/include", "/usr/local"};
    static const char *const folders[] = {"/usr",  "/lib", "/lib32", "/lib64", "/libx32", "/bin",
                                          "/sbin", "/etc", "/proc",  "/sys",   "/dev",    "/run"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (files_below(others[i], path))
            return false;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (files_below(folders[i], path))
            return true;
    return !*path;
}

/* Whether the path goes through something that differs by process: an open file, the folder that it
 * works in, or its root. The path's letters show it, or a link on the way does. */
static bool is_detour(const char *path) {
    const struct open_how how = {.flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_NO_MAGICLINKS};
    if (files_below("/proc", path))
        return strstr(path, "/fd/") || strstr(path, "/cwd") || strstr(path, "/root");
    const int file = (int)syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof how);
    if (file >= 0)
        close(file);
    return (file < 0 && errno == ELOOP) || files_below("/dev/fd", path) ||
           strncmp(path, "/dev/std", 8) == 0;
}

/* Whether an argument -I names a folder that the path lies in. */
static bool is_included(const struct builder *builder, const char *path) {
    for (int i = 0; i < builder->set->flag_count; i++)
        if (strncmp(builder->set->flags[i], "-I/", 3) == 0 &&
            files_below(builder->set->flags[i] + strlen("-I"), path))
            return true;
    return files_below(builder->include + strlen("-I"), path) != NULL;
}

/* What the line calls an absolute path. NULL for one that is left out. */
static const char *name_path(const struct builder *builder, const struct job *job,
                             const char *path) {
    char plain[PATH_MAX];
    const char *rest = files_below(builder->set->folder, path);
    if (rest)
        return *rest ? rest : ".";
    shorten(path, plain);
    const bool is_compilers = is_machines(plain) || is_toolkits(builder, job, plain) ||
                              strcmp(path, job_compiler(builder, job)->path) == 0;
    return is_compilers && !is_included(builder, path) ? NULL : path;
}

/* Where the name is now. */
static bool find_path(const struct builder *builder, const char *name, char path[PATH_MAX]) {
    const bool whole = *name == '/';
    return snprintf(path, PATH_MAX, "%s%s%s", whole ? "" : builder->set->folder, whole ? "" : "/",
                    name) < PATH_MAX;
}

static bool hash_listing(const char *path, char state[33]) {
    char **names = files_names(path);
    if (names)
        hash_strings((const char *const *)names, state);
    files_free_names(names);
    return names != NULL;
}

/* The state of a path. False where it has none: neither file nor folder, or unreadable; errno says
 * why. What a link leads to is asked of links alone: state is "" else. */
static bool find_state(const char *path, char kind, char state[33], struct stat *is) {
    char target[PATH_MAX];
    if (kind == WATCH_LINK) {
        const ssize_t length = readlink(path, target, sizeof target);
        if (length > 0)
            hash_bytes(target, (size_t)length, state);
        else
            *state = 0;
        return lstat(path, is) == 0 || length <= 0;
    }
    if (stat(path, is) < 0) {
        snprintf(state, 33, "absent");
        return errno == ENOENT || errno == ENOTDIR || errno == ELOOP || errno == ENAMETOOLONG;
    }
    if (S_ISDIR(is->st_mode) && kind == WATCH_OPEN)
        return hash_listing(path, state);
    if (S_ISDIR(is->st_mode)) {
        snprintf(state, 33, "folder");
        return true;
    }
    return hash_header(path, state) == 0;
}

static struct timespec began;

void reads_begin(void) {
    if (!began.tv_sec)
        clock_gettime(CLOCK_REALTIME, &began);
}

/* Contents are remembered for the life of the process. A file that has changed since it began may be
 * another than the compiler saw. */
static bool is_old(const struct stat *is) {
    return is->st_ctim.tv_sec < began.tv_sec ||
           (is->st_ctim.tv_sec == began.tv_sec && is->st_ctim.tv_nsec <= began.tv_nsec);
}

/* Writes the line of one record. 0, or 1 with why. */
static int write_line(const struct builder *builder, const struct job *job, const char *record,
                      FILE *out, char why[READS_WHY]) {
    const char kind = *record, *path = record + 2;
    const char *name = NULL;
    char state[33] = "";
    struct stat is = {0};
    const char *wrong = NULL;
    if (kind == WATCH_UNKNOWN)
        return snprintf(why, READS_WHY, "%.200s", path), 1;
    if (kind != WATCH_LINK && is_detour(path))
        wrong = "a way to a file that has no name";
    else if (!(name = name_path(builder, job, path)))
        return 0;
    else if (strchr(path, '\n'))
        wrong = "a name of two lines";
    else if (!find_state(path, kind, state, &is))
        wrong = files_explain(errno);
    else if ((S_ISREG(is.st_mode) && !is_old(&is)) ||
             (record[1] == '+' && strcmp(state, "absent") == 0))
        wrong = "it has changed meanwhile";
    if (wrong)
        return snprintf(why, READS_WHY, "%.150s: %s", path, wrong), 1;
    if (*state)
        fprintf(out, "%s %c %s\n", state, kind, name);
    return 0;
}

int reads_write(const struct builder *builder, const struct job *job, FILE *out,
                char why[READS_WHY]) {
    char lookups[PATH_MAX];
    FILE *in = files_join(lookups, job->part, WATCH_FILE) == 0 ? fopen(lookups, "r") : NULL;
    char *record = NULL;
    size_t size = 0;
    int status = 0;
    bool whole = false;
    while (in && status == 0 && !whole && getdelim(&record, &size, 0, in) > 0) {
        whole = *record == WATCH_END;
        status = whole ? 0 : write_line(builder, job, record, out, why);
    }
    if (status == 0 && !whole) {
        snprintf(why, READS_WHY, "the list of what it looked up is not whole");
        status = 1;
    }
    free(record);
    if (in)
        fclose(in);
    return status;
}

bool reads_hold(const struct builder *builder, const char *line) {
    char path[PATH_MAX], state[33];
    struct stat is = {0};
    const char *kind = strchr(line, ' ');
    if (!kind || !kind[1] || kind[2] != ' ' || !find_path(builder, kind + 3, path))
        return false;
    const size_t length = (size_t)(kind - line);
    return (kind[1] == WATCH_LINK || !is_detour(path)) && find_state(path, kind[1], state, &is) &&
           strlen(state) == length && strncmp(state, line, length) == 0;
}
