#include "candidates/build/job.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/base/hash.h"
#include "bench/base/need.h"

/* A file that the user's group or others could write to is not the user's own. */
#define MODE_FOLDER 0755
#define MODE_FILE 0444

static int make_folders(char *path) {
    for (char *p = path + 1;; p++) {
        char held = *p;
        if (held != '/' && held != 0)
            continue;
        *p = 0;
        if (mkdir(path, MODE_FOLDER) < 0 && errno != EEXIST && errno != EROFS)
            return error("%s: %s; --cache-dir names another folder", path, strerror(errno));
        *p = held;
        if (held == 0)
            break;
    }
    return 0;
}

/* Whether nobody but this user and root can have made it or can change it. */
static bool is_own(const struct stat *is) {
    return (is->st_uid == geteuid() || is->st_uid == 0) && !(is->st_mode & (S_IWGRP | S_IWOTH));
}

/* Whether git tracks a file of the folder, which lies below root, or cannot say. */
static bool git_knows(const char *root, const char *folder) {
    char git[PATH_MAX], dir[PATH_MAX + 32], tree[PATH_MAX + 32];
    snprintf(dir, sizeof dir, "--git-dir=%s/.git", root);
    snprintf(tree, sizeof tree, "--work-tree=%s", root);
    const char *const arguments[] = {git,        dir,  tree,   "-c", "core.fsmonitor=false",
                                     "ls-files", "--", folder, NULL};
    const struct child_program program = {.arguments = arguments, .folder = root, .quiet = true};
    if (!child_find("git", NULL, git))
        return true;
    char *list = child_output(program, 60);
    const bool knows = !list || *list;
    free(list);
    return knows;
}

/* The repository is found here: git, which looks for it itself, could take one that was committed,
 * and do what its configuration says. git tracks nothing whose name is .git. */
static int refuse_tracked(const char *folder) {
    char root[PATH_MAX], inside[PATH_MAX + 8];
    snprintf(root, sizeof root, "%s", folder);
    for (; *root; *strrchr(root, '/') = 0) {
        snprintf(inside, sizeof inside, "%s/.git", root);
        if (access(inside, F_OK) == 0)
            return git_knows(root, folder)
                       ? error("%s: git tracks files in it, or cannot say: what is committed would "
                               "be taken for a compiled kernel; --cache-dir names another folder",
                               folder)
                       : 0;
    }
    return 0;
}

/* An entry vouches for itself: it is believed for where it lies. Compilers work elsewhere, so that
 * the path is made a whole one. */
static int refuse_foreign(char path[PATH_MAX]) {
    char folder[PATH_MAX];
    struct stat is;
    if (!realpath(path, folder) || stat(folder, &is) < 0)
        return error("%s: %s; --cache-dir names another folder", path, strerror(errno));
    if (!S_ISDIR(is.st_mode))
        return error("%s: %s; --cache-dir names another folder", path, strerror(ENOTDIR));
    if (!is_own(&is))
        return error("%s: user %lu, its group or others may write there, and what they put there "
                     "would be measured: chmod go-w, or --cache-dir names a folder of your own",
                     path, (unsigned long)is.st_uid);
    snprintf(path, PATH_MAX, "%s", folder);
    return refuse_tracked(folder);
}

/* The cache that is meant: the option's (NULL: none is given), else $GEMMGATE_CACHE,
 * $XDG_CACHE_HOME/gemmgate or ~/.cache/gemmgate. 0, or -1 after error(). */
static int cache_folder(const char *option, char folder[PATH_MAX]) {
    const char *given = option ? option : getenv("GEMMGATE_CACHE");
    const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int status;
    if (given && *given)
        status = snprintf(folder, PATH_MAX, "%s", given);
    else if (xdg && *xdg)
        status = snprintf(folder, PATH_MAX, "%s/gemmgate", xdg);
    else if (home && *home)
        status = snprintf(folder, PATH_MAX, "%s/.cache/gemmgate", home);
    else
        return error("no place for compiled kernels: give --cache-dir DIR or set GEMMGATE_CACHE");
    return status >= PATH_MAX ? error("the path of the cache is too long") : 0;
}

int cache_open(struct builder *builder) {
    return cache_folder(builder->options->cache, builder->cache) < 0 ||
                   make_folders(builder->cache) < 0
               ? -1
               : refuse_foreign(builder->cache);
}

#define WORK "work."

/* Removes what builders have left that were killed. */
static void sweep(const char *cache) {
    char path[PATH_MAX];
    DIR *folder = opendir(cache);
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        if (strncmp(entry->d_name, WORK, strlen(WORK)) == 0 &&
            files_join(path, cache, entry->d_name) == 0)
            files_remove_tree(path);
    if (folder)
        closedir(folder);
}

/* Builders at work share a lock of the cache. So whoever has it alone finds only the folders of those
 * that are gone. */
int cache_begin_work(struct builder *builder) {
    builder->lock = open(builder->cache, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (builder->lock >= 0 && flock(builder->lock, LOCK_EX | LOCK_NB) == 0)
        sweep(builder->cache);
    if (builder->lock < 0 || files_join(builder->work, builder->cache, WORK "XXXXXX") < 0 ||
        flock(builder->lock, LOCK_SH) < 0 || !mkdtemp(builder->work)) {
        const int cause = errno;
        cache_end_work(builder);
        return error("%s: %s; --cache-dir names another folder", builder->cache, strerror(cause));
    }
    return 0;
}

void cache_end_work(struct builder *builder) {
    if (access(builder->work, F_OK) == 0)
        child_remove_folder(builder->work);
    close(builder->lock);
}

/* These variables change what a compiler does. */
static const char *const variables[] = {
    "CPATH",         "C_INCLUDE_PATH",   "CPLUS_INCLUDE_PATH", "LIBRARY_PATH",
    "COMPILER_PATH", "GCC_EXEC_PREFIX",  "NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS",
    "NVCC_CCBIN",    "SOURCE_DATE_EPOCH"};
enum { VARIABLES = sizeof variables / sizeof *variables };

/* The key: what is compiled, by what and how. The set's folder has no part in it: what lies there is
 * compared when the entry is used. The file's name keeps the jobs of one pool apart. */
void cache_make_key(struct builder *builder, struct job *job) {
    const char *strings[JOB_ARGUMENTS + 2 * VARIABLES + 8];
    int n = 0;
    strings[n++] = job->candidate->source_hash;
    strings[n++] = job->candidate->file;
    strings[n++] = job_compiler(builder, job)->version;
    for (int i = 0; job->arguments[i]; i++)
        strings[n++] = job->arguments[i];
    for (int i = 0; i < VARIABLES; i++) {
        const char *value = getenv(variables[i]);
        if (!value)
            continue;
        strings[n++] = variables[i];
        strings[n++] = value;
    }
    strings[n++] = job->wrapper;
    strings[n] = NULL;
    hash_strings(strings, job->key);
}

/* Sets the path of the library with that hash. */
static int name_library(const struct builder *builder, struct job *job, const char *hash) {
    if (snprintf(job->built->so, sizeof job->built->so, "%s/%s-%s.so", builder->cache, job->key,
                 hash) >= (int)sizeof job->built->so)
        return error("%s: the cache's path is too long", builder->cache);
    return 0;
}

/* A hostile source may make its compiler leave a link or a pipe. */
static bool is_file(const char *path, struct stat *is) {
    return lstat(path, is) == 0 && S_ISREG(is->st_mode);
}

/* Whether the library is there, is the user's, and is what it was. */
static bool library_is_current(const struct builder *builder, struct job *job, const char *hash) {
    char now[33];
    struct stat is;
    return strspn(hash, "0123456789abcdef") == 32 && !hash[32] &&
           name_library(builder, job, hash) == 0 && is_file(job->built->so, &is) && is_own(&is) &&
           hash_file_quietly(job->built->so, now) == 0 && strcmp(now, hash) == 0;
}

/* "so HASH", then a line for all that the compiler has read. Returns whether the library and all
 * that it was made of are what they were. */
static bool entry_holds(const struct builder *builder, struct job *job, const char *deps) {
    struct stat is;
    FILE *file = is_file(deps, &is) && is_own(&is) ? fopen(deps, "r") : NULL;
    char *line = NULL;
    size_t size = 0, lines = 0;
    bool holds = true;
    while (holds && file && getline(&line, &size, file) > 0) {
        line[strcspn(line, "\n")] = 0;
        holds = lines++ > 0
                    ? reads_hold(builder, line)
                    : strncmp(line, "so ", 3) == 0 && library_is_current(builder, job, line + 3);
    }
    if (file)
        fclose(file);
    free(line);
    return holds && lines > 0;
}

bool cache_find(const struct builder *builder, struct job *job) {
    const size_t length = strlen(job->key);
    char deps[PATH_MAX];
    bool found = false;
    DIR *folder = opendir(builder->cache);
    for (struct dirent *entry; !found && folder && (entry = readdir(folder));)
        found = strncmp(entry->d_name, job->key, length) == 0 && entry->d_name[length] == '-' &&
                strstr(entry->d_name, ".deps") &&
                files_join(deps, builder->cache, entry->d_name) == 0 &&
                entry_holds(builder, job, deps);
    if (folder)
        closedir(folder);
    return found;
}

/* The deps come last: without them there is no entry. Their name is their own hash, since two of
 * them can be of one library: a header's comment changes nothing. */
static int publish_deps(const struct builder *builder, const struct job *job, const char *part) {
    char name[80], deps[PATH_MAX], hash[33];
    if (hash_file(part, hash) < 0)
        return -1;
    snprintf(name, sizeof name, "%s-%s.deps", job->key, hash);
    if (files_join(deps, builder->cache, name) < 0)
        return -1;
    return chmod(part, MODE_FILE) < 0 || rename(part, deps) < 0
               ? error("%s: the compiled kernel cannot be kept: %s", deps, strerror(errno))
               : 0;
}

/* Lists all that the compiler has read, if that is known. */
static int keep_entry(struct builder *builder, const struct job *job, const char *hash) {
    char part[PATH_MAX], why[READS_WHY];
    if (files_join(part, job->part, "deps") < 0)
        return -1;
    FILE *out = fopen(part, "w");
    if (!out)
        return error("%s: %s", part, strerror(errno));
    fprintf(out, "so %s\n", hash);
    const int unknown = reads_write(builder, job, out, why);
    if (ferror(out) | fclose(out))
        return error("%s: it cannot be written", part);
    if (unknown)
        warning("%s: what its compiler has read is not known (%s): the next build compiles it anew",
                job->candidate->file, why);
    return unknown ? 0 : publish_deps(builder, job, part);
}

/* Moves a finished library into the cache. */
int cache_publish(struct builder *builder, struct job *job) {
    char so[PATH_MAX], hash[33];
    struct stat is;
    if (files_join(so, job->scratch, "kernel.so") < 0)
        return -1;
    if (!is_file(so, &is)) {
        snprintf(job->built->message, sizeof job->built->message,
                 "%.1000s ended well and left no library", job_compiler(builder, job)->path);
        return 0;
    }
    if (hash_file(so, hash) < 0 || name_library(builder, job, hash) < 0)
        return -1;
    if (chmod(so, MODE_FILE) < 0 || rename(so, job->built->so) < 0)
        return error("%s: the compiled kernel cannot be kept: %s", builder->cache, strerror(errno));
    if (keep_entry(builder, job, hash) < 0)
        return -1;
    job->built->outcome = BUILD_OK;
    return 0;
}
