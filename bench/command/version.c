#include "bench/command/commands.h"

#include <stdio.h>

#include "bench/base/error.h"
#include "bench/run/environment.h"

int version_print(void) {
    const struct environment_build *build = &environment_build;
    printf("gemmgate %s\ncommit %s\nbuilt by %s", build->version,
           *build->commit ? build->commit : "unknown: not built from a git checkout",
           build->compiler);
    if (*build->cuda_compiler)
        printf(" and %s for %s\n", build->cuda_compiler, build->cuda_architectures);
    else
        puts(" without CUDA");
    return EXIT_PASS;
}
