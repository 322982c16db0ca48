/* For tests of the runner's parts: the host, with all that a GPU has, that notes what it is asked
 * to do, in order, and fails where it is told to. Include after cmocka.h. */
#ifndef TESTS_SUPPORT_FAKE_DEVICE_H
#define TESTS_SUPPORT_FAKE_DEVICE_H

#include <stdio.h>
#include <string.h>

#include "bench/device/device.h"

static struct {
    char log[16384];         /* "start launch stop " */
    const char *fails;       /* the name of what fails; NULL: nothing */
    int spared;              /* so often it does not fail first */
    double elapsed, delayed; /* seconds: what it reads, and what it was asked for */
    bool gave_up;
    int taken;               /* allocations */
    int held;                /* those that were not released */
    int most_held;           /* and then no more can be had; 0: any number */
    const struct seen *seen; /* what `looks` tells; NULL: what was looked at */
} fake_device;

static int fake_note(const char *name) {
    const size_t used = strlen(fake_device.log);
    snprintf(fake_device.log + used, sizeof fake_device.log - used, "%s ", name);
    return fake_device.fails && strcmp(fake_device.fails, name) == 0 && fake_device.spared-- <= 0
               ? -1
               : 0;
}

/* What it was asked for since this was called last. */
__attribute__((unused)) static const char *fake_noted(void) {
    static char last[sizeof fake_device.log];
    memcpy(last, fake_device.log, sizeof last);
    *fake_device.log = 0;
    return last;
}

#define FAKE(name)                                                                                 \
    static int fake_##name(void *state) {                                                          \
        (void)state;                                                                               \
        return fake_note(#name);                                                                   \
    }
FAKE(start)
FAKE(stop)
FAKE(hold)
FAKE(sweep)
FAKE(reset_persistence)
#undef FAKE

static void fake_let_go(void *state) {
    (void)state;
    fake_note("let_go");
}

static bool fake_gave_up(void *state) {
    (void)state;
    return fake_device.gave_up;
}

static int fake_sync(void *state, const char **why) {
    (void)state;
    if (fake_note("sync") == 0)
        return 0;
    *why = "the device is lost";
    return -1;
}

static int fake_elapsed(void *state, double *seconds) {
    (void)state;
    *seconds = fake_device.elapsed;
    return fake_note("elapsed");
}

static int fake_delay(void *state, double seconds) {
    (void)state;
    fake_device.delayed = seconds;
    return fake_note("delay");
}

static int fake_look(void *state, const struct look *look, int number) {
    char name[16];
    snprintf(name, sizeof name, "look%d", number);
    fake_note(name);
    return fake_device.fails && strcmp(fake_device.fails, "look") == 0
               ? -1
               : device_host.look(state, look, number);
}

static int fake_looks(void *state, int count, struct seen *seen) {
    if (fake_note("looks") < 0)
        return -1;
    if (!fake_device.seen)
        return device_host.looks(state, count, seen);
    memcpy(seen, fake_device.seen, (size_t)count * sizeof *seen);
    return 0;
}

static int fake_copy(void *state, const uint16_t *from, int64_t from_ld, uint16_t *to,
                     int64_t to_ld, int64_t rows, int64_t cols) {
    return fake_note("copy") < 0 ? -1
                                 : device_host.copy(state, from, from_ld, to, to_ld, rows, cols);
}

static int fake_mask(void *state, uint16_t *at, int64_t elements, uint64_t key) {
    return fake_note("mask") < 0 ? -1 : device_host.mask(state, at, elements, key);
}

static int fake_touch(void *state, const uint16_t *at, int64_t elements) {
    (void)state, (void)at, (void)elements;
    return fake_note("touch");
}

static int fake_fill(void *state, const struct fill *fills, int count) {
    return fake_device.fails && strcmp(fake_device.fails, "fill") == 0
               ? -1
               : device_host.fill(state, fills, count);
}

static int fake_count_changed(void *state, const struct fill *fills, int count, uint64_t *changed) {
    return fake_device.fails && strcmp(fake_device.fails, "count_changed") == 0
               ? -1
               : device_host.count_changed(state, fills, count, changed);
}

static int fake_alloc(void *state, uint64_t offset, bool seal, size_t *bytes, void **memory) {
    *memory = NULL;
    if (fake_device.most_held && fake_device.held == fake_device.most_held)
        return -1;
    fake_device.held++;
    fake_device.taken++;
    return device_host.alloc(state, offset, seal, bytes, memory);
}

static void fake_free(void *state, void *memory) {
    fake_device.held -= memory != NULL;
    device_host.free(state, memory);
}

/* The host with these in the place of its own. */
static struct device_ops fake_device_ops(void) {
    struct device_ops ops = device_host;
    memset(&fake_device, 0, sizeof fake_device);
    ops.start = fake_start;
    ops.stop = fake_stop;
    ops.hold = fake_hold;
    ops.let_go = fake_let_go;
    ops.gave_up = fake_gave_up;
    ops.sweep = fake_sweep;
    ops.touch = fake_touch;
    ops.reset_persistence = fake_reset_persistence;
    ops.sync = fake_sync;
    ops.elapsed = fake_elapsed;
    ops.delay = fake_delay;
    ops.look = fake_look;
    ops.looks = fake_looks;
    ops.copy = fake_copy;
    ops.mask = fake_mask;
    ops.fill = fake_fill;
    ops.count_changed = fake_count_changed;
    ops.alloc = fake_alloc;
    ops.free = fake_free;
    return ops;
}

#endif
