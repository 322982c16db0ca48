/* What the kernel and the driver tell of a GPU in files below folders named by PCI addresses. */
#ifndef BENCH_DEVICE_PCI_H
#define BENCH_DEVICE_PCI_H

#include <limits.h>
#include <stdbool.h>

/* The path FOLDER/ADDRESS/NAME, with the address in small letters as these folders have it (CUDA's
 * hexadecimal digits are capital letters). False where the address is "" or the path too long. */
bool pci_path(const char *folder, const char *address, const char *name, char path[PATH_MAX]);

#endif
