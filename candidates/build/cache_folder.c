#include "candidates/build/cache_folder.h"

#include <stdio.h>
#include <stdlib.h>

#include "bench/base/error.h"

int cache_folder(const char *option, char folder[PATH_MAX]) {
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
