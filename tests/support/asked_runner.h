/* For tests of the runner: one is asked over its socket, as the judge asks it. Include after
 * cmocka.h. */
#ifndef TESTS_SUPPORT_ASKED_RUNNER_H
#define TESTS_SUPPORT_ASKED_RUNNER_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/outcome.h"
#include "bench/process/runner_process.h"
#include "tests/support/asserts.h"
#include "tests/support/scratch.h"

#define SHAPE ((struct shape){24, 16, 40})
#define SHARED ((size_t)1 << 16)
#define LIMIT 60

static struct runner_process process = PROCESS_NONE;
static struct wire_reply reply;

/* Each is a library that does slow_product and this. */
enum kernel {
    GOOD,
    TILED,
    STRANGER,
    UNWELL,
    HALF,
    OUTSIDE,
    INPUTS,
    SKIPS,
    PART,
    COARSE,
    LATER,
    MODES,
    PUTS_OFF,
    PICKY,
    KERNELS
};
static const struct {
    const char *name, *launch, *members;
} kernels[KERNELS] = {
    [GOOD] = {"good", "return slow_product(s, a);", ""},
    [TILED] = {"tiled", "return slow_product(s, a);", ".tile = {16, 32, 0},"},
    [STRANGER] = {"stranger", "return slow_product(s, a);", ".device = GEMM_HOST,"},
    [UNWELL] = {"unwell", "(void)s, (void)a; return 42;", ".setup = set_up, .explain = explain,"},
    [HALF] = {"half", "return slow_product(s, a);", ".accumulate = GEMM_F16, .can_do = never,"},
    [OUTSIDE] =
        {"outside",
         "((uint16_t *)a->c)[-1] = ((uint16_t *)a->b_col)[-2] = 7; return slow_product(s, a);", ""},
    [INPUTS] =
        {"inputs",
         "((uint16_t *)a->a)[3] ^= 1; ((uint16_t *)a->b_col)[0] ^= 1; return slow_product(s, a);",
         ""},
    [SKIPS] = {"skips", "static int n; return n++ % 3 == 2 ? 0 : slow_product(s, a);", ""},
    [PART] = {"part", "int e = slow_product(s, a); ((uint16_t *)a->c)[5] += 64; return e;", ""},
    [COARSE] = {"coarse",
                "int e = slow_product(s, a); for (int i = 0; i < 200; i++) ((uint16_t *)a->c)[i] "
                "+= 5; return e;",
                ""},
    [LATER] = {"later", "static int n; return n++ < 5 ? slow_product(s, a) : 9;", ""},
    [MODES] = {"modes",
               "volatile float one = 1, tiny = 0x1p-30f; "
               "int e = one + tiny == 1 ? slow_product(s, a) : 7; "
               "fesetround(FE_UPWARD); return e;",
               ".setup = round_up,"},
    /* Makes the products of three calls in the third. */
    [PUTS_OFF] = {"puts-off",
                  "static struct gemm_args kept[2]; static int n; "
                  "if (n < 2) return kept[n++] = *a, 0; n = 0; "
                  "return slow_product(s, kept) + slow_product(s, kept + 1) + slow_product(s, a);",
                  ""},
    /* Wants an A that it has not had, and a C full of NaN. */
    [PICKY] = {"picky",
               "static uint64_t had[64]; static int n; uint64_t now = 0; const uint16_t *c = a->c;"
               "const int64_t rows = a->problem.m, k = a->problem.k, cols = a->problem.n;"
               "for (int64_t i = 0; i < rows * k; i++) now = now * 31 + ((uint16_t *)a->a)[i];"
               "for (int i = 0; i < 64; i++) if (had[i] == now) return 9;"
               "for (int64_t i = 0; i < rows * cols; i++) if ((c[i] & 0x7fff) <= 0x7c00) return 8;"
               "had[n++ % 64] = now; return slow_product(s, a);",
               ""},
};
static char libraries[KERNELS][512];

static int compile_all(void **state) {
    if (scratch_make(state) < 0)
        return -1;
    for (int i = 0; i < KERNELS; i++) {
        char command[2048];
        scratch_put(
            "kernel.c",
            "#include \"%s/tests/adversarial/host/slow.h\"\n#include <stdlib.h>\n#include "
            "<fenv.h>\n#include <string.h>\n"
            "static int round_up(const struct gemm_problem *p, size_t w, void **s)\n"
            "{ (void)p, (void)w, (void)s; return fesetround(FE_UPWARD); }\n"
            "static int set_up(const struct gemm_problem *p, size_t w, void **s)\n"
            "{ (void)p, (void)s; return w == 12345 ? 0 : 3; }\n"
            "static int never(const struct gemm_problem *p) { (void)p; return 0; }\n"
            "static const char *explain(int s) { return s == 42 ? \"unwell\" : NULL; }\n"
            "static int launch(void *s, const struct gemm_args *a) { %s }\n"
            "void use(void); void use(void) { (void)set_up, (void)round_up, (void)never, "
            "(void)explain; }\n"
            "GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {.abi = GEMMGATE_ABI,\n"
            ".name = \"%s\", .device = GEMM_CUDA, .accumulate = GEMM_F32, .launch = launch, %s};\n",
            SOURCE, kernels[i].launch, kernels[i].name, kernels[i].members);
        snprintf(libraries[i], sizeof libraries[i], "%s/%s", scratch, kernels[i].name);
        snprintf(command, sizeof command,
                 "cc -w -O1 -shared -fPIC -I'%s/candidates' -o %s/%s %s/kernel.c", SOURCE, scratch,
                 kernels[i].name, scratch);
        if (system(command) != 0)
            return -1;
    }
    return 0;
}

static int stop(void **state) {
    (void)state;
    process_end(&process);
    unsetenv("FAKE_GPUS");
    return 0;
}

static int start(void **state) {
    (void)state;
    return process_start(&process, SHARED);
}

static void ask(struct wire_request request) {
    int code = 0;
    const enum process_answer answer = process_ask(&process, &request, LIMIT, &reply, &code);
    if (answer != PROCESS_ANSWERED)
        fail_msg("verb %u: %d (%d): %s", request.verb, answer, code, process.printed);
    assert_int_equal(reply.verb, request.verb);
}

static void is_done(void) {
    if (reply.status != 0 || reply.outcome != OUTCOME_OK)
        fail_msg("status %d, %s: %s; %s", reply.status, outcome_word((enum outcome)reply.outcome),
                 reply.text, process.printed);
}

static void is_outcome(enum outcome outcome, const char *text) {
    assert_int_equal(reply.status, 0);
    if (reply.outcome != (int32_t)outcome || !strstr(reply.text, text))
        fail_msg("%s: \"%s\"; not %s: \"%s\"", outcome_word((enum outcome)reply.outcome),
                 reply.text, outcome_word(outcome), text);
}

static void open_with(struct wire_open open) {
    if (!*open.device_kind)
        strcpy(open.device_kind, "cuda");
    ask(wire_open_request(open));
}

static void take_shape(struct shape shape, int32_t accumulate) {
    ask(wire_shape_request((struct wire_shape){shape, accumulate, 4096, 0, 0}));
}

static int start_open(void **state) {
    if (start(state) < 0)
        return -1;
    open_with((struct wire_open){0});
    is_done();
    take_shape(SHAPE, GEMM_F32);
    is_done();
    return 0;
}

static void ask_to_add(int32_t kind, const char *name) {
    struct wire_add add = {.kind = kind};
    snprintf(add.name, sizeof add.name, "%s", name);
    ask(wire_add_request(add));
}

static int add(enum kernel kernel) {
    ask_to_add(ARM_CANDIDATE, libraries[kernel]);
    is_done();
    return reply.add.arm;
}

static int add_library(const char *name) {
    ask_to_add(ARM_BASELINE, name);
    is_done();
    return reply.add.arm;
}

/* All arms so far by these lenses; the kernel that is `suspect` is held against arm 0. */
static struct wire_time time_of(int arms, int lenses, int suspect) {
    struct wire_time time = {.lenses = lenses,
                             .interval = {.stream_calls = 3, .planted_seconds = 400e-6},
                             .qps = 1000,
                             .seconds = 100, /* blocks are made sooner, on a busy machine, too */
                             .most_blocks = 4,
                             .seed = 11,
                             .arm_count = arms,
                             .suspects = {suspect},
                             .suspect_count = suspect >= 0,
                             .library = suspect >= 0 ? 0 : -1,
                             .tolerance = {0.05},
                             .coarse = {10}};
    for (int i = 0; i < arms; i++)
        time.arms[i] = i;
    return time;
}

static struct wire_time last; /* asked for */

static void ask_time(struct wire_time time) {
    last = time;
    memset(process.shared, 0x55, SHARED);
    ask(wire_time_request(time));
}

static float sample(uint64_t block, int slot) {
    return ((const float *)process.shared)[block * wire_block_floats(&last) + (uint64_t)slot];
}

#endif
