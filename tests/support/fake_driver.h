/* For tests of the recorder: a driver that is a stand-in, and kernels that ask it for something, as
 * CUPTI tells it. Include after test.h. */
#ifndef TESTS_SUPPORT_FAKE_DRIVER_H
#define TESTS_SUPPORT_FAKE_DRIVER_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cuda.h>
#include <cupti.h>

#include "bench/base/files.h"
#include "bench/device/cuda_driver.h"
#include "bench/device/cupti_watch.h"
#include "bench/device/fixed_memory.h"
#include "bench/record/player.h"
#include "bench/record/recorder.h"

#define BASE (UINT64_C(0x3ab) << 36)
#define HANDLE(type, number) ((type)(uintptr_t)(number))
#define KERNEL HANDLE(CUfunction, 0x11)
#define OTHER HANDLE(CUstream, 0x201)
#define EVENT HANDLE(CUevent, 0x301)
#define VARIABLE(letter) (0x5000u + 64u * (unsigned char)(letter)) /* whose name begins so */

static char told[4096]; /* what is under test, in words */
static cupti_watcher *watcher;

__attribute__((format(printf, 1, 2))) static void tell(const char *format, ...) {
    const size_t length = strlen(told);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(told + length, sizeof told - length, format, arguments);
    va_end(arguments);
}

/* The driver. */
static CUresult fine(void) {
    return CUDA_SUCCESS;
}
static CUresult get_name(const char **name, CUfunction function) {
    (void)function;
    *name = "_Z1k1MiPfc";
    return CUDA_SUCCESS;
}
static CUresult get_attribute(int *value, CUfunction_attribute attribute, CUfunction function) {
    (void)function;
    *value = attribute == CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT ? -1 : 0;
    return CUDA_SUCCESS;
}
static CUdeviceptr moved; /* how far from their places variables are */
static CUresult get_global(CUdeviceptr *at, size_t *bytes, CUmodule module, const char *name) {
    (void)module;
    *at = VARIABLE(name[0]) + moved;
    *bytes = name[1] == 'o' ? 4 : name[1] == 'v' ? 16 : 12;
    return CUDA_SUCCESS;
}
enum { NEW = 7 };           /* words that memory holds which the kernel has not written */
static uint32_t held, last; /* words that its memory holds, and the last one of it */
static uint64_t kept;       /* where not 0: the words that memory and variables hold instead */
static CUresult read_device(void *to, CUdeviceptr from, size_t bytes) {
    (void)from;
    for (size_t i = 0; i < bytes; i += sizeof held)
        memcpy((char *)to + i, i + sizeof held < bytes ? &held : &last, sizeof held);
    for (size_t i = 0; kept && i + sizeof kept <= bytes; i += sizeof kept)
        memcpy((char *)to + i, &kept, sizeof kept);
    return CUDA_SUCCESS;
}
/* A recording's blob: how many words of it, of what memory and variables held and of parameters, are
 * the kept one, or where that is moved. */
static CUresult write_device(CUdeviceptr to, const void *from, size_t bytes) {
    const uint64_t words[] = {kept, kept + moved};
    (void)to;
    for (int w = 0; w < 2 && kept; w++) {
        int count = 0;
        for (size_t i = 0; i + sizeof kept <= bytes; i += sizeof kept)
            count += memcmp((const char *)from + i, &words[w], sizeof kept) == 0;
        if (count > 0)
            tell("%d of %llx, ", count, (unsigned long long)words[w]);
    }
    return CUDA_SUCCESS;
}
static unsigned char map[128];
static int number = 1;
static float *pointer;
static char mark;
static void *parameters[] = {map, &number, &pointer, &mark};
/* The player's. */
static CUresult play_launch(const CUlaunchConfig *config, CUfunction function, void **given,
                            void **extra) {
    (void)function;
    (void)extra;
    assert_null(config->hStream);
    tell(" k%u", config->gridDimX);
    if (kept)
        tell("(%llx)", *(const unsigned long long *)given[2]);
    for (unsigned i = 0; i < config->numAttrs; i++)
        tell("+%d", (int)config->attrs[i].id);
    return CUDA_SUCCESS;
}
static CUresult play_fill(CUdeviceptr at, unsigned char value, size_t bytes, CUstream stream) {
    (void)value;
    assert_null(stream);
    tell(" f%u", (unsigned)bytes);
    return at >= BASE ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
static CUresult parameter_info(CUfunction function, size_t i, size_t *offset, size_t *size) {
    static const size_t sizes[] = {128, 4, 8, 1}, offsets[] = {48, 176, 184, 192};
    (void)function;
    if (i >= 4)
        return CUDA_ERROR_INVALID_VALUE;
    *offset = offsets[i];
    *size = sizes[i];
    return CUDA_SUCCESS;
}
const char *cuda_driver_words(CUresult status) {
    (void)status;
    return "an error";
}
#define ANY(name) ((__typeof__(driver.name))(void (*)(void))fine)
const struct cuda_driver *cuda_driver(const char **why) {
    static struct cuda_driver driver;
#define SET(name) driver.name = ANY(name);
    CUDA_DRIVER_FUNCTIONS(SET)
#undef SET
    driver.cuFuncGetName = get_name;
    driver.cuFuncGetAttribute = get_attribute;
    driver.cuModuleGetGlobal = get_global;
    driver.cuMemcpyDtoH = read_device;
    driver.cuMemcpyHtoD = write_device;
    driver.cuLaunchKernelEx = play_launch;
    driver.cuMemsetD8Async = play_fill;
    driver.cuFuncGetParamInfo = parameter_info;
    *why = NULL;
    return &driver;
}

void *cupti_watch_library(const char **why) {
    *why = NULL;
    return NULL;
}
int cupti_watch(cupti_watcher *given, const char **why) {
    *why = NULL;
    watcher = given;
    return 0;
}
uint64_t fixed_memory_base(void) {
    return BASE;
}
static uint32_t new_memory; /* the words that it holds */
void fixed_memory_fill_arena(uint32_t fill) {
    new_memory = fill;
}

uint64_t fixed_memory_arena_bytes(void) {
    return 0; /* no recording is carried out here */
}

uint64_t fixed_memory_arena(void) {
    return BASE + FIXED_BYTES / 2;
}
bool fixed_memory_has(uint64_t address) {
    return address >= BASE && address < BASE + FIXED_BYTES;
}
int fixed_memory_grow_arena(uint64_t bytes, const char **why) {
    *why = "it is full";
    return bytes <= 1 << 20 ? 0 : -1;
}

/* The kernel: each of these is a call that reaches the driver, in between which it does it. */
static CUresult status_told;
static void enter(CUpti_CallbackId id, const char *name, const void *given, bool leaving) {
    const CUpti_CallbackData data = {.callbackSite = leaving ? CUPTI_API_EXIT : CUPTI_API_ENTER,
                                     .functionName = name,
                                     .functionParams = given,
                                     .functionReturnValue = &status_told};
    watcher(CUPTI_CB_DOMAIN_DRIVER_API, id, &data);
}
#define CALLED(name, given)                                                                        \
    (enter(CUPTI_DRIVER_TRACE_CBID_##name, #name, given, false),                                   \
     enter(CUPTI_DRIVER_TRACE_CBID_##name, #name, given, true))

static cuLaunchKernel_params a_launch(unsigned grid, CUstream stream) {
    return (cuLaunchKernel_params){.f = KERNEL,
                                   .gridDimX = grid,
                                   .gridDimY = 1,
                                   .gridDimZ = 1,
                                   .blockDimX = 32,
                                   .blockDimY = 1,
                                   .blockDimZ = 1,
                                   .hStream = stream,
                                   .kernelParams = parameters};
}
static void launch(unsigned grid, CUstream stream) {
    const cuLaunchKernel_params p = a_launch(grid, stream);
    CALLED(cuLaunchKernel, &p);
}
static inline void record_event(CUevent event, CUstream stream) {
    const cuEventRecord_params p = {event, stream};
    CALLED(cuEventRecord, &p);
}
static inline void wait_for(CUstream stream, CUevent event) {
    const cuStreamWaitEvent_params p = {stream, event, 0};
    CALLED(cuStreamWaitEvent, &p);
}
static void fill(CUdeviceptr at, CUstream stream) {
    const cuMemsetD8Async_params p = {at, 0, 64, stream};
    CALLED(cuMemsetD8Async, &p);
}

static void load_module(void) {
    struct file_bytes file;
    CUfunction function = KERNEL;
    assert_int_equal(file_bytes_read(SOURCE "/tests/fuzz/corpus/cubin/quiet", &file), 0);
    CUpti_ModuleResourceData module = {.pCubin = (const char *)file.bytes, .cubinSize = file.size};
    CUpti_ResourceData resource = {.resourceDescriptor = &module};
    watcher(CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_MODULE_LOADED, &resource);
    const cuModuleGetFunction_params p = {&function, NULL, "_Z1k1MiPfc"};
    CALLED(cuModuleGetFunction, &p);
}

static void begin_call(bool recorded) {
    const struct gemm_args args = {.a = HANDLE(void *, BASE),
                                   .b_row = HANDLE(void *, BASE + 4096),
                                   .b_col = HANDLE(void *, BASE + 8192),
                                   .c = HANDLE(void *, BASE + 16384)};
    recorder_begin_call(recorded ? &args : NULL);
}

static void one_launch(void) {
    launch(2, NULL);
}

static void launch_with(unsigned grid, CUlaunchAttributeID id) {
    CUlaunchAttribute one = {.id = id};
    one.value.programmaticStreamSerializationAllowed = 1;
    const cuLaunchKernel_params p = a_launch(grid, NULL);
    const CUlaunchConfig config = {.gridDimX = p.gridDimX,
                                   .gridDimY = 1,
                                   .gridDimZ = 1,
                                   .blockDimX = 32,
                                   .blockDimY = 1,
                                   .blockDimZ = 1,
                                   .attrs = &one,
                                   .numAttrs = 1};
    const cuLaunchKernelEx_params ex = {&config, p.f, p.kernelParams, NULL};
    CALLED(cuLaunchKernelEx, &ex);
}
static void launch_early(unsigned grid) {
    launch_with(grid, CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION);
}

/* The refusal of work on it. */
#define OTHER_STREAM(name)                                                                         \
    "it works on another stream than the one it is given (" name "): hand that one over"

#endif
