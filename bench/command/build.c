/* gemmgate build. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/child.h"
#include "bench/base/error.h"
#include "bench/base/need.h"
#include "bench/base/text.h"
#include "bench/command/commands.h"
#include "bench/command/options/settings_plan.h"
#include "bench/process/interrupt.h"
#include "bench/process/sandbox.h"
#include "candidates/set/load.h"
#include "candidates/set/set.h"
#include "reports/rows/rows.h"

/* Files that made no kernel; lacking: since this machine lacks what that needs. */
struct tally {
    size_t failed, lacking;
};
enum { TALLY_TEXT = 256 };
#define KERNEL "gemmgate_kernel "

/* Whether the library has the symbol of a kernel. Nobody but the linker's own nm looks into it, and
 * where there is none the first run will tell. */
static bool has_kernel(const char *so) {
    char nm[PATH_MAX];
    if (!child_find("nm", NULL, nm))
        return true;
    const char *const arguments[] = {nm, "-D", "--defined-only", "--format=posix", so, NULL};
    const struct child_program program = {.arguments = arguments, .quiet = true};
    char *symbols = child_output(program, 60);
    const bool has = symbols && (text_begins(symbols, KERNEL) || strstr(symbols, "\n" KERNEL));
    free(symbols);
    return has;
}

static void say_built(void *context, const struct candidate *candidate, const struct built *built) {
    struct tally *tally = context;
    const bool is_built = built->outcome == BUILD_OK, fine = is_built && has_kernel(built->so);
    const char *said = fine ? built->so : is_built ? LOAD_NO_KERNEL : built->message;
    const size_t first = strcspn(said, "\n");
    const bool lacking = built->outcome == BUILD_LACKING;
    tally->lacking += lacking;
    tally->failed += !fine && !lacking;
    text_print_line(stdout, "%-32s %-9s %6.1f s  %.*s", candidate_words(candidate),
                    lacking         ? rows_fate_words[ROWS_NOT_BUILT]
                    : !fine         ? "failed"
                    : built->cached ? "cached"
                                    : "built",
                    built->seconds, (int)(fine ? strlen(said) : first), said);
    if (!fine && said[first])
        text_print_lines(stdout, said + first + 1);
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

static void add_why(size_t count, const char *word, char text[TALLY_TEXT]) {
    if (count > 0)
        text_append(text, TALLY_TEXT, "; %zu %s: why stands behind `%s` above", count, word, word);
}

/* Compiles them all and says what became of each. Returns an exit status. */
static int compile(const struct candidate_set *set, const char *folder,
                   const struct build_options *build, bool fail_on) {
    struct tally tally = {0};
    struct built *built = need(set->count, sizeof *built);
    const int status = build_all(set, NULL, build, built, say_built, &tally);
    const size_t without = tally.failed + tally.lacking;
    const bool lacks = tally.lacking && !tally.failed;
    char text[TALLY_TEXT] = "";
    free(built);
    if (interrupted)
        return EXIT_INTERRUPTED;
    add_why(tally.failed, "failed", text);
    add_why(tally.lacking, rows_fate_words[ROWS_NOT_BUILT], text);
    text_print_line(stdout, "%zu of %zu compiled%s", set->count - without, set->count, text);
    if (status < 0)
        return EXIT_TROUBLE;
    if (without == set->count) {
        error("build: %s: none of its %zu files made a kernel; the lines on stdout say why", folder,
              set->count);
        return lacks ? EXIT_ENVIRONMENT : EXIT_TROUBLE;
    }
    if (without == 0 || !fail_on)
        return EXIT_PASS;
    error("build: %zu of its files did not compile", without);
    return lacks ? EXIT_ENVIRONMENT : EXIT_REFUSED;
}

/* The set, or of it the kernels for the shapes that are asked for. */
static int open_kernels(const struct settings *settings, struct plan *plan) {
    if (set_open(settings->candidates, settings->cutlass, &plan->set) < 0 ||
        set_serve(&plan->set, settings->plan.element) < 0)
        return -1;
    if (!settings->suite && !settings->shapes)
        return settings->sample ? error("--sample: of which suite? --suite is wanted") : 0;
    if (settings_suite(settings, plan) < 0)
        return -1;
    if (settings->sample && !SETTINGS_GIVEN(settings, plan.seed))
        return error("--sample: give the --seed of the run, which draws the same shapes");
    if (settings->sample &&
        suite_sample(&plan->suite, (size_t)settings->sample, settings->plan.seed) < 0)
        return -1;
    return plan_narrow(plan);
}

int command_build(struct settings *settings) {
    struct build_options build;
    struct run_call unused;
    struct plan plan = {0};
    int status = EXIT_TROUBLE;
    if (settings_call(settings, &build, &unused) == 0 && open_kernels(settings, &plan) == 0) {
        build.confine = settings->no_sandbox ? NULL : confine_compiler;
        build.stop = &interrupted;
        interrupt_catch();
        if (choose_arch(settings->arch, &plan.set, &build) == 0)
            status = compile(&plan.set, settings->candidates, &build, settings->fail_on);
    }
    plan_free(&plan);
    return interrupted ? EXIT_INTERRUPTED : status;
}
