/* Whole files, and what they are known by. */
#include "bench/base/files.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "bench/base/hash.h"
#include "tests/support/says.h"
#include "tests/support/scratch.h"

/* Published with xxHash: the empty input, and as `printf abc | xxhsum -H128` prints it. */
static void a_hash_is_xxhsums(void **state) {
    (void)state;
    char of_bytes[33], of_file[33];
    hash_bytes("", 0, of_bytes);
    assert_string_equal(of_bytes, "99aa06d3014798d86001c324468d497f");
    hash_bytes("abc", 3, of_bytes);
    assert_string_equal(of_bytes, "06b05ab6733a618578af5f94892f3950");
    scratch_put("abc", "abc");
    assert_int_equal(hash_file(scratch_path("abc"), of_file), 0);
    assert_string_equal(of_file, of_bytes);
}

static void a_hash_is_of_the_whole_file(void **state) {
    (void)state;
    static char text[200001];
    char of_bytes[33], of_file[33];
    for (size_t i = 0; i + 1 < sizeof text; i++)
        text[i] = (char)('a' + i * i % 23);
    scratch_put("long", "%s", text);
    hash_bytes(text, sizeof text - 1, of_bytes);
    assert_int_equal(hash_file(scratch_path("long"), of_file), 0);
    assert_string_equal(of_file, of_bytes);
    hash_bytes(text, sizeof text - 2, of_bytes);
    assert_string_not_equal(of_file, of_bytes);
}

static void strings_are_kept_apart(void **state) {
    (void)state;
    char one[33], other[33];
    hash_strings((const char *const[]){"ab", "c", NULL}, one);
    hash_strings((const char *const[]){"a", "bc", NULL}, other);
    assert_string_not_equal(one, other);
    hash_bytes("ab\0c", 5, other);
    assert_string_equal(one, other);
}

static void only_regular_files_are_read(void **state) {
    (void)state;
    char hex[33];
    struct file_bytes file;
    assert_int_equal(mkfifo(scratch_path("fifo"), 0666), 0);
    assert_says(hash_file(scratch_path("fifo"), hex), -1, "fifo: it is no regular file");
    assert_says(hash_file(scratch_path("none"), hex), -1, "none: No such file or directory");
    assert_says(hash_file(scratch_path(""), hex), -1, "Is a directory");
    assert_says(file_bytes_read(scratch_path("fifo"), &file), -1, "fifo: it is no regular file");
    assert_says(file_bytes_read(scratch_path("none"), &file), -1, "none: No such file");
}

static void a_file_is_read_whole(void **state) {
    (void)state;
    struct file_bytes file;
    scratch_put("abc", "a\nbc");
    assert_int_equal(file_bytes_read(scratch_path("abc"), &file), 0);
    assert_int_equal(file.size, 4);
    assert_memory_equal(file.bytes, "a\nbc", 4);
    file_bytes_free(&file);
    assert_null(file.bytes);
}

static void a_file_is_there_whole_or_not_at_all(void **state) {
    (void)state;
    struct file file;
    char folder[PATH_MAX];
    scratch_put("kept", "old");
    snprintf(folder, sizeof folder, "%s", scratch_path(""));
    assert_int_equal(file_open(&file, folder, "kept"), 0);
    fputs("new", file.stream);
    struct file_bytes before, after;
    assert_int_equal(file_bytes_read(scratch_path("kept"), &before), 0);
    assert_memory_equal(before.bytes, "old", 3);
    file_bytes_free(&before);
    assert_int_equal(file_commit(&file), 0);
    assert_int_equal(file_bytes_read(scratch_path("kept"), &after), 0);
    assert_memory_equal(after.bytes, "new", 3);
    file_bytes_free(&after);
    assert_int_equal(access(scratch_path("kept.part"), F_OK), -1);
    assert_int_equal(file_open(&file, scratch_path("nowhere"), "kept"), 0);
    assert_says(file_commit(&file), -1, "nowhere/kept: cannot write: No such file or directory");
}

/* With all that is in it; what a link in it leads to stays. */
static void a_tree_is_removed(void **state) {
    (void)state;
    scratch_put("stays", "x");
    scratch_put("tree/a/b/c", "x");
    scratch_put("tree/d", "x");
    assert_int_equal(symlink(scratch_path("stays"), scratch_path("tree/link")), 0);
    files_remove_tree(scratch_path("tree"));
    assert_int_equal(access(scratch_path("tree"), F_OK), -1);
    assert_int_equal(access(scratch_path("stays"), F_OK), 0);
    files_remove_tree(scratch_path("stays"));
    assert_int_equal(access(scratch_path("stays"), F_OK), -1);
    files_remove_tree(scratch_path("nothing"));
}

static void folders_are_made_with_what_leads_to_them(void **state) {
    (void)state;
    char path[PATH_MAX], far[PATH_MAX];
    assert_int_equal(files_make_folder(scratch_path("x/y/z")), 0);
    assert_int_equal(access(scratch_path("x/y/z"), F_OK), 0);
    assert_int_equal(files_make_folder(scratch_path("x/y/z")), 0);
    scratch_put("file", "x");
    assert_says(files_make_folder(scratch_path("file/y")), -1, "file");
    assert_int_equal(files_join(path, "/a/b", "c"), 0);
    assert_string_equal(path, "/a/b/c");
    memset(far, 'x', sizeof far - 1);
    far[sizeof far - 1] = 0;
    assert_says(files_join(path, far, "c"), -1, "xxx");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hash_is_xxhsums),
        cmocka_unit_test(a_hash_is_of_the_whole_file),
        cmocka_unit_test(strings_are_kept_apart),
        cmocka_unit_test(only_regular_files_are_read),
        cmocka_unit_test(a_file_is_read_whole),
        cmocka_unit_test(a_file_is_there_whole_or_not_at_all),
        cmocka_unit_test(a_tree_is_removed),
        cmocka_unit_test(folders_are_made_with_what_leads_to_them),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
