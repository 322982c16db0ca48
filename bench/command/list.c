/* gemmgate list baselines, suites and candidates. */
#include <stdio.h>

#include "bench/base/error.h"
#include "bench/command/commands.h"
#include "bench/plan/suite.h"
#include "bench/process/machine.h"
#include "candidates/set/set.h"

int command_list_baselines(struct settings *settings) {
    (void)settings;
    struct machine_baseline list[WIRE_ARMS];
    int count = machine_baselines(list, WIRE_ARMS);
    printf("%-26s %-6s %-10s %s\n", "baseline", "device", "accumulate", "chooses by timing");
    for (int i = 0; i < count; i++) {
        const struct machine_baseline *b = &list[i];
        printf("%-26s %-6s %-10s %s\n", b->name, b->device == GEMM_HOST ? "host" : "cuda",
               b->accumulate == GEMM_F16   ? "f16"
               : b->accumulate == GEMM_F32 ? "f32"
                                           : "f16, f32",
               b->autotuned ? "yes" : "no");
    }
    printf(
        "\nOf each pair X-nn and X-tn the report derives X-max, the faster layout of a shape.\n");
    return count < 0 ? EXIT_TROUBLE : EXIT_PASS;
}

int command_list_suites(struct settings *settings) {
    (void)settings;
    suite_list();
    return EXIT_PASS;
}

int command_list_candidates(struct settings *settings) {
    struct candidate_set set = {0};
    if (set_open(settings->arguments[0], settings->cutlass, &set) < 0)
        return EXIT_TROUBLE;
    set_list(&set);
    set_free(&set);
    return EXIT_PASS;
}
