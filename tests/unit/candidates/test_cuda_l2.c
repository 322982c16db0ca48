/* Reading kernel sets of the CUDA-L2 release: tile, traits, function, wrapper, folder names. */
#include "candidates/set/cuda_l2.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "candidates/gemmgate.h"
#include "candidates/set/set.h"
#include "tests/support/stderr.h"
#include "tests/support/test.h"

#define FUNCTION "void cuda_l2_h100_fp32(torch::Tensor a, torch::Tensor b)\n{ }\n"

static int32_t tile[3];
static char entry[CUDA_L2_ENTRY];

static const char *read_source(const char *text, struct candidate_traits *traits) {
    *traits = (struct candidate_traits){-1, -1, -1, -1, -1, -1};
    memset(tile, 0, sizeof tile);
    return cuda_l2_read(text, traits, tile, entry);
}

static struct candidate_traits read_ok(const char *text) {
    struct candidate_traits traits;
    assert_null(read_source(text, &traits));
    return traits;
}

/* The release's harness: blanks are dropped, one match a line, the last line wins, and it pads only
 * when all three are there. */
TEST(tile_is_read_as_the_release_does) {
    struct candidate_traits t = read_ok("auto BM = Int<128>{};\nconstexpr auto BN=Int< 64 >{};\n"
                                        "  using BK = Int<32>;\n" FUNCTION "auto BM = Int<160>{};");
    assert_int_equal(tile[0], 160);
    assert_int_equal(tile[1], 64);
    assert_int_equal(tile[2], 32);
    t = read_ok("auto BM = Int<128>{}; auto BN = Int<64>{};\nauto BK = Int<32>{};\n" FUNCTION);
    assert_int_equal(t.bm, 128);
    assert_int_equal(tile[0], 0); /* BN shares its line with BM: not seen, so nothing is padded */
    t = read_ok("constexpr int BM = 64;\n#define BN 32\nstatic const int BK = 16; int kStages = "
                "4;\n" FUNCTION);
    assert_int_equal(t.bm, 64);
    assert_int_equal(t.bn, -1);
    assert_int_equal(t.bk, 16);
    assert_int_equal(t.stages, 4);
    assert_int_equal(tile[0], 0);
    t = read_ok("BM = Int<1>\nBN = Int<0>\nBK = Int<65536>\n" FUNCTION);
    assert_int_equal(t.bm, 1);
    assert_int_equal(t.bn, -1);
    assert_int_equal(t.bk, 65536);
    t = read_ok("BM = Int<x>\nBM = Int<99999999999999999999>\nBM = Int<\nBM =\nBM" FUNCTION);
    assert_int_equal(t.bm, -1);
    assert_int_equal(
        t.length, (int64_t)strlen(
                      "BM = Int<x>\nBM = Int<99999999999999999999>\nBM = Int<\nBM =\nBM" FUNCTION));
}

TEST(the_function_must_be_defined) {
    struct candidate_traits t;
    assert_null(read_source("void cuda_l2_b(int);\n" FUNCTION, &t));
    assert_string_equal(entry, "cuda_l2_h100_fp32");
    assert_null(read_source("void cuda_l2_b200_bf16_v2(Tensor a) {}", &t));
    assert_string_equal(entry, "cuda_l2_b200_bf16_v2");
    /* Four of five files of the release define their kernel by such a name, too. */
    assert_null(read_source("template <typename T>\n"
                            "__global__ void cuda_l2_h100_fp32_kernel(T *A, int m)\n{ }\n" FUNCTION,
                            &t));
    assert_string_equal(entry, "cuda_l2_h100_fp32");
    assert_non_null(read_source("__global__ void cuda_l2_h100_fp32_kernel(half *a, int m) {}", &t));
    assert_non_null(read_source("", &t));
    assert_string_equal(entry, "");
    assert_non_null(read_source("void cuda_l2_h100_fp32(Tensor a);", &t));
    assert_non_null(read_source("__global__ void kernel_cuda_l2_(Tensor a) {}", &t));
    assert_non_null(read_source("void my_cuda_l2_h100_fp32(Tensor a) {}", &t));
    assert_non_null(read_source("void cuda_l2_h100_fp32((((", &t));
}

static char folder[] = "/tmp/test_cuda_l2.XXXXXX";

static void put(const char *name, const char *text) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static int make_sets(void **state) {
    (void)state;
    static const char *const names[] = {"h100_F32F16F16F32",
                                        "a100_F16F16F16F16",
                                        "other",
                                        "cutlass",
                                        "cutlass/include",
                                        "cutlass/include/cutlass",
                                        "b200_F32BF16BF16F32",
                                        "4090-F16F16F16F16-new",
                                        "copy",
                                        "unknown",
                                        "release",
                                        "release/kernels",
                                        "release/kernels/b200_",
                                        "release/kernels/unknown"};
    char path[256];
    if (!mkdtemp(folder))
        return -1;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        if (mkdir(path, 0777) < 0)
            return -1;
    }
    put("cutlass/include/cutlass/cutlass.h", "");
    put("h100_F32F16F16F32/64_128_256.cu",
        "auto BM = Int<64>{};\nauto BN = Int<96>{};\nauto BK = Int<32>{};\n" FUNCTION);
    put("h100_F32F16F16F32/64_64_64.cu", "nothing here");
    put("h100_F32F16F16F32/helper.cu", FUNCTION);
    put("h100_F32F16F16F32/gemmgate.ini", "of no use here");
    put("a100_F16F16F16F16/64_64_64.cu", "void cuda_l2_a100_fp16(Tensor a) {}");
    put("other/64_64_64.cu", "void gemm(Tensor a) {}");
    put("b200_F32BF16BF16F32/64_64_64.cu", "void cuda_l2_b200_bf16(Tensor a) {}");
    put("4090-F16F16F16F16-new/64_64_64.cu", FUNCTION);
    put("copy/64_64_64.cu", "void cuda_l2_a100_fp16(Tensor a) {}");
    put("unknown/64_64_64.cu", "void cuda_l2_next(Tensor a) {}");
    put("release/kernels/b200_/64_64_64.cu", FUNCTION);
    put("release/kernels/unknown/64_64_64.cu", FUNCTION);
    return 0;
}

static int open_set(const char *name, bool with_cutlass, struct candidate_set *set) {
    char path[256], cutlass[256];
    snprintf(path, sizeof path, "cuda-l2:%s/%s", folder, name);
    snprintf(cutlass, sizeof cutlass, "%s/cutlass", folder);
    return set_open(path, with_cutlass ? cutlass : NULL, set);
}

TEST(a_set_is_what_its_folder_says) {
    struct candidate_set set;
    assert_int_equal(open_set("h100_F32F16F16F32", true, &set), 0);
    assert_int_equal(set.count, 3);
    assert_string_equal(set.arch, "90a");
    assert_int_equal(set.list[0].call->accumulate, GEMM_F32);
    assert_string_equal(set.list[0].defect, "");
    assert_int_equal(set.list[0].call->tile[1], 96);
    assert_int_equal(set.list[2].call->tile[1], 0); /* it names none: not that of another file */
    assert_non_null(strstr(set.list[1].defect, "cuda_l2_..."));
    assert_non_null(strstr(set.list[2].defect, "not a shape"));

    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    call_write_wrapper(out, set.list[0].call, set.list[0].label, true, ELEMENT_F16);
    assert_int_equal(fclose(out), 0);
    assert_non_null(strstr(text, "cuda_l2_h100_fp32(tensor(a, m, k), tensor(b_row, k, n), "
                                 "tensor(b_col, k, n), tensor(c, m, n))"));
    assert_non_null(strstr(text, "\"h100-f32f16f16f32\", 2, 2, {64, 96, 32}\n"));
    assert_null(strstr(text, "gemmgate.ini"));
    free(text);
    set_free(&set);
    assert_int_equal(open_set("a100_F16F16F16F16", true, &set), 0);
    assert_int_equal(set.list[0].call->accumulate, GEMM_F16);
    set_free(&set);
}

/* The folder's name says it, or else that of the functions; the rest is left to options. */
TEST(sets_of_any_release_are_recognised) {
    static const struct {
        const char *folder, *arch;
        int elements, accumulate;
    } cases[] = {
        {"b200_F32BF16BF16F32", "100a", 1 << ELEMENT_BF16, GEMM_F32},
        {"4090-F16F16F16F16-new", "89", 1 << ELEMENT_F16, GEMM_F16},
        {"copy", "80", 1 << ELEMENT_F16, GEMM_F16},
        {"unknown", "", 1 << ELEMENT_F16, GEMM_F16 | GEMM_F32},
        {"release/kernels/b200_", "100a", 1 << ELEMENT_F16, GEMM_F32},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct candidate_set set;
        assert_int_equal(open_set(cases[i].folder, true, &set), 0);
        assert_string_equal(set.arch, cases[i].arch);
        assert_int_equal(set.elements, cases[i].elements);
        assert_int_equal(set.list[0].call->accumulate, cases[i].accumulate);
        assert_string_equal(set.list[0].defect, "");
        set_free(&set);
    }
}

TEST(what_is_missing_is_said) {
    struct candidate_set set;
    stderr_catch();
    assert_int_equal(open_set("other", true, &set), -1);
    stderr_says("none of its files defines a function cuda_l2_...");
    stderr_catch();
    assert_int_equal(open_set("release", true, &set), -1);
    stderr_says("/release/kernels/b200_, cuda-l2:");
    assert_int_equal(open_set("h100_F32F16F16F32", false, &set), 0);
    stderr_catch();
    assert_int_equal(set_serve(&set, ELEMENT_F16),
                     -1); /* it can be looked at, and not be compiled */
    stderr_says("nvidia-cutlass");
    set_free(&set);
    stderr_catch();
    assert_int_equal(set_open("torch-l2:/tmp", NULL, &set), -1);
    stderr_says("unknown format");
}

static int remove_sets(void **state) {
    (void)state;
    char command[300];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

TESTS_BETWEEN(make_sets, remove_sets)
