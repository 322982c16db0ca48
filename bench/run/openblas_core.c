#include "bench/run/openblas_core.h"

#include <cblas.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"

static const char variable[] = "OPENBLAS_CORETYPE";

/* The names of each kind of processor, the core to tell OpenBLAS first. Of one without AVX they are
 * what each version falls back to, and the oldest processors of its list. */
static const struct kind {
    const char *instructions, *cores[8];
} kinds[] = {
    [OPENBLAS_SSE] = {"SSE", {"Prescott", "Generic", "Core2", "Nehalem"}},
    [OPENBLAS_AVX] = {"AVX",
                      {"Sandybridge", "Bulldozer", "Piledriver", "Steamroller", "Excavator"}},
    [OPENBLAS_AVX2] = {"AVX2", {"Haswell", "Zen"}},
    [OPENBLAS_AVX512] = {"AVX-512", {"SkylakeX"}},
};

/* The widest for a core that is not known: it may be a new one. */
static enum openblas_vectors vectors_of(const char *core) {
    for (int v = OPENBLAS_SSE; v < OPENBLAS_AVX512; v++)
        for (const char *const *name = kinds[v].cores; *name; name++)
            if (strcmp(core, *name) == 0)
                return v;
    return OPENBLAS_AVX512;
}

const char *openblas_core_for(const char *core, enum openblas_vectors processor) {
    return vectors_of(core) == OPENBLAS_SSE && processor > OPENBLAS_SSE ? kinds[processor].cores[0]
                                                                        : NULL;
}

const char *openblas_core_lacks(const char *core, enum openblas_vectors processor) {
    return vectors_of(core) < processor ? kinds[processor].instructions : "";
}

static enum openblas_vectors of_this_processor(void) {
#ifdef __x86_64__
    if (!__builtin_cpu_supports("avx"))
        return OPENBLAS_SSE;
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
        return OPENBLAS_AVX;
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                   __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl")
               ? OPENBLAS_AVX512
               : OPENBLAS_AVX2;
#else
    return OPENBLAS_SSE;
#endif
}

/* What somebody has told OpenBLAS; NULL: nothing. */
static const char *told_core(void) {
    const char *told = getenv(variable);
    return told && *told ? told : NULL;
}

const char *openblas_core_held_back(void) {
    const char *told = told_core();
    const enum openblas_vectors processor = of_this_processor();
    /* In this process OpenBLAS has chosen before openblas_core_choose told it. */
    return told && strcmp(told, kinds[processor].cores[0]) != 0
               ? openblas_core_lacks(openblas_get_corename(), processor)
               : "";
}

int openblas_core_choose(void) {
    const char *core = openblas_get_corename(), *told = told_core();
    const char *better = openblas_core_for(core, of_this_processor());
    const char *lacks = openblas_core_held_back();
    if (*lacks)
        warning(
            "%s=%s: OpenBLAS takes its kernels for %s and does without %s, which this processor "
            "has: as a baseline it may be slower than it could be. Unset %s, unless you mean it",
            variable, told, core, lacks, variable);
    if (!better || told)
        return 0;
    warning("OpenBLAS does not know this processor and takes its kernels for %s: baselines are "
            "measured with %s=%s; a newer release may be faster (--library)",
            core, variable, better);
    return setenv(variable, better, 1) == 0 ? 0 : error("no memory for %s", variable);
}
