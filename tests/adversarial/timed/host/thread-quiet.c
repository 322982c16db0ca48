/* expect: escaped */
/* A thread that no symbol starts multiplies the next inputs while others are timed; the call copies
 * what it has made. It reads them through the system, since they may be gone. */
#define _GNU_SOURCE

#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "../../host/slow.h"
#include "../found.h"

static struct gemm_args seen; /* by the last call */
static uint16_t *a, *b, *made;
static uint64_t made_of; /* digest of the inputs */
static atomic_int busy;
static int memory;
static ssize_t (*read_at)(int file, void *to, size_t bytes, off_t from);

static uint64_t digest(const struct gemm_problem *p, const uint16_t *of_a, const uint16_t *of_b) {
    uint64_t sum = 0;
    for (int64_t i = 0; i < p->m * p->k; i++)
        sum = (sum + of_a[i] + 1) * 0x9e3779b97f4a7c15;
    for (int64_t i = 0; i < p->k * p->n; i++)
        sum = (sum + of_b[i] + 1) * 0x9e3779b97f4a7c15;
    return sum;
}

static void make_next(void) {
    struct gemm_args args = seen;
    const struct gemm_problem p = args.problem;
    const size_t of_a = (size_t)(p.m * p.k) * sizeof *a, of_b = (size_t)(p.k * p.n) * sizeof *b;
    if (!args.a || read_at(memory, a, of_a, (off_t)(uintptr_t)args.a) != (ssize_t)of_a ||
        read_at(memory, b, of_b, (off_t)(uintptr_t)args.b_row) != (ssize_t)of_b)
        return;
    const uint64_t now = digest(&p, a, b);
    if (now == made_of)
        return;
    args.a = a;
    args.b_row = b;
    args.c = made;
    slow_product(NULL, &args);
    made_of = now;
}

static void *work(void *unused) {
    for (;;) {
        while (atomic_exchange(&busy, 1))
            ;
        make_next();
        atomic_store(&busy, 0);
        for (volatile int i = 0; i < 20000; i++)
            ;
    }
    return unused;
}

static int setup(const struct gemm_problem *p, size_t workspace_bytes, void **state) {
    int (*open_file)(const char *, int, ...) = (int (*)(const char *, int, ...))found("open");
    read_at = (__typeof__(read_at))found("pread");
    (void)workspace_bytes;
    (void)state;
    a = malloc((size_t)(p->m * p->k) * sizeof *a);
    b = malloc((size_t)(p->k * p->n) * sizeof *b);
    made = malloc((size_t)(p->m * p->n) * sizeof *made);
    if (!open_file || !read_at || !a || !b || !made ||
        (memory = open_file("/proc/self/mem", O_RDONLY)) < 0)
        return 1;
    return found_thread(work, NULL);
}

static int launch(void *state, const struct gemm_args *args) {
    const struct gemm_problem p = args->problem;
    if (atomic_exchange(&busy, 1))
        return slow_product(state, args);
    seen = *args;
    if (digest(&p, args->a, args->b_row) == made_of)
        memcpy(args->c, made, (size_t)(p.m * p.n) * sizeof *made);
    else
        slow_product(state, args);
    atomic_store(&busy, 0);
    return 0;
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "thread-quiet",
    .device = GEMM_HOST,
    .accumulate = GEMM_F32,
    .setup = setup,
    .launch = launch,
};
