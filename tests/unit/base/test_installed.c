/* Where the program's own files are found: from the place of the program, in an installed tree, in
 * a build tree beside the source, and in one elsewhere. */

#include <string.h>
#include <unistd.h>

#include "bench/base/installed.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

/* From a program at that path below the scratch folder, this is found there. */
static void finds(const char *program, const char *name, const char *where) {
    char from[PATH_MAX], path[PATH_MAX], want[PATH_MAX];
    snprintf(from, sizeof from, "%s", scratch_path(program));
    assert_int_equal(installed_find_from(from, name, path), 0);
    assert_non_null(realpath(scratch_path(where), want));
    assert_string_equal(path, want);
}

TEST(installed_files_are_below_share) {
    scratch_put("usr/share/gemmgate/candidates/gemmgate.h", "\n");
    scratch_put("usr/share/gemmgate/candidates/standin/torch.h", "\n");
    finds("usr/bin/gemmgate", "candidates/standin", "usr/share/gemmgate/candidates/standin");
    finds("usr/libexec/gemmgate/gemmgate-runner", "candidates", "usr/share/gemmgate/candidates");
}

/* A build folder has a link; where that got lost, the source is the nearest folder above. */
TEST(a_build_tree_finds_the_source) {
    scratch_put("source/candidates/gemmgate.h", "\n");
    scratch_put("away/build/share/here", "\n");
    assert_int_equal(symlink(scratch_path("source"), scratch_path("away/build/share/gemmgate")), 0);
    finds("source/build/bench/gemmgate", "candidates", "source/candidates");
    finds("away/build/bench/gemmgate", "candidates/gemmgate.h", "source/candidates/gemmgate.h");
    finds("away/build/tests/runner/gemmgate-runner", "candidates", "source/candidates");
}

TEST(what_is_missing_is_refused) {
    char path[PATH_MAX];
    assert_int_equal(installed_find_from("/nowhere/bin/gemmgate", "candidates", path), -1);
    finds("usr/bin/gemmgate", "candidates", "usr/share/gemmgate/candidates");
    assert_int_equal(installed_find_from(scratch_path("usr/bin/gemmgate"), "exporters", path), -1);
}

TESTS_BETWEEN(scratch_make, scratch_remove)
