#include "candidates/build/reads.h"

#include <dirent.h>
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

void reads_set_toolkit(struct reads_roots *roots, const char *nvcc) {
    char profile[PATH_MAX + 16];
    *roots->toolkit = 0;
    if (!realpath(nvcc, roots->toolkit))
        return;
    char *slash = strrchr(roots->toolkit, '/');
    snprintf(profile, sizeof profile, "%.*s/nvcc.profile", (int)(slash - roots->toolkit),
             roots->toolkit);
    *slash = 0;
    slash = strrchr(roots->toolkit, '/');
    *(slash ? slash : roots->toolkit) = 0;
    if (access(profile, F_OK) < 0)
        *roots->toolkit = 0;
}

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

/* Whether the path is the machine's own. Whoever can change such a file can change the machine. */
static bool is_machines(const struct reads_roots *roots, const char *path) {
    static const char *const others[] = {"/usr/include", "/usr/local"};
    static const char *const folders[] = {"/usr",  "/lib", "/lib32", "/lib64", "/libx32", "/bin",
                                          "/sbin", "/etc", "/proc",  "/sys",   "/dev",    "/run"};
    char plain[PATH_MAX], real[PATH_MAX];
    shorten(path, plain);
    if (*roots->toolkit && (files_below(roots->toolkit, plain) ||
                            (realpath(path, real) && files_below(roots->toolkit, real))))
        return true;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (files_below(others[i], plain))
            return false;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (files_below(folders[i], plain))
            return true;
    return !*plain;
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
static bool is_included(const struct reads_roots *roots, const char *path) {
    for (int i = 0; i < roots->set->flag_count; i++)
        if (strncmp(roots->set->flags[i], "-I/", 3) == 0 &&
            files_below(roots->set->flags[i] + strlen("-I"), path))
            return true;
    return files_below(roots->include + strlen("-I"), path) != NULL;
}

/* What the line calls an absolute path. NULL for one that is left out. */
static const char *name_path(const struct reads_roots *roots, const char *path) {
    const char *rest = files_below(roots->set->folder, path);
    if (rest)
        return *rest ? rest : ".";
    const bool is_compilers =
        is_machines(roots, path) || (roots->compiler && strcmp(path, roots->compiler) == 0);
    return is_compilers && !is_included(roots, path) ? NULL : path;
}

/* Where the name is now. */
static bool find_path(const struct reads_roots *roots, const char *name, char path[PATH_MAX]) {
    const bool whole = *name == '/';
    return snprintf(path, PATH_MAX, "%s%s%s", whole ? "" : roots->set->folder, whole ? "" : "/",
                    name) < PATH_MAX;
}

static int is_entry(const struct dirent *entry) {
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

static bool hash_listing(const char *path, char state[33]) {
    struct dirent **list;
    const int count = scandir(path, &list, is_entry, alphasort);
    if (count < 0)
        return false;
    const char **names = need((size_t)count + 1, sizeof *names);
    for (int i = 0; i < count; i++)
        names[i] = list[i]->d_name;
    hash_strings(names, state);
    for (int i = 0; i < count; i++)
        free(list[i]);
    free(list);
    free(names);
    return true;
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
static int write_line(const struct reads_roots *roots, const char *record, FILE *out,
                      char why[READS_WHY]) {
    const char kind = *record, *path = record + 2;
    const char *name = NULL;
    char state[33] = "";
    struct stat is = {0};
    const char *wrong = NULL;
    if (kind == WATCH_UNKNOWN)
        return snprintf(why, READS_WHY, "%.200s", path), 1;
    if (kind != WATCH_LINK && is_detour(path))
        wrong = "a way to a file that has no name";
    else if (!(name = name_path(roots, path)))
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

int reads_write(const struct reads_roots *roots, const char *lookups, FILE *out,
                char why[READS_WHY]) {
    FILE *in = fopen(lookups, "r");
    char *record = NULL;
    size_t size = 0;
    int status = 0;
    bool whole = false;
    while (in && status == 0 && !whole && getdelim(&record, &size, 0, in) > 0) {
        whole = *record == WATCH_END;
        status = whole ? 0 : write_line(roots, record, out, why);
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

bool reads_hold(const struct reads_roots *roots, const char *line) {
    char path[PATH_MAX], state[33];
    struct stat is = {0};
    const char *kind = strchr(line, ' ');
    if (!kind || !kind[1] || kind[2] != ' ' || !find_path(roots, kind + 3, path))
        return false;
    const size_t length = (size_t)(kind - line);
    return (kind[1] == WATCH_LINK || !is_detour(path)) && find_state(path, kind[1], state, &is) &&
           strlen(state) == length && strncmp(state, line, length) == 0;
}
