/* How much memory there is, by what the system says in files that are made up here. */
#include "bench/base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/doubles.h"
#include "tests/support/scratch.h"

static double available(void) {
    return memory_available(scratch_path("proc"), scratch_path("groups"));
}

static void put_meminfo(void) {
    scratch_put("proc/meminfo", "MemTotal:  9000 kB\nMemAvailable:    4000 kB\nSwapFree: 1 kB\n");
}

static void nothing_is_known(void **state) {
    (void)state;
    assert_double_near(available(), 1e15, 0);
}

static void the_machine_has_so_much(void **state) {
    (void)state;
    put_meminfo();
    assert_double_near(available(), 4000 * 1024.0, 0);
}

static void a_group_of_version_2_has_less(void **state) {
    (void)state;
    put_meminfo();
    scratch_put("proc/self/cgroup", "0::/jobs/one\n");
    scratch_put("groups/jobs/one/memory.max", "max\n");
    scratch_put("groups/jobs/one/memory.current", "3000000\n");
    assert_double_near(available(), 4000 * 1024.0, 0);
    scratch_put("groups/jobs/one/memory.max", "3500000\n");
    assert_double_near(available(), 500000, 0);
    scratch_put("groups/jobs/one/memory.stat", "anon 7\ninactive_file 100000\nactive_file 1\n");
    assert_double_near(available(), 600000, 0); /* old files go when there is need */
    scratch_put("groups/jobs/one/memory.current", "90000\n");
    assert_double_near(available(), 3500000, 0); /* not more than the limit */
    scratch_put("groups/jobs/one/memory.current", "9000000\n");
    assert_double_near(available(), 0, 0);
}

/* The groups above count, too, and the one that is mounted. */
static void groups_above_have_less(void **state) {
    (void)state;
    put_meminfo();
    scratch_put("proc/self/cgroup", "0::/jobs/one/two\n");
    scratch_put("groups/jobs/memory.max", "2000000\n");
    scratch_put("groups/jobs/memory.current", "500000\n");
    scratch_put("groups/jobs/one/two/memory.max", "3000000\n");
    assert_double_near(available(), 1500000, 0);
    scratch_put("groups/memory.max", "700000\n");
    assert_double_near(available(), 700000, 0);
}

static void a_group_of_version_1_has_less(void **state) {
    (void)state;
    put_meminfo();
    scratch_put("groups/memory/a/memory.limit_in_bytes", "1000000\n");
    scratch_put("groups/memory/a/memory.usage_in_bytes", "300000\n");
    scratch_put("groups/memory/a/memory.stat", "inactive_file 9\ntotal_inactive_file 100000\n");
    scratch_put("proc/self/cgroup", "3:cpu,cpuacct:/a\n5:hugetlb,memoryx:/a\nno group\n4:pids\n");
    assert_double_near(available(), 4000 * 1024.0, 0); /* another controller's */
    scratch_put("proc/self/cgroup", "3:cpu,cpuacct:/b\n4:pids,memory:/a\n0::/c\n");
    assert_double_near(available(), 800000, 0);
    scratch_put("proc/self/cgroup", "4:memory,pids:/a\n");
    assert_double_near(available(), 800000, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, scratch_make, scratch_remove)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(nothing_is_known),
        TEST(the_machine_has_so_much),
        TEST(a_group_of_version_2_has_less),
        TEST(groups_above_have_less),
        TEST(a_group_of_version_1_has_less),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
