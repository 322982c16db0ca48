/* Matrices between guard zones. */
#include "bench/runner/operands.h"

#include "correctness/numbers/element_bits.h"
#include "correctness/numbers/input.h"
#include "tests/support/fake_device.h"
#include "tests/support/inputs_check.h"
#include "tests/support/test.h"

static struct device_ops device;
static void *host;

static int begin(void **state) {
    (void)state;
    static uint16_t table[INPUT_TABLE_SIZE];
    device = fake_device_ops();
    if (device.open(0, &host) < 0)
        return -1;
    input_table(ELEMENT_F16, INPUT_NORMAL, input_density(ELEMENT_F16, 8), table);
    return device.load_table(host, INPUT_NORMAL, table);
}

static int end(void **state) {
    (void)state;
    assert_int_equal(fake_device.held, 0);
    return 0;
}

static uint64_t changed_around(const struct guarded *buffer) {
    uint64_t changed = 0;
    assert_int_equal(guarded_check(&device, host, &buffer, 1, &changed), 0);
    return changed;
}

TEST_WITH(a_stray_write_on_either_side_is_counted, begin, end) {
    const int64_t guard = GUARD_BYTES / 2;
    struct guarded buffer = {0};
    assert_int_equal(guarded_alloc(&device, host, 1000, &buffer), 0);
    assert_int_equal(buffer.elements, 1000);
    assert_int_equal(changed_around(&buffer), 0);
    memset(buffer.data, 0, 2000);
    assert_int_equal(changed_around(&buffer), 0);
    const int64_t strays[] = {-1, -guard, 1000, 1000 + guard - 1};
    for (int i = 0; i < 4; i++) {
        assert_true(
            element_is_nan(ELEMENT_F16, buffer.data[strays[i]])); /* a stray read brings it along */
        buffer.data[strays[i]] = 5;
        assert_int_equal(changed_around(&buffer), i + 1);
    }
    fake_device.fails = "count_changed";
    uint64_t changed = 0;
    const struct guarded *one = &buffer;
    assert_int_equal(guarded_check(&device, host, &one, 1, &changed), -1);
    guarded_free(&device, host, &buffer);
    assert_null(buffer.memory);
    guarded_free(&device, host, &buffer); /* safe */
    fake_device.fails = NULL;
}

/* However many there are, none is passed over. */
TEST_WITH(many_buffers_are_looked_at_together, begin, end) {
    enum { MANY = 70 };
    struct guarded buffer[MANY] = {0};
    const struct guarded *buffers[MANY];
    for (int i = 0; i < MANY; i++) {
        assert_int_equal(guarded_alloc(&device, host, 8, &buffer[i]), 0);
        buffers[i] = &buffer[i];
    }
    static const int some[] = {0, 31, 32, 63, 64, MANY - 1};
    for (int i = 0; i < 6; i++) {
        uint64_t changed = 2;
        buffer[some[i]].data[i % 2 ? -1 : 8] = 5;
        assert_int_equal(guarded_check(&device, host, buffers, MANY, &changed), 0);
        assert_int_equal(changed, 2 + i + 1);
    }
    for (int i = 0; i < MANY; i++)
        guarded_free(&device, host, &buffer[i]);
}

static void fill(const struct inputs *inputs, uint64_t seed) {
    struct fill fills[3];
    inputs_fills(inputs, INPUT_NORMAL, seed, fills);
    assert_int_equal(device.fill(host, fills, 3), 0);
}

/* Logical elements where they belong, zeros around them. */
TEST_WITH(padding_is_zero, begin, end) {
    const struct shape shape = {4, 6, 8}, padded = {8, 16, 12};
    struct inputs plain = {0}, tiled = {0};
    assert_int_equal(inputs_alloc(&device, host, ELEMENT_F16, shape, shape, &plain), 0);
    assert_int_equal(inputs_alloc(&device, host, ELEMENT_F16, shape, padded, &tiled), 0);
    fill(&plain, 9);
    fill(&tiled, 9);
    for (int64_t i = 0; i < padded.m; i++)
        for (int64_t k = 0; k < padded.k; k++)
            assert_int_equal(tiled.a.data[i * padded.k + k],
                             i < shape.m && k < shape.k ? plain.a.data[i * shape.k + k] : 0);
    for (int64_t k = 0; k < padded.k; k++)
        for (int64_t j = 0; j < padded.n; j++) {
            const bool inside = k < shape.k && j < shape.n;
            const uint16_t want = inside ? plain.b_row.data[k * shape.n + j] : 0;
            assert_int_equal(tiled.b_row.data[k * padded.n + j], want);
            assert_int_equal(tiled.b_col.data[j * padded.k + k], want);
        }
    inputs_free(&device, host, &plain);
    inputs_free(&device, host, &tiled);
}

TEST_WITH(a_poisoned_c_is_nan, begin, end) {
    struct guarded c = {0};
    assert_int_equal(guarded_alloc(&device, host, 24, &c), 0);
    memset(c.data, 0, 48);
    const struct fill poison = poison_fill(&c, 20);
    assert_int_equal(device.fill(host, &poison, 1), 0);
    for (int i = 0; i < 24; i++)
        assert_int_equal(element_is_nan(ELEMENT_F16, c.data[i]), i < 20);
    guarded_free(&device, host, &c);
}

TEST_WITH(without_room_nothing_is_made, begin, end) {
    const struct shape shape = {4, 6, 8};
    for (int most = 1; most < 3; most++) {
        struct inputs inputs = {0};
        fake_device.most_held = most;
        assert_int_equal(inputs_alloc(&device, host, ELEMENT_F16, shape, shape, &inputs), -1);
        inputs_free(&device, host, &inputs);
        assert_int_equal(fake_device.held, 0);
    }
    fake_device.most_held = 0;
    struct inputs inputs = {0};
    assert_int_equal(inputs_alloc(&device, host, ELEMENT_F16, shape, shape, &inputs), 0);
    uint64_t changed;
    fake_device.fails = "count_changed";
    assert_int_equal(inputs_check(&device, host, &inputs, INPUT_NORMAL, 1, &changed), -1);
    fake_device.fails = "fill";
    struct guarded buffer = {0};
    assert_int_equal(guarded_alloc(&device, host, 5, &buffer), -1);
    guarded_free(&device, host, &buffer);
    inputs_free(&device, host, &inputs);
}
