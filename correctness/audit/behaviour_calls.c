/* Functions of the CUDA runtime and driver by what they do, told by the beginning of their names.
 */
#include "correctness/audit/behaviour.h"

#include <string.h>

/* Names without "cuda" or "cu"; the first that fits decides. */
static const struct {
    const char *start;
    enum behaviour_kind kind;
} rules[] = {
    {"DeviceSynchronize", BEHAVIOUR_SYNC},
    {"ThreadSynchronize", BEHAVIOUR_SYNC},
    {"CtxSynchronize", BEHAVIOUR_SYNC},
    {"StreamSynchronize", BEHAVIOUR_SYNC},
    {"StreamQuery", BEHAVIOUR_SYNC},
    {"EventSynchronize", BEHAVIOUR_SYNC},
    {"EventQuery", BEHAVIOUR_SYNC},

    {"Event", BEHAVIOUR_EVENT},
    {"StreamWaitEvent", BEHAVIOUR_EVENT},
    {"CtxRecordEvent", BEHAVIOUR_EVENT},
    {"CtxWaitEvent", BEHAVIOUR_EVENT},

    {"StreamAddCallback", BEHAVIOUR_CALLBACK},
    {"LaunchHostFunc", BEHAVIOUR_CALLBACK},
    {"GraphAddHostNode", BEHAVIOUR_CALLBACK},

    {"Graphics", BEHAVIOUR_OTHER},
    {"Graph", BEHAVIOUR_GRAPH},
    {"StreamBeginCapture", BEHAVIOUR_GRAPH},
    {"StreamEndCapture", BEHAVIOUR_GRAPH},

    {"StreamCreate", BEHAVIOUR_STREAM},
    {"CtxCreate", BEHAVIOUR_STREAM},
    {"GreenCtxCreate", BEHAVIOUR_STREAM},
    {"GreenCtxStreamCreate", BEHAVIOUR_STREAM},

    {"DeviceSetLimit", BEHAVIOUR_LIMIT},
    {"ThreadSetLimit", BEHAVIOUR_LIMIT},
    {"CtxSetLimit", BEHAVIOUR_LIMIT},
    {"DeviceSetCacheConfig", BEHAVIOUR_LIMIT},
    {"ThreadSetCacheConfig", BEHAVIOUR_LIMIT},
    {"CtxSetCacheConfig", BEHAVIOUR_LIMIT},
    {"DeviceSetSharedMemConfig", BEHAVIOUR_LIMIT},
    {"CtxSetSharedMemConfig", BEHAVIOUR_LIMIT},
    {"DeviceSetMemPool", BEHAVIOUR_LIMIT},
    {"MemSetMemPool", BEHAVIOUR_LIMIT},
    {"SetDeviceFlags", BEHAVIOUR_LIMIT},
    {"CtxSetFlags", BEHAVIOUR_LIMIT},
    {"DevicePrimaryCtxSetFlags", BEHAVIOUR_LIMIT},
    {"DevicePrimaryCtxReset", BEHAVIOUR_LIMIT},
    {"DeviceReset", BEHAVIOUR_LIMIT},
    {"CtxResetPersistingL2Cache", BEHAVIOUR_LIMIT},
    {"StreamSetAttribute", BEHAVIOUR_LIMIT}, /* an access policy window: L2 persistence */
    {"StreamCopyAttributes", BEHAVIOUR_LIMIT},

    {"Malloc", BEHAVIOUR_ALLOC},
    {"Free", BEHAVIOUR_ALLOC},
    {"HostAlloc", BEHAVIOUR_ALLOC},
    {"HostRegister", BEHAVIOUR_ALLOC},
    {"HostUnregister", BEHAVIOUR_ALLOC},
    {"MemAlloc", BEHAVIOUR_ALLOC},
    {"MemFree", BEHAVIOUR_ALLOC},
    {"MemHostAlloc", BEHAVIOUR_ALLOC},
    {"MemHostRegister", BEHAVIOUR_ALLOC},
    {"MemHostUnregister", BEHAVIOUR_ALLOC},
    {"MemAddress", BEHAVIOUR_ALLOC},
    {"MemCreate", BEHAVIOUR_ALLOC},
    {"MemRelease", BEHAVIOUR_ALLOC},
    {"MemMap", BEHAVIOUR_ALLOC},
    {"MemUnmap", BEHAVIOUR_ALLOC},
    {"MemPool", BEHAVIOUR_ALLOC},

    {"ModuleLoad", BEHAVIOUR_MODULE},
    {"LibraryLoad", BEHAVIOUR_MODULE},
};

enum behaviour_kind behaviour_call_kind(const char *function) {
    if (strncmp(function, "cu", 2) != 0)
        return BEHAVIOUR_OTHER;
    function += strncmp(function, "cuda", 4) == 0 ? 4 : 2;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (strncmp(function, rules[i].start, strlen(rules[i].start)) == 0)
            return rules[i].kind;
    return BEHAVIOUR_OTHER;
}
