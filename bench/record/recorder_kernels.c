/* Kernels, their settings, and launches. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/record/recorder_parts.h"

enum { MOST_HANDLES = 16384, MOST_KERNELS = 1024 };

/* A function's handle is either a CUfunction or a CUkernel, which has no context. */
static struct {
    const void *handle;
    bool is_kernel;
} handles[MOST_HANDLES];
static int handle_count;

static struct kernel {
    char *name;
    struct recorder_module *module;
    CUfunction handle; /* that it was launched by */
    uint32_t number;   /* in the recording, or RECORDING_NONE */
    uint32_t most_shared, largest_cluster;
} kernels[MOST_KERNELS];
static int kernel_count;

/* 1: a CUkernel, 0: a CUfunction, -1: not known. */
static int handle_kind(const void *handle) {
    for (int i = handle_count; i-- > 0;)
        if (handles[i].handle == handle)
            return handles[i].is_kernel;
    return -1;
}

static void take_handle(const void *handle, bool is_kernel) {
    if (handle_kind(handle) == is_kernel || handle_count == MOST_HANDLES)
        return;
    handles[handle_count].handle = handle;
    handles[handle_count++].is_kernel = is_kernel;
}

/* NULL where it cannot be had. */
static const char *kernel_name(CUfunction handle, const char *symbol) {
    const char *name = NULL;
    const int kind = handle_kind(handle);
    CUresult status = CUDA_ERROR_NOT_FOUND;
    if (kind == 0)
        status = recorder.driver->cuFuncGetName(&name, handle);
    else if (kind == 1)
        status = recorder.driver->cuKernelGetName(&name, (CUkernel)handle);
    return status == CUDA_SUCCESS && name ? name : symbol;
}

static struct kernel *take_kernel(CUfunction handle, const char *symbol) {
    const char *name = kernel_name(handle, symbol);
    if (!name) {
        recorder_refuse("the name of a kernel that it launches cannot be had");
        return NULL;
    }
    for (int i = 0; i < kernel_count; i++)
        if (strcmp(kernels[i].name, name) == 0)
            return &kernels[i];
    struct recorder_module *module = recorder_find_module(name);
    if (!module)
        return NULL;
    struct kernel *kernel = &kernels[kernel_count];
    *kernel = (struct kernel){.module = module, .handle = handle, .number = RECORDING_NONE};
    if (kernel_count == MOST_KERNELS || !(kernel->name = strdup(name))) {
        recorder_refuse("it launches too many kernels");
        return NULL;
    }
    kernel_count++;
    return kernel;
}

static void number_kernel(struct kernel *kernel) {
    const struct recording_function function = {
        .image = recorder_number_module(kernel->module),
        .carveout = -1,
        .name = recording_add_bytes(&recorder.writer, kernel->name, strlen(kernel->name) + 1)};
    kernel->number = recording_add_function(&recorder.writer, &function);
}

/* The kernel as a function of the current context; NULL where its handle is not known. */
static CUfunction function_of(CUfunction handle) {
    CUfunction function = NULL;
    const int kind = handle_kind(handle);
    if (kind == 0)
        return handle;
    if (kind == 1 &&
        recorder.driver->cuKernelGetFunction(&function, (CUkernel)handle) == CUDA_SUCCESS)
        return function;
    return NULL;
}

struct launch {
    CUfunction function; /* or a CUkernel */
    const char *symbol;  /* NULL: not told */
    const CUlaunchConfig *config;
    void **parameters, **extra;
};

/* The buffer of a launch that has its parameters in one, and its size; else NULL. */
static const unsigned char *buffer_of(const struct launch *launch, size_t *size) {
    const void *buffer = NULL;
    *size = 0;
    for (void **extra = launch->extra; extra && *extra != CU_LAUNCH_PARAM_END; extra += 2)
        if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER)
            buffer = extra[1];
        else if (*extra == CU_LAUNCH_PARAM_BUFFER_SIZE && extra[1])
            *size = *(const size_t *)extra[1];
    return buffer;
}

/* Copies the parameters of a launch. Each lies so far behind the first one as the driver says.
 * Returns how many bytes they have, or -1 where they cannot be read. */
static int64_t take_parameters(const struct launch *launch, CUfunction function,
                               unsigned char bytes[RECORDING_MOST_PARAMETERS]) {
    size_t given, first = 0, at, size, end = 0;
    const unsigned char *buffer = buffer_of(launch, &given);
    bool known = function != NULL;
    memset(bytes, 0, RECORDING_MOST_PARAMETERS);
    for (size_t i = 0;
         known && recorder.driver->cuFuncGetParamInfo(function, i, &at, &size) == CUDA_SUCCESS;
         i++) {
        first = i == 0 ? at : first;
        at -= first;
        end = at + size;
        const void *from = launch->parameters       ? launch->parameters[i]
                           : buffer && end <= given ? buffer + at
                                                    : NULL;
        known = from && end <= RECORDING_MOST_PARAMETERS;
        if (known)
            memcpy(bytes + at, from, size);
    }
    return known ? (int64_t)end : -1;
}

_Static_assert(sizeof(CUlaunchAttributeValue) == RECORDING_ATTRIBUTE_BYTES, "it is kept whole");
#define X(name, number)                                                                            \
    _Static_assert(CU_LAUNCH_ATTRIBUTE_##name == number, "it has the number of cuda.h");
RECORDING_ATTRIBUTES(X)
#undef X

/* A launch begins early that may begin before the work in front of it has ended. It does not where
 * the host or an event has waited for that work. */
static void take_attribute(struct recording_launch *to, struct kernel *kernel,
                           CUlaunchAttributeID id, const CUlaunchAttributeValue *value) {
    struct recording_attribute attribute = {.id = (uint32_t)id};
    if (id == CU_LAUNCH_ATTRIBUTE_IGNORE ||
        (id == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION && recorder.settled))
        return;
    if (!recording_knows_attribute(id)) {
        recorder_refuse("a launch has attribute %d, which means nothing elsewhere", (int)id);
        return;
    }
    memcpy(attribute.value, value, sizeof *value);
    recording_add_attribute(&recorder.writer, &attribute);
    to->attributes++;
    if (id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) {
        const uint32_t blocks = value->clusterDim.x * value->clusterDim.y * value->clusterDim.z;
        if (kernel->largest_cluster < blocks)
            kernel->largest_cluster = blocks;
    }
}

static void copy_size(const CUlaunchConfig *from, uint32_t grid[3], uint32_t block[3]) {
    const uint32_t grids[3] = {from->gridDimX, from->gridDimY, from->gridDimZ},
                   blocks[3] = {from->blockDimX, from->blockDimY, from->blockDimZ};
    memcpy(grid, grids, sizeof grids);
    memcpy(block, blocks, sizeof blocks);
}

static bool make_launch(const struct launch *launch, struct recording_step *step) {
    static unsigned char bytes[RECORDING_MOST_PARAMETERS];
    struct recording_writer *writer = &recorder.writer;
    const CUlaunchConfig *config = launch->config;
    struct kernel *kernel = take_kernel(launch->function, launch->symbol);
    const int64_t size = kernel ? take_parameters(launch, function_of(kernel->handle), bytes) : -1;
    if (kernel && size < 0)
        recorder_refuse("the parameters of its kernel %.100s cannot be read", kernel->name);
    if (size < 0)
        return false;
    if (kernel->number == RECORDING_NONE)
        number_kernel(kernel);
    if (kernel->most_shared < config->sharedMemBytes)
        kernel->most_shared = config->sharedMemBytes;
    *step = (struct recording_step){.kind = RECORDING_LAUNCH};
    struct recording_launch *to = &step->launch;
    to->function = kernel->number;
    copy_size(config, to->grid, to->block);
    to->shared_bytes = config->sharedMemBytes;
    to->first_attribute = recording_next(writer, RECORDING_TABLE_attributes);
    for (unsigned i = 0; i < config->numAttrs; i++)
        take_attribute(to, kernel, config->attrs[i].id, &config->attrs[i].value);
    to->bytes = recording_add_bytes(writer, bytes, (uint64_t)size);
    return !writer->full;
}

static char *(*demangle)(const char *, char *, size_t *, int *);

/* Without it names stay mangled. */
void recorder_load_names(void) {
    void *cxx = demangle ? NULL : dlopen("libstdc++.so.6", RTLD_NOW | RTLD_LOCAL);
    if (cxx)
        demangle = (char *(*)(const char *, char *, size_t *, int *))dlsym(cxx, "__cxa_demangle");
}

static bool is_dependent(const CUlaunchConfig *config) {
    for (unsigned i = 0; i < config->numAttrs; i++) {
        const CUlaunchAttribute *one = &config->attrs[i];
        if ((one->id == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION &&
             one->value.programmaticStreamSerializationAllowed) ||
            one->id == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT)
            return true;
    }
    return false;
}

/* A library asks for handles where CUPTI does not see it. They are kernels then. */
static CUfunction library_function(CUfunction handle) {
    CUfunction function = function_of(handle);
    if (!function)
        recorder.driver->cuKernelGetFunction(&function, (CUkernel)handle);
    return function;
}

/* Where its parameters cannot be read, nothing is added. */
static void add_exact(const struct launch *launch, const char *symbol) {
    static unsigned char bytes[RECORDING_MOST_PARAMETERS];
    size_t given;
    const unsigned char *buffer = buffer_of(launch, &given);
    const int64_t size = buffer
                             ? (int64_t)given
                             : take_parameters(launch, library_function(launch->function), bytes);
    if (size < 0)
        return;
    const CUlaunchConfig *config = launch->config;
    uint32_t grid[3], block[3];
    copy_size(config, grid, block);
    uint64_t hash = facts_digest((uint64_t)size, symbol, grid, block);
    hash = facts_hash(hash, buffer ? buffer : bytes, (size_t)size);
    hash = facts_hash(hash, &config->sharedMemBytes, sizeof config->sharedMemBytes);
    for (unsigned i = 0; i < config->numAttrs; i++) {
        hash = facts_hash(hash, &config->attrs[i].id, sizeof config->attrs[i].id);
        hash = facts_hash(hash, &config->attrs[i].value, sizeof config->attrs[i].value);
    }
    facts_add_exact(&recorder.facts, hash);
}

/* Handles that were made before this process was watched are not known: then the name is CUPTI's. */
static void count_launch(const struct launch *launch) {
    const char *known = kernel_name(launch->function, launch->symbol);
    const char *symbol = known ? known : "a kernel without a name";
    int status = -1;
    char *plain = demangle ? demangle(symbol, NULL, NULL, &status) : NULL;
    struct facts_launch counted = {.name = plain ? plain : symbol,
                                   .symbol = symbol,
                                   .shared_bytes = launch->config->sharedMemBytes,
                                   .dependent = is_dependent(launch->config)};
    copy_size(launch->config, counted.grid, counted.block);
    facts_add_launch(&recorder.facts, &counted);
    if (recorder.phase == RECORDER_COUNTED)
        add_exact(launch, symbol);
    free(plain);
}

/* A launch before the calls that are kept leaves the name of its kernel alone. */
static void add_launch(const struct recorder_event *event, const struct launch *launch) {
    struct recording_step step;
    count_launch(launch);
    if (recorder.phase == RECORDER_COUNTED)
        return;
    if (recorder.phase != RECORDER_CALL && !recorder.late)
        take_kernel(launch->function, launch->symbol);
    else if (recorder_takes(event, launch->config->hStream) && make_launch(launch, &step))
        recorder_add_step(&step);
}

static void add_plain(const struct recorder_event *event, CUlaunchAttribute *attribute) {
    const cuLaunchKernel_params *p = event->parameters;
    const CUlaunchConfig config = {.gridDimX = p->gridDimX,
                                   .gridDimY = p->gridDimY,
                                   .gridDimZ = p->gridDimZ,
                                   .blockDimX = p->blockDimX,
                                   .blockDimY = p->blockDimY,
                                   .blockDimZ = p->blockDimZ,
                                   .sharedMemBytes = p->sharedMemBytes,
                                   .hStream = p->hStream,
                                   .attrs = attribute,
                                   .numAttrs = attribute != NULL};
    const struct launch launch = {.function = p->f,
                                  .symbol = event->data->symbolName,
                                  .config = &config,
                                  .parameters = p->kernelParams,
                                  .extra = attribute ? NULL : p->extra};
    add_launch(event, &launch);
}

void recorder_on_launch(const struct recorder_event *event) {
    add_plain(event, NULL);
}

/* It is given the same, but for parameters in one buffer. */
void recorder_on_cooperative(const struct recorder_event *event) {
    CUlaunchAttribute cooperative = {.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE,
                                     .value = {.cooperative = 1}};
    add_plain(event, &cooperative);
}

void recorder_on_launch_ex(const struct recorder_event *event) {
    const cuLaunchKernelEx_params *p = event->parameters;
    const struct launch launch = {.function = p->f,
                                  .symbol = event->data->symbolName,
                                  .config = p->config,
                                  .parameters = p->kernelParams,
                                  .extra = p->extra};
    add_launch(event, &launch);
}

void recorder_on_get_function(const struct recorder_event *event) {
    const cuModuleGetFunction_params *p = event->parameters;
    take_handle(*p->hfunc, false);
}

void recorder_on_get_kernel(const struct recorder_event *event) {
    const cuLibraryGetKernel_params *p = event->parameters;
    take_handle(*p->pKernel, true);
}

void recorder_on_kernel_function(const struct recorder_event *event) {
    const cuKernelGetFunction_params *p = event->parameters;
    take_handle(*p->pFunc, false);
    take_handle(p->kernel, true);
}

void recorder_keep_variables(void) {
    for (int i = 0; i < kernel_count; i++)
        recorder_keep_variables_of(kernels[i].module, function_of(kernels[i].handle));
}

static int attribute_of(CUfunction function, CUfunction_attribute attribute, int otherwise) {
    int value;
    return function &&
                   recorder.driver->cuFuncGetAttribute(&value, attribute, function) == CUDA_SUCCESS
               ? value
               : otherwise;
}

/* The settings of a function. The launches tell the least that it must have been. */
void recorder_finish_functions(void) {
    for (int i = 0; i < kernel_count; i++) {
        const struct kernel *kernel = &kernels[i];
        if (kernel->number == RECORDING_NONE || recorder.writer.full)
            continue;
        const CUfunction function = function_of(kernel->handle);
        struct recording_function *to =
            recording_entry(&recorder.writer, RECORDING_TABLE_functions, kernel->number);
        const int shared =
            attribute_of(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 0);
        to->most_dynamic_shared =
            shared > (int)kernel->most_shared ? shared : (int)kernel->most_shared;
        to->carveout =
            attribute_of(function, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, -1);
        to->cache = (int32_t)recorder_preferred_cache(function);
        to->large_clusters =
            kernel->largest_cluster > 8 ||
            attribute_of(function, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 0) > 0;
    }
}
