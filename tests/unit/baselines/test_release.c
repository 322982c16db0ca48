/* Releases of OpenBLAS that are not the program's own: FAKES holds one by itself, and two that each
 * need a helper of one SONAME. The tests run in this order: what is loaded stays loaded. */
#include "baselines/baselines.h"
#include "baselines/release.h"
#include "bench/base/files.h"
#include "tests/support/test.h"

#include "tests/support/scratch.h"

TESTS_BETWEEN(scratch_make, scratch_remove)

static const char *cache(void) {
    return scratch_path("cache");
}

static void copy_file(const char *from, const char *folder, const char *name) {
    char path[PATH_MAX];
    assert_int_equal(files_make_folder(scratch_path(folder)), 0);
    snprintf(path, sizeof path, "%s/%s", scratch_path(folder), name);
    assert_int_equal(files_copy(from, path), 0);
}

/* The file of that folder in scratch, from the place on. */
static void overwrite(const char *name, long at, const char *bytes) {
    FILE *file = fopen(scratch_path(name), "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, at, SEEK_SET), 0);
    assert_int_equal(fwrite(bytes, 1, strlen(bytes), file), strlen(bytes));
    assert_int_equal(fclose(file), 0);
}

static void rename_in_file(const char *name, const char *from, const char *to) {
    struct file_bytes file;
    assert_int_equal(file_bytes_read(scratch_path(name), &file), 0);
    for (size_t i = 0; i + strlen(from) <= file.size; i++)
        if (memcmp(file.bytes + i, from, strlen(from)) == 0)
            overwrite(name, (long)i, to);
    file_bytes_free(&file);
}

static bool is_listed(const char *name) {
    for (int i = 0; baseline_at(i); i++)
        if (strcmp(baseline_at(i)->ops.name, name) == 0)
            return true;
    return false;
}

static void loads(const char *folder, const char *name, const char *from) {
    char why[RELEASE_WHY], baseline[96];
    struct release release;
    if (release_load(folder, cache(), &release, why) < 0)
        fail_msg("%s: %s", folder, why);
    assert_string_equal(release.library, "OpenBLAS");
    assert_string_equal(release.name, name);
    assert_memory_equal(release.folder, from, strlen(from));
    snprintf(baseline, sizeof baseline, "openblas@%s-nn", name);
    assert_true(is_listed(baseline));
}

static void refuses(const char *folder, const char *caching, const char *says) {
    char why[RELEASE_WHY];
    struct release release;
    assert_int_equal(release_load(folder, caching, &release, why), -1);
    if (!strstr(why, says))
        fail_msg("%s: %s", folder, why);
}

TEST(what_is_no_library_is_refused) {
    scratch_put("odd/libopenblas.so", "no library, but longer than the head of an ELF file: %60s",
                "");
    scratch_put("short/libopenblas.so", "short");
    scratch_put("empty/libopenblasx.so", "of another name");
    copy_file(FAKES "/openblas-alone/libopenblas.so.0", "other", "libopenblas.so.0");
    overwrite("other/libopenblas.so.0", 18, "\363"); /* RISC-V */
    copy_file(FAKES "/openblas-first/libfakehelper.so.1", "lacking", "libopenblas.so");
    static const char *const cases[][2] = {
        {"nowhere", "no library is there, nor in its lib or lib64: lib"},
        {"empty", "no library is there"},
        {"odd", "is no ELF library"},
        {"short", "is no ELF library"},
        {"other", "is a library for another architecture"},
        {"lacking", "lacks "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        refuses(scratch_path(cases[i][0]), cache(), cases[i][1]);
}

/* One that shares no SONAME with what is loaded is loaded from where it lies. */
TEST(one_of_its_own_name_is_not_copied) {
    copy_file(FAKES "/openblas-first/libopenblas.so.0", "lib/lib64", "libopenblas.so.7");
    copy_file(FAKES "/openblas-first/libfakehelper.so.1", "lib/lib64", "libfakehelpes.so.1");
    rename_in_file("lib/lib64/libopenblas.so.7", "libopenblas.so.0", "libopenblaz.so.0");
    rename_in_file("lib/lib64/libopenblas.so.7", "libfakehelper.so", "libfakehelpes.so");
    rename_in_file("lib/lib64/libfakehelpes.so.1", "libfakehelper.so", "libfakehelpes.so");
    rename_in_file("lib/lib64/libfakehelpes.so.1", "9.2.0", "9.1.9");
    loads(scratch_path("lib"), "9.1.9-serial", scratch_path("lib/lib64"));
    assert_int_not_equal(access(scratch_path("cache"), F_OK), 0);
}

TEST(one_without_a_helper_is_not_copied) {
    loads(FAKES "/openblas-alone", "9.1.0-serial", FAKES "/openblas-alone");
    assert_int_not_equal(access(scratch_path("cache"), F_OK), 0);
}

/* A second of a name needs a cache to be copied into. */
TEST(each_of_two_with_helpers_of_one_name_has_its_own) {
    const char *const copies = scratch_path("cache/libraries");
    loads(FAKES "/openblas-first", "9.2.0-serial", copies);
    refuses(FAKES "/openblas-second", NULL, "a library of its SONAME is loaded already");
    loads(FAKES "/openblas-second", "9.3.0-serial", copies);
    copy_file(FAKES "/openblas-first/libopenblas.so.0", "spoiled", "libopenblas.so.0");
    scratch_put("spoiled/libfakehelper.so.1", "spoiled");
    refuses(scratch_path("spoiled"), cache(), "fakehelper.so.1: is no ELF library");
}
