/* For tests: one product of one baseline on one device, held against the reference. Include after
 * cmocka.h. */
#ifndef TESTS_SUPPORT_BASELINE_PRODUCT_H
#define TESTS_SUPPORT_BASELINE_PRODUCT_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "baselines/baselines.h"
#include "bench/base/shape.h"
#include "bench/device/device.h"
#include "correctness/numbers/check.h"
#include "correctness/numbers/element_bits.h"
#include "correctness/numbers/input.h"
#include "correctness/numbers/number16.h"
#include "correctness/numbers/reference.h"
#include "tests/support/asserts.h"

enum { PRODUCT_GUARD = 512 }; /* elements of NaN on both sides of C, a multiple of 256 bytes */

struct product {
    const struct device_ops *device;
    void *state;
    enum element element;
};

static void product_open(struct product *product, const struct device_ops *device) {
    product->device = device;
    assert_int_equal(device->open(0, &product->state), 0);
}

static uint16_t *product_alloc(const struct product *product, int64_t elements) {
    void *memory;
    assert_int_equal(product->device->alloc(product->state, 0, false,
                                            &(size_t){(size_t)elements * sizeof(uint16_t)},
                                            &memory),
                     0);
    return memory;
}

static void product_sync(const struct product *product) {
    const char *why = "";
    if (product->device->sync(product->state, &why) < 0)
        fail_msg("the device is lost: %s", why);
}

/* A, both B and a NaN-filled C between guards, from (kind, seed). */
static void product_fills(struct shape s, enum input_kind kind, uint64_t seed,
                          const struct gemm_args *args, struct fill fills[4]) {
    const int64_t guarded = s.m * s.n + 2 * PRODUCT_GUARD;
    fills[0] = (struct fill){.at = (uint16_t *)args->a,
                             .rows = s.m,
                             .cols = s.k,
                             .rows_stored = s.m,
                             .ld = s.k,
                             .matrix = INPUT_A,
                             .table = kind,
                             .seed = seed};
    fills[1] = (struct fill){.at = (uint16_t *)args->b_row,
                             .rows = s.k,
                             .cols = s.n,
                             .rows_stored = s.k,
                             .ld = s.n,
                             .matrix = INPUT_B,
                             .table = kind,
                             .seed = seed};
    fills[2] = fills[1];
    fills[2].at = (uint16_t *)args->b_col;
    fills[2].rows_stored = s.n;
    fills[2].ld = s.k;
    fills[2].transposed = true;
    fills[3] = (struct fill){.at = (uint16_t *)args->c - PRODUCT_GUARD,
                             .rows = 1,
                             .cols = guarded,
                             .rows_stored = 1,
                             .ld = guarded,
                             .constant = ELEMENT_NAN};
}

static void product_load_tables(const struct product *product, int64_t k) {
    static uint16_t table[INPUT_TABLE_SIZE];
    for (int kind = 0; kind < INPUT_KINDS; kind++) {
        input_table(product->element, (enum input_kind)kind, input_density(product->element, k),
                    table);
        assert_int_equal(product->device->load_table(product->state, kind, table), 0);
    }
}

/* One launch on inputs of the kind; C comes back with its guards checked. */
static void product_launch(const struct product *product, const struct baseline *baseline,
                           void *kernel, const struct gemm_args *args, enum input_kind kind,
                           uint16_t *c) {
    const struct shape s = {args->problem.m, args->problem.n, args->problem.k};
    const int64_t guarded = s.m * s.n + 2 * PRODUCT_GUARD;
    struct fill fills[4];
    uint64_t changed;
    product_fills(s, kind, 7, args, fills);
    assert_int_equal(product->device->fill(product->state, fills, 4), 0);
    const int status = baseline->ops.launch(kernel, args);
    if (status != 0)
        fail_msg("%s on %ldx%ldx%ld: launch: %s", baseline->ops.name, (long)s.m, (long)s.n,
                 (long)s.k, baseline->ops.explain(status));
    product_sync(product);
    assert_int_equal(product->device->count_changed(product->state, fills, 3, &changed), 0);
    assert_int_equal(changed, 0);
    uint16_t *whole = malloc((size_t)guarded * sizeof *whole);
    assert_non_null(whole);
    assert_int_equal(
        product->device->copy_out(product->state, fills[3].at, 1, guarded, guarded, whole), 0);
    for (int64_t i = 0; i < PRODUCT_GUARD; i++) {
        assert_int_equal(whole[i], ELEMENT_NAN);
        assert_int_equal(whole[guarded - 1 - i], ELEMENT_NAN);
    }
    memcpy(c, whole + PRODUCT_GUARD, (size_t)(s.m * s.n) * sizeof *c);
    free(whole);
}

/* What rounding may cost on normal numbers; far below what a wrong product is off by. f32: the
 * bound on candidates, and on a GPU two last places, for cuBLAS may add the parts of a split k in
 * binary16. f16: a last place of the largest entry for each of the sqrt(k) steps that k random
 * roundings amount to. */
static double product_bound(const struct product *product, const struct gemm_problem *p,
                            double reference_max) {
    const double parts = product->device->device == GEMM_CUDA
                             ? 2 * (double)number16_ulp(product->element, (float)reference_max)
                             : 0;
    return p->accumulate == GEMM_F32
               ? check_bound(product->element, parts, reference_max, p->k, GEMM_F32)
               : reference_max * 0x1p-10 * sqrt((double)p->k);
}

/* Products of zeros and ones to the bit, then of normal numbers within the bound. The outcome of
 * the first check that fails. */
static enum outcome product_judge(const struct product *product, const struct baseline *baseline,
                                  void *kernel, const struct gemm_args *args) {
    const struct shape s = {args->problem.m, args->problem.n, args->problem.k};
    uint16_t *c = malloc((size_t)(s.m * s.n) * sizeof *c);
    assert_non_null(c);
    struct check_exact exact;
    struct check_deviation deviation;
    float *reference = reference_product(product->element, s, INPUT_BINARY, 7);
    assert_non_null(reference);
    product_launch(product, baseline, kernel, args, INPUT_BINARY, c);
    enum outcome outcome = check_exact(product->element, c, reference, s, &exact);
    if (outcome == OUTCOME_OK) {
        free(reference);
        reference = reference_product(product->element, s, INPUT_NORMAL, 7);
        assert_non_null(reference);
        product_launch(product, baseline, kernel, args, INPUT_NORMAL, c);
        outcome = check_deviation(product->element, c, reference, s, &deviation);
        if (outcome == OUTCOME_OK &&
            !(deviation.largest <= product_bound(product, &args->problem, deviation.reference_max)))
            outcome = OUTCOME_DEVIATES;
    }
    free(reference);
    free(c);
    return outcome;
}

/* Sets the baseline up on the shape, judges its variants one after the other and
 * tears it down. The first outcome that is not OK, or OUTCOME_OK. */
__attribute__((unused)) static enum outcome product_try(const struct product *product,
                                                        const struct baseline *baseline,
                                                        struct shape s, int32_t accumulate) {
    const size_t workspace = (size_t)32 << 20;
    struct gemm_args args = {.problem = {s.m, s.n, s.k, accumulate, 1 << product->element}};
    product_load_tables(product, s.k);
    args.a = product_alloc(product, s.m * s.k);
    args.b_row = product_alloc(product, s.k * s.n);
    args.b_col = product_alloc(product, s.k * s.n);
    uint16_t *c = product_alloc(product, s.m * s.n + 2 * PRODUCT_GUARD);
    args.c = c + PRODUCT_GUARD;
    args.stream = product->device->stream(product->state);

    void *kernel = NULL;
    assert_true(!baseline->ops.can_do || baseline->ops.can_do(&args.problem));
    const int status =
        baseline->ops.setup ? baseline->ops.setup(&args.problem, workspace, &kernel) : 0;
    enum outcome outcome = OUTCOME_SETUP_FAILED;
    if (status != 0) {
        print_message("%s on %ldx%ldx%ld: setup: %s\n", baseline->ops.name, (long)s.m, (long)s.n,
                      (long)s.k, baseline->ops.explain(status));
    } else {
        const int variants = baseline->variants ? baseline->variants(kernel) : 1;
        outcome = OUTCOME_OK;
        for (int v = 0; v < variants && outcome == OUTCOME_OK; v++) {
            if (baseline->select)
                assert_int_equal(baseline->select(kernel, v), 0);
            outcome = product_judge(product, baseline, kernel, &args);
        }
        if (baseline->ops.teardown)
            baseline->ops.teardown(kernel);
    }
    product->device->free(product->state, (void *)args.a);
    product->device->free(product->state, (void *)args.b_row);
    product->device->free(product->state, (void *)args.b_col);
    product->device->free(product->state, c);
    return outcome;
}

#endif
