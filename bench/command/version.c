#include "bench/command/commands.h"

#include <stdio.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/process/machine.h"
#include "bench/run/environment.h"

/* 13000 as "13.0". */
static void put_cuda(const char *what, int version) {
    if (version > 0)
        printf("%s%d.%d", what, version / 1000, version % 1000 / 10);
}

/* 130100 as "13.1.0". */
static void put_cublas(const char *what, int64_t version) {
    if (version > 0)
        printf("%s %d.%d.%d\n", what, (int)(version / 10000), (int)(version / 100 % 100),
               (int)(version % 100));
}

static void put_kinds(const struct wire_device *list, int count) {
    fputs("devices:", stdout);
    for (int i = 0; i < count; i++) {
        if (i && strcmp(list[i].kind, list[i - 1].kind) == 0)
            continue;
        printf("%s %s", i ? "," : "", list[i].kind);
        if (list[i].ordinal < 0)
            printf(" (none here: %s)", list[i].why);
    }
    putchar('\n');
}

/* Prints the libraries of a device. All devices of a kind have the same. */
static void put_libraries(const struct device_info *info) {
    put_cuda("CUDA runtime ", info->runtime);
    put_cuda(", driver ", info->driver);
    if (info->runtime > 0)
        putchar('\n');
    put_cublas("cuBLAS", info->cublas);
    put_cublas("cuBLASLt", info->cublaslt);
    if (*info->blas)
        printf("%s\n", info->blas);
}

int version_print(void) {
    const struct environment_build *build = &environment_build;
    struct wire_device list[MACHINE_DEVICES];
    printf("gemmgate %s\ncommit %s\nbuilt by %s", build->version,
           *build->commit ? build->commit : "unknown: not built from a git checkout",
           build->compiler);
    if (*build->cuda_compiler)
        printf(" and %s for %s\n", build->cuda_compiler, build->cuda_architectures);
    else
        puts(" without CUDA");
    fflush(stdout);
    const int count = machine_devices(list, MACHINE_DEVICES, NULL);
    if (count < 0)
        return EXIT_TROUBLE;
    put_kinds(list, count);
    for (int i = 0; i < count; i++)
        if (i == 0 || strcmp(list[i].kind, list[i - 1].kind) != 0)
            put_libraries(&list[i].info);
    return EXIT_PASS;
}
