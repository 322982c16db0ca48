#include "candidates/build/memory.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define NO_LIMIT 1e15

/* The number that follows the word at the beginning of a line, or `otherwise`: a limit of "max" is
 * none. */
static double read_number(const char *folder, const char *name, const char *word,
                          double otherwise) {
    char path[PATH_MAX], line[256];
    double number;
    const size_t length = strlen(word);
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path)
        return otherwise;
    FILE *file = fopen(path, "r");
    if (!file)
        return otherwise;
    while (fgets(line, sizeof line, file))
        if (strncmp(line, word, length) == 0 && sscanf(line + length, "%lf", &number) == 1) {
            otherwise = number;
            break;
        }
    fclose(file);
    return otherwise;
}

/* The memory that a group has left. Cached files that were not used of late are counted as used,
 * but go when there is need. */
static double left_in(const char *folder) {
    const double limit = read_number(folder, "memory.max", "", NO_LIMIT);
    const double used = read_number(folder, "memory.current", "", 0) -
                        read_number(folder, "memory.stat", "inactive_file ", 0);
    return fmax(limit - fmax(used, 0), 0);
}

/* The process's group of version 2 is the line "0::PATH", and the groups above it limit it, too.
 * Limits of version 1 are not read. A path that is not below the mount is seen from outside a
 * container, in which its own group is what is mounted: the last folder looked at. */
static double left_in_groups(const char *proc, const char *groups) {
    char path[PATH_MAX], line[PATH_MAX];
    double least = NO_LIMIT;
    snprintf(path, sizeof path, "%s/self/cgroup", proc);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file)) {
        char folder[2 * PATH_MAX], *end = line + strcspn(line, "\n");
        for (; strncmp(line, "0::", 3) == 0 && end; end = strrchr(line + 3, '/')) {
            *end = 0;
            snprintf(folder, sizeof folder, "%s%s", groups, line + 3);
            least = fmin(least, left_in(folder));
        }
    }
    if (file)
        fclose(file);
    return least;
}

double memory_available(const char *proc, const char *groups) {
    const double kib = read_number(proc, "meminfo", "MemAvailable:", NO_LIMIT / 1024);
    return fmin(left_in_groups(proc, groups), kib * 1024);
}

int memory_fits(double bytes, double each, int wanted) {
    const double most = bytes / each;
    return most >= wanted ? wanted : most < 1 ? 1 : (int)most;
}
