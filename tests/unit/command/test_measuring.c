/* Commands that build, check and time kernels, on the host: what they print, what they leave, and
 * their exit statuses. No time that they measure matters here. */

#include "tests/support/program.h"
#include "tests/support/test.h"

/* The least there is to measure. */
#define LITTLE " --device host --shapes 16x16x16" LEAST
#define TWO_SHAPES " --device host --shapes 16x16x16,16x16x32" LEAST
#define LEAST " --baselines openblas-nn --warmup 0 --duration 0.01 --seed 7 "

static int make_set(void **state) {
    return scratch_make(state) < 0
               ? -1
               : program_shell("mkdir set broken mixed cuda && "
                               "cp " SOURCE "/candidates/examples/host/half.h set && "
                               "cp " SOURCE "/candidates/examples/host/blocked.c set/kernel.c && "
                               "echo no C | tee broken/a.c >broken/b.c && "
                               "cp set/* mixed && cp broken/a.c mixed && echo >cuda/kernel.cu && "
                               "$P build --candidates set");
}

TEST(kernels_are_built_once) {
    program_gives(0, "build --candidates set --cache-dir here", "kernel.c    ", "");
    program_printed(" built ");
    program_printed("\n1 of 1 compiled\n");
    program_gives(0, "build --candidates set --cache-dir here", "kernel.c    ", "");
    program_printed(" cached ");
    program_printed("/here/");
    program_gives(0, "build --candidates set --cache-dir there --no-sandbox --jobs 1",
                  "kernel.c    ", "");
    program_printed(" built ");
}

TEST(what_does_not_compile_is_told) {
    program_gives(2, "build --candidates broken --jobs 1", "a.c     ",
                  "build: broken: none of its 2 files made a kernel; the lines on stdout say why");
    program_printed(" failed ");
    program_printed("\n0 of 2 compiled; 2 failed: why stands behind `failed` above\n");
    program_refuses("build --candidates none", "none");
    program_gives(0, "build --candidates mixed", NULL, "");
    program_printed("\n1 of 2 compiled; 1 failed: why stands behind `failed` above\n");
}

TEST(cuda_sources_want_an_architecture) {
    static const char *const wrong[] = {"x", "9", "sm_90", "123456789012345678901234567890"};
    program_refuses("build --candidates cuda",
                    "cuda/kernel.cu is a CUDA source: name the architecture with --arch");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char words[96];
        snprintf(words, sizeof words, "build --candidates cuda --arch %s", wrong[i]);
        program_refuses(words, "what nvcc calls sm_..., like 80 or 90a, is wanted");
    }
    setenv("NVCC", "false", 1);
    program_gives(2, "build --candidates cuda --arch 90a", "kernel.cu ", "none of its 1 files");
    scratch_put("cuda/gemmgate.ini", "[gemmgate]\n");
    unsetenv("NVCC");
}

TEST(a_check_times_nothing) {
    program_gives(0, "check" LITTLE "--candidates set -o CHECKED",
                  "CHECKED: 1 of 1 kernels on shapes passed\n", "1 unit in ");
    assert_int_equal(program_shell("grep -q ',kernel,.*,ok,' CHECKED/checks.csv"), 0);
    assert_int_equal(program_shell("[ $(wc -l <CHECKED/times.csv) = 1 ]"), 0);
    program_refuses("check" LITTLE "--candidates set -o CHECKED", "CHECKED");
    program_gives(0, "check" LITTLE "--candidates set -o CHECKED --resume",
                  "CHECKED: 1 of 1 kernels on shapes passed\n", "resuming: 1 of 1 units");
}

TEST(a_run_is_measured_and_read) {
    program_gives(0, "run" LITTLE "--candidates set -o RUN", "RUN\n", "1 unit in ");
    program_gives(0, "verify RUN", "1 units, 1 of them timed: ", "");
    program_refuses("run" LITTLE "--candidates none -o NONE", "none");
    scratch_put("taken/openblas-nn.c", "no C\n");
    program_refuses("run" LITTLE "--candidates taken -o NONE",
                    "the kernel would be called 'openblas-nn', as a library is");
    program_refuses("run" LITTLE "--shard 3/2 -o NONE", "--shard 3/2: I/N is wanted");
    program_gives(77, "run" LITTLE "--device cuda:99 --baselines all -o NONE", "", "cuda");
    assert_int_equal(access(scratch_path("NONE"), F_OK), -1);
}

TEST(parts_of_a_run_are_merged) {
    program_gives(0, "check" TWO_SHAPES "--shard 1/2 -o ONE", "ONE: no kernel ", "1 ");
    program_gives(0, "check" TWO_SHAPES "--shard 2/2 -o TWO", "TWO: no kernel ", "1 ");
    program_gives(0, "merge ONE TWO -o BOTH", "BOTH\n", "");
    assert_int_equal(program_shell("[ $(wc -l <BOTH/checks.csv) = 3 ]"), 0);
    program_refuses("merge ONE none -o BAD", "none");
}

TESTS_BETWEEN(make_set, scratch_remove)
