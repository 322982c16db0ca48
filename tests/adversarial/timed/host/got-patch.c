/* expect: unrecorded */
/* Makes the runner's table of functions writable and puts a lying clock into it. */
#define _GNU_SOURCE

#include <sys/mman.h>

#include "lying_clock.h"

static int patch(struct dl_phdr_info *program, size_t size, void *status) {
    void **slot = clock_slot(program->dlpi_phdr, program->dlpi_phnum);
    const uintptr_t page = (uintptr_t)slot & ~(uintptr_t)4095;
    (void)size;
    if (slot && mprotect((void *)page, 4096, PROT_READ | PROT_WRITE) == 0) {
        *slot = (void *)lying_clock;
        *(int *)status = 0;
    }
    return 1; /* the program itself comes first */
}

static int setup(const struct gemm_problem *problem, size_t workspace_bytes, void **state) {
    int status = 1;
    (void)problem;
    (void)workspace_bytes;
    (void)state;
    dl_iterate_phdr(patch, &status);
    return status;
}

KERNEL("got-patch", setup, lying_product, NULL);
