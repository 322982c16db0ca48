/* How much memory there is for what a process starts. */
#include "candidates/build/memory.h"

#include "tests/support/scratch.h"
#include "tests/support/test.h"

static void has_available(double bytes) {
    char proc[512], groups[512];
    snprintf(proc, sizeof proc, "%s", scratch_path("proc"));
    snprintf(groups, sizeof groups, "%s", scratch_path("groups"));
    const double found = memory_available(proc, groups);
    if (found != bytes)
        fail_msg("%.0f bytes are available, not %.0f", found, bytes);
}

static void use_group(const char *lines) {
    scratch_put("proc/self/cgroup", "%s", lines);
}

/* In /proc and /sys as the kernel writes them. */
TEST(a_groups_limit_bounds_memory) {
    static const char *const folders[] = {"proc", "proc/self", "groups", "groups/job",
                                          "groups/job/a"};
    has_available(1e15);
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        assert_int_equal(mkdir(scratch_path(folders[i]), 0777), 0);
    scratch_put("proc/meminfo", "MemTotal:  9000 kB\nMemFree:  10 kB\nMemAvailable:    8000 kB\n");
    has_available(8000 * 1024);

    /* The own group, those above it, and the root, which in a container has a limit. */
    use_group("0::/job/a\n");
    has_available(8000 * 1024);
    scratch_put("groups/job/a/memory.max", "max\n");
    scratch_put("groups/job/a/memory.current", "7000000\n");
    has_available(8000 * 1024);
    scratch_put("groups/job/a/memory.max", "7500000\n");
    has_available(500000);
    scratch_put("groups/job/a/memory.stat", "anon 1\ninactive_file 6000\nactive_file 50\n");
    has_available(506000);
    scratch_put("groups/job/memory.max", "7400000\n");
    scratch_put("groups/job/memory.current", "7000000\n");
    has_available(400000);
    scratch_put("groups/memory.max", "7300000\n");
    scratch_put("groups/memory.current", "7000000\n");
    has_available(300000);
    scratch_put("groups/job/a/memory.current", "7600000\n");
    has_available(0);
    use_group("0::/elsewhere/b\n");
    has_available(300000);
    use_group("0::/\n");
    has_available(300000);

    /* Lines of other controllers and hierarchies say nothing of memory. */
    use_group("7:cpu:/x\n1:name=systemd:/x\nnonsense\n");
    has_available(8000 * 1024);
    use_group("1:name=systemd:/x\n0::/job\n");
    has_available(300000);
}

/* One that has no room is tried all the same. */
TEST(as_many_run_as_fit) {
    assert_int_equal(memory_fits(13, 6, 4), 2);
    assert_int_equal(memory_fits(5, 6, 4), 1);
    assert_int_equal(memory_fits(0, 6, 4), 1);
    assert_int_equal(memory_fits(24, 6, 4), 4);
    assert_int_equal(memory_fits(1e15, 6, 4), 4);
}

TESTS_BETWEEN(scratch_make, scratch_remove)
