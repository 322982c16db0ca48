/* Chains of steps. */
#include "reports/factors/factors.h"

#include "tests/fuzz/fuzz.h"

void fuzz_factors(const uint8_t *data, size_t size) {
    struct factors_chain chain;
    if (factors_file_read(fuzz_put("steps.ini", data, size), &chain) < 0)
        return;
    fuzz_read++;
    fuzz_promise(chain.count > 1);
    for (size_t i = 0; i < chain.count; i++) {
        const struct factors_step *step = &chain.steps[i];
        fuzz_promise(*step->name && *step->says && *step->run);
        fuzz_promise(*step->mode && *step->lens && *step->library);
        fuzz_promise(step->mean >= FACTORS_PAPER && step->mean <= FACTORS_GEOMETRIC);
        fuzz_promise(step->refused >= FACTORS_OMIT && step->refused <= FACTORS_COUNT);
    }
    factors_chain_free(&chain);
}
