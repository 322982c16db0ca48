/* Settings of functions that change how work on the device runs. */
#include "bench/record/recorder_parts.h"

/* The kernel as a function of the current context. NULL after recorder_refuse. */
static CUfunction function_of(CUkernel kernel) {
    CUfunction function = NULL;
    if (recorder.driver->cuKernelGetFunction(&function, kernel) == CUDA_SUCCESS)
        return function;
    recorder_refuse("it changes a setting of a kernel, and the driver does not tell of which");
    return NULL;
}

static void on_function_cache(const struct recorder_event *event, const void *parameters) {
    const cuFuncSetCacheConfig_params *p = parameters;
    if (recorder_is_done(event))
        recorder_prefer_cache(p->hfunc, p->config);
}

static void on_kernel_cache(const struct recorder_event *event, const void *parameters) {
    const cuKernelSetCacheConfig_params *p = parameters;
    const CUfunction function = recorder_is_done(event) ? function_of(p->kernel) : NULL;
    if (function)
        recorder_prefer_cache(function, p->config);
}

/* Attributes are read at the end (recorder_finish_functions), so they must have been the same in
 * all calls. */
static void judge_attribute(CUfunction_attribute attribute, bool changed) {
    if (attribute != CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT &&
        attribute != CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED)
        recorder_refuse("it sets attribute %d of a kernel", (int)attribute);
    else if (changed && recorder.phase == RECORDER_CALL)
        recorder_refuse("it changes attribute %d of a kernel from call to call", (int)attribute);
}

static int attribute_now(CUfunction function, CUfunction_attribute attribute) {
    int value = 0;
    const CUresult status = recorder.driver->cuFuncGetAttribute(&value, attribute, function);
    return status == CUDA_SUCCESS ? value : 0;
}

/* How much shared memory a launch may ask for changes no launch: callers leave it out. A CUkernel
 * has what its function has in the context of its device. */
static void on_attribute(const struct recorder_event *event, CUfunction function,
                         CUfunction_attribute attribute) {
    static int before;
    if (!event->leaving)
        before = attribute_now(function, attribute);
    else if (event->status == CUDA_SUCCESS)
        judge_attribute(attribute, attribute_now(function, attribute) != before);
}

static void on_function_attribute(const struct recorder_event *event, const void *parameters) {
    const cuFuncSetAttribute_params *p = parameters;
    if (p->attrib != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES)
        on_attribute(event, p->hfunc, p->attrib);
}

static void on_kernel_attribute(const struct recorder_event *event, const void *parameters) {
    const cuKernelSetAttribute_params *p = parameters;
    const CUfunction function = p->attrib == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
                                    ? NULL
                                    : function_of(p->kernel);
    if (function)
        on_attribute(event, function, p->attrib);
}

void recorder_handle_settings(struct recorder_slot *handlers) {
    RECORDER_HANDLE(cuFuncSetCacheConfig, on_function_cache);
    RECORDER_HANDLE(cuKernelSetCacheConfig, on_kernel_cache);
    RECORDER_HANDLE(cuFuncSetAttribute, on_function_attribute);
    RECORDER_HANDLE(cuKernelSetAttribute, on_kernel_attribute);
}
