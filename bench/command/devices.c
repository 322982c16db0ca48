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
    document_row(page);
    if (device->ordinal < 0) {
        document_cell(page, device->kind);
        document_cell_marked(page, "none: %s", device->why);
        return;
    }
    if (host)
        document_cell(page, device->kind);
    else
        document_cell_marked(page, "%s:%d", device->kind, device->ordinal);
    document_cell(page, device->info.name);
    document_number(page, (double)device->info.memory_bytes);
    document_count(page, (size_t)device->info.units);
    if (host)
        document_empty(page, NULL);
    else
        document_cell_marked(page, "sm_%d", device->info.sm);
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
    document_note(page, DOCUMENT_PLAIN, "%s", about_host_clock);
    return listing_print(settings, page, "devices");
}
