/* gemmgate devices. */
#include <stdio.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/command/commands.h"
#include "bench/process/machine.h"

int command_devices(struct settings *settings) {
    (void)settings;
    struct machine_device list[MACHINE_DEVICES];
    printf("%-8s %-40s %8s %6s %s\n", "device", "name", "memory", "units", "architecture");
    int count = machine_devices(list, MACHINE_DEVICES, NULL);
    for (int i = 0; i < count; i++) {
        struct machine_device device = list[i];
        char name[32], architecture[16];
        bool host = strcmp(device.kind, "host") == 0;
        if (device.ordinal < 0) {
            printf("%-8s none: %s\n", device.kind, device.why);
            continue;
        }
        if (host)
            snprintf(name, sizeof name, "host");
        else
            snprintf(name, sizeof name, "%s:%d", device.kind, device.ordinal);
        snprintf(architecture, sizeof architecture, "sm_%d", device.info.sm);
        printf("%-8s %-40s %4.0f GiB %6d %s\n", name, device.info.name,
               (double)device.info.memory_bytes / (1 << 30), device.info.units,
               host ? "-" : architecture);
    }
    return count < 0 ? EXIT_TROUBLE : EXIT_PASS;
}
