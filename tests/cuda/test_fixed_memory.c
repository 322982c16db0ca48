/* Memory at fixed addresses, of a driver that knows no GPU and forgives nothing: what is mapped,
 * unmapped or released out of turn fails the test. */
#include "bench/device/fixed_memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "bench/device/cuda_driver.h"

enum { MOST = 256, PAGE = 2 << 20, ARENA_STEP = 32 << 20 };

/* Handles are numbers from 1 on; at: where one is mapped. */
static struct memory {
    size_t bytes;
    CUdeviceptr at;
    bool accessible;
} memories[MOST];
static int made, alive;
static size_t room; /* that can be created yet */
static CUresult idle;
static bool busy; /* nothing has waited since */

static struct memory *mapped_at(CUdeviceptr at) {
    for (int i = 1; i <= made; i++)
        if (memories[i].at == at)
            return &memories[i];
    return NULL;
}

static CUresult get_device(CUdevice *device) {
    *device = 3;
    return CUDA_SUCCESS;
}

static CUresult synchronize(void) {
    busy = false;
    return idle;
}

static CUresult granularity(size_t *bytes, const CUmemAllocationProp *property,
                            CUmemAllocationGranularity_flags flags) {
    (void)flags;
    assert_int_equal(property->location.id, 3);
    *bytes = PAGE;
    return CUDA_SUCCESS;
}

/* The first place that is asked for is taken, the second is free. */
static CUdeviceptr second_place;

static CUresult reserve(CUdeviceptr *at, size_t bytes, size_t alignment, CUdeviceptr wish,
                        unsigned long long flags) {
    static bool asked;
    (void)alignment, (void)flags;
    assert_true(bytes == FIXED_BYTES && wish % FIXED_BYTES == 0);
    *at = second_place = asked ? wish : 12345 * (CUdeviceptr)PAGE;
    asked = true;
    return CUDA_SUCCESS;
}

static CUresult free_address(CUdeviceptr at, size_t bytes) {
    assert_true(at == 12345 * (CUdeviceptr)PAGE && bytes == FIXED_BYTES);
    return CUDA_SUCCESS;
}

static CUresult create(CUmemGenericAllocationHandle *handle, size_t bytes,
                       const CUmemAllocationProp *property, unsigned long long flags) {
    (void)property, (void)flags;
    assert_true(bytes > 0 && bytes % PAGE == 0);
    if (bytes > room)
        return CUDA_ERROR_OUT_OF_MEMORY;
    room -= bytes;
    alive++;
    assert_true(++made < MOST);
    memories[made] = (struct memory){.bytes = bytes};
    *handle = (CUmemGenericAllocationHandle)made;
    return CUDA_SUCCESS;
}

static CUresult map_memory(CUdeviceptr at, size_t bytes, size_t offset,
                           CUmemGenericAllocationHandle handle, unsigned long long flags) {
    (void)offset, (void)flags;
    assert_null(mapped_at(at));
    assert_true(handle <= (unsigned)made && memories[handle].bytes == bytes);
    memories[handle].at = at;
    return CUDA_SUCCESS;
}

static CUresult set_access(CUdeviceptr at, size_t bytes, const CUmemAccessDesc *access,
                           size_t count) {
    struct memory *memory = mapped_at(at);
    assert_true(memory && memory->bytes == bytes && count == 1 && access->location.id == 3);
    assert_int_equal(access->flags, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    memory->accessible = true;
    return CUDA_SUCCESS;
}

static CUresult unmap_memory(CUdeviceptr at, size_t bytes) {
    struct memory *memory = mapped_at(at);
    assert_true(memory && memory->bytes == bytes);
    assert_false(busy); /* work may still use it */
    memory->at = 0;
    return CUDA_SUCCESS;
}

static CUresult release(CUmemGenericAllocationHandle handle) {
    assert_true(handle > 0 && handle <= (unsigned)made && memories[handle].bytes > 0);
    assert_true(memories[handle].at == 0);
    room += memories[handle].bytes;
    memories[handle].bytes = 0;
    alive--;
    return CUDA_SUCCESS;
}

static CUdeviceptr zeroed; /* the last, and how much of it */
static size_t zeroed_bytes;

static CUresult set_bytes(CUdeviceptr at, unsigned char value, size_t bytes) {
    assert_int_equal(value, 0);
    assert_true(mapped_at(at) && mapped_at(at)->accessible && mapped_at(at)->bytes >= bytes);
    zeroed = at;
    zeroed_bytes = bytes;
    return CUDA_SUCCESS;
}

const struct cuda_driver *cuda_driver(const char **why) {
    static const struct cuda_driver driver = {.cuCtxGetDevice = get_device,
                                              .cuCtxSynchronize = synchronize,
                                              .cuMemGetAllocationGranularity = granularity,
                                              .cuMemAddressReserve = reserve,
                                              .cuMemAddressFree = free_address,
                                              .cuMemCreate = create,
                                              .cuMemMap = map_memory,
                                              .cuMemsetD8 = set_bytes,
                                              .cuMemSetAccess = set_access,
                                              .cuMemUnmap = unmap_memory,
                                              .cuMemRelease = release};
    *why = NULL;
    return &driver;
}

const char *cuda_driver_words(CUresult status) {
    return status == CUDA_ERROR_OUT_OF_MEMORY ? "out of memory" : "an illegal address";
}

static int open_it(void **state) {
    const char *why;
    (void)state;
    return fixed_memory_open(false, &why);
}

static int fresh(void **state) {
    (void)state;
    room = 100 * (size_t)PAGE;
    idle = CUDA_SUCCESS;
    busy = true;
    assert_int_equal(alive, 0);
    return 0;
}

static void *take(size_t bytes) {
    const char *why;
    void *memory;
    assert_int_equal(fixed_memory_take(FIXED_ANYWHERE, bytes, false, &memory, &why), 0);
    assert_true(fixed_memory_has((uint64_t)(uintptr_t)memory));
    const struct memory *there = mapped_at((CUdeviceptr)(uintptr_t)memory);
    assert_true(there && there->accessible && there->bytes >= bytes);
    return memory;
}

/* At a place of the caller's choice. */
static int take_at(uint64_t place, size_t bytes, void **memory, const char **why) {
    return fixed_memory_take(place, bytes, false, memory, why);
}

static void *piece_at(uint64_t place, size_t bytes) {
    const char *why;
    void *memory;
    assert_int_equal(take_at(place, bytes, &memory, &why), 0);
    assert_true((uint64_t)(uintptr_t)memory == fixed_memory_base() + place);
    assert_true(mapped_at((CUdeviceptr)(uintptr_t)memory)->accessible);
    return memory;
}

static void clear(uint64_t from) {
    const char *why;
    assert_int_equal(fixed_memory_clear(from, &why), 0);
    assert_int_equal(alive, 0);
}

static void pieces_lie_behind_each_other(void **state) {
    const char *why;
    (void)state;
    assert_true(fixed_memory_base() == second_place);
    char *first = take(1), *second = take(PAGE + 1), *third = take(PAGE);
    assert_true(second == first + PAGE && third == second + 2 * (size_t)PAGE);
    assert_int_equal(alive, 3);
    assert_int_equal(fixed_memory_release(second, &why), 0);
    char *fourth = take(1); /* never the same place twice */
    assert_true(fourth == third + PAGE);
    assert_int_equal(fixed_memory_release(first, &why), 0);
    assert_int_equal(fixed_memory_release(third, &why), 0);
    assert_int_equal(fixed_memory_release(fourth, &why), 0);
}

static void pages_change_under_an_address(void **state) {
    const char *why;
    (void)state;
    void *one = take(PAGE), *other = take(3 * PAGE);
    for (int i = 0; i < 3; i++, busy = true) {
        assert_int_equal(fixed_memory_vacate(one, &why), 0);
        assert_int_equal(fixed_memory_vacate(other, &why), 0);
        assert_int_equal(alive, 0);
        assert_int_equal(fixed_memory_occupy(other, &why), 0);
        assert_int_equal(fixed_memory_occupy(one, &why), 0);
        assert_true(mapped_at((CUdeviceptr)(uintptr_t)one)->accessible);
    }
    assert_int_equal(fixed_memory_release(one, &why), 0);
    assert_int_equal(fixed_memory_release(other, &why), 0);
}

/* As when another process has taken what was given back. */
static void what_cannot_be_occupied_can_be_released(void **state) {
    const char *why;
    (void)state;
    void *one = take(PAGE);
    assert_int_equal(fixed_memory_vacate(one, &why), 0);
    room = 0;
    assert_int_equal(fixed_memory_occupy(one, &why), -1);
    assert_string_equal(why, "cuMemCreate: out of memory");
    assert_int_equal(fixed_memory_release(one, &why), 0);
}

/* A kernel's fault is told, and pages that it may still use stay. */
static void a_lost_device_is_told(void **state) {
    const char *why;
    (void)state;
    void *one = take(PAGE);
    idle = CUDA_ERROR_ILLEGAL_ADDRESS;
    assert_int_equal(fixed_memory_vacate(one, &why), -1);
    assert_string_equal(why, "unmapping memory: an illegal address");
    assert_int_equal(alive, 1);
    idle = CUDA_SUCCESS;
    assert_int_equal(fixed_memory_release(one, &why), 0);
}

/* Operands lie where they lay in another process, whatever else has been taken; and again there
 * when they have moved. */
static void a_piece_lies_where_it_is_wanted(void **state) {
    const char *why;
    (void)state;
    void *memory;
    clear(64 * (uint64_t)PAGE);
    char *anywhere = take(PAGE);
    assert_true((uint64_t)(uintptr_t)anywhere == fixed_memory_base() + 64 * (uint64_t)PAGE);
    for (int i = 0; i < 3; i++) {
        void *first = piece_at(3 * (uint64_t)PAGE, PAGE + 1), *other = piece_at(PAGE, PAGE);
        assert_ptr_equal(take(1), anywhere + (size_t)(i + 1) * PAGE); /* not behind these */
        assert_int_equal(fixed_memory_release(first, &why), 0);
        assert_int_equal(fixed_memory_release(other, &why), 0);
    }
    assert_int_equal(take_at(FIXED_BYTES / 2 - PAGE, PAGE + 1, &memory, &why), -1);
    assert_string_equal(why, "the range at a fixed place is used up");
    assert_int_equal(take_at(FIXED_BYTES / 2 + PAGE, PAGE, &memory, &why), -1);
    piece_at(FIXED_BYTES / 2 - PAGE, PAGE);
    clear(0);
}

/* What one unit has taken is gone when the next one comes, which gets the same places. */
static void all_is_given_back_at_once(void **state) {
    (void)state;
    const char *why;
    for (int unit = 0; unit < 3; unit++, busy = true) {
        clear(8 * (uint64_t)PAGE);
        char *anywhere = take(2 * PAGE);
        assert_true((uint64_t)(uintptr_t)anywhere == fixed_memory_base() + 8 * (uint64_t)PAGE);
        piece_at(PAGE, PAGE);
        void *vacant = piece_at(2 * (uint64_t)PAGE, PAGE);
        assert_int_equal(fixed_memory_vacate(vacant, &why), 0);
        assert_int_equal(fixed_memory_grow_arena(1, &why), 0);
    }
    clear(1); /* what is taken anywhere begins at a page */
    assert_true((uint64_t)(uintptr_t)take(1) == fixed_memory_base() + PAGE);
    clear(0);
}

/* The candidate's and its earlier release's: neither is where the other, or an operand, can be. */
static void arenas_lie_apart(void **state) {
    (void)state;
    const char *why;
    const uint64_t first = fixed_memory_arena();
    assert_true(first == fixed_memory_base() + FIXED_BYTES / 2);
    fixed_memory_choose_arena(1);
    const uint64_t second = fixed_memory_arena();
    assert_true(second == first + FIXED_ARENA_BYTES);
    assert_true(second + FIXED_ARENA_BYTES == fixed_memory_base() + FIXED_BYTES);
    fixed_memory_choose_arena(0);
    for (int i = 0; i < FIXED_ARENAS; i++) {
        const uint64_t at = i == 0 ? first : second;
        fixed_memory_choose_arena(i);
        assert_int_equal(fixed_memory_grow_arena(1, &why), 0);
        assert_int_equal(alive, i + 1);
        assert_true(mapped_at(at)->accessible && mapped_at(at)->bytes == ARENA_STEP);
        assert_true(zeroed == at && zeroed_bytes == ARENA_STEP);
        assert_int_equal(fixed_memory_grow_arena(ARENA_STEP, &why), 0); /* it is there */
        assert_int_equal(alive, i + 1);
    }
    assert_int_equal(fixed_memory_grow_arena(ARENA_STEP + 1, &why), 0);
    assert_true(mapped_at(second + ARENA_STEP)->accessible && zeroed == second + ARENA_STEP);
    assert_int_equal(fixed_memory_grow_arena(FIXED_ARENA_BYTES + 1, &why), -1);
    assert_string_equal(why, "the arena is used up");
    busy = true;
    clear(0);
    assert_true(fixed_memory_arena() == first); /* of the next unit */
    room = 0;
    assert_int_equal(fixed_memory_grow_arena(1, &why), -1);
    assert_string_equal(why, "cuMemCreate: out of memory");
    room = 100 * (size_t)PAGE;
    assert_int_equal(fixed_memory_grow_arena(1, &why), 0); /* nothing of it was there */
    clear(0);
}

static void memory_that_a_lost_device_keeps_is_told(void **state) {
    (void)state;
    const char *why;
    take(PAGE);
    idle = CUDA_ERROR_ILLEGAL_ADDRESS;
    assert_int_equal(fixed_memory_clear(0, &why), -1);
    assert_string_equal(why, "unmapping memory: an illegal address");
    alive = 0; /* its process ends */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(pieces_lie_behind_each_other, fresh),
        cmocka_unit_test_setup(pages_change_under_an_address, fresh),
        cmocka_unit_test_setup(what_cannot_be_occupied_can_be_released, fresh),
        cmocka_unit_test_setup(a_lost_device_is_told, fresh),
        cmocka_unit_test_setup(a_piece_lies_where_it_is_wanted, fresh),
        cmocka_unit_test_setup(all_is_given_back_at_once, fresh),
        cmocka_unit_test_setup(arenas_lie_apart, fresh),
        cmocka_unit_test_setup(memory_that_a_lost_device_keeps_is_told, fresh),
    };
    return cmocka_run_group_tests(tests, open_it, NULL);
}
