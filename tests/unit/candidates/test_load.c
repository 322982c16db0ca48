/* Looking over a compiled candidate before anything of it is called. */
#include "candidates/set/load.h"

#include "bench/base/installed.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

static char why[512];

/* Compiles a library of the given source. Each has a path of its own, since the loader knows an
 * old one again. */
static const char *compile(const char *source) {
    static int count;
    static char so[512];
    char command[3 * PATH_MAX];
    char own[PATH_MAX];
    assert_int_equal(installed_find("candidates", own), 0);
    snprintf(so, sizeof so, "%s/%d.so", scratch, count++);
    scratch_put("kernel.c", "%s\n", source);
    snprintf(command, sizeof command, "cc -shared -fPIC -I'%s' -o '%s' '%s'", own, so,
             scratch_path("kernel.c"));
    assert_int_equal(system(command), 0);
    return so;
}

/* A good kernel but for these members, which come last and so prevail. */
static const char *compile_with(const char *members) {
    char source[1024];
    snprintf(source, sizeof source,
             "#include \"gemmgate.h\"\n"
             "static int launch(void *s, const struct gemm_args *a)\n"
             "{ (void)s; return (int)a->problem.m + 1; }\n"
             "GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {.abi = GEMMGATE_ABI,\n"
             ".name = \"k-1.0\", .device = GEMM_HOST, .accumulate = GEMM_F32, .launch = launch,\n"
             "%s};",
             members);
    return compile(source);
}

static enum load_result load(const char *so) {
    struct loaded loaded = {0};
    strcpy(why, "nothing said");
    enum load_result result = load_candidate(so, &loaded, why, sizeof why);
    if (result == LOAD_OK) {
        load_close(&loaded);
    } else {
        assert_null(loaded.library);
        assert_null(loaded.ops);
    }
    return result;
}

static void fails(const char *so, const char *words) {
    assert_int_equal(load(so), LOAD_FAILED);
    if (!strstr(why, words))
        fail_msg("\"%s\" lacks \"%s\"", why, words);
}

TEST(a_right_kernel_is_loaded) {
    struct loaded loaded;
    const struct gemm_args args = {.problem = {41, 1, 1, GEMM_F32}};
    assert_int_equal(load_candidate(compile_with(""), &loaded, why, sizeof why), LOAD_OK);
    assert_string_equal(loaded.ops->name, "k-1.0");
    assert_int_equal(loaded.ops->launch(NULL, &args), 42);
    load_close(&loaded);
    assert_null(loaded.library);
    load_close(&loaded);
}

/* The very ends of what is allowed. */
TEST(the_ends_are_allowed) {
    static const char *const good[] = {
        ".name = \"a\"",
        ".name = \"a123456789b123456789c123456789d123456789e123456789f123456789ghi\"",
        ".device = GEMM_CUDA",
        ".accumulate = GEMM_F16",
        ".accumulate = GEMM_F16 | GEMM_F32",
        ".tile = {65536, 65536, 65536}",
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        if (load(compile_with(good[i])) != LOAD_OK)
            fail_msg("%s: %s", good[i], why);
}

TEST(defects_are_named) {
    static const struct {
        const char *members, *words;
    } bad[] = {
        {".launch = 0", "has no launch"},
        {".name = 0", "name is not 1 to 63 of [a-z0-9.-]"},
        {".name = \"\"", "name is not"},
        {".name = \"a kernel\"", "name is not"},
        {".name = \"Kernel\"", "name is not"},
        {".name = \"a_kernel\"", "name is not"},
        {".name = \"a123456789b123456789c123456789d123456789e123456789f123456789ghij\"",
         "name is not"},
        {".device = 0", "device is neither"},
        {".device = 3", "device is neither"},
        {".accumulate = 0", "accumulate is not made of"},
        {".accumulate = 4", "accumulate is not made of"},
        {".accumulate = GEMM_F32 | 8", "accumulate is not made of"},
        {".accumulate = -1", "accumulate is not made of"},
        {".elements = 4", "elements are not made of GEMM_ELEMENT_F16 and GEMM_ELEMENT_BF16"},
        {".elements = -1", "elements are not made of"},
        {".tile = {-1, 0, 0}", "tile is not within 0 to 65536"},
        {".tile = {0, -64, 0}", "tile is not within"},
        {".tile = {0, 0, -64}", "tile is not within"},
        {".tile = {65537, 0, 0}", "tile is not within"},
        {".tile = {0, 65537, 0}", "tile is not within"},
        {".tile = {0, 0, 65537}", "tile is not within"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        fails(compile_with(bad[i].members), bad[i].words);
}

/* Whatever lies behind the number, it is not looked at. */
TEST(another_abi_is_refused) {
    char words[128];
    snprintf(words, sizeof words,
             "built for ABI 4097, and this harness has %u: compile it again with the gemmgate.h of "
             "this version",
             GEMMGATE_ABI);
    assert_int_equal(load(compile("const unsigned gemmgate_kernel = 4097;")), LOAD_WRONG_ABI);
    assert_string_equal(why, words);
    assert_int_equal(load(compile_with(".abi = 4097, .name = (const char *)1")), LOAD_WRONG_ABI);
    assert_int_equal(load(compile_with(".abi = 0")), LOAD_WRONG_ABI);
    /* That of the kernels that knew one element. */
    assert_int_equal(load(compile("const unsigned gemmgate_kernel = 1;")), LOAD_WRONG_ABI);
    assert_non_null(strstr(why, ", which a source of ABI 1 need not be changed for"));
}

TEST(other_files_are_no_kernels) {
    fails(compile("int kernel;"), "it exports no symbol gemmgate_kernel");
    fails(compile("static const unsigned gemmgate_kernel = 1; const void *p = &gemmgate_kernel;"),
          "it exports no symbol gemmgate_kernel");
    scratch_put("text.so", "This is no library, though it is longer than the header of one is.");
    fails(scratch_path("text.so"), "text.so: invalid ELF header");
    scratch_put("empty.so", "%s", "");
    fails(scratch_path("empty.so"), "empty.so: file too short");
    fails(scratch_path("none.so"), "none.so: cannot open shared object file: No such file");
    fails(compile("int missing(void); int kernel(void) { return missing(); }"),
          "undefined symbol: missing");
}

TEST(a_short_buffer_holds_a_short_message) {
    struct loaded loaded;
    char little[8] = "1234567";
    assert_int_equal(load_candidate(scratch_path("none.so"), &loaded, little, 5), LOAD_FAILED);
    assert_int_equal(strlen(little), 4);
    assert_memory_equal(little + 5, "67", 2);
}

TESTS_BETWEEN(scratch_make, scratch_remove)
