/* Settings of functions that change how work on the device runs. They outlast a call, so they must be
 * the same in all calls. */
#include "bench/record/recorder_parts.h"

enum { MOST_SETTINGS = 1024 };

/* Beside CUfunction_attribute. */
#define CACHE ((CUfunction_attribute)-1)

static struct setting {
    CUfunction function;
    CUfunction_attribute which;
    int value;
} settings[MOST_SETTINGS];
static int setting_count;

/* NULL where it has not been set. */
static struct setting *find_setting(CUfunction function, CUfunction_attribute which) {
    for (int i = 0; i < setting_count; i++)
        if (settings[i].function == function && settings[i].which == which)
            return &settings[i];
    return NULL;
}

CUfunc_cache recorder_preferred_cache(CUfunction function) {
    const struct setting *setting = find_setting(function, CACHE);
    return setting ? (CUfunc_cache)setting->value : CU_FUNC_CACHE_PREFER_NONE;
}

static void refuse_change(CUfunction_attribute which) {
    if (which == CACHE)
        recorder_refuse(
            "it changes from call to call whether a kernel prefers L1 or shared memory");
    else
        recorder_refuse("it changes attribute %d of a kernel from call to call", (int)which);
}

/* usual: the value of a function that nobody has set. A recorder that comes late has not seen what was
 * set before. */
static void set(CUfunction function, CUfunction_attribute which, int value, int usual) {
    struct setting *setting = find_setting(function, which);
    const int before = setting ? setting->value : recorder.late ? value : usual;
    if (recorder.phase == RECORDER_CALL && value != before)
        refuse_change(which);
    if (!setting && setting_count == MOST_SETTINGS) {
        recorder_refuse("it changes settings of too many kernels");
        return;
    }
    if (!setting)
        setting = &settings[setting_count++];
    *setting = (struct setting){function, which, value};
}

/* How much shared memory a launch may ask for changes no launch. */
static void set_attribute(CUfunction function, CUfunction_attribute which, int value) {
    if (which == CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT)
        set(function, which, value, -1);
    else if (which == CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED)
        set(function, which, value, 0);
    else if (which != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES)
        recorder_refuse("it sets attribute %d of a kernel", (int)which);
}

/* The kernel as a function of the current context: a CUkernel has what its function has there. NULL
 * after recorder_refuse. */
static CUfunction function_of(CUkernel kernel) {
    CUfunction function = NULL;
    if (recorder.driver->cuKernelGetFunction(&function, kernel) == CUDA_SUCCESS)
        return function;
    recorder_refuse("it changes a setting of a kernel, and the driver does not tell of which");
    return NULL;
}

void recorder_on_function_cache(const struct recorder_event *event) {
    const cuFuncSetCacheConfig_params *p = event->parameters;
    set(p->hfunc, CACHE, (int)p->config, CU_FUNC_CACHE_PREFER_NONE);
}

void recorder_on_kernel_cache(const struct recorder_event *event) {
    const cuKernelSetCacheConfig_params *p = event->parameters;
    const CUfunction function = function_of(p->kernel);
    if (function)
        set(function, CACHE, (int)p->config, CU_FUNC_CACHE_PREFER_NONE);
}

void recorder_on_function_attribute(const struct recorder_event *event) {
    const cuFuncSetAttribute_params *p = event->parameters;
    set_attribute(p->hfunc, p->attrib, p->value);
}

void recorder_on_kernel_attribute(const struct recorder_event *event) {
    const cuKernelSetAttribute_params *p = event->parameters;
    const CUfunction function = p->attrib == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
                                    ? NULL
                                    : function_of(p->kernel);
    if (function)
        set_attribute(function, p->attrib, p->val);
}
