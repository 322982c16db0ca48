/* gemmgate devices, list, report, merge, verify and import: what there is, and what was measured.
 */
#include "bench/command/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/plan/suite.h"
#include "bench/process/machine.h"
#include "candidates/set/set.h"
#include "reports/page/report.h"
#include "reports/run/import.h"
#include "reports/run/merge.h"
#include "reports/run/verify.h"
#include "reports/tables/reward.h"

int command_devices(int argc, char **argv) {
    (void)argv;
    struct machine_device list[MACHINE_DEVICES];
    if (argc != 1)
        return COMMAND_MISUSED;
    printf("%-8s %-40s %8s %6s %s\n", "device", "name", "memory", "units", "architecture");
    int count = machine_devices(list, MACHINE_DEVICES, NULL);
    for (int i = 0; i < count; i++) {
        struct machine_device device = list[i];
        char name[32], architecture[16];
        bool host = strcmp(device.kind, "host") == 0;
        if (device.ordinal < 0) {
            printf("%-8s none: %s\n", device.kind, device.why);
            continue;
        }
        if (host)
            snprintf(name, sizeof name, "host");
        else
            snprintf(name, sizeof name, "%s:%d", device.kind, device.ordinal);
        snprintf(architecture, sizeof architecture, "sm_%d", device.info.sm);
        printf("%-8s %-40s %4.0f GiB %6d %s\n", name, device.info.name,
               (double)device.info.memory_bytes / (1 << 30), device.info.units,
               host ? "-" : architecture);
    }
    return count < 0 ? EXIT_TROUBLE : EXIT_PASS;
}

static int list_baselines(void) {
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

int command_list(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "baselines") == 0)
        return list_baselines();
    if (argc == 2 && strcmp(argv[1], "suites") == 0) {
        suite_list();
        return EXIT_PASS;
    }
    bool cutlass = argc == 5 && strcmp(argv[3], "--cutlass") == 0;
    if ((argc == 3 || cutlass) && strcmp(argv[1], "candidates") == 0) {
        struct candidate_set set = {0};
        if (set_open(argv[2], cutlass ? argv[4] : NULL, &set) < 0)
            return EXIT_TROUBLE;
        set_list(&set);
        set_free(&set);
        return EXIT_PASS;
    }
    return COMMAND_MISUSED;
}

int command_report(int argc, char **argv) {
    const char *run = NULL, *claims = NULL, *published = NULL;
    bool known = true;
    for (int i = 1; known && i < argc; i++) {
        const char **slot = strcmp(argv[i], "--claims") == 0      ? &claims
                            : strcmp(argv[i], "--published") == 0 ? &published
                                                                  : NULL;
        if (slot && !*slot && i + 1 < argc) {
            *slot = argv[++i];
        } else {
            known = argv[i][0] != '-' && !run;
            run = argv[i];
        }
    }
    if (!known || !run)
        return COMMAND_MISUSED;
    return report_make(run, claims, published);
}

int command_verify(int argc, char **argv) {
    if (argc != 2 || argv[1][0] == '-')
        return COMMAND_MISUSED;
    return verify_run(argv[1]);
}

int command_merge(int argc, char **argv) {
    const char *run = NULL;
    size_t count = 0;
    bool known = true;
    for (int i = 1; i < argc && known; i++)
        if (strcmp(argv[i], "-o") == 0 && i + 1 < argc && !run)
            run = argv[++i];
        else if ((known = argv[i][0] != '-'))
            argv[++count] = argv[i];
    if (!known || !run || count == 0)
        return COMMAND_MISUSED;
    return merge_runs((const char *const *)argv + 1, count, run);
}

int command_import(int argc, char **argv) {
    const char *offline = NULL, *server = NULL, *run = NULL;
    bool known = argc >= 2 && strcmp(argv[1], "cuda-l2") == 0;
    for (int i = 2; known && i < argc; i += 2) {
        const char **slot = strcmp(argv[i], "--offline") == 0  ? &offline
                            : strcmp(argv[i], "--server") == 0 ? &server
                            : strcmp(argv[i], "-o") == 0       ? &run
                                                               : NULL;
        known = slot && !*slot && i + 1 < argc;
        if (known)
            *slot = argv[i + 1];
    }
    if (!known || !run || (!offline && !server))
        return COMMAND_MISUSED;
    return import_cuda_l2(offline, server, run);
}

int command_reward(int argc, char **argv) {
    const char *run = NULL, *baseline = NULL;
    double alpha = 1, beta = 0;
    bool known = true;
    for (int i = 1; known && i < argc; i++) {
        double *weight = strcmp(argv[i], "--alpha") == 0  ? &alpha
                         : strcmp(argv[i], "--beta") == 0 ? &beta
                                                          : NULL;
        char *end = NULL;
        if (weight && i + 1 < argc) {
            *weight = strtod(argv[++i], &end);
            known = end != argv[i] && !*end;
        } else if (strcmp(argv[i], "--baseline") == 0 && i + 1 < argc) {
            baseline = argv[++i];
        } else {
            known = argv[i][0] != '-' && !run;
            run = argv[i];
        }
    }
    if (!known || !run)
        return COMMAND_MISUSED;
    return reward_print(run, baseline, alpha, beta);
}
