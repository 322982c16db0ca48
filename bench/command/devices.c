/* gemmgate devices. */
#include <stdio.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/command/commands.h"
#include "bench/process/machine.h"
#include "reports/page/document.h"
#include "reports/run/about.h"

static void add_device(struct document *page, const struct wire_device *device) {
    const bool host = strcmp(device->kind, "host") == 0;
    char name[64], why[sizeof device->why + 8], sm[16];
    snprintf(name, sizeof name, host || device->ordinal < 0 ? "%s" : "%s:%d", device->kind,
             device->ordinal);
    snprintf(why, sizeof why, "none: %s", device->why);
    snprintf(sm, sizeof sm, "sm_%d", device->info.sm);
    document_row(page);
    document_cell(page, name);
    document_cell(page, device->ordinal < 0 ? why : device->info.name);
    if (device->ordinal < 0)
        return;
    document_number(page, (double)device->info.memory_bytes);
    document_number(page, (double)device->info.units);
    document_cell(page, host ? "" : sm);
}

int command_devices(struct settings *settings) {
    struct wire_device list[MACHINE_DEVICES];
    const int count = machine_devices(list, MACHINE_DEVICES, NULL);
    if (count < 0)
        return EXIT_TROUBLE;
    struct document *page = document_new("");
    document_table(page, "devices", NULL);
    document_columns(page, "device||unbroken", "name", "memory|memory_bytes|number GiB",
                     "units||count", "architecture", NULL);
    for (int i = 0; i < count; i++)
        add_device(page, &list[i]);
    document_note(page, DOCUMENT_PLAIN, about_host_clock);
    return listing_print(settings, page, "devices");
}
