/* The images are of nvcc 13.0, of a kernel k(const __grid_constant__ M m, int n, float *p, char c)
 * with a struct M of 128 bytes aligned to 64, beside three variables and a string of printf. */
#include <string.h>

#include "bench/base/files.h"
#include "bench/record/cubin.h"
#include "tests/support/test.h"

static const char name[] = "_Z1k1MiPfc";

TEST(kernels_are_found_by_their_whole_name) {
    static const char *const files[] = {SOURCE "/tests/fuzz/corpus/cubin/sm80",
                                        SOURCE "/tests/fuzz/corpus/cubin/sm90"};
    for (int i = 0; i < 2; i++) {
        struct file_bytes file;
        assert_int_equal(file_bytes_read(files[i], &file), 0);
        assert_true(cubin_has_kernel(file.bytes, file.size, name));
        assert_false(cubin_has_kernel(file.bytes, file.size, "_Z1k"));
        file_bytes_free(&file);
    }
}

static void collect(void *context, const char *variable, uint64_t size) {
    char *text = context, one[64];
    snprintf(one, sizeof one, "%s:%u ", variable, (unsigned)size);
    strcat(text, one);
}

TEST(variables_are_listed) {
    struct file_bytes file;
    char text[256] = "";
    assert_int_equal(file_bytes_read(SOURCE "/tests/fuzz/corpus/cubin/sm90", &file), 0);
    cubin_list_variables(file.bytes, file.size, collect, text);
    assert_string_equal(text, "counter:4 sv:16 cc:12 ");
    file_bytes_free(&file);
}

/* Both of `sm80` and `sm90` call printf. */
TEST(what_the_device_is_asked_for_is_told) {
    static const struct {
        const char *file;
        bool asks;
    } images[] = {{SOURCE "/tests/fuzz/corpus/cubin/sm80", true},
                  {SOURCE "/tests/fuzz/corpus/cubin/sm90", true},
                  {SOURCE "/tests/fuzz/corpus/cubin/quiet", false},
                  {SOURCE "/tests/fuzz/corpus/cubin/triton", false},
                  {SOURCE "/tests/fuzz/corpus/cubin/allocates", true},
                  {SOURCE "/tests/fuzz/corpus/cubin/launches", true}};
    for (size_t i = 0; i < sizeof images / sizeof *images; i++) {
        struct file_bytes file;
        assert_int_equal(file_bytes_read(images[i].file, &file), 0);
        assert_true(cubin_is_whole(file.bytes, file.size));
        assert_int_equal(cubin_asks_device(file.bytes, file.size), images[i].asks);
        assert_false(cubin_is_whole(file.bytes, file.size - 1));
        assert_false(cubin_is_whole(file.bytes, 0));
        file.bytes[18] = 62; /* a machine that is no GPU */
        assert_false(cubin_is_whole(file.bytes, file.size));
        file_bytes_free(&file);
    }
}

/* The end of one is missing. */
TEST(a_cut_image_has_nothing) {
    struct file_bytes file;
    char text[256] = "";
    assert_int_equal(file_bytes_read(SOURCE "/tests/fuzz/corpus/cubin/sm90", &file), 0);
    for (size_t size = 0; size < 2048; size++) {
        assert_false(cubin_has_kernel(file.bytes, size, name));
        cubin_list_variables(file.bytes, size, collect, text);
    }
    assert_string_equal(text, "");
    file_bytes_free(&file);
}
