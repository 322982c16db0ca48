/* The device's rates in a manifest. */
#include "reports/rows/derive.h"
#include "reports/run/rundir.h"
#include "tests/fuzz/fuzz.h"

void fuzz_rates(const uint8_t *data, size_t size) {
    struct light_rates rates;
    fuzz_put("manifest.json", data, size);
    json_t *manifest = rundir_read_json(fuzz_folder(), "manifest.json");
    if (manifest && derive_rates(manifest, "cuda:1", &rates) == 0) {
        double seconds = light_seconds(64, 4096, 1048576, &rates);
        (void)seconds;
        fuzz_read++;
    }
    json_decref(manifest);
}
