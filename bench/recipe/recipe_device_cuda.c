#include "bench/recipe/recipe_device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/device/cuda_driver.h"

_Static_assert(sizeof(CUtensorMap) == RECIPE_MAP_BYTES, "a map is a parameter of that size");
_Static_assert(CU_TENSOR_MAP_DATA_TYPE_UINT8 == 0 && CU_TENSOR_MAP_DATA_TYPE_INT64 == 5 &&
                   CU_TENSOR_MAP_DATA_TYPE_FLOAT16 == 6 && CU_TENSOR_MAP_DATA_TYPE_FLOAT32 == 7 &&
                   CU_TENSOR_MAP_DATA_TYPE_BFLOAT16 == 9,
               "types have the numbers of a recipe's words");
_Static_assert(CU_TENSOR_MAP_INTERLEAVE_32B == 2 && CU_TENSOR_MAP_SWIZZLE_128B == 3 &&
                   CU_TENSOR_MAP_L2_PROMOTION_L2_256B == 3 &&
                   CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA == 1,
               "so have the others");
_Static_assert(CU_CLUSTER_SCHEDULING_POLICY_SPREAD == 1 &&
                   CU_CLUSTER_SCHEDULING_POLICY_LOAD_BALANCING == 2,
               "and these");

#define ATTRIBUTES 4
#define PORTABLE_CLUSTER 8 /* blocks that every GPU with clusters allows */

struct recipe_module {
    CUmodule module;
};

struct recipe_ready {
    CUlaunchConfig config;
    CUlaunchAttribute attributes[ATTRIBUTES];
    CUfunction function;
    void *parameters[RECIPE_PARAMETERS];
};

/* Set by recipe_device_open, which comes first. */
static const struct cuda_driver *driver;

int recipe_device_open(const void *cubin, struct recipe_module **result, const char **why) {
    static char text[160];
    struct recipe_module *module = calloc(1, sizeof *module);
    *result = NULL;
    driver = cuda_driver(why);
    if (!driver || !module) {
        *why = driver ? "no memory for a module" : *why;
        free(module);
        return -1;
    }
    const CUresult status = driver->cuModuleLoadData(&module->module, cubin);
    if (status == CUDA_SUCCESS) {
        *result = module;
        return 0;
    }
    snprintf(text, sizeof text, "its cubin cannot be loaded: %s", cuda_driver_words(status));
    *why = text;
    free(module);
    return -1;
}

void recipe_device_close(struct recipe_module *module) {
    if (module)
        driver->cuModuleUnload(module->module);
    free(module);
}

int64_t recipe_device_sms(void) {
    CUdevice device;
    int count;
    if (driver->cuCtxGetDevice(&device) != CUDA_SUCCESS ||
        driver->cuDeviceGetAttribute(&count, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device) !=
            CUDA_SUCCESS)
        return -1;
    return count;
}

int recipe_device_take(uint64_t bytes, uint8_t fill, uint64_t *address) {
    CUdeviceptr memory = 0;
    CUresult status = driver->cuMemAlloc(&memory, bytes);
    *address = status == CUDA_SUCCESS ? memory : 0;
    if (status == CUDA_SUCCESS)
        status = driver->cuMemsetD8(memory, fill, bytes);
    return (int)status;
}

int recipe_device_put(uint64_t address, const void *bytes, size_t size) {
    return (int)driver->cuMemcpyHtoD(address, bytes, size);
}

void recipe_device_release(uint64_t address) {
    if (address)
        driver->cuMemFree(address);
}

static CUlaunchAttribute *add(struct recipe_ready *ready, CUlaunchAttributeID id) {
    CUlaunchAttribute *attribute = &ready->attributes[ready->config.numAttrs++];
    attribute->id = id;
    return attribute;
}

static void take_attributes(const struct recipe_step *step, struct recipe_ready *ready) {
    if (step->cluster[0] > 0) {
        CUlaunchAttributeValue *value = &add(ready, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)->value;
        value->clusterDim.x = step->cluster[0];
        value->clusterDim.y = step->cluster[1];
        value->clusterDim.z = step->cluster[2];
    }
    if (step->scheduling > 0)
        add(ready, CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE)
            ->value.clusterSchedulingPolicyPreference = (CUclusterSchedulingPolicy)step->scheduling;
    if (step->cooperative)
        add(ready, CU_LAUNCH_ATTRIBUTE_COOPERATIVE)->value.cooperative = 1;
    if (step->programmatic_serialization)
        add(ready, CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION)
            ->value.programmaticStreamSerializationAllowed = 1;
}

/* A function may have so much shared memory only where it was asked for. Of several steps that
 * launch it, the one that wants most decides. */
static CUresult allow_shared(const struct recipe_step *step, CUfunction function) {
    const CUfunction_attribute most = CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
    int allowed;
    const CUresult status = driver->cuFuncGetAttribute(&allowed, most, function);
    return status == CUDA_SUCCESS && (int)step->shared_bytes > allowed
               ? driver->cuFuncSetAttribute(function, most, (int)step->shared_bytes)
               : status;
}

static CUresult set_function(const struct recipe_step *step, CUfunction function) {
    const uint32_t blocks = step->cluster[0] * step->cluster[1] * step->cluster[2];
    CUresult status = allow_shared(step, function);
    if (status == CUDA_SUCCESS && step->carveout >= 0)
        status = driver->cuFuncSetAttribute(
            function, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, step->carveout);
    if (status == CUDA_SUCCESS && blocks > PORTABLE_CLUSTER)
        status = driver->cuFuncSetAttribute(function,
                                            CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1);
    return status;
}

int recipe_device_prepare(const struct recipe_module *module, const struct recipe_step *step,
                          struct recipe_ready **result) {
    struct recipe_ready *ready = calloc(1, sizeof *ready);
    *result = ready;
    if (!ready)
        return CUDA_ERROR_OUT_OF_MEMORY;
    CUresult status = driver->cuModuleGetFunction(&ready->function, module->module, step->function);
    if (status == CUDA_SUCCESS)
        status = set_function(step, ready->function);
    ready->config = (CUlaunchConfig){.gridDimX = step->grid[0],
                                     .gridDimY = step->grid[1],
                                     .gridDimZ = step->grid[2],
                                     .blockDimX = step->block[0],
                                     .blockDimY = step->block[1],
                                     .blockDimZ = step->block[2],
                                     .sharedMemBytes = step->shared_bytes,
                                     .attrs = ready->attributes};
    take_attributes(step, ready);
    for (int i = 0; i < step->parameter_count; i++)
        ready->parameters[i] = (void *)(step->bytes + step->parameters[i].at);
    return (int)status;
}

void recipe_device_drop(struct recipe_ready *ready) {
    free(ready);
}

int recipe_device_encode(const struct recipe_map *map, uint64_t address,
                         unsigned char bytes[RECIPE_MAP_BYTES]) {
    return (int)driver->cuTensorMapEncodeTiled(
        (CUtensorMap *)(void *)bytes, (CUtensorMapDataType)map->type, map->rank,
        (void *)(uintptr_t)address, map->dims, map->strides, map->box, map->steps,
        (CUtensorMapInterleave)map->interleave, (CUtensorMapSwizzle)map->swizzle,
        (CUtensorMapL2promotion)map->l2_promotion, (CUtensorMapFloatOOBfill)map->fill);
}

int recipe_device_fill(uint64_t address, uint8_t value, uint64_t bytes, void *stream) {
    return bytes > 0 ? (int)driver->cuMemsetD8Async(address, value, bytes, (CUstream)stream) : 0;
}

int recipe_device_launch(struct recipe_ready *ready, void *stream) {
    ready->config.hStream = (CUstream)stream;
    return (int)driver->cuLaunchKernelEx(&ready->config, ready->function, ready->parameters, NULL);
}

const char *recipe_device_words(int status) {
    return cuda_driver_words((CUresult)status);
}
