/* expect: ok */
/* No fault that could be refused: waits 1 ms where its last call was over 20 ms ago, as with --mode
 * server --qps 20, whose times must show it. */
#include <chrono>

#include "../../kernel.h"

using steady = std::chrono::steady_clock;

static int launch(void *state, const gemm_args *args) {
    static steady::time_point last;
    const steady::time_point start = steady::now();
    while (start - last > std::chrono::milliseconds(20) &&
           steady::now() - start < std::chrono::milliseconds(1))
        ;
    const int status = slow_product(state, args);
    last = steady::now();
    return status;
}

KERNEL("server-slow", NULL, launch, NULL);
