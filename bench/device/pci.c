#include "bench/device/pci.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

bool pci_path(const char *folder, const char *address, const char *name, char path[PATH_MAX]) {
    if (!*address || snprintf(path, PATH_MAX, "%s/%s/%s", folder, address, name) >= PATH_MAX)
        return false;
    char *letter = path + strlen(folder) + 1;
    for (const char *end = letter + strlen(address); letter < end; letter++)
        *letter = (char)tolower((unsigned char)*letter);
    return true;
}
