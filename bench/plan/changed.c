#include "bench/plan/changed.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/base/hash.h"

static bool is_kernel(const struct candidate_set *set, const char *path) {
    for (size_t i = 0; i < set->count; i++)
        if (strcmp(set->list[i].path, path) == 0)
            return true;
    return false;
}

static int compare_names(const struct dirent **a, const struct dirent **b) {
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_shown(const struct dirent *entry) {
    return *entry->d_name != '.';
}

static int hash_folder(const struct candidate_set *set, const char *folder, char hash[33]);

/* The name and the content of a file that is no kernel, or what a folder holds. */
static int hash_entry(const struct candidate_set *set, const char *folder, const char *name,
                      char hash[33]) {
    char path[PATH_MAX], digest[33];
    struct stat is;
    if (files_join(path, folder, name) < 0)
        return -1;
    if (is_kernel(set, path) || stat(path, &is) < 0)
        return 0;
    if (S_ISDIR(is.st_mode))
        return hash_folder(set, path, hash);
    if (!S_ISREG(is.st_mode))
        return 0;
    if (hash_file(path, digest) < 0)
        return -1;
    const char *const parts[] = {hash, name, digest, NULL};
    char next[33];
    hash_strings(parts, next);
    memcpy(hash, next, sizeof next);
    return 0;
}

static int hash_folder(const struct candidate_set *set, const char *folder, char hash[33]) {
    struct dirent **list;
    const int count = scandir(folder, &list, is_shown, compare_names);
    int status = 0;
    if (count < 0)
        return error("%s: cannot read the folder: %s", folder, strerror(errno));
    for (int i = 0; i < count; i++) {
        if (status == 0)
            status = hash_entry(set, folder, list[i]->d_name, hash);
        free(list[i]);
    }
    free(list);
    return status;
}

/* A source that includes a file outside of its folder: nobody looks whether that has changed. So is
 * one that lies outside itself. */
static bool looks_outside(const struct candidate *candidate) {
    const char *path = candidate->path;
    static const char *const far[] = {"include \"/", "include \"../", "include </", "include <../"};
    char line[1024];
    bool found = strstr(candidate->file, "../") != NULL;
    FILE *file = fopen(path, "r");
    while (file && !found && fgets(line, sizeof line, file))
        for (size_t i = 0; i < sizeof far / sizeof *far; i++)
            found |= strstr(line, far[i]) != NULL;
    if (file)
        fclose(file);
    return found;
}

/* The same kernel with the same source in the other set. */
static const struct candidate *find_equal(const struct candidate_set *set,
                                          const struct candidate *candidate) {
    for (size_t i = 0; i < set->count; i++)
        if (strcmp(set->list[i].file, candidate->file) == 0 &&
            (candidate->has_shape || strcmp(set->list[i].label, candidate->label) == 0) &&
            strcmp(set->list[i].source_hash, candidate->source_hash) == 0)
            return &set->list[i];
    return NULL;
}

/* Drops from the set what the marks say. */
static void drop(struct candidate_set *set, const bool *carried) {
    size_t kept = 0;
    for (size_t i = 0; i < set->count; i++)
        if (!carried[i])
            set->list[kept++] = set->list[i];
    set->count = kept;
}

/* Leaves the shapes that a kernel of either set serves. */
static void narrow_suite(struct plan *plan) {
    const struct candidate_set *const sets[] = {&plan->set, &plan->previous};
    size_t kept = 0;
    for (size_t s = 0; s < plan->suite.count; s++) {
        bool served = false;
        for (size_t i = 0; i < 2; i++)
            for (size_t c = 0; c < sets[i]->count && !served; c++)
                served = !sets[i]->list[c].has_shape ||
                         shape_compare(sets[i]->list[c].shape, plan->suite.shapes[s]) == 0;
        if (served)
            suite_keep(&plan->suite, s, &kept);
    }
    plan->suite.count = kept;
}

int changed_keep(struct plan *plan, size_t *carried) {
    char here[33] = "", there[33] = "";
    *carried = 0;
    if (hash_folder(&plan->set, plan->set.folder, here) < 0 ||
        hash_folder(&plan->previous, plan->previous.folder, there) < 0)
        return -1;
    if (strcmp(here, there) != 0)
        return 0;
    bool *marks = calloc(plan->set.count + plan->previous.count + 1, sizeof *marks);
    if (!marks)
        return error("no memory for %zu kernels", plan->set.count);
    bool *before = marks + plan->set.count;
    for (size_t i = 0; i < plan->set.count; i++) {
        const struct candidate *now = &plan->set.list[i];
        const struct candidate *equal = find_equal(&plan->previous, now);
        if (!equal || looks_outside(now))
            continue;
        marks[i] = before[equal - plan->previous.list] = true;
        ++*carried;
    }
    /* Where kernels are gone and no other one has changed, all are measured: a gate is about
     * kernels that there are. */
    if (*carried == plan->set.count && *carried < plan->previous.count)
        *carried = 0;
    if (*carried > 0) {
        drop(&plan->set, marks);
        drop(&plan->previous, before);
        narrow_suite(plan);
    }
    free(marks);
    return 0;
}
