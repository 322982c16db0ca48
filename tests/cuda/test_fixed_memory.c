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

enum { MOST = 64, PAGE = 2 << 20 };

/* Handles are numbers from 1 on. */
static struct memory {
    size_t bytes;
    int mapped; /* at so many addresses */
} memories[MOST];
static struct mapping {
    CUdeviceptr at; /* 0: none */
    unsigned long long handle;
    CUmemAccess_flags access;
} mappings[2 * MOST];
static int made, alive;
static int spared;  /* so many mappings yet can be made; -1: any number */
static size_t room; /* that can be created yet */
static CUresult idle;
static bool busy; /* nothing has waited since */

static struct mapping *mapping_at(CUdeviceptr at) {
    for (int i = 0; i < 2 * MOST; i++)
        if (mappings[i].at == at)
            return &mappings[i];
    return NULL;
}

static size_t bytes_of(const struct mapping *mapping) {
    return mapping ? memories[mapping->handle].bytes : 0;
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

/* The first place that is asked for is taken, the second is free. So it is with hidden ranges. */
#define TAKEN (12345 * (CUdeviceptr)PAGE)
static CUdeviceptr fixed_place, hidden_place;

static CUresult reserve(CUdeviceptr *at, size_t bytes, size_t alignment, CUdeviceptr wish,
                        unsigned long long flags) {
    static bool asked[2];
    const bool hidden = bytes == 2 * FIXED_BYTES;
    (void)alignment, (void)flags;
    assert_true((hidden || bytes == FIXED_BYTES) && wish > 0 && wish % FIXED_BYTES == 0);
    *at = asked[hidden] ? wish : TAKEN;
    *(hidden ? &hidden_place : &fixed_place) = *at;
    asked[hidden] = true;
    return CUDA_SUCCESS;
}

static CUresult free_address(CUdeviceptr at, size_t bytes) {
    assert_true(at == TAKEN && bytes % FIXED_BYTES == 0);
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
    assert_null(mapping_at(at));
    assert_true(handle <= (unsigned)made && memories[handle].bytes == bytes);
    if (spared == 0)
        return CUDA_ERROR_OUT_OF_MEMORY;
    spared -= spared > 0;
    *mapping_at(0) = (struct mapping){.at = at, .handle = handle};
    memories[handle].mapped++;
    return CUDA_SUCCESS;
}

static CUresult set_access(CUdeviceptr at, size_t bytes, const CUmemAccessDesc *access,
                           size_t count) {
    struct mapping *mapping = mapping_at(at);
    assert_true(bytes_of(mapping) == bytes && count == 1 && access->location.id == 3);
    mapping->access = access->flags;
    return CUDA_SUCCESS;
}

static CUresult unmap_memory(CUdeviceptr at, size_t bytes) {
    struct mapping *mapping = mapping_at(at);
    assert_true(bytes_of(mapping) == bytes);
    assert_true(!busy || spared == 0); /* work may still use it; what failed is not used yet */
    memories[mapping->handle].mapped--;
    *mapping = (struct mapping){0};
    return CUDA_SUCCESS;
}

static CUresult release(CUmemGenericAllocationHandle handle) {
    assert_true(handle > 0 && handle <= (unsigned)made && memories[handle].bytes > 0);
    assert_int_equal(memories[handle].mapped, 0);
    room += memories[handle].bytes;
    memories[handle].bytes = 0;
    alive--;
    return CUDA_SUCCESS;
}

static unsigned filled, awaited; /* what memory was filled with last, and that came to its end */
static CUresult set_words(CUdeviceptr at, unsigned value, size_t words) {
    assert_true(bytes_of(mapping_at(at)) >= words * sizeof value);
    filled = value;
    return CUDA_SUCCESS;
}

static CUresult await_stream(CUstream stream) {
    assert_ptr_equal(stream, CU_STREAM_LEGACY);
    awaited = filled;
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
                                              .cuMemSetAccess = set_access,
                                              .cuMemUnmap = unmap_memory,
                                              .cuMemsetD32 = set_words,
                                              .cuStreamSynchronize = await_stream,
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
    spared = -1;
    idle = CUDA_SUCCESS;
    busy = true;
    assert_int_equal(alive, 0);
    return 0;
}

static void *take(size_t bytes) {
    const char *why;
    void *memory;
    assert_int_equal(fixed_memory_take(FIXED_ANYWHERE, &bytes, false, &memory, &why), 0);
    assert_true(fixed_memory_has((uint64_t)(uintptr_t)memory));
    const struct mapping *there = mapping_at((CUdeviceptr)(uintptr_t)memory);
    assert_true(bytes_of(there) >= bytes);
    assert_int_equal(there->access, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    assert_int_equal(memories[there->handle].mapped, 1);
    assert_ptr_equal(fixed_memory_writable(memory), memory);
    return memory;
}

static void pieces_lie_behind_each_other(void **state) {
    const char *why;
    (void)state;
    assert_true(fixed_memory_base() == fixed_place);
    char *first = take(1), *second = take(PAGE + 1), *third = take(PAGE);
    assert_true(second == first + PAGE && third == second + 2 * (size_t)PAGE);
    assert_int_equal(alive, 3);
    assert_int_equal(fixed_memory_free(second, &why), 0);
    char *fourth = take(1); /* never the same place twice */
    assert_true(fourth == third + PAGE);
    assert_int_equal(fixed_memory_free(first, &why), 0);
    assert_int_equal(fixed_memory_free(third, &why), 0);
    assert_int_equal(fixed_memory_free(fourth, &why), 0);
}

/* A kernel's fault is told, and pages that it may still use stay. */
static void a_lost_device_is_told(void **state) {
    const char *why;
    (void)state;
    void *one = take(PAGE);
    idle = CUDA_ERROR_ILLEGAL_ADDRESS;
    assert_int_equal(fixed_memory_free(one, &why), -1);
    assert_string_equal(why, "unmapping memory: an illegal address");
    assert_int_equal(alive, 1);
    *mapping_at((CUdeviceptr)(uintptr_t)one) = (struct mapping){0}; /* they go with the process */
    alive = 0;
}

/* Where pieces cannot be sealed none is. */
static void without_sealing_all_is_writable(void **state) {
    const char *why;
    void *memory;
    (void)state;
    assert_true(hidden_place == 0);
    assert_int_equal(fixed_memory_take(0, &(size_t){PAGE}, true, &memory, &why), 0);
    assert_int_equal(mapping_at((CUdeviceptr)(uintptr_t)memory)->access,
                     CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    assert_ptr_equal(fixed_memory_writable(memory), memory);
    assert_int_equal(fixed_memory_free(memory, &why), 0);
}

static int open_sealing(void **state) {
    const char *why;
    (void)state;
    return fixed_memory_open(true, &why);
}

static char *take_sealed(uint64_t place, size_t bytes) {
    const char *why;
    void *memory;
    assert_int_equal(fixed_memory_take(place, &bytes, true, &memory, &why), 0);
    return memory;
}

/* Two mappings of the same pages: one to be read at its place, one to be written where nobody looks
 * for it. */
static void is_sealed(const char *memory) {
    const char *writable = fixed_memory_writable(memory);
    const struct mapping *here = mapping_at((CUdeviceptr)(uintptr_t)memory),
                         *there = mapping_at((CUdeviceptr)(uintptr_t)writable);
    assert_ptr_not_equal(writable, memory);
    assert_in_range((uintptr_t)writable, hidden_place, hidden_place + 2 * FIXED_BYTES - 1);
    assert_true(here && there && here->handle == there->handle);
    assert_int_equal(here->access, CU_MEM_ACCESS_FLAGS_PROT_READ);
    assert_int_equal(there->access, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    assert_int_equal(memories[here->handle].mapped, 2);
}

static void a_sealed_piece_is_writable_elsewhere(void **state) {
    const char *why;
    (void)state;
    char *first = take_sealed(0, PAGE), *second = take_sealed(7 * PAGE, 2 * PAGE);
    assert_true((uintptr_t)first == fixed_memory_base() && second == first + 7 * PAGE);
    is_sealed(first);
    is_sealed(second);
    char *there = fixed_memory_writable(second);
    assert_ptr_equal(fixed_memory_writable(second + 5), there + 5);
    assert_ptr_equal(fixed_memory_writable(second + 2 * PAGE - 1), there + 2 * PAGE - 1);
    assert_ptr_equal(fixed_memory_writable(second - 1), second - 1);
    assert_ptr_equal(fixed_memory_writable(second + 2 * PAGE), second + 2 * PAGE);
    void *open = take(PAGE); /* one without a place is nowhere else */
    assert_in_range((uintptr_t)open, hidden_place, hidden_place + 2 * FIXED_BYTES - 1);
    assert_true(fixed_memory_has((uint64_t)(uintptr_t)open));
    assert_ptr_equal(fixed_memory_writable(open), open);
    assert_int_equal(fixed_memory_free(open, &why), 0);
    assert_int_equal(fixed_memory_free(first, &why), 0);
    assert_ptr_equal(fixed_memory_writable(first), first);
    assert_int_equal(fixed_memory_free(second, &why), 0);
    assert_int_equal(alive, 0);
}

/* As when one shape follows another. Arenas are never sealed. */
static void all_is_given_back_at_once(void **state) {
    const char *why;
    (void)state;
    take_sealed(0, PAGE);
    take(PAGE);
    fixed_memory_fill_arena(7);
    assert_int_equal(fixed_memory_grow_arena(1, &why), 0);
    assert_int_equal(awaited, 7);
    const struct mapping *arena = mapping_at(fixed_memory_arena());
    assert_int_equal(arena->access, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    assert_int_equal(alive, 3);
    busy = true;
    assert_int_equal(fixed_memory_clear(0, &why), 0);
    assert_int_equal(alive, 0);
    for (int i = 0; i < 2 * MOST; i++)
        assert_true(mappings[i].at == 0);
    char *again = take_sealed(0, PAGE);
    is_sealed(again);
    assert_int_equal(fixed_memory_free(again, &why), 0);
    assert_int_equal(fixed_memory_grow_arena(1, &why), 0);
    assert_int_equal(filled, 0);
    assert_int_equal(fixed_memory_clear(0, &why), 0);
}

/* Nothing is left of a piece of which one mapping fails. */
static void a_mapping_may_fail(void **state) {
    const char *why;
    void *memory;
    (void)state;
    busy = false;
    for (int mappings_made = 0; mappings_made < 2; mappings_made++) {
        spared = mappings_made;
        assert_int_equal(fixed_memory_take(0, &(size_t){PAGE}, true, &memory, &why), -1);
        assert_string_equal(why, "mapping memory: out of memory");
        assert_int_equal(alive, 0);
        assert_null(mapping_at(fixed_memory_base()));
    }
}

/* A recording that has seen one process knows nothing of the next one's. */
static void where_pieces_can_be_written_is_drawn(void **state) {
    uint64_t drawn[4];
    const char *why;
    (void)state;
    for (int i = 0; i < 4; i++) {
        if (i > 0)
            assert_int_equal(fixed_memory_open(true, &why), 0);
        char *piece = take_sealed(0, PAGE);
        is_sealed(piece);
        drawn[i] = (uint64_t)(uintptr_t)fixed_memory_writable(piece);
        for (int j = 0; j < i; j++)
            assert_true(drawn[j] != drawn[i]);
        assert_int_equal(fixed_memory_free(piece, &why), 0);
    }
}

int main(void) {
    const struct CMUnitTest plain[] = {
        cmocka_unit_test_setup(pieces_lie_behind_each_other, fresh),
        cmocka_unit_test_setup(a_lost_device_is_told, fresh),
        cmocka_unit_test_setup(without_sealing_all_is_writable, fresh),
    };
    const struct CMUnitTest sealing[] = {
        cmocka_unit_test_setup(a_sealed_piece_is_writable_elsewhere, fresh),
        cmocka_unit_test_setup(all_is_given_back_at_once, fresh),
        cmocka_unit_test_setup(a_mapping_may_fail, fresh),
        cmocka_unit_test_setup(where_pieces_can_be_written_is_drawn, fresh),
    };
    const int failed = cmocka_run_group_tests(plain, open_it, NULL);
    return failed + cmocka_run_group_tests(sealing, open_sealing, NULL);
}
