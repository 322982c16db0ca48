/* The CUDA device and baselines on a GPU; exits 77, which ctest shows as skipped, where there is
 * none. Prints what filling and one timed call cost; nothing is judged by a clock. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <time.h>

#include "bench/base/error.h"
#include "bench/device/cuda_parts.h"
#include "correctness/numbers/element_bits.h"
#include "correctness/numbers/reference_check.h"
#include "tests/support/baseline_product.h"
#include "tests/support/device_fills.h"
#include "tests/support/device_looks.h"

static struct product cuda;

static int open_cuda(void **state) {
    (void)state;
    product_open(&cuda, &device_cuda);
    return 0;
}

static void fills_are_the_generators_bits(void **state) {
    (void)state;
    fills_check(&device_cuda, cuda.state);
}

static void copies_come_out_dense(void **state) {
    (void)state;
    fills_check_copy_out(&device_cuda, cuda.state);
    fills_check_copy_out_large(&device_cuda, cuda.state);
}

static void a_look_counts(void **state) {
    (void)state;
    looks_check(&device_cuda, cuda.state);
}

static void a_mask_undoes_itself(void **state) {
    (void)state;
    fills_check_mask(&device_cuda, cuda.state);
}

/* Code on the device that finds where it lay finds nothing. */
static void no_key_of_a_mask_is_left(void **state) {
    (void)state;
    const struct cuda *own = cuda.state;
    uint16_t *at = product_alloc(&cuda, 64);
    for (uint64_t key = 1; key <= CUDA_MASKS + 3; key++)
        assert_int_equal(device_cuda.mask(cuda.state, at, 64, key), 0);
    product_sync(&cuda);
    for (int i = 0; i < CUDA_MASKS; i++)
        assert_true(own->told->keys[i] == 0);
    device_cuda.free(cuda.state, at);
}

static void too_much_memory_is_refused_with_numbers(void **state) {
    (void)state;
    fills_check_no_memory(&device_cuda, cuda.state);
    product_sync(&cuda);
}

static void the_gpu_describes_itself(void **state) {
    (void)state;
    struct device_info info;
    memset(&info, 0x55, sizeof info);
    assert_int_equal(device_cuda.describe(0, &info), 0);
    print_message(
        "%s, %s, %s, sm_%d, %d multiprocessors, %.1f GiB, L2 %.0f MiB, driver %d, runtime "
        "%d, cuBLAS %lld, cuBLASLt %lld\n",
        info.name, info.uuid, info.pci, info.sm, info.units, (double)info.memory_bytes / (1 << 30),
        (double)info.l2_bytes / (1 << 20), info.driver, info.runtime, (long long)info.cublas,
        (long long)info.cublaslt);
    assert_true(info.name[0]);
    assert_int_equal(strncmp(info.uuid, "GPU-", 4), 0);
    assert_int_equal(strlen(info.uuid), 40);
    assert_non_null(strchr(info.pci, ':'));
    assert_true(info.memory_bytes > 1 << 30 && info.units > 0 && info.sm >= 70);
    assert_true(info.l2_bytes > 0 && info.driver >= 12000 && info.runtime >= 12000);
    assert_true(info.cublas > 0 && info.cublaslt > 0);
}

/* Multiples of 8 are what every path is made for; odd sizes cuBLASLt may decline in setup. */
static void check_baselines(const struct shape *shapes, int count, bool may_decline) {
    static const struct {
        enum element element;
        int32_t accumulate;
        const char *words;
    } ways[] = {{ELEMENT_F16, GEMM_F32, "f16, accumulate f32"},
                {ELEMENT_F16, GEMM_F16, "f16, accumulate f16"},
                {ELEMENT_BF16, GEMM_F32, "bf16, accumulate f32"}};
    enum { WAYS = sizeof ways / sizeof *ways };
    struct product product = cuda;
    for (int i = 0; baselines[i]; i++)
        for (int j = 0; j < WAYS * count && baselines[i]->ops.device == GEMM_CUDA; j++) {
            const struct shape s = shapes[j / WAYS];
            const int32_t accumulate = ways[j % WAYS].accumulate;
            const struct kernel_ops *ops = &baselines[i]->ops;
            const struct gemm_problem problem = {s.m, s.n, s.k, accumulate,
                                                 1 << ways[j % WAYS].element};
            product.element = ways[j % WAYS].element;
            if (!(ops->accumulate & accumulate) || (ops->can_do && !ops->can_do(&problem)))
                continue;
            const enum outcome outcome = product_try(&product, baselines[i], s, accumulate);
            if (outcome != OUTCOME_OK && !(may_decline && outcome == OUTCOME_SETUP_FAILED))
                fail_msg("%s on %ldx%ldx%ld of %s: %s", baselines[i]->ops.name, (long)s.m,
                         (long)s.n, (long)s.k, ways[j % WAYS].words, outcome_word(outcome));
        }
}

static void products_of_even_sizes_are_right(void **state) {
    (void)state;
    static const struct shape even[] = {{64, 64, 64},   {128, 256, 64},  {256, 64, 1024},
                                        {64, 64, 8192}, {512, 384, 200}, {1, 4096, 512}};
    check_baselines(even, sizeof even / sizeof *even, false);
}

static void products_of_odd_sizes_are_right(void **state) {
    (void)state;
    static const struct shape odd[] = {{1, 1, 1},    {1, 64, 64},   {64, 1, 64},
                                       {63, 65, 67}, {100, 50, 30}, {129, 257, 511}};
    check_baselines(odd, sizeof odd / sizeof *odd, true);
}

static int launch_nothing(void *state, const struct gemm_args *args) {
    (void)state;
    (void)args;
    return 0;
}

static void an_untouched_c_is_caught(void **state) {
    (void)state;
    struct baseline idle = baseline_cublas_nn;
    idle.ops.launch = launch_nothing;
    assert_int_equal(product_try(&cuda, &idle, (struct shape){64, 64, 64}, GEMM_F32),
                     OUTCOME_NAN_LEFT);
}

/* The kernel that counts makes every element alone, the kernel that fills makes tiles. */
static void large_fills_agree_and_are_timed(void **state) {
    (void)state;
    enum { SIZE = 8192, TIMES = 10 };
    static const char *const names[] = {"row-major", "transposed", "constant"};
    struct fill fill = {.rows = SIZE,
                        .cols = SIZE,
                        .rows_stored = SIZE,
                        .ld = SIZE,
                        .table = INPUT_NORMAL,
                        .constant = ELEMENT_NAN};
    fills_load_tables(&device_cuda, cuda.state);
    fill.at = product_alloc(&cuda, (int64_t)SIZE * SIZE);
    for (int i = 0; i < 3; i++) {
        double seconds = 0;
        fill.matrix = i < 2 ? INPUT_B : 0;
        fill.transposed = i == 1;
        fill.seed = (uint64_t)i;
        assert_int_equal(device_cuda.fill(cuda.state, &fill, 1), 0);
        assert_int_equal(fills_changed(&device_cuda, cuda.state, &fill), 0);
        assert_int_equal(device_cuda.start(cuda.state), 0);
        for (int j = 0; j < TIMES; j++)
            assert_int_equal(device_cuda.fill(cuda.state, &fill, 1), 0);
        assert_int_equal(device_cuda.stop(cuda.state), 0);
        product_sync(&cuda);
        assert_int_equal(device_cuda.elapsed(cuda.state, &seconds), 0);
        print_message("filling %dx%d, %s: %.0f GB/s\n", SIZE, SIZE, names[i],
                      2e-9 * SIZE * SIZE * TIMES / seconds);
    }
    device_cuda.free(cuda.state, fill.at);
}

static double now(void) {
    struct timespec t;
    assert_int_equal(clock_gettime(CLOCK_MONOTONIC_RAW, &t), 0);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void a_sample_is_timed(void **state) {
    (void)state;
    enum { SAMPLES = 20000 };
    struct fill fill = fills_constant(product_alloc(&cuda, 64), 64, 0);
    for (int launches = 0; launches < 2; launches++) {
        double seconds = -1, sum = 0;
        const double start = now();
        for (int i = 0; i < SAMPLES; i++) {
            const char *why;
            int status = device_cuda.start(cuda.state);
            if (launches)
                status |= device_cuda.fill(cuda.state, &fill, 1);
            status |= device_cuda.stop(cuda.state) | device_cuda.sync(cuda.state, &why) |
                      device_cuda.elapsed(cuda.state, &seconds);
            assert_int_equal(status, 0);
            assert_true(seconds >= 0);
            sum += seconds;
        }
        print_message("a sample around %s: %.2f us all in, %.2f us between the events\n",
                      launches ? "one small fill" : "nothing", 1e6 * (now() - start) / SAMPLES,
                      1e6 * sum / SAMPLES);
    }
    device_cuda.free(cuda.state, fill.at);
}

/* While the host does other things, much longer than the work takes. */
static void dawdle(double seconds) {
    const double start = now();
    while (now() - start < seconds)
        ;
}

static void a_hold_hides_the_host(void **state) {
    (void)state;
    const double late = DEVICE_HOLD_SECONDS / 2;
    for (int i = 0; i < 20; i++) {
        const char *why = "";
        double seconds = -1;
        assert_int_equal(device_cuda.hold(cuda.state), 0);
        assert_int_equal(device_cuda.start(cuda.state), 0);
        dawdle(late);
        assert_int_equal(device_cuda.delay(cuda.state, 20e-6), 0);
        assert_int_equal(device_cuda.stop(cuda.state), 0);
        device_cuda.let_go(cuda.state);
        assert_int_equal(device_cuda.sync(cuda.state, &why), 0);
        assert_int_equal(device_cuda.elapsed(cuda.state, &seconds), 0);
        assert_false(device_cuda.gave_up(cuda.state));
        assert_true(seconds >= 20e-6 && seconds < late);
    }
}

/* Prints what the product takes. */
static void make_reference(enum element element, struct shape s, int kind, float *got) {
    uint16_t *a = product_alloc(&cuda, s.m * s.k), *b = product_alloc(&cuda, s.k * s.n);
    float *c = (float *)product_alloc(&cuda, 2 * s.m * s.n);
    const struct fill fills[] = {{a, s.m, s.k, s.m, s.k, false, INPUT_A, kind, 0, 9, s, element},
                                 {b, s.k, s.n, s.k, s.n, false, INPUT_B, kind, 0, 9, s, element}};
    static uint16_t table[INPUT_TABLE_SIZE];
    struct timespec from, to;
    input_table(element, (enum input_kind)kind, input_density(element, s.k), table);
    assert_int_equal(device_cuda.load_table(cuda.state, kind, table), 0);
    assert_int_equal(device_cuda.fill(cuda.state, fills, 2), 0);
    product_sync(&cuda);
    clock_gettime(CLOCK_MONOTONIC, &from);
    assert_int_equal(device_cuda.multiply(cuda.state, element, s, a, b, c), 0);
    product_sync(&cuda);
    clock_gettime(CLOCK_MONOTONIC, &to);
    assert_int_equal(
        device_cuda.copy_out(cuda.state, (uint16_t *)c, s.m, 2 * s.n, 2 * s.n, (uint16_t *)got), 0);
    const double seconds =
        (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
    print_message("reference product %ldx%ldx%ld: %.3f ms, %.1f TFLOP/s\n", (long)s.m, (long)s.n,
                  (long)s.k, 1e3 * seconds, 1e-12 * shape_flops(s) / seconds);
    device_cuda.free(cuda.state, a);
    device_cuda.free(cuda.state, b);
    device_cuda.free(cuda.state, c);
}

static void check_reference(enum element element, struct shape s, int kind) {
    float *got = malloc((size_t)(s.m * s.n) * sizeof *got);
    struct reference_fault fault;
    assert_non_null(got);
    make_reference(element, s, kind, got);
    if (reference_check(element, s, (enum input_kind)kind, 9, got, 5, &fault) != 1)
        fail_msg("%s: C[%ld][%ld]: %.9g, not %.9g (%g)", element_words[element], (long)fault.row,
                 (long)fault.col, fault.got, fault.want, fault.allowed);
    free(got);
}

/* Sizes about the tiles, chunks and rows of the kernel. */
static void reference_products_are_right(void **state) {
    (void)state;
    const struct shape shapes[] = {{1, 1, 1},        {3, 5, 7},          {128, 64, 32},
                                   {129, 65, 33},    {127, 63, 31},      {64, 4096, 1000},
                                   {1000, 37, 4097}, {2048, 2048, 2048}, {4096, 4096, 4096}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (int kind = 0; kind < INPUT_KINDS; kind++)
            for (int element = 0; element < ELEMENT_COUNT; element++)
                check_reference((enum element)element, shapes[i], kind);
}

/* As where a call waits for the device: the hold must not wait for ever, and must say so. */
static void a_hold_gives_up(void **state) {
    (void)state;
    const char *why = "";
    assert_int_equal(device_cuda.hold(cuda.state), 0);
    assert_int_equal(device_cuda.sync(cuda.state, &why), 0);
    device_cuda.let_go(cuda.state);
    assert_true(device_cuda.gave_up(cuda.state));
    assert_int_equal(device_cuda.hold(cuda.state), 0);
    device_cuda.let_go(cuda.state);
    assert_int_equal(device_cuda.sync(cuda.state, &why), 0);
    assert_false(device_cuda.gave_up(cuda.state));
}

int main(void) {
    const char *why = "";
    if (device_cuda.count(&why) == 0) {
        print_message("skipped: %s\n", why);
        return EXIT_NO_DEVICE;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_gpu_describes_itself),
        cmocka_unit_test(fills_are_the_generators_bits),
        cmocka_unit_test(copies_come_out_dense),
        cmocka_unit_test(a_look_counts),
        cmocka_unit_test(a_mask_undoes_itself),
        cmocka_unit_test(no_key_of_a_mask_is_left),
        cmocka_unit_test(too_much_memory_is_refused_with_numbers),
        cmocka_unit_test(an_untouched_c_is_caught),
        cmocka_unit_test(products_of_even_sizes_are_right),
        cmocka_unit_test(products_of_odd_sizes_are_right),
        cmocka_unit_test(large_fills_agree_and_are_timed),
        cmocka_unit_test(a_sample_is_timed),
        cmocka_unit_test(a_hold_hides_the_host),
        cmocka_unit_test(a_hold_gives_up),
        cmocka_unit_test(reference_products_are_right),
    };
    return cmocka_run_group_tests(tests, open_cuda, NULL);
}
