#include "baselines/release.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "baselines/baselines.h"

static struct release loaded[RELEASE_MOST];
static int loaded_count;

/* AddressSanitizer refuses RTLD_DEEPBIND. */
void *release_open(const char *folder, const char *file, char why[RELEASE_WHY]) {
    const int alone = dlsym(RTLD_DEFAULT, "__asan_init") ? 0 : RTLD_DEEPBIND;
    char path[PATH_MAX + 256];
    snprintf(path, sizeof path, "%s/%s", folder, file);
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | alone);
    if (!handle)
        snprintf(why, RELEASE_WHY, "%s", dlerror());
    return handle;
}

/* The kind's file in the folder, of several the first by name. 0, or -1. */
static int find_file(const char *folder, const struct release_kind *kind, char file[256]) {
    struct dirent **names;
    const size_t length = strlen(kind->file);
    const int count = scandir(folder, &names, NULL, alphasort);
    *file = 0;
    for (int i = 0; i < count; i++) {
        const char *name = soname_plain(names[i]->d_name);
        if (!*file && strncmp(name, kind->file, length) == 0 &&
            (!name[length] || name[length] == '.'))
            snprintf(file, 256, "%s", names[i]->d_name);
        free(names[i]);
    }
    if (count >= 0)
        free(names);
    return *file ? 0 : -1;
}

/* The folder below `given` that holds a library, and which. */
static const struct release_kind *find(const char *given, char folder[PATH_MAX], char file[256]) {
    static const char *const below[] = {"", "/lib", "/lib64"};
    for (int i = 0; i < 3; i++) {
        char path[PATH_MAX + 8];
        snprintf(path, sizeof path, "%s%s", given, below[i]);
        for (int k = 0; realpath(path, folder) && release_kinds[k]; k++)
            if (find_file(folder, release_kinds[k], file) == 0)
                return release_kinds[k];
    }
    return NULL;
}

static int is_there(const struct release_kind *kind, const char *name, char why[RELEASE_WHY]) {
    char linked[RELEASE_NAME];
    kind->linked(linked);
    if (strcmp(linked, name) == 0) {
        snprintf(why, RELEASE_WHY, "%s %s is the release that gemmgate uses itself", kind->library,
                 name);
        return 1;
    }
    for (int i = 0; i < loaded_count; i++)
        if (strcmp(loaded[i].library, kind->library) == 0 && strcmp(loaded[i].name, name) == 0) {
            snprintf(why, RELEASE_WHY, "%s %s is given twice", kind->library, name);
            return 1;
        }
    return 0;
}

/* "cublas-nn" and "12.4.5": "cublas@12.4.5-nn", so that what ends in a layout still does. */
static char *name_of(const char *plain, const char *release) {
    const char *layout = strrchr(plain, '-');
    const size_t size = strlen(plain) + strlen(release) + 2;
    char *name = malloc(size);
    if (!layout || (strcmp(layout, "-nn") != 0 && strcmp(layout, "-tn") != 0))
        layout = plain + strlen(plain);
    if (name)
        snprintf(name, size, "%.*s@%s%s", (int)(layout - plain), plain, release, layout);
    return name;
}

/* They stay for as long as the process does. */
static int add_baselines(const struct release_kind *kind, const char *release,
                         const void *functions) {
    for (int i = 0; baselines[i]; i++) {
        if (baselines[i]->ops.device != kind->device)
            continue;
        struct baseline *made = malloc(sizeof *made);
        if (!made)
            return -1;
        *made = *baselines[i];
        made->library = functions;
        made->ops.name = name_of(made->ops.name, release);
        if (!made->ops.name || baseline_add(made) < 0)
            return -1;
    }
    return 0;
}

int release_load(const char *given, const char *cache, struct release *release,
                 char why[RELEASE_WHY]) {
    char file[256];
    const void *functions = NULL;
    if (loaded_count == RELEASE_MOST) {
        snprintf(why, RELEASE_WHY, "there is room for %d releases", RELEASE_MOST);
        return -1;
    }
    *release = (struct release){.library = ""};
    const struct release_kind *kind = find(given, release->folder, file);
    if (!kind) {
        size_t used = (size_t)snprintf(why, RELEASE_WHY,
                                       "no library is there, nor in its lib or "
                                       "lib64:");
        for (int k = 0; release_kinds[k] && used < RELEASE_WHY; k++)
            used += (size_t)snprintf(why + used, RELEASE_WHY - used, "%s %s", k ? " or" : "",
                                     release_kinds[k]->file);
        return -1;
    }
    release->library = kind->library;
    if (soname_set_apart(release->folder, file, cache, loaded_count + 1, why) < 0 ||
        kind->load(release->folder, file, release->name, &functions, why) < 0 ||
        is_there(kind, release->name, why))
        return -1;
    if (add_baselines(kind, release->name, functions) < 0) {
        snprintf(why, RELEASE_WHY, "no room for its baselines");
        return -1;
    }
    loaded[loaded_count++] = *release;
    return 0;
}
