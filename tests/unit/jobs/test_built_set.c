/* A kernel set made ready: what is asked of the compiler, who is played here. */
#include "bench/jobs/built_set.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/process/interrupt.h"
#include "bench/process/sandbox.h"
#include "tests/support/says.h"
#include "tests/support/test.h"

static struct build_options asked;
static int built_status;

int build_all(const struct candidate_set *set, const bool *wanted,
              const struct build_options *options, struct built *results, build_progress *progress,
              void *context) {
    (void)wanted;
    asked = *options;
    for (size_t i = 0; i < set->count; i++) {
        results[i].outcome = i ? BUILD_FAILED : BUILD_OK;
        results[i].cached = i == 2;
        results[i].seconds = 1.25;
        progress(context, &set->list[i], &results[i]);
    }
    return built_status;
}

static struct candidate kernels[] = {{.file = "a.cu"}, {.file = "b.cu"}, {.file = "c.cu"}};
static struct candidate_set set;
static struct built *ready;
static struct device_info device;
static struct build_options build;

static int begin(void **state) {
    (void)state;
    set = (struct candidate_set){.list = kernels, .count = 3, .folder = "/sets/mine"};
    device = (struct device_info){.name = "H1", .sm = 90};
    build = (struct build_options){.jobs = 4};
    built_status = 0;
    return 0;
}

static int make(bool confined) {
    return built_set_make(&set, &build, &device, NULL, confined, &ready);
}

TEST_WITH(a_set_is_compiled, begin, NULL) {
    assert_says(make(true), 0, "built a.cu in 1.2 s\nbuilt b.cu in 1.2 s: failed\n");
    assert_string_equal(asked.arch, "90a");
    assert_int_equal(asked.jobs, 4);
    assert_true(asked.confine == confine_compiler);
    assert_true(asked.stop == &interrupted);
    assert_int_equal(ready[1].outcome, BUILD_FAILED);
    free(ready);
}

TEST_WITH(it_is_compiled_for_the_device, begin, NULL) {
    device.sm = 86;
    assert_says(make(false), 0, "built");
    assert_string_equal(asked.arch, "86");
    assert_true(asked.confine == NULL);
    free(ready);
    strcpy(build.arch, "80"); /* asked for by name */
    assert_says(make(false), 0, "built");
    assert_string_equal(asked.arch, "80");
    free(ready);
}

TEST_WITH(the_host_has_no_architecture, begin, NULL) {
    device.sm = -1;
    assert_says(make(true), 0, "built");
    assert_string_equal(asked.arch, "");
    free(ready);
}

TEST_WITH(a_set_for_newer_devices_is_refused, begin, NULL) {
    strcpy(set.arch, "90a");
    device.sm = 80;
    assert_says(make(true), -1, "/sets/mine was written for sm_90a; H1 is sm_80");
    assert_null(ready);
    for (device.sm = 90; device.sm <= 100; device.sm += 10) {
        assert_says(make(true), 0, "built");
        free(ready);
    }
    device.sm = -1;
    assert_says(make(true), 0, "built");
    free(ready);
}

TEST_WITH(a_failure_of_the_machine_ends_it, begin, NULL) {
    built_status = -1;
    assert_says(make(true), -1, "built");
    free(ready);
    set.count = 0;
    assert_int_equal(make(true), 0);
    assert_null(ready);
}
