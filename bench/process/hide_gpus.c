#include "bench/process/hide_gpus.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#include "bench/base/error.h"
#include "bench/process/landlock.h"

/* The path FOLDER/ADDRESS/NAME, with the address in small letters as these folders have it (CUDA's
 * hexadecimal digits are capital letters). False where the address is "" or the path too long. */
static bool pci_path(const char *folder, const char *address, const char *name,
                     char path[PATH_MAX]) {
    if (!*address || snprintf(path, PATH_MAX, "%s/%s/%s", folder, address, name) >= PATH_MAX)
        return false;
    char *letter = path + strlen(folder) + 1;
    for (const char *end = letter + strlen(address); letter < end; letter++)
        *letter = (char)tolower((unsigned char)*letter);
    return true;
}

static const uint64_t rights = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE;

/* The number of the GPU's node, which is not its ordinal; -1 where the driver does not tell. */
static int minor_of(const char *proc, const char *pci) {
    char folder[PATH_MAX], path[PATH_MAX], line[256];
    int minor = -1;
    snprintf(folder, sizeof folder, "%s/driver/nvidia/gpus", proc);
    FILE *file = pci_path(folder, pci, "information", path) ? fopen(path, "r") : NULL;
    if (!file)
        return -1;
    while (minor < 0 && fgets(line, sizeof line, file))
        if (sscanf(line, "Device Minor: %d", &minor) != 1)
            minor = -1;
    fclose(file);
    return minor;
}

/* Whether the name is that of a GPU's node: of any but `minor`. */
static bool is_neighbour(const char *name, int minor) {
    int number, length = 0;
    return sscanf(name, "nvidia%d%n", &number, &length) == 1 && !name[length] && number != minor;
}

/* One entry of a folder, unless it is gone by now. A link gives what it leads to nothing. */
static int allow_entry(int ruleset, int folder, const char *name) {
    const int file = openat(folder, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0)
        return 0;
    const int status = landlock_allow_open(ruleset, file, name, rights);
    close(file);
    return status;
}

/* What is in the folder, but for the entry `aside` (NULL: none) and, where minor is not negative,
 * other GPUs' nodes. 0, 1 where it may not be listed, or -1 after error(). */
static int allow_entries(int ruleset, const char *folder, const char *aside, int minor) {
    DIR *entries = opendir(folder);
    struct dirent *entry;
    int status = 0;
    if (!entries)
        return errno == EACCES ? 1 : error("%s: %s", folder, strerror(errno));
    while (status == 0 && (entry = readdir(entries))) {
        const char *name = entry->d_name;
        if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0 &&
            !(aside && strcmp(name, aside) == 0) && !(minor >= 0 && is_neighbour(name, minor)))
            status = allow_entry(ruleset, dirfd(entries), name);
    }
    closedir(entries);
    return status;
}

/* Landlock knows no exceptions: what is to stay is named, along the path to `dev` and in it.
 * Returns what allow_entries does. */
static int allow_but_neighbours(int ruleset, const char *dev, int minor) {
    char folder[PATH_MAX];
    int status = 0;
    if (!realpath(dev, folder)) /* a link on the way would be the way round */
        return error("%s: %s", dev, strerror(errno));
    for (char *slash = folder; slash && status == 0; slash = strchr(slash + 1, '/')) {
        char name[NAME_MAX + 1];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(slash + 1, "/"), slash + 1);
        *slash = 0;
        status = allow_entries(ruleset, *folder ? folder : "/", name, -1);
        *slash = '/';
    }
    return status != 0 ? status : allow_entries(ruleset, folder, NULL, minor);
}

int hide_other_gpus(const char *proc, const char *dev, const char *pci) {
    const struct landlock_rules rules = {.files = rights};
    const int minor = landlock_abi() > 0 ? minor_of(proc, pci) : -1;
    if (minor < 0)
        return 0;
    const int ruleset = landlock_open(&rules);
    if (ruleset < 0)
        return -1;
    int status = allow_but_neighbours(ruleset, dev, minor);
    if (status == 0)
        status = landlock_enter(ruleset);
    close(ruleset);
    return status < 0 ? -1 : status == 0;
}

#define USUAL_PLACE (UINT64_C(8) << 30)
#define STEP ((size_t)32 << 20)
#define STEPS 4096

void hide_driver_memory(void) {
    uint16_t drawn;
    if (getrandom(&drawn, sizeof drawn, 0) != sizeof drawn)
        return;
    (void)mmap((void *)USUAL_PLACE, (1 + drawn % STEPS) * STEP, PROT_NONE,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
}
