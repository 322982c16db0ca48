/* Later the process ends as if all were well. expect: exited */
#include <stdlib.h>

#include "../../kernel.h"
#include "../late.h"

static int launch(void *state, const struct gemm_args *args) {
    const int status = slow_product(state, args);
    if (is_late())
        exit(0);
    return status;
}

KERNEL("exit-late", NULL, launch, NULL);
