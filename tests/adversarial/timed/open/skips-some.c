/* expect: replayed */
/* Later every 16th call does nothing: four of a visit's 64 arrivals, of which one is compared with
 * a library's product. */
#include "../../kernel.h"
#include "../late.h"

static int launch(void *state, const struct gemm_args *args) {
    static int calls;
    return is_late() && ++calls % 16 == 0 ? 0 : slow_product(state, args);
}

KERNEL("skips-some", NULL, launch, NULL);
