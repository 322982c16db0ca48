/* gemmgate build. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/command/commands.h"
#include "bench/command/settings_plan.h"
#include "bench/device/disassembly.h"
#include "bench/process/confine.h"

static void say_built(void *context, const struct candidate *candidate, const struct built *built) {
    size_t *failed = context;
    *failed += built->outcome != BUILD_OK;
    printf("%-32s %-6s %6.1f s  %s\n", candidate->file,
           built->outcome != BUILD_OK ? "failed"
           : built->cached            ? "cached"
                                      : "built",
           built->seconds, built->outcome == BUILD_OK ? built->so : built->message);
}

/* CUDA sources are compiled for one architecture: here, where no GPU is asked for its own, the one
 * that the command line or else the set names. */
static int choose_arch(const char *arch, const struct candidate_set *set,
                       struct build_options *build) {
    if (arch && (strspn(arch, "0123456789") < 2 || strlen(arch) >= sizeof build->arch))
        return error("--arch %s: what nvcc calls sm_..., like 80 or 90a, is wanted", arch);
    snprintf(build->arch, sizeof build->arch, "%s", arch ? arch : set->arch);
    for (size_t i = 0; i < set->count && !*build->arch; i++)
        if (set->list[i].type == CANDIDATE_CU)
            return error("build: %s is a CUDA source: name the architecture with --arch",
                         set->list[i].path);
    return 0;
}

/* A build step spares those that measure this work, too. */
static int read_machine_code(const struct candidate_set *set, const struct build_options *build,
                             const struct built *built) {
    struct disassembly *code = NULL;
    if (!*build->arch)
        return 0;
    const int status = disassembly_read(built, NULL, set->count, build, &code);
    disassembly_free(code, set->count);
    return status;
}

/* Compiles them all and says what became of each. 0, or -1 after error(). */
static int compile(const struct candidate_set *set, const char *folder,
                   const struct build_options *build) {
    size_t failed = 0;
    struct built *built = calloc(set->count, sizeof *built);
    if (!built)
        return error("no memory for %zu results", set->count);
    int status = build_all(set, NULL, build, built, say_built, &failed);
    if (status == 0)
        status = read_machine_code(set, build, built);
    free(built);
    printf("%zu of %zu compiled", set->count - failed, set->count);
    if (failed > 0)
        printf("; %zu failed: why stands behind `failed` above", failed);
    putchar('\n');
    if (status == 0 && failed == set->count)
        return error("build: %s: none of its %zu files compiled; the lines on stdout say why",
                     folder, set->count);
    return status;
}

int command_build(struct settings *settings) {
    struct build_options build;
    struct run_call unused;
    struct candidate_set set = {0};
    if (settings_call(settings, &build, &unused) < 0 ||
        set_open(settings->candidates, settings->cutlass, &set) < 0)
        return EXIT_TROUBLE;
    build.confine = settings->no_sandbox ? NULL : confine_compiler;
    int status = choose_arch(settings->arch, &set, &build);
    if (status == 0)
        status = compile(&set, settings->candidates, &build);
    set_free(&set);
    return status < 0 ? EXIT_TROUBLE : EXIT_PASS;
}
