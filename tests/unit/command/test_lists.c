/* What the commands list: devices, libraries, suites and the kernels of a folder, as a table and as
 * JSON. */

#include <math.h>

#include "bench/base/jsonfile.h"
#include "tests/support/program.h"
#include "tests/support/test.h"

#define KERNEL                                                                                     \
    "#include \"gemmgate.h\"\n"                                                                    \
    "const struct kernel_ops gemm_kernel = {.abi = GEMMGATE_ABI};\n"

/* The list of which a shell's words print the JSON. The caller decrefs. */
static json_t *listed(const char *words) {
    assert_int_equal(program_shell(words), 0);
    json_t *list = json_loads(program_read("out", program_out, sizeof program_out), 0, NULL);
    assert_true(json_is_array(list));
    return list;
}

/* The entry that is called so has this text, too. */
static void has(const json_t *list, const char *by, const char *name, const char *member,
                const char *want) {
    const json_t *entry = jsonfile_entry(list, by, name);
    if (!entry)
        fail_msg("there is no %s", name);
    assert_string_equal(jsonfile_text(entry, member), want);
}

TEST(the_host_is_a_device) {
    program_gives(0, "devices", "device ", "");
    program_printed("\nhost ");
    const char *gib = strstr(program_out, " GiB ");
    assert_non_null(gib);
    while (gib > program_out && gib[-1] != ' ')
        gib--;
    assert_int_equal(atoi(gib), (int)lround((double)sysconf(_SC_PHYS_PAGES) *
                                            (double)sysconf(_SC_PAGESIZE) / (1 << 30)));
    json_t *list = listed("taskset -c \"$(taskset -cp $$ | sed 's/.*: //;s/[,-].*//')\" "
                          "$P devices --json");
    const json_t *host = jsonfile_entry(list, "device", "host");
    assert_true(json_number_value(json_object_get(host, "memory_bytes")) > 1 << 20);
    assert_int_equal(json_integer_value(json_object_get(host, "units")), 1);
    assert_true(json_is_null(json_object_get(host, "architecture")));
    json_decref(list);
}

/* With a runner that calls the host a GPU. */
static void use_fake_gpus(const char *count) {
    assert_int_equal(
        program_shell("mkdir -p bin share && ln -sfn " SOURCE
                      " share/gemmgate && cp -f $P bin/gemmgate && cp -f " FAKE_GPU_RUNNER
                      " bin/gemmgate-runner"),
        0);
    setenv("FAKE_GPUS", count, 1);
}

TEST(gpus_have_a_number_and_an_architecture) {
    use_fake_gpus("2");
    json_t *list = listed("bin/gemmgate devices --json");
    assert_int_equal(json_array_size(list), 2);
    has(list, "device", "cuda:0", "architecture", "sm_90");
    has(list, "device", "cuda:1", "name", "Fake GPU");
    json_decref(list);
}

static void plan_has(const char *run, const char *member) {
    char command[256];
    snprintf(command, sizeof command, "tr -d ' \\n' < %s/plan.json | grep -qF '%s'", run, member);
    assert_int_equal(program_shell(command), 0);
}

/* The device lens, or without it the first; with --autotune paper call. */
TEST(libraries_choose_by_the_lens_that_leads) {
    static const char *const cases[][2] = {
        {"", "device"},
        {"--lens call,device", "device"},
        {"--lens stream", "stream"},
        {"--lens call,stream", "call"},
        {"--autotune paper", "call"},
    };
    use_fake_gpus("1");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char command[256], member[64];
        snprintf(command, sizeof command,
                 "rm -rf L && bin/gemmgate check --shapes 16x16x16 -o L %s", cases[i][0]);
        assert_int_equal(program_shell(command), 0);
        snprintf(member, sizeof member, "\"autotune_lens\":\"%s\"", cases[i][1]);
        plan_has("L", member);
    }
}

/* Without --device. */
TEST(the_first_device_is_measured_on) {
    use_fake_gpus("2");
    assert_int_equal(program_shell("bin/gemmgate check --shapes 16x16x16 -o FIRST"), 0);
    assert_int_equal(program_shell("grep -q '\"device\": \"cuda\"' FIRST/plan.json && "
                                   "grep -q GPU-fake-0 FIRST/manifest.json"),
                     0);
}

TEST(a_kind_without_a_device_says_why) {
    use_fake_gpus("0");
    assert_int_equal(program_shell("bin/gemmgate devices"), 0);
    program_read("out", program_out, sizeof program_out);
    program_printed("\ncuda    none: none are left ");
    assert_int_equal(program_shell("bin/gemmgate check --shapes 16x16x16 -o NONE"), 2);
    program_read("err", program_out, sizeof program_out);
    program_printed("gemmgate: no device at all\n");
    assert_int_equal(program_shell("rm bin/gemmgate-runner; bin/gemmgate devices"), 2);
    program_read("err", program_out, sizeof program_out);
    program_printed("gemmgate-runner");
    assert_int_equal(program_shell("bin/gemmgate list baselines"), 2);
}

TEST(libraries_are_listed) {
    json_t *list = listed("$P list baselines --json");
    has(list, "baseline", "openblas-nn", "device", "host");
    has(list, "baseline", "openblas-tn", "accumulate", "f32");
    has(list, "baseline", "openblas-tn", "elements", "f16, bf16");
    has(list, "baseline", "openblas-tn", "autotuned", "no");
    json_decref(list);
    program_gives(0, "list baselines", "baseline ", "");
    program_printed(" device  elements   accumulate  chooses by timing\n");
    program_printed("\n\nOf each pair X-nn and X-tn the report derives X-max, the faster layout");
}

TEST(libraries_of_gpus_may_choose) {
    use_fake_gpus("1");
    setenv("FAKE_GPU_VARIANTS", "3", 1);
    json_t *list = listed("bin/gemmgate list baselines --json");
    unsetenv("FAKE_GPU_VARIANTS");
    assert_int_equal(json_array_size(list), 8);
    has(list, "baseline", "cublas-nn", "autotuned", "no");
    has(list, "baseline", "cublas-tn", "autotuned", "yes");
    has(list, "baseline", "cublas-tn", "device", "cuda");
    json_decref(list);
}

TEST(suites_are_listed) {
    json_t *list = listed("$P list suites --json");
    has(list, "suite", "smoke", "summary", "small and odd shapes, for a first look");
    const json_t *paper = jsonfile_entry(list, "suite", "paper");
    assert_int_equal(json_integer_value(json_object_get(paper, "shapes")), 1000);
    json_decref(list);
    program_gives(0, "list suites", "suite          shapes  what it holds\n", "");
    program_printed("\npaper            1000  m, n, k in ");
    program_printed("\n\nAny other name is a CSV file with the columns m, n and k");
}

TEST(columns_of_a_run_are_listed) {
    json_t *list = listed("$P list columns --json");
    has(list, "column", "share_compared", "unit", "0 to 1");
    has(list, "column", "control", "key", "yes");
    has(list, "column", "temperature_c_max", "file", "conditions.csv");
    has(list, "column", "level", "meaning", "fact, or that it refuses the kernel: fact, refused");
    json_decref(list);
    program_gives(0, "list columns | tail -n 4", "recordings.csv  note                no  ", "");
    program_printed("\n\nNo two rows of a file have the same values in the columns marked key.");
}

TEST(kernels_of_a_folder_are_listed) {
    scratch_put("set/64x32x16.c", KERNEL);
    scratch_put("set/any.c", KERNEL "/* another */\n");
    json_t *list = listed("$P list candidates set --json");
    assert_int_equal(json_array_size(list), 2);
    has(list, "file", "64x32x16.c", "label", "set");
    has(list, "file", "64x32x16.c", "shape", "64x32x16");
    has(list, "file", "any.c", "label", "any");
    has(list, "file", "any.c", "shape", "any");
    has(list, "file", "any.c", "type", "C source");
    has(list, "file", "any.c", "elements", "as it says");
    assert_int_equal(strlen(jsonfile_text(json_array_get(list, 1), "xxh128")), 32);
    json_decref(list);
    program_gives(0, "list candidates set",
                  "label  file        shape     type      elements    xxh128\n", "");
    program_refuses("list candidates none", "none");
    program_refuses("list candidates", "list candidates: DIR is wanted");
}

TESTS_BETWEEN(scratch_make, scratch_remove)
