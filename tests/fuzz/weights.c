/* How often each shape is called. */
#include <math.h>

#include "reports/run/weights.h"
#include "tests/fuzz/fuzz.h"

void fuzz_weights(const uint8_t *data, size_t size) {
    struct weights weights;
    double sum = 0;
    if (weights_read(fuzz_put("weights.csv", data, size), &weights) < 0)
        return;
    fuzz_read++;
    fuzz_promise(weights.count > 0);
    for (size_t i = 0; i < weights.count; i++) {
        fuzz_promise(weights.weights[i] >= 0 && isfinite(weights.weights[i]));
        fuzz_promise(weights_of(&weights, weights.shapes[i]) == weights.weights[i]);
        sum += weights.weights[i];
    }
    fuzz_promise(sum > 0);
    weights_free(&weights);
}
