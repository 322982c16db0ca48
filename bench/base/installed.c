#include "bench/base/installed.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/base/error.h"

int installed_program(char path[PATH_MAX]) {
    const ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
    if (length < 0)
        return error("cannot find this program's own path: %s", strerror(errno));
    path[length] = 0;
    return 0;
}

/* Whether folder/below is a root; its path then is in root. */
static int is_root(const char *folder, const char *below, char root[PATH_MAX]) {
    char path[PATH_MAX], probe[PATH_MAX];
    return snprintf(path, sizeof path, "%s/%s", folder, below) < (int)sizeof path &&
           snprintf(probe, sizeof probe, "%.*s/candidates/gemmgate.h", PATH_MAX - 32, path) > 0 &&
           access(probe, R_OK) == 0 && realpath(path, root);
}

int installed_find_from(const char *program, const char *name, char path[PATH_MAX]) {
    char folder[PATH_MAX], root[PATH_MAX], *slash;
    snprintf(folder, sizeof folder, "%s", program);
    while ((slash = strrchr(folder, '/'))) {
        *slash = 0;
        if (!is_root(folder, "share/gemmgate", root) && !is_root(folder, ".", root))
            continue;
        if (snprintf(path, PATH_MAX, "%s/%s", root, name) >= PATH_MAX)
            return error("%s: the path is too long", root);
        return access(path, R_OK) == 0
                   ? 0
                   : error("%s: %s; install gemmgate whole", path, strerror(errno));
    }
    return error(
        "%s: no folder above it has share/gemmgate/candidates/gemmgate.h; install gemmgate "
        "whole, or leave the program where it was built",
        program);
}

int installed_find(const char *name, char path[PATH_MAX]) {
    char program[PATH_MAX];
    return installed_program(program) < 0 ? -1 : installed_find_from(program, name, path);
}
