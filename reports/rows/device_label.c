#include "reports/rows/device_label.h"

#include <stdio.h>
#include <string.h>

/* Behind what all devices of a run have in common. */
static const char *number_of(const char *label) {
    const char *colon = strrchr(label, ':');
    return colon ? colon + 1 : label + strlen(label);
}

int device_label_add(char label[RUNDIR_NAME], size_t visits, const char *device) {
    char longer[RUNDIR_NAME];
    const char *first = number_of(label), *number = number_of(device);
    const size_t before = (size_t)(number - device);
    if (visits == 0 || strcmp(label, device) == 0) {
        snprintf(label, RUNDIR_NAME, "%s", device);
        return 0;
    }
    if ((size_t)(first - label) != before || strncmp(label, device, before) != 0)
        return -1;
    size_t used = (size_t)snprintf(longer, sizeof longer, "%s", label);
    for (size_t i = device_label_count(label); i < visits && used < sizeof longer; i++)
        used += (size_t)snprintf(longer + used, sizeof longer - used, "+%s", first);
    if (used < sizeof longer)
        used += (size_t)snprintf(longer + used, sizeof longer - used, "+%s", number);
    if (used >= sizeof longer)
        return -1;
    memcpy(label, longer, sizeof longer);
    return 0;
}

size_t device_label_count(const char *label) {
    size_t count = 1;
    for (const char *p = number_of(label); *p; p++)
        count += *p == '+';
    return count;
}

void device_label_of(const char *label, size_t visit, char device[RUNDIR_NAME]) {
    const char *first = number_of(label), *number = first;
    for (size_t i = 0; i < visit && strchr(number, '+'); i++)
        number = strchr(number, '+') + 1;
    snprintf(device, RUNDIR_NAME, "%.*s%.*s", (int)(first - label), label,
             (int)strcspn(number, "+"), number);
}
