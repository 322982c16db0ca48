#include "bench/base/openblas.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/base/error.h"

static const char file[] = "libopenblas.so.0";

static int held = -1; /* stderr, while it is held back */

static void hold_back(void) {
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    held = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
    if (nowhere >= 0 && held >= 0)
        dup2(nowhere, STDERR_FILENO);
    if (nowhere >= 0)
        close(nowhere);
}

static void let_go(void) {
    if (held >= 0) {
        dup2(held, STDERR_FILENO);
        close(held);
    }
    held = -1;
}

/* A constructor that gets no threads or no memory calls exit(1), by which a gate says that a
 * regression is confirmed. */
static void tell_end(void) {
    if (held < 0)
        return;
    let_go();
    error("%s ended the program while it was loaded: it lacks memory or threads; with "
          "OPENBLAS_NUM_THREADS=1 it wants less of both",
          file);
    _exit(EXIT_TROUBLE);
}

/* Finds the functions. NULL, or what the library lacks. */
static const char *find(void *library, struct openblas *functions) {
#define X(function)                                                                                \
    if (!(*(void **)&functions->function = dlsym(library, #function)))                             \
        return #function;
    OPENBLAS_FUNCTIONS(X)
#undef X
    return strstr(functions->openblas_get_config(), "USE64BITINT") ? "an interface of 32-bit sizes"
                                                                   : NULL;
}

static int load(struct openblas *functions) {
    if (atexit(tell_end) != 0)
        return error("no memory");
    hold_back();
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    let_go();
    if (!library)
        return error("%s; apt-get install libopenblas0, or without root apt-get download "
                     "libopenblas0-pthread libgfortran5 libquadmath0, unpack each with dpkg -x and "
                     "put the folders that have libraries in LD_LIBRARY_PATH",
                     dlerror());
    const char *lacks = find(library, functions);
    return lacks ? error("%s lacks %s", file, lacks) : 0;
}

const struct openblas *openblas(void) {
    static struct openblas functions;
    static int status = 1;
    if (status > 0)
        status = load(&functions);
    return status == 0 ? &functions : NULL;
}
