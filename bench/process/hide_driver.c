#include "bench/process/hide_driver.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/random.h>

#define USUAL_PLACE (UINT64_C(8) << 30)
#define STEP ((size_t)32 << 20)
#define STEPS 4096

void hide_driver_memory(void) {
    uint16_t drawn;
    if (getrandom(&drawn, sizeof drawn, 0) != sizeof drawn)
        return;
    (void)mmap((void *)USUAL_PLACE, (1 + drawn % STEPS) * STEP, PROT_NONE,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
}
