/* Whole files, and what they are known by. */
#include "bench/base/files.h"

#include <errno.h>

#include "bench/base/hash.h"
#include "tests/support/says.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

TEST(a_path_lies_below_a_folder_by_its_letters) {
    assert_string_equal(files_below("/set", "/set/sub//k.c"), "sub//k.c");
    assert_string_equal(files_below("/set/", "/set//k.c"), "k.c");
    assert_string_equal(files_below("/set", "/set"), "");
    assert_null(files_below("/set", "/settled/k.c"));
    assert_null(files_below("/set", "/se"));
    assert_null(files_below("", "/k.c"));
}

/* Published with xxHash: the empty input, and as `printf abc | xxhsum -H128` prints it. */
TEST(a_hash_is_xxhsums) {
    char of_bytes[33], of_file[33];
    hash_bytes("", 0, of_bytes);
    assert_string_equal(of_bytes, "99aa06d3014798d86001c324468d497f");
    hash_bytes("abc", 3, of_bytes);
    assert_string_equal(of_bytes, "06b05ab6733a618578af5f94892f3950");
    scratch_put("abc", "abc");
    assert_int_equal(hash_file(scratch_path("abc"), of_file), 0);
    assert_string_equal(of_file, of_bytes);
}

TEST(a_hash_is_of_the_whole_file) {
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

TEST(strings_are_kept_apart) {
    char one[33], other[33];
    hash_strings((const char *const[]){"ab", "c", NULL}, one);
    hash_strings((const char *const[]){"a", "bc", NULL}, other);
    assert_string_not_equal(one, other);
    hash_bytes("ab\0c", 5, other);
    assert_string_equal(one, other);
}

TEST(only_regular_files_are_read) {
    char hex[33];
    struct file_bytes file;
    assert_int_equal(mkfifo(scratch_path("fifo"), 0666), 0);
    assert_says(hash_file(scratch_path("fifo"), hex), -1, "fifo: it is no regular file");
    assert_says(hash_file(scratch_path("none"), hex), -1, "none: No such file or directory");
    assert_says(hash_file(scratch_path(""), hex), -1, "Is a directory");
    assert_says(file_bytes_read(scratch_path("fifo"), &file), -1, "fifo: it is no regular file");
    assert_says(file_bytes_read(scratch_path("none"), &file), -1, "none: No such file");
}

TEST(a_file_is_read_whole) {
    struct file_bytes file;
    scratch_put("abc", "a\nbc");
    assert_int_equal(file_bytes_read(scratch_path("abc"), &file), 0);
    assert_int_equal(file.size, 4);
    assert_memory_equal(file.bytes, "a\nbc", 4);
    file_bytes_free(&file);
    assert_null(file.bytes);
}

TEST(a_file_is_there_whole_or_not_at_all) {
    int (*const commits[])(struct file *) = {file_commit, file_commit_unsynced};
    for (size_t i = 0; i < sizeof commits / sizeof *commits; i++) {
        struct file file;
        char folder[PATH_MAX];
        scratch_put("kept", "old");
        snprintf(folder, sizeof folder, "%s", scratch_path(""));
        assert_int_equal(file_open(&file, folder, "kept"), 0);
        fputs("new", file.stream);
        assert_string_equal(scratch_read(scratch_path("kept")), "old");
        assert_int_equal(commits[i](&file), 0);
        assert_string_equal(scratch_read(scratch_path("kept")), "new");
        assert_int_equal(access(scratch_path("kept.part"), F_OK), -1);
        assert_int_equal(file_open(&file, scratch_path("nowhere"), "kept"), 0);
        assert_says(commits[i](&file), -1, "nowhere/kept: cannot write: No such file or directory");
    }
}

/* With all that is in it; what a link in it leads to stays. */
TEST(a_tree_is_removed) {
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

TEST(a_folder_has_names_in_order) {
    scratch_put("full/b", "x");
    scratch_put("full/.c", "x");
    scratch_put("full/a/d", "x");
    char **names = files_names(scratch_path("full"));
    assert_string_equal(names[0], ".c");
    assert_string_equal(names[1], "a");
    assert_string_equal(names[2], "b");
    assert_null(names[3]);
    files_free_names(names);
    assert_null(files_names(scratch_path("full/b")));
    assert_int_equal(errno, ENOTDIR);
    files_free_names(NULL);
}

TEST(folders_are_made_with_what_leads_to_them) {
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

/* What was there stays, and no temporary is left. */
TEST(a_file_that_cannot_take_its_place_is_gone) {
    struct file file;
    char folder[PATH_MAX];
    scratch_put("taken/inside", "x");
    snprintf(folder, sizeof folder, "%s", scratch_path(""));
    assert_int_equal(file_open(&file, folder, "taken"), 0);
    fputs("new", file.stream);
    assert_says(file_commit(&file), -1, "taken: cannot write: Is a directory");
    assert_int_equal(access(scratch_path("taken.part"), F_OK), -1);
    assert_int_equal(access(scratch_path("taken/inside"), F_OK), 0);
    assert_int_equal(file_open(&file, folder, "given-up"), 0);
    fputs("new", file.stream);
    file_abandon(&file);
    assert_int_equal(access(scratch_path("given-up"), F_OK), -1);
}

TEST(a_path_that_is_too_long_is_refused) {
    static char far[PATH_MAX + 1];
    struct file file;
    memset(far, 'x', PATH_MAX);
    assert_says(files_make_folder(far), -1, "xxx...: the path is too long");
    assert_says(files_sync_parent(far), -1, "xxx...: the path is too long");
    assert_says(file_open(&file, far, "a"), -1, "xxx...: the path is too long");
    far[PATH_MAX - 2] = 0; /* "/", "/", the name and a NUL: one byte too many */
    assert_says(file_open(&file, "/", far), -1, "the path is too long");
    assert_int_equal(file_open(&file, "/", far + 1), 0); /* but there is no room for ".part" */
    assert_says(file_commit(&file), -1, "gemmgate: //xxx");
}

TEST(folders_are_brought_to_the_disk) {
    char kept[PATH_MAX];
    assert_non_null(getcwd(kept, sizeof kept));
    assert_int_equal(files_sync_parent(scratch_path("none")), 0);
    assert_says(files_sync_parent(scratch_path("none/a")), -1, "none: cannot sync the folder: No");
    assert_int_equal(files_sync_parent("/a"), 0); /* that of the root is the root */
    assert_int_equal(chdir(scratch), 0);
    assert_int_equal(files_sync_parent("a"), 0);
    assert_int_equal(files_make_folder("here/there"), 0);
    assert_int_equal(access(scratch_path("here/there"), F_OK), 0);
    assert_int_equal(chdir(kept), 0);
    scratch_put("plain", "x");
    assert_says(files_make_folder(scratch_path("plain")), -1, "plain: is no folder");
}

/* Quietly where a file may be missing; of a header that many include, once. */
TEST(a_hash_is_to_be_had_quietly_and_once) {
    char of_file[33], again[33];
    assert_int_equal(hash_file_quietly(scratch_path("none"), of_file), -1);
    assert_int_equal(errno, ENOENT);
    assert_string_equal(files_explain(ENOENT), "No such file or directory");
    assert_string_equal(files_explain(FILES_IRREGULAR), "it is no regular file");
    assert_int_equal(hash_header(scratch_path("h.h"), again), -1);
    assert_int_equal(errno, ENOENT);
    scratch_put("h.h", "one");
    scratch_put("i.h", "two");
    assert_int_equal(hash_file_quietly(scratch_path("h.h"), of_file), 0);
    assert_int_equal(hash_header(scratch_path("h.h"), again), 0);
    assert_string_equal(again, of_file);
    scratch_put("h.h", "other");
    assert_int_equal(hash_header(scratch_path("h.h"), again), 0);
    assert_string_equal(again, of_file);
    assert_int_equal(hash_header(scratch_path("i.h"), again), 0);
    assert_string_not_equal(again, of_file);
}

TESTS_BETWEEN(scratch_make, scratch_remove)
