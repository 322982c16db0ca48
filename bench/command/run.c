/* gemmgate run, check and build. */
#include "bench/command/commands.h"

#include <argp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/cores.h"
#include "bench/base/error.h"
#include "bench/command/options.h"
#include "bench/device/disassembly.h"
#include "bench/process/confine.h"
#include "bench/run/run.h"

static int carry_out(int argc, char **argv, enum options_command command) {
    struct options options;
    int status = EXIT_TROUBLE;
    if (options_parse(argc, argv, command, &options) == 0)
        status = run_plan(&options.plan, &(struct run_call){.build = &options.build,
                                                            .run = options.run,
                                                            .resume = options.resume,
                                                            .shard = options.shard,
                                                            .shards = options.shards});
    if (status == EXIT_PASS)
        printf("%s\n", options.run);
    options_free(&options);
    return status;
}

int command_run(int argc, char **argv) {
    return carry_out(argc, argv, OPTIONS_RUN);
}

int command_check(int argc, char **argv) {
    return carry_out(argc, argv, OPTIONS_CHECK);
}

enum build_key { KEY_CANDIDATES = 256, KEY_CUTLASS, KEY_ARCH, KEY_CACHE, KEY_JOBS, KEY_NO_SANDBOX };

static const struct argp_option build_list[] = {
    {"candidates", KEY_CANDIDATES, "DIR", 0, "the set to compile", 0},
    {"cutlass", KEY_CUTLASS, "DIR", 0, "CUTLASS, for sets that include it", 0},
    {"arch", KEY_ARCH, "80|86|89|90a", 0, "the GPU architecture to compile for", 0},
    {"cache-dir", KEY_CACHE, "DIR", 0, "compiled kernels (default: ~/.cache/gemmgate)", 0},
    {"jobs", KEY_JOBS, "N", 0, "compilers, and then disassemblers, at once (default: one a core)",
     0},
    {"no-sandbox", KEY_NO_SANDBOX, 0, 0, "compile in processes that are not locked in", 0},
    {0},
};

struct build_call {
    struct build_options options;
    const char *candidates, *cutlass;
};

static error_t parse_build(int key, char *text, struct argp_state *state) {
    struct build_call *call = state->input;
    switch (key) {
    case KEY_CANDIDATES:
        if (options_take_once("candidates", text, &call->candidates) < 0)
            exit(EXIT_TROUBLE);
        return 0;
    case KEY_CUTLASS:
        call->cutlass = text;
        return 0;
    case KEY_ARCH:
        if (strspn(text, "0123456789") < 2 || strlen(text) >= sizeof call->options.arch)
            argp_error(state, "--arch %s: what nvcc calls sm_..., like 80 or 90a, is wanted", text);
        snprintf(call->options.arch, sizeof call->options.arch, "%s", text);
        return 0;
    case KEY_CACHE:
        call->options.cache = text;
        return 0;
    case KEY_JOBS:
        call->options.jobs = atoi(text);
        if (call->options.jobs < 1)
            argp_error(state, "--jobs %s: a number from 1 is wanted", text);
        return 0;
    case KEY_NO_SANDBOX:
        call->options.confine = NULL;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void say_built(void *context, const struct candidate *candidate, const struct built *built) {
    size_t *failed = context;
    *failed += built->outcome != BUILD_OK;
    printf("%-32s %-6s %6.1f s  %s\n", candidate->file,
           built->outcome != BUILD_OK ? "failed"
           : built->cached            ? "cached"
                                      : "built",
           built->seconds, built->outcome == BUILD_OK ? built->so : built->message);
}

/* CUDA sources are compiled for one architecture, and here no GPU is asked for its own. */
static int check_arch(const struct candidate_set *set, const struct build_options *options) {
    for (size_t i = 0; i < set->count && !*options->arch; i++)
        if (set->list[i].type == CANDIDATE_CU)
            return error("build: %s is a CUDA source: name the architecture with --arch",
                         set->list[i].path);
    return 0;
}

/* A build step spares those that measure this work, too. */
static int read_machine_code(const struct candidate_set *set, const struct build_options *options,
                             const struct built *built) {
    struct disassembly *code = NULL;
    if (!*options->arch)
        return 0;
    const int status = disassembly_read(built, NULL, set->count, options, &code);
    disassembly_free(code, set->count);
    return status;
}

int command_build(int argc, char **argv) {
    struct argp argp = {
        build_list, parse_build, NULL, "Compile a candidate set into the cache; no GPU is needed.",
        NULL,       NULL,        NULL};
    struct build_call call = {0};
    struct candidate_set set = {0};
    size_t failed = 0;
    int status = -1;
    char name[] = "gemmgate build";
    build_defaults(&call.options, cores_allowed());
    call.options.confine = confine_compiler;
    argp_err_exit_status = EXIT_TROUBLE;
    argv[0] = name;
    argp_parse(&argp, argc, argv, 0, NULL, &call);
    if (!call.candidates)
        return error("build: --candidates DIR is wanted"), EXIT_TROUBLE;
    if (set_open(call.candidates, call.cutlass, &set) < 0)
        return EXIT_TROUBLE;
    if (!*call.options.arch)
        snprintf(call.options.arch, sizeof call.options.arch, "%s", set.arch);
    if (check_arch(&set, &call.options) < 0) {
        set_free(&set);
        return EXIT_TROUBLE;
    }
    struct built *built = calloc(set.count, sizeof *built);
    if (!built)
        error("no memory for %zu results", set.count);
    else
        status = build_all(&set, NULL, &call.options, built, say_built, &failed);
    if (status == 0)
        status = read_machine_code(&set, &call.options, built);
    printf("%zu of %zu compiled", set.count - failed, set.count);
    if (failed > 0)
        printf("; %zu failed: why stands behind `failed` above", failed);
    putchar('\n');
    if (status == 0 && failed == set.count)
        status = error("build: %s: none of its %zu files compiled; the lines on stdout say why",
                       call.candidates, set.count);
    free(built);
    set_free(&set);
    return status < 0 ? EXIT_TROUBLE : EXIT_PASS;
}
