/* The kernels and variables of a module's image, which is an ELF file of machine code for a GPU.
 */
#ifndef BENCH_RECORD_CUBIN_H
#define BENCH_RECORD_CUBIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether it is an ELF file of code for a GPU whose parts all lie within these bytes. */
bool cubin_is_whole(const void *image, size_t size);

/* Whether code of the image can call what the device has of its own: printf, malloc and free, or
 * launches. A failed assertion prints, too, but ends the context. */
bool cubin_asks_device(const void *image, size_t size);

/* Whether the image has a kernel of that name. */
bool cubin_has_kernel(const void *image, size_t size, const char *name);

/* Calls it with every variable on the device, by a name in the image. */
typedef void cubin_variable(void *context, const char *name, uint64_t size);
void cubin_list_variables(const void *image, size_t size, cubin_variable *call, void *context);

#endif
