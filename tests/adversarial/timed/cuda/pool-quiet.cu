/* expect: ok */
/* No fault: has a thread, too, which reads what is to be done in each call and has nothing to do.
 */
#include <linux/futex.h>
#include <sys/syscall.h>

#include <atomic>

#include "../../kernel.h"
#include "../found.h"

static long (*system_call)(long number, ...);
static std::atomic<int> calls;

static void *work(void *unused) {
    for (int last = 0;; last = calls)
        system_call(SYS_futex, &calls, FUTEX_WAIT_PRIVATE, last, nullptr, nullptr, 0);
    return unused;
}

static int setup(const gemm_problem *, size_t, void **) {
    system_call = (long (*)(long, ...))found("syscall");
    return system_call && found_thread(work, nullptr) == 0 ? cudaSuccess : cudaErrorUnknown;
}

static int launch(void *state, const gemm_args *args) {
    return slow_product(state, args);
}

KERNEL("pool-quiet", setup, launch, NULL);
