/* What a unit test begins with. Each file that includes this is a program of cmocka: it runs what
 * TEST names, in this order; with OWN_MAIN, where the file's main says so.
 *
 *     TEST(a_fact_that_holds) {
 *         assert_true(...);
 *     } */
#ifndef TEST_H
#define TEST_H

#include "tests/support/asserts.h"

static struct {
    struct CMUnitTest list[100];
    size_t count;
    CMFixtureFunction set_up, tear_down;
} tests_here;

/* A test between two functions of its own. NULL: there is none. */
#define TEST_WITH(fact, begin, end)                                                                \
    static void fact(void **state);                                                                \
    __attribute__((constructor)) static void list_##fact(void) {                                   \
        tests_here.list[__COUNTER__] = (struct CMUnitTest){#fact, fact, begin, end, NULL};         \
        tests_here.count++;                                                                        \
    }                                                                                              \
    static void fact(__attribute__((unused)) void **state)
#define TEST(fact) TEST_WITH(fact, NULL, NULL)

/* What comes before and after all of them. */
#define TESTS_BETWEEN(begin, end)                                                                  \
    __attribute__((constructor)) static void surround_tests(void) {                                \
        tests_here.set_up = begin;                                                                 \
        tests_here.tear_down = end;                                                                \
    }

/* How many failed; where there are none, that is a failure. */
static inline int tests_run(void) {
    if (tests_here.count == 0)
        return 1;
    return _cmocka_run_group_tests("tests", tests_here.list, tests_here.count, tests_here.set_up,
                                   tests_here.tear_down);
}

#ifndef OWN_MAIN
int main(void) {
    return tests_run();
}
#endif

#endif
