/* Settings of the context, of streams and of functions that change how work on the device runs. */
#include "bench/record/recorder_parts.h"

/* How a host waits is nothing to the device. */
static void on_stream_attribute(const struct recorder_event *event, const void *parameters) {
    const cuStreamSetAttribute_params *p = parameters;
    if (recorder_is_done(event) && p->attr != CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY)
        recorder_refuse("it sets attribute %d of a stream (cuStreamSetAttribute), which outlasts "
                        "the call: give it to the launch",
                        (int)p->attr);
}

/* A limit as the driver has it, which rounds what it is asked for. */
static size_t limit_now(CUlimit limit) {
    size_t value = 0;
    if (recorder.driver->cuCtxGetLimit(&value, limit) != CUDA_SUCCESS)
        recorder_refuse("the driver does not tell limit %d of the context", (int)limit);
    return value;
}

static void on_limit(const struct recorder_event *event, const void *parameters) {
    static size_t before;
    const cuCtxSetLimit_params *p = parameters;
    if (!event->leaving)
        before = limit_now(p->limit);
    if (!recorder_is_done(event))
        return;
    const size_t now = limit_now(p->limit);
    if (now != before)
        recorder_refuse("it sets limit %d of the context to %zu (cuCtxSetLimit), which outlasts "
                        "the call",
                        (int)p->limit, now);
}

static void on_context_cache(const struct recorder_event *event, const void *parameters) {
    const cuCtxSetCacheConfig_params *p = parameters;
    if (recorder_is_done(event) && p->config != CU_FUNC_CACHE_PREFER_NONE)
        recorder_refuse("it sets whether all kernels of the context prefer L1 or shared memory");
}

static void on_function_cache(const struct recorder_event *event, const void *parameters) {
    const cuFuncSetCacheConfig_params *p = parameters;
    if (recorder_is_done(event))
        recorder_prefer_cache(p->hfunc, p->config);
}

static void on_kernel_cache(const struct recorder_event *event, const void *parameters) {
    const cuKernelSetCacheConfig_params *p = parameters;
    CUfunction function;
    if (!recorder_is_done(event))
        return;
    if (recorder.driver->cuKernelGetFunction(&function, p->kernel) == CUDA_SUCCESS)
        recorder_prefer_cache(function, p->config);
    else
        recorder_refuse("it sets what cache a kernel prefers, and the driver does not tell which");
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
    CUfunction function = NULL;
    if (p->attrib == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES)
        return;
    if (recorder.driver->cuKernelGetFunction(&function, p->kernel) == CUDA_SUCCESS)
        on_attribute(event, function, p->attrib);
    else
        recorder_refuse("it sets an attribute of a kernel, and the driver does not tell of which");
}

void recorder_handle_settings(struct recorder_slot *handlers) {
    RECORDER_HANDLE_BOTH(cuStreamSetAttribute, _ptsz, on_stream_attribute);
    RECORDER_HANDLE(cuCtxSetLimit, on_limit);
    RECORDER_HANDLE(cuCtxSetCacheConfig, on_context_cache);
    RECORDER_HANDLE(cuFuncSetCacheConfig, on_function_cache);
    RECORDER_HANDLE(cuKernelSetCacheConfig, on_kernel_cache);
    RECORDER_HANDLE(cuFuncSetAttribute, on_function_attribute);
    RECORDER_HANDLE(cuKernelSetAttribute, on_kernel_attribute);
}
