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
#include "bench/base/need.h"

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

/* What a set has beside its kernels. */
struct rest {
    const struct candidate_set *set;
    char hash[33]; /* names and contents */
    bool outside;  /* a file of it takes in one that lies elsewhere */
};

/* Of a line that takes another file in: whether that lies elsewhere. */
static bool is_outside(const char *line) {
    const char *name = strstr(line, "include");
    if (strstr(line, "incbin"))
        return true;
    if (!name)
        return false;
    name += strlen("include");
    name += strspn(name, " \t");
    if (*name != '"' && *name != '<')
        return false;
    const size_t length = strcspn(name + 1, "\">");
    return name[1] == '/' || memmem(name + 1, length, "..", 2);
}

/* A file that takes in one outside of its folder: nobody looks whether that has changed. */
static bool looks_outside(const char *path) {
    char *line = NULL;
    size_t size = 0;
    bool found = false;
    FILE *file = fopen(path, "r");
    while (file && !found && getline(&line, &size, file) >= 0)
        found = is_outside(line);
    free(line);
    if (file)
        fclose(file);
    return found;
}

static int add_folder(struct rest *rest, const char *folder);

/* The name and the content of a file that is no kernel, or what a folder holds. */
static int add_entry(struct rest *rest, const char *folder, const char *name) {
    char path[PATH_MAX], digest[33];
    struct stat is;
    if (files_join(path, folder, name) < 0)
        return -1;
    if (is_kernel(rest->set, path) || stat(path, &is) < 0)
        return 0;
    if (S_ISDIR(is.st_mode))
        return add_folder(rest, path);
    if (!S_ISREG(is.st_mode))
        return 0;
    if (hash_file(path, digest) < 0)
        return -1;
    const char *const parts[] = {rest->hash, name, digest, NULL};
    char next[33];
    hash_strings(parts, next);
    memcpy(rest->hash, next, sizeof next);
    rest->outside |= looks_outside(path);
    return 0;
}

static int add_folder(struct rest *rest, const char *folder) {
    struct dirent **list;
    const int count = scandir(folder, &list, is_shown, compare_names);
    int status = 0;
    if (count < 0)
        return error("%s: cannot read the folder: %s", folder, strerror(errno));
    for (int i = 0; i < count; i++) {
        if (status == 0)
            status = add_entry(rest, folder, list[i]->d_name);
        free(list[i]);
    }
    free(list);
    return status;
}

/* gemmgate.ini may name a folder beside the set's own, which is another one of the other set. */
static bool is_told_outside(const struct candidate_set *set) {
    const size_t length = strlen(set->folder);
    for (int i = 0; i < set->flag_count; i++) {
        const char *own = strstr(set->flags[i], set->folder);
        if (own && strstr(own + length, ".."))
            return true;
    }
    return false;
}

static int find_rest(const struct candidate_set *set, struct rest *rest) {
    *rest = (struct rest){.set = set, .outside = is_told_outside(set)};
    return add_folder(rest, set->folder);
}

/* Whether something beside the kernels differs, or may: a file or a folder that a set takes in from
 * outside of its own. 0, 1, or -1 after error(). */
static int compare_rest(const struct plan *plan) {
    struct rest here, there;
    if (find_rest(&plan->set, &here) < 0 || find_rest(&plan->previous, &there) < 0)
        return -1;
    return here.outside || there.outside || strcmp(here.hash, there.hash) != 0;
}

/* Whether the source differs, or takes in a file from outside of the set's folder. */
static bool is_changed(const struct candidate *now, const struct candidate *before) {
    return strcmp(now->source_hash, before->source_hash) != 0 || strstr(now->file, "../") ||
           looks_outside(now->path);
}

/* The same kernel with the same source in the other set. */
static const struct candidate *find_equal(const struct candidate_set *set,
                                          const struct candidate *candidate) {
    for (size_t i = 0; i < set->count; i++)
        if (strcmp(set->list[i].file, candidate->file) == 0 &&
            (candidate->has_shape || strcmp(set->list[i].label, candidate->label) == 0) &&
            !is_changed(candidate, &set->list[i]))
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
    const int rest = compare_rest(plan);
    *carried = 0;
    if (rest != 0)
        return rest < 0 ? -1 : 0;
    bool *marks = need(plan->set.count + plan->previous.count, sizeof *marks);
    bool *before = marks + plan->set.count;
    for (size_t i = 0; i < plan->set.count; i++) {
        const struct candidate *now = &plan->set.list[i];
        const struct candidate *equal = find_equal(&plan->previous, now);
        if (!equal)
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
