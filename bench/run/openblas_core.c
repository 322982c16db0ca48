#include "bench/run/openblas_core.h"

#include <cblas.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"

static const char variable[] = "OPENBLAS_CORETYPE";

const char *openblas_core_for(const char *core, bool avx512, bool avx2, bool avx) {
    /* What each version falls back to, and the oldest processors of its list. */
    static const char *const without_avx[] = {"Prescott", "Generic", "Core2", "Nehalem"};
    const char *best = avx512 ? "SkylakeX" : avx2 ? "Haswell" : avx ? "Sandybridge" : NULL;
    for (size_t i = 0; i < sizeof without_avx / sizeof *without_avx; i++)
        if (strcmp(core, without_avx[i]) == 0)
            return best;
    return NULL;
}

static const char *better_core(void) {
#ifdef __x86_64__
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") &&
                        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
                        __builtin_cpu_supports("avx512vl");
    return openblas_core_for(openblas_get_corename(), avx512, avx2, __builtin_cpu_supports("avx"));
#else
    return NULL;
#endif
}

int openblas_core_choose(void) {
    const char *core = openblas_get_corename(), *better = better_core(), *told = getenv(variable);
    if (!better || (told && strcmp(told, better) == 0))
        return 0;
    if (told) {
        warning("%s=%s: OpenBLAS takes its kernels for %s and does without instructions of this "
                "processor: baselines are slower than they could be",
                variable, told, core);
        return 0;
    }
    warning("OpenBLAS does not know this processor and takes its kernels for %s: baselines are "
            "measured with %s=%s; a newer release may be faster (--library)",
            core, variable, better);
    return setenv(variable, better, 1) == 0 ? 0 : error("no memory for %s", variable);
}
