#include "bench/base/clock.h"

#include <time.h>

static double seconds_of(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double clock_seconds(void) {
    return seconds_of(CLOCK_MONOTONIC);
}

double clock_raw_seconds(void) {
    return seconds_of(CLOCK_MONOTONIC_RAW);
}

void clock_utc(char text[CLOCK_UTC]) {
    const time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(text, CLOCK_UTC, "%Y-%m-%dT%H:%M:%SZ", &utc);
}
