#include "bench/visible.h"

#include <stdio.h>
#include <string.h>

bool visible_alone(const char *list, int ordinal, char *alone, size_t size) {
    if (!list || !*list)
        return (size_t)snprintf(alone, size, "%d", ordinal) < size;
    for (int i = 0; i < ordinal && list; i++)
        list = strchr(list, ',') ? strchr(list, ',') + 1 : NULL;
    const size_t length = list ? strcspn(list, ",") : 0;
    if (length == 0 || length >= size)
        return false;
    memcpy(alone, list, length);
    alone[length] = 0;
    return true;
}
