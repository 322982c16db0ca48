/* The judge's clock, the time of day, and the cores that it may use. */
#include "bench/base/clock.h"

#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "bench/base/cores.h"
#include "tests/support/test.h"

static double monotonic(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Of many readings some fall late in a second, where a wrong scale shows. */
TEST(the_clock_is_the_monotonic_one) {
    for (int i = 0; i < 60; i++, usleep(20000)) {
        const double before = monotonic(), now = clock_seconds(), after = monotonic();
        assert_true(before - 1e-6 <= now && now <= after + 1e-6);
    }
}

TEST(the_time_of_day_is_utc) {
    char text[CLOCK_UTC], end;
    struct tm utc = {0};
    const time_t before = time(NULL);
    clock_utc(text);
    assert_int_equal(sscanf(text, "%d-%d-%dT%d:%d:%d%c", &utc.tm_year, &utc.tm_mon, &utc.tm_mday,
                            &utc.tm_hour, &utc.tm_min, &utc.tm_sec, &end),
                     7);
    assert_int_equal(end, 'Z');
    utc.tm_year -= 1900;
    utc.tm_mon--;
    const time_t said = timegm(&utc);
    assert_true(said >= before && said <= time(NULL));
}

TEST(cores_are_those_allowed) {
    cpu_set_t all, one;
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    assert_int_equal(cores_allowed(), CPU_COUNT(&all));
    int cpu = 0;
    while (!CPU_ISSET(cpu, &all))
        cpu++;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    assert_int_equal(cores_allowed(), 1);
    assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
}

/* Of twelve or more a quarter is left to others. */
TEST(a_team_is_as_large_as_its_work_is_worth) {
    omp_set_num_threads(16);
    assert_int_equal(team_size(1), 1);
    assert_int_equal(team_size(1 << 19), 3);
    assert_int_equal(team_size(INT64_MAX / 2), 12);
    omp_set_num_threads(1);
    assert_int_equal(team_size(INT64_MAX / 2), 1);
}
