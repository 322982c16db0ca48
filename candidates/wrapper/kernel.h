/* What wrappers in C and in C++ have alike. The file that includes this, behind c.h or cuda.h, defines
 *
 *     GEMMGATE_KERNEL    the first members of struct kernel_ops behind the ABI's number
 *     GEMMGATE_ELEMENTS  what the kernel serves */
#ifndef CANDIDATES_WRAPPER_KERNEL_H
#define CANDIDATES_WRAPPER_KERNEL_H

static int gemmgate_can_do(const struct gemm_problem *problem) {
    return gemmgate_serves(problem->m, problem->n, problem->k);
}

static int gemmgate_setup(const struct gemm_problem *problem, size_t most, void **state) {
    const size_t bytes = gemmgate_workspace(problem->m, problem->n, problem->k);
    if (bytes > most) {
        GEMMGATE_SAY("it wants a workspace of %zu bytes, and %zu are given; --workspace gives more",
                     bytes, most);
        return 1;
    }
    *state = bytes > 0 ? gemmgate_allocate(bytes) : NULL;
    if (bytes > 0 && !*state) {
        GEMMGATE_SAY("no memory for a workspace of %zu bytes", bytes);
        return 1;
    }
    if (!gemmgate_share(most - bytes)) {
        GEMMGATE_SAY("no memory for tensors, a workspace of %zu bytes", most - bytes);
        gemmgate_teardown(*state);
        return 1;
    }
    return 0;
}

static const char *gemmgate_explain(int status) {
    (void)status;
    return gemmgate_message;
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    GEMMGATE_ABI,    GEMMGATE_KERNEL,   gemmgate_can_do,  gemmgate_setup,
    gemmgate_launch, gemmgate_teardown, gemmgate_explain, GEMMGATE_ELEMENTS};

#endif
