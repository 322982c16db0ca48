/* Reading a folder of kernels: what counts, what it is called, what is refused. */
#include "candidates/set/set.h"

#include "candidates/gemmgate.h"
#include "tests/support/says.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

static struct candidate_set set;

static void refused(const char *folder, const char *words) {
    assert_says(set_open(scratch_path(folder), NULL, &set), -1, words);
}

TEST_WITH(files_are_sorted_and_labelled, scratch_make, scratch_remove) {
    scratch_put("kern/zeta.cu", "z");
    scratch_put("kern/64x64x64.c", "s");
    scratch_put("kern/alpha-1.0_B.so", "a");
    scratch_put("kern/128_64_32.cu", "s");
    scratch_put("kern/64x64x65.c", "other");
    assert_int_equal(set_open(scratch_path("kern"), NULL, &set), 0);
    static const struct {
        const char *file, *label;
        enum candidate_type type;
        bool has_shape;
    } want[] = {{"128_64_32.cu", "kern", CANDIDATE_CU, true},
                {"64x64x64.c", "kern", CANDIDATE_C, true},
                {"64x64x65.c", "kern", CANDIDATE_C, true},
                {"alpha-1.0_B.so", "alpha-1.0_B", CANDIDATE_SO, false},
                {"zeta.cu", "zeta", CANDIDATE_CU, false}};
    assert_string_equal(set.name, "kern");
    assert_string_equal(set.folder, scratch_path("kern"));
    assert_int_equal(set.count, sizeof want / sizeof *want);
    for (size_t i = 0; i < set.count; i++) {
        const struct candidate *c = &set.list[i];
        char path[600];
        snprintf(path, sizeof path, "%s/%s", scratch_path("kern"), want[i].file);
        assert_string_equal(c->file, want[i].file);
        assert_string_equal(c->label, want[i].label);
        assert_string_equal(c->path, path);
        assert_int_equal(c->type, want[i].type);
        assert_int_equal(c->has_shape, want[i].has_shape);
        assert_string_equal(c->defect, "");
        assert_int_equal(strlen(c->source_hash), 32);
    }
    assert_int_equal(set.list[0].shape.m, 128);
    assert_int_equal(set.list[0].shape.n, 64);
    assert_int_equal(set.list[0].shape.k, 32);
    /* The hash is of the contents and of nothing else. */
    assert_string_equal(set.list[0].source_hash, set.list[1].source_hash);
    assert_string_not_equal(set.list[1].source_hash, set.list[2].source_hash);
    set_free(&set);
    assert_null(set.list);
    set_free(&set);
}

TEST_WITH(other_files_are_ignored, scratch_make, scratch_remove) {
    scratch_put("kern/a.c", "a");
    scratch_put("kern/tile.h", "h");
    scratch_put("kern/README.md", "words");
    scratch_put("kern/b.cc", "b");
    scratch_put("kern/b.c.orig", "b");
    scratch_put("kern/b.C", "b");
    scratch_put("kern/.c", "b");
    scratch_put("kern/c", "b");
    scratch_put("kern/old/b.c", "b");
    assert_int_equal(set_open(scratch_path("kern"), NULL, &set), 0);
    assert_int_equal(set.count, 1);
    assert_string_equal(set.list[0].file, "a.c");
    set_free(&set);
    scratch_put("kern/older.c/b.c", "b");
    refused("kern", "older.c: Is a directory");
}

TEST_WITH(one_shape_has_one_file, scratch_make, scratch_remove) {
    scratch_put("kern/64x64x64.c", "s");
    scratch_put("kern/64_64_64.c", "s");
    refused("kern", "64_64_64.c and 64x64x64.c are two kernels for one shape: remove one");
    remove(scratch_path("kern/64_64_64.c"));
    scratch_put("kern/064x64x64.cu", "s");
    refused("kern", "064x64x64.cu and 64x64x64.c are two kernels for one shape: remove one");
}

TEST_WITH(one_name_has_one_file, scratch_make, scratch_remove) {
    scratch_put("kern/a.c", "a");
    scratch_put("kern/b.c", "a");
    scratch_put("kern/a.cu", "a");
    refused("kern", "a.c and a.cu are two kernels for one name: remove one");
}

/* A file named like its folder clashes with the folder's shapes, wherever it sorts. */
TEST_WITH(a_name_is_not_the_sets, scratch_make, scratch_remove) {
    scratch_put("kern/64x64x64.c", "s");
    scratch_put("kern/kern.c", "a");
    refused("kern", "64x64x64.c and kern.c are two kernels for one name: remove one");
    scratch_put("1st/64x64x64.c", "s");
    scratch_put("1st/1st.c", "a");
    refused("1st", "1st.c and 64x64x64.c are two kernels for one name: remove one");
}

TEST_WITH(bad_names_are_refused, scratch_make, scratch_remove) {
    static const struct {
        const char *file, *words;
    } bad[] = {
        {"0x64x64.c", "0x64x64.c: the name looks like a shape, but sizes must be positive"},
        {"64x64.c", "64x64.c: the name looks like a shape, but a shape is MxNxK"},
        {"64x64_64.c", "looks like a shape, but a shape uses one separator"},
        {"64x64x2097152.cu", "looks like a shape, but a size is over the largest accepted"},
        {"my kernel.c", "my kernel.c: a kernel's name is letters, digits"},
        {"a,b.c", "a,b.c: a kernel's name is letters, digits"},
        {"caf\303\251.c", ".c: a kernel's name is letters, digits"},
        {"a123456789b123456789c123456789d123456789e123456789f123456789ghij.c", "at most 63"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char name[128];
        snprintf(name, sizeof name, "kern/%s", bad[i].file);
        scratch_put(name, "a");
        refused("kern", bad[i].words);
        remove(scratch_path(name));
    }
    scratch_put("kern/a123456789b123456789c123456789d123456789e123456789f123456789ghi.c", "a");
    assert_int_equal(set_open(scratch_path("kern"), NULL, &set), 0);
    assert_int_equal(strlen(set.list[0].label), 63);
    set_free(&set);
}

TEST_WITH(a_folder_with_kernels_is_needed, scratch_make, scratch_remove) {
    refused("kern", "kern: No such file or directory; a candidate set is a folder of kernels");
    scratch_put("kern/tile.h", "h");
    refused("kern", "kern: no .cu, .c or .so file in it; name the folder that holds the kernels");
    refused("kern/tile.h", "tile.h: Not a directory; a candidate set is a folder of kernels");
    assert_says(set_open("cuda-l3:kern", NULL, &set), -1,
                "cuda-l3:kern: unknown format of a candidate set");
    assert_int_equal(symlink("nothing", scratch_path("kern/a.c")), 0);
    refused("kern", "a.c: No such file or directory");
    assert_int_equal(unlink(scratch_path("kern/a.c")), 0);
    assert_int_equal(mkfifo(scratch_path("kern/a.c"), 0666), 0);
    refused("kern", "a.c: it is no regular file");
}

TEST_WITH(the_name_is_the_folders_own, scratch_make, scratch_remove) {
    scratch_put("kern/64x64x64.c", "a");
    assert_int_equal(symlink("kern", scratch_path("link")), 0);
    assert_int_equal(chdir(scratch_path("kern")), 0);
    const char *const spellings[] = {".",          "./",      "../kern",        "../kern/",
                                     "../kern//.", "../link", "../link/../kern"};
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++) {
        assert_int_equal(set_open(spellings[i], NULL, &set), 0);
        assert_string_equal(set.name, "kern");
        assert_string_equal(set.list[0].label, "kern");
        assert_string_equal(set.folder, scratch_path("kern"));
        set_free(&set);
    }
    assert_int_equal(chdir("/"), 0);
}

TEST(flags_have_bounds) {
    struct candidate_set s = {.folder = "kern"};
    char flag[513];
    memset(flag, 'x', sizeof flag);
    flag[512] = 0;
    assert_says(set_add_flag(&s, flag), -1, "kern: too many or too long compiler arguments");
    flag[511] = 0;
    for (int i = 0; i < SET_FLAGS; i++)
        assert_int_equal(set_add_flag(&s, flag), 0);
    assert_string_equal(s.flags[SET_FLAGS - 1], flag);
    assert_says(set_add_flag(&s, "-O2"), -1, "too long compiler arguments at -O2");
    assert_int_equal(s.flag_count, SET_FLAGS);
}

static void says_of_itself(const char *text) {
    scratch_put("kern/a.c", "a");
    scratch_put("kern/gemmgate.ini", "%s", text);
}

TEST_WITH(a_manifest_is_heeded, scratch_make, scratch_remove) {
    says_of_itself("[set]\nname = mine\npattern = a*\narch = 90a\ninclude = up\n"
                   "flags = -O2 -DX\nflags = -DY\ninclude = /top\n");
    scratch_put("kern/b.c", "b");
    assert_int_equal(set_open(scratch_path("kern"), NULL, &set), 0);
    const char *const flags[] = {"-Iup", "-O2", "-DX", "-DY", "-I/top"};
    assert_string_equal(set.name, "mine");
    assert_string_equal(set.arch, "90a");
    assert_int_equal(set.count, 1);
    assert_int_equal(set.flag_count, 5);
    for (int i = 0; i < set.flag_count; i++)
        assert_string_equal(set.flags[i], flags[i]);
    set_free(&set);
}

TEST_WITH(a_tile_has_bounds, scratch_make, scratch_remove) {
    says_of_itself(
        "[kernel a]\nfile = a.c\ncall = f(a, b_row, c)\naccumulate = f32\ntile = 65536x1x65536\n");
    assert_int_equal(set_open(scratch_path("kern"), NULL, &set), 0);
    assert_int_equal(set.list[0].call->tile[0], 65536);
    set_free(&set);
    says_of_itself(
        "[kernel a]\nfile = a.c\ncall = f(a, b_row, c)\naccumulate = f32\ntile = 1x65537x1\n");
    refused("kern", "gemmgate.ini:5: tile is '1x65537x1', and MxNxK");
}

TEST(a_kernel_is_of_cuda_by_its_file_or_its_call) {
    static struct call host = {.device = GEMM_HOST}, cuda = {.device = GEMM_CUDA};
    struct candidate source = {.type = CANDIDATE_C};
    assert_false(candidate_is_cuda(&source));
    source.call = &cuda;
    assert_true(candidate_is_cuda(&source));
    source.call = &host;
    assert_false(candidate_is_cuda(&source));
}

/* Of a longer line inih would take the rest for one of its own: here, another name. */
TEST_WITH(a_long_line_of_a_manifest_is_refused, scratch_make, scratch_remove) {
    char text[512];
    for (int length = 198; length < 220; length++) {
        snprintf(text, sizeof text, "[set]\nflags = -D%0*d\nname = mine\n", length - 10, 7);
        says_of_itself(text);
        if (length == 198) {
            assert_int_equal(set_open(scratch_path("kern"), NULL, &set), 0);
            assert_int_equal(strlen(set.flags[0]), 190);
            assert_string_equal(set.name, "mine");
            set_free(&set);
        } else {
            refused("kern", "gemmgate.ini:2: is longer than the 198 bytes that are read of a line; "
                            "flags and include may be said in several lines");
        }
    }
    snprintf(text, sizeof text, "[set]\nname = mine\n; %-196sname = yours\n", "");
    says_of_itself(text);
    refused("kern", "gemmgate.ini:3: is longer than the 198 bytes");
}

TEST_WITH(a_manifest_says_a_thing_once, scratch_make, scratch_remove) {
    static const char *const keys[] = {"name", "pattern", "arch", "accumulate", "element"};
    static const char *const values[] = {"mine", "*", "80", "f16", "bf16"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        char text[128], words[128];
        snprintf(text, sizeof text, "[set]\n%s = %s\n%s = %s\n", keys[i], values[i], keys[i],
                 values[i]);
        snprintf(words, sizeof words, "gemmgate.ini:3: %s is said already; remove one", keys[i]);
        says_of_itself(text);
        refused("kern", words);
    }
    says_of_itself("[set]\nname = mine\n -DX\n");
    refused("kern", "gemmgate.ini:3: begins with a blank");
    says_of_itself(
        "[set]\ncall = mine(a, b_row, c)\n"); /* the line of its call: there is no section */
    refused("kern", "gemmgate.ini:2: call needs accumulate");
}

/* So headers of PyTorch itself, which the set includes, are found first. */
TEST_WITH(a_set_with_call_finds_the_standin_last, scratch_make, scratch_remove) {
    scratch_put("kern/a.cu", "a");
    scratch_put("kern/gemmgate.ini", "[set]\naccumulate = f32\nelement = bf16\n"
                                     "call = f(a, b_row, c)\ninclude = torch/include\n");
    assert_int_equal(set_open(scratch_path("kern"), NULL, &set), 0);
    assert_int_equal(set_serve(&set, ELEMENT_BF16), 0);
    static const char *const ends[] = {"-Itorch/include", "/candidates/standin"};
    assert_int_equal(set.flag_count, 2);
    for (int i = 0; i < 2; i++) {
        const size_t flag = strlen(set.flags[i]), end = strlen(ends[i]);
        assert_true(flag >= end);
        assert_string_equal(set.flags[i] + flag - end, ends[i]);
    }
    set_free(&set);
}
