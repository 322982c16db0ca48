/* What a module's image says of its kernels and variables. */
#include "bench/record/cubin.h"

#include <string.h>

#include "tests/fuzz/fuzz.h"

static void count(void *context, const char *name, uint64_t size) {
    fuzz_promise(*name && size > 0);
    ++*(int *)context;
}

void fuzz_cubin(const uint8_t *data, size_t size) {
    static const char *const names[] = {"_Z1k1MiPfc", "k", ""};
    int variables = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        cubin_has_kernel(data, size, names[i]);
    cubin_list_variables(data, size, count, &variables);
    fuzz_read += variables > 0;
}
