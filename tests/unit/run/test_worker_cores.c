/* Which processors a worker gets, of machines whose /sys is written here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "bench/run/worker_cores.h"
#include "tests/support/scratch.h"

/* A machine of so many processors, of which two are one core: i and i + count / 2, as Linux numbers
 * them on most servers. */
static void make_cores(const char *sys, int count) {
    for (int cpu = 0; cpu < count; cpu++) {
        char path[128];
        const int first = cpu % (count / 2);
        snprintf(path, sizeof path, "%s/devices/system/cpu/cpu%d/topology/thread_siblings_list",
                 sys, cpu);
        scratch_put(path, "%d,%d\n", first, first + count / 2);
    }
}

static void make_gpu(const char *sys, const char *pci, const char *list) {
    char path[128];
    snprintf(path, sizeof path, "%s/bus/pci/devices/%s/local_cpulist", sys, pci);
    scratch_put(path, "%s\n", list);
}

/* What the workers get of `allowed` processors from number 0: "0,1,4,5 2,3,6,7". */
static const char *shares(const char *sys, size_t allowed, const char *const *pci, size_t workers) {
    static char text[1024];
    size_t length = 0;
    cpu_set_t all, mine;
    CPU_ZERO(&all);
    for (size_t cpu = 0; cpu < allowed; cpu++)
        CPU_SET(cpu, &all);
    *text = 0;
    for (size_t w = 0; w < workers; w++) {
        worker_cores_of(scratch_path(sys), &all, pci, workers, w, &mine);
        const char *between = w ? " " : "";
        for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++)
            if (CPU_ISSET(cpu, &mine)) {
                length +=
                    (size_t)snprintf(text + length, sizeof text - length, "%s%zu", between, cpu);
                between = ",";
            }
    }
    return text;
}

static void a_machine_that_says_nothing_is_split_evenly(void **state) {
    (void)state;
    static const char *const pci[] = {"0000:3B:00.0", "0000:AF:00.0"};
    assert_string_equal(shares("none", 6, NULL, 2), "0,1,2 3,4,5");
    assert_string_equal(shares("none", 6, pci, 2), "0,1,2 3,4,5");
    assert_string_equal(shares("none", 3, NULL, 2), "0 1,2");
    assert_string_equal(shares("none", 1, NULL, 2), " 0");
}

/* Split by number, workers 0 and 2 of four would run on the same cores. */
static void no_two_workers_share_a_core(void **state) {
    (void)state;
    make_cores("smt", 16);
    assert_string_equal(shares("smt", 16, NULL, 4), "0,1,8,9 2,3,10,11 4,5,12,13 6,7,14,15");
    assert_string_equal(shares("smt", 16, NULL, 3), "0,1,8,9 2,3,4,10,11,12 5,6,7,13,14,15");
    /* Where only some may be used, a core may have one of its two. */
    assert_string_equal(shares("smt", 11, NULL, 2), "0,1,2,3,8,9,10 4,5,6,7");
    /* More workers than cores. */
    make_cores("small", 4);
    assert_string_equal(shares("small", 4, NULL, 4), "0 1 2 3");
}

static void a_worker_is_near_its_gpu(void **state) {
    (void)state;
    static const char *const pci[] = {"0000:AF:00.0", "0000:3B:00.0", "0000:D8:00.0",
                                      "0000:5E:00.0"};
    make_cores("two", 16);
    make_gpu("two", "0000:3b:00.0", "0-3,8-11");
    make_gpu("two", "0000:5e:00.0", "0-3,8-11");
    make_gpu("two", "0000:af:00.0", "4-7,12-15");
    make_gpu("two", "0000:d8:00.0", "4-7,12-15");
    assert_string_equal(shares("two", 16, pci, 4), "4,5,12,13 0,1,8,9 6,7,14,15 2,3,10,11");
    assert_string_equal(shares("two", 16, pci, 2), "4,5,6,7,12,13,14,15 0,1,2,3,8,9,10,11");
    /* None of a GPU's processors may be used: it shares those of the others. */
    assert_string_equal(shares("two", 4, pci, 2), "0,1 2,3");
    /* Too few of them may be. */
    assert_string_equal(shares("two", 5, pci, 3), "0 1,2 3,4");
}

static void sets_that_overlap_are_put_aside(void **state) {
    (void)state;
    static const char *const pci[] = {"0000:01:00.0", "0000:02:00.0"};
    make_cores("overlap", 8);
    make_gpu("overlap", "0000:01:00.0", "0-7");
    make_gpu("overlap", "0000:02:00.0", "0,1,4,5");
    assert_string_equal(shares("overlap", 8, pci, 2), "0,1,4,5 2,3,6,7");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_machine_that_says_nothing_is_split_evenly),
        cmocka_unit_test(no_two_workers_share_a_core),
        cmocka_unit_test(a_worker_is_near_its_gpu),
        cmocka_unit_test(sets_that_overlap_are_put_aside),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
