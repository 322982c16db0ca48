#include "reports/run/device_label.h"

#include <stdio.h>
#include <string.h>

/* Behind what all devices of a run have in common. */
static const char *number_of(const char *label) {
    const char *colon = strrchr(label, ':');
    return colon ? colon + 1 : label + strlen(label);
}

bool device_label_fit(const char *device, size_t rounds) {
    return strlen(device) + rounds * strlen("+99") < RUNDIR_NAME;
}

void device_label_add(char label[RUNDIR_NAME], const char *device) {
    const size_t used = strlen(label);
    snprintf(label + used, RUNDIR_NAME - used, "%s%s", used ? "+" : "",
             used ? number_of(device) : device);
}

size_t device_label_count(const char *label) {
    size_t count = 1;
    for (const char *p = number_of(label); *p; p++)
        count += *p == '+';
    return count;
}

void device_label_of(const char *label, size_t round, char device[RUNDIR_NAME]) {
    const char *first = number_of(label), *number = first;
    for (size_t i = 0; i < round && strchr(number, '+'); i++)
        number = strchr(number, '+') + 1;
    snprintf(device, RUNDIR_NAME, "%.*s%.*s", (int)(first - label), label,
             (int)strcspn(number, "+"), number);
}
