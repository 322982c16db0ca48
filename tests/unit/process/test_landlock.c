/* What the kernel is asked to keep from a process. */
#include "bench/process/landlock.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "tests/support/says.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

static void need_landlock(void) {
    if (landlock_abi() == 0)
        skip();
}

TEST(its_version_is_the_kernels) {
    const long version = syscall(SYS_landlock_create_ruleset, NULL, (size_t)0, 1U << 0);
    assert_int_equal(landlock_abi(), version < 0 ? 0 : version);
}

static int descriptors(void) {
    int count = 0;
    DIR *folder = opendir("/proc/self/fd");
    while (folder && readdir(folder))
        count++;
    if (folder)
        closedir(folder);
    return count;
}

static const struct landlock_rules writing = {.files = LANDLOCK_ACCESS_FS_WRITE_FILE};

TEST(a_rule_names_what_is_there) {
    need_landlock();
    const int ruleset = landlock_open(&writing), before = descriptors();
    assert_true(ruleset >= 0);
    assert_int_equal(landlock_allow(ruleset, scratch_path(""), writing.files), 0);
    assert_says(landlock_allow(ruleset, scratch_path("none"), writing.files), -1,
                "none: No such file or directory");
    assert_says(landlock_allow(ruleset, scratch_path(""), LANDLOCK_ACCESS_FS_REMOVE_DIR), -1,
                "Landlock refuses a rule for ");
    assert_int_equal(descriptors(), before);
    close(ruleset);
    const struct landlock_rules nonsense = {.files = UINT64_MAX};
    assert_says(landlock_open(&nonsense), -1, "Landlock (ABI ");
}

/* What a process can do that is locked in: bits. */
enum { WRITES_INSIDE = 1, WRITES_OUTSIDE = 2, READS = 4, KEEPS_PRIVILEGES = 8, NOT_ENTERED = 16 };

static int abilities(void) {
    const int ruleset = landlock_open(&writing);
    if (landlock_allow(ruleset, scratch_path("in"), writing.files) < 0 ||
        landlock_enter(ruleset) < 0)
        return NOT_ENTERED;
    return (open(scratch_path("in/file"), O_WRONLY) >= 0 ? WRITES_INSIDE : 0) |
           (open(scratch_path("out/file"), O_WRONLY) >= 0 ? WRITES_OUTSIDE : 0) |
           (open(scratch_path("out/file"), O_RDONLY) >= 0 ? READS : 0) |
           (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 ? 0 : KEEPS_PRIVILEGES);
}

TEST(what_is_not_allowed_is_kept_away) {
    int status;
    need_landlock();
    scratch_put("in/file", "x");
    scratch_put("out/file", "x");
    const pid_t child = fork();
    if (child == 0)
        _exit(abilities());
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), WRITES_INSIDE | READS);
    assert_says(landlock_enter(-1), -1, "Landlock (ABI ");
}

TESTS_BETWEEN(scratch_make, scratch_remove)
