/* CUPTI's callbacks tell what the host asks of the runtime and driver, its activity records what
 * ran on the device. Records come in batches, so the device is drained and CUPTI flushed on both
 * sides of a call: what is delivered in between is the call's. */
#include "bench/device/trace.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cuda.h>
#include <cuda_runtime_api.h>
#include <cupti.h>

#include "bench/base/error.h"
#include "bench/device/cupti_watch.h"

#define FUNCTIONS(X)                                                                               \
    X(cuptiGetTimestamp)                                                                           \
    X(cuptiActivityRegisterCallbacks)                                                              \
    X(cuptiActivityEnable)                                                                         \
    X(cuptiActivityDisable)                                                                        \
    X(cuptiActivityFlushAll)                                                                       \
    X(cuptiActivityGetNextRecord)                                                                  \
    X(cuptiActivityGetNumDroppedRecords)                                                           \
    X(cuptiGetResultString)

#define POINTER(name) __typeof__(name) *name;
static struct cupti { FUNCTIONS(POINTER) } cupti;
#undef POINTER

static const CUpti_ActivityKind activities[] = {
    CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMSET, CUPTI_ACTIVITY_KIND_MEMCPY};
enum { ACTIVITIES = sizeof activities / sizeof *activities };

enum { BUFFER_BYTES = 1 << 20 };

_Static_assert(sizeof(cudaLaunchAttribute) == sizeof(CUlaunchAttribute),
               "one is read as the other");

/* What events are counted by, so that many of one sort keep none of another out. */
enum sort { LAUNCHES, OTHER_CALLS, DEVICE_WORK, SORTS };

struct kept {
    uint64_t at_ns; /* host or device time, which CUPTI puts on one clock */
    struct behaviour_event event;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* callbacks come on any thread */

static struct {
    bool calls_on, records_on;
    int call;
    bool given_known;
    uint32_t given_stream;
    struct kept *kept;
    uint64_t kept_count, kept_room, dropped;
    uint64_t of_call[SORTS]; /* kept of the call that is being recorded */
    CUptiResult trouble;     /* of a callback, which cannot return it */
    char *(*demangle)(const char *, char *, size_t *, int *);
} trace;

static const char *words(CUptiResult status) {
    const char *text = "unknown status";
    return cupti.cuptiGetResultString(status, &text) == CUPTI_SUCCESS ? text : "unknown status";
}

/* One that is not kept is missed, but not in setup and the first call: they may do very much. */
static struct behaviour_event *drop(void) {
    trace.dropped += trace.call > 1;
    return NULL;
}

/* Under the lock. */
static struct behaviour_event *append_event(uint64_t at_ns, enum sort sort) {
    if (trace.of_call[sort] == BEHAVIOUR_MOST)
        return drop();
    if (trace.kept_count == trace.kept_room) {
        uint64_t room = trace.kept_room ? 2 * trace.kept_room : 1024;
        struct kept *kept = realloc(trace.kept, room * sizeof *trace.kept);
        if (!kept) {
            trace.trouble = CUPTI_ERROR_OUT_OF_MEMORY;
            return NULL;
        }
        trace.kept = kept;
        trace.kept_room = room;
    }
    trace.of_call[sort]++;
    struct kept *kept = &trace.kept[trace.kept_count++];
    memset(kept, 0, sizeof *kept);
    kept->at_ns = at_ns;
    kept->event.call = trace.call;
    kept->event.given_stream = trace.given_stream;
    return &kept->event;
}

/* Whether the kernel may begin before the work in front of it has ended, or an event may be reached
 * before the kernel has ended. Attributes of the runtime are the driver's own. */
static bool is_dependent(const CUlaunchAttribute *attributes, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        if ((attributes[i].id == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION &&
             attributes[i].value.programmaticStreamSerializationAllowed) ||
            attributes[i].id == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT)
            return true;
    return false;
}

static bool launches_dependent(CUpti_CallbackDomain domain, CUpti_CallbackId id,
                               const void *params) {
    if (domain == CUPTI_CB_DOMAIN_RUNTIME_API &&
        (id == CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernelExC_v11060 ||
         id == CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernelExC_ptsz_v11060)) {
        const cudaLaunchConfig_t *config =
            ((const cudaLaunchKernelExC_v11060_params *)params)->config;
        return is_dependent((const CUlaunchAttribute *)config->attrs, config->numAttrs);
    }
    if (domain == CUPTI_CB_DOMAIN_DRIVER_API &&
        (id == CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx ||
         id == CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz)) {
        const CUlaunchConfig *config = ((const cuLaunchKernelEx_params *)params)->config;
        return is_dependent(config->attrs, config->numAttrs);
    }
    return false;
}

/* What a call of the driver allocates or frees. Every way of the runtime leads to one of these. */
struct memory {
    const uint64_t *address; /* where it says what it has allocated; NULL: nothing */
    uint64_t bytes, freed;
};

static struct memory memory_of(CUpti_CallbackId id, const void *params) {
#define TAKES(name, address, size)                                                                 \
    case CUPTI_DRIVER_TRACE_CBID_##name: {                                                         \
        const name##_params *p = params;                                                           \
        return (struct memory){(const uint64_t *)p->address, size, 0};                             \
    }
#define GIVES(name)                                                                                \
    case CUPTI_DRIVER_TRACE_CBID_##name:                                                           \
        return (struct memory){NULL, 0, ((const name##_params *)params)->dptr};
    const size_t row = 512; /* bytes that rows are aligned to */
    switch (id) {
        TAKES(cuMemAlloc_v2, dptr, p->bytesize)
        TAKES(cuMemAllocPitch_v2, dptr, (p->WidthInBytes + row - 1) / row * row * p->Height)
        TAKES(cuMemAllocManaged, dptr, p->bytesize)
        TAKES(cuMemCreate, handle, p->size) /* a map can outlast its release: it stays counted */
    case CUPTI_DRIVER_TRACE_CBID_cuMemAllocAsync_ptsz:
        TAKES(cuMemAllocAsync, dptr, p->bytesize)
    case CUPTI_DRIVER_TRACE_CBID_cuMemAllocFromPoolAsync_ptsz:
        TAKES(cuMemAllocFromPoolAsync, dptr, p->bytesize)
    case CUPTI_DRIVER_TRACE_CBID_cuMemFreeAsync_ptsz:
        GIVES(cuMemFreeAsync)
        GIVES(cuMemFree_v2)
    }
#undef TAKES
#undef GIVES
    return (struct memory){NULL, 0, 0};
}

/* The driver calls that the runtime makes of a runtime call are not the kernel's own, but for what
 * they allocate. */
static _Thread_local struct {
    int runtime_depth;
    bool kept;               /* the kernel's own call has an event, */
    uint64_t event;          /* which is this one */
    const uint64_t *address; /* of the driver's call that allocates and has not returned, or NULL */
    CUpti_CallbackId id;     /* ... and what it is */
} own;

/* Under the lock. */
static void begin_memory(CUpti_CallbackId id, const void *params) {
    const struct memory memory = memory_of(id, params);
    if (!own.kept || own.event >= trace.kept_count || !(memory.address || memory.freed))
        return;
    struct behaviour_event *event = &trace.kept[own.event].event;
    event->bytes += memory.bytes;
    event->address = memory.freed;
    own.address = memory.address;
    own.id = id;
}

/* Under the lock. One that failed has left its address as it was, and is not counted. */
static void end_memory(CUpti_CallbackId id, const CUpti_CallbackData *data) {
    const int status = *(const int *)data->functionReturnValue;
    if (!own.address || own.id != id)
        return;
    if (own.event < trace.kept_count && status == 0)
        trace.kept[own.event].event.address = *own.address;
    own.address = NULL;
}

static void on_exit_of(bool runtime, CUpti_CallbackId id, const CUpti_CallbackData *data) {
    if (runtime) {
        own.runtime_depth--;
        return;
    }
    pthread_mutex_lock(&lock);
    end_memory(id, data);
    pthread_mutex_unlock(&lock);
}

/* Under the lock. */
static void begin_event(CUpti_CallbackDomain domain, CUpti_CallbackId id,
                        const CUpti_CallbackData *data) {
    uint64_t now;
    const CUptiResult status = cupti.cuptiGetTimestamp(&now);
    if (status != CUPTI_SUCCESS)
        trace.trouble = status;
    const enum behaviour_kind kind = behaviour_call_kind(data->functionName);
    const enum sort sort = kind == BEHAVIOUR_OTHER ? LAUNCHES : OTHER_CALLS;
    struct behaviour_event *event =
        trace.calls_on && status == CUPTI_SUCCESS ? append_event(now, sort) : NULL;
    if (!event)
        return;
    own.kept = true;
    own.event = trace.kept_count - 1;
    event->kind = kind;
    event->dependent = launches_dependent(domain, id, data->functionParams);
    snprintf(event->name, sizeof event->name, "%s", data->functionName);
}

static void on_call(CUpti_CallbackDomain domain, CUpti_CallbackId id, const void *info) {
    const CUpti_CallbackData *data = info;
    const bool runtime = domain == CUPTI_CB_DOMAIN_RUNTIME_API;
    if (!runtime && domain != CUPTI_CB_DOMAIN_DRIVER_API)
        return;
    if (data->callbackSite == CUPTI_API_EXIT) {
        on_exit_of(runtime, id, data);
        return;
    }
    const bool nested = own.runtime_depth > 0;
    own.runtime_depth += runtime;
    pthread_mutex_lock(&lock);
    if (!nested) {
        own.kept = false;
        if (strncmp(data->functionName, "__", 2) != 0) /* the compiler's own */
            begin_event(domain, id, data);
    }
    if (!runtime)
        begin_memory(id, data->functionParams);
    pthread_mutex_unlock(&lock);
}

static void name_kernel(struct behaviour_event *event, const char *mangled) {
    int status = -1;
    char *plain = trace.demangle ? trace.demangle(mangled, NULL, NULL, &status) : NULL;
    snprintf(event->name, sizeof event->name, "%s", plain ? plain : mangled);
    free(plain);
}

/* The three records are later versions' beginnings: what is read of them lies at the same place in
 * CUPTI 12 and 13. */
static void keep_kernel(const CUpti_ActivityKernel9 *record) {
    struct behaviour_event *event = append_event(record->start, DEVICE_WORK);
    if (!event)
        return;
    event->kind = BEHAVIOUR_KERNEL;
    event->stream = record->streamId;
    memcpy(event->grid, (int32_t[]){record->gridX, record->gridY, record->gridZ},
           sizeof event->grid);
    memcpy(event->block, (int32_t[]){record->blockX, record->blockY, record->blockZ},
           sizeof event->block);
    event->registers = record->registersPerThread;
    event->shared_bytes = (int64_t)record->staticSharedMemory + record->dynamicSharedMemory;
    event->start_ns = record->start;
    event->end_ns = record->end;
    event->in_graph = record->graphId != 0;
    event->symbol = behaviour_symbol(record->name);
    name_kernel(event, record->name);
}

static void keep_memset(const CUpti_ActivityMemset4 *record) {
    struct behaviour_event *event = append_event(record->start, DEVICE_WORK);
    if (!event)
        return;
    event->kind = BEHAVIOUR_MEMSET;
    event->stream = record->streamId;
    event->bytes = record->bytes;
    event->start_ns = record->start;
    event->end_ns = record->end;
    event->in_graph = record->graphId != 0;
    snprintf(event->name, sizeof event->name, "memset");
}

static void keep_copy(const CUpti_ActivityMemcpy5 *record) {
    static const char *const ways[] = {[CUPTI_ACTIVITY_MEMCPY_KIND_HTOD] = " HtoD",
                                       [CUPTI_ACTIVITY_MEMCPY_KIND_DTOH] = " DtoH",
                                       [CUPTI_ACTIVITY_MEMCPY_KIND_DTOD] = " DtoD",
                                       [CUPTI_ACTIVITY_MEMCPY_KIND_HTOH] = " HtoH"};
    struct behaviour_event *event = append_event(record->start, DEVICE_WORK);
    if (!event)
        return;
    const char *way = record->copyKind < sizeof ways / sizeof *ways ? ways[record->copyKind] : NULL;
    event->kind = BEHAVIOUR_COPY;
    event->stream = record->streamId;
    event->bytes = record->bytes;
    event->start_ns = record->start;
    event->end_ns = record->end;
    event->in_graph = record->graphId != 0;
    snprintf(event->name, sizeof event->name, "memcpy%s", way ? way : "");
}

/* Under the lock. The first memset that is seen is trace_begin's own on the stream it asks for. */
static void keep_event(const CUpti_Activity *record) {
    if (!trace.given_known && record->kind == CUPTI_ACTIVITY_KIND_MEMSET) {
        trace.given_stream = ((const CUpti_ActivityMemset4 *)record)->streamId;
        trace.given_known = true;
    }
    if (!trace.records_on)
        return;
    if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL ||
        record->kind == CUPTI_ACTIVITY_KIND_KERNEL)
        keep_kernel((const CUpti_ActivityKernel9 *)record);
    else if (record->kind == CUPTI_ACTIVITY_KIND_MEMSET)
        keep_memset((const CUpti_ActivityMemset4 *)record);
    else if (record->kind == CUPTI_ACTIVITY_KIND_MEMCPY)
        keep_copy((const CUpti_ActivityMemcpy5 *)record);
}

static void CUPTIAPI on_request(uint8_t **buffer, size_t *size, size_t *most_records) {
    *buffer = malloc(BUFFER_BYTES); /* none: CUPTI drops records and counts them */
    *size = *buffer ? BUFFER_BYTES : 0;
    *most_records = 0;
}

static void CUPTIAPI on_complete(CUcontext context, uint32_t stream, uint8_t *buffer, size_t size,
                                 size_t valid) {
    (void)size;
    size_t dropped = 0;
    CUpti_Activity *record = NULL;
    pthread_mutex_lock(&lock);
    CUptiResult status = CUPTI_SUCCESS;
    while (valid > 0 &&
           (status = cupti.cuptiActivityGetNextRecord(buffer, valid, &record)) == CUPTI_SUCCESS)
        keep_event(record);
    if (status == CUPTI_SUCCESS || status == CUPTI_ERROR_MAX_LIMIT_REACHED) /* the buffer's end */
        status = cupti.cuptiActivityGetNumDroppedRecords(context, stream, &dropped);
    if (status != CUPTI_SUCCESS)
        trace.trouble = status;
    trace.dropped += trace.call > 1 ? dropped : 0; /* as drop() */
    pthread_mutex_unlock(&lock);
    free(buffer);
}

static const char *load_activities(void) {
    const char *why;
    void *library = cupti_watch_library(&why);
    if (!library)
        return why;
#define LOOK_UP(name)                                                                              \
    cupti.name = (__typeof__(name) *)dlsym(library, #name);                                        \
    if (!cupti.name)                                                                               \
        return "libcupti lacks " #name;
    FUNCTIONS(LOOK_UP)
#undef LOOK_UP
    void *cxx = dlopen("libstdc++.so.6", RTLD_NOW | RTLD_LOCAL); /* without it names stay mangled */
    if (cxx)
        trace.demangle =
            (char *(*)(const char *, char *, size_t *, int *))dlsym(cxx, "__cxa_demangle");
    return NULL;
}

void trace_load(void) {
    const char *why;
    cupti_watch_library(&why);
}

int trace_start(const char **why) {
    static char text[160];
    const char *step = "cuptiActivityRegisterCallbacks";
    *why = load_activities();
    if (*why || cupti_watch(on_call, CUPTI_WATCH_RUNTIME | CUPTI_WATCH_DRIVER, why) < 0)
        return -1;
    CUptiResult status = cupti.cuptiActivityRegisterCallbacks(on_request, on_complete);
    for (int i = 0; i < ACTIVITIES && status == CUPTI_SUCCESS; i++) {
        step = "cuptiActivityEnable";
        status = cupti.cuptiActivityEnable(activities[i]);
    }
    if (status == CUPTI_SUCCESS)
        return 0;
    snprintf(text, sizeof text, "%s: %s", step, words(status));
    *why = text;
    return -1;
}

static int flush(void) {
    CUptiResult status = cupti.cuptiActivityFlushAll(0);
    pthread_mutex_lock(&lock);
    if (status == CUPTI_SUCCESS)
        status = trace.trouble;
    pthread_mutex_unlock(&lock);
    if (status != CUPTI_SUCCESS)
        return error("CUPTI cannot record the calls: %s", words(status));
    return 0;
}

static void switch_to(int call, bool calls_on, bool records_on) {
    pthread_mutex_lock(&lock);
    if (!trace.records_on)
        memset(trace.of_call, 0, sizeof trace.of_call);
    trace.call = call;
    trace.calls_on = calls_on;
    trace.records_on = records_on;
    pthread_mutex_unlock(&lock);
}

/* CUPTI numbers streams as it likes, so a mark is put on the one launches are given; that it is
 * found again also proves that records arrive. */
static int learn_stream(void) {
    void *mark;
    cudaError_t status = cudaMalloc(&mark, 4);
    if (status != cudaSuccess)
        return error("tracing: cudaMalloc: %s", cudaGetErrorString(status));
    status = cudaMemsetAsync(mark, 0, 4, cudaStreamLegacy);
    if (status == cudaSuccess)
        status = cudaDeviceSynchronize();
    cudaError_t freed = cudaFree(mark);
    if (status == cudaSuccess)
        status = freed;
    if (status != cudaSuccess)
        return error("tracing: cudaMemsetAsync: %s", cudaGetErrorString(status));
    if (flush() < 0)
        return -1;
    if (!trace.given_known)
        return error("CUPTI records nothing of what runs on this device");
    return 0;
}

int trace_begin(int call) {
    cudaError_t status = cudaDeviceSynchronize();
    if (status != cudaSuccess)
        return error("tracing: cudaDeviceSynchronize: %s", cudaGetErrorString(status));
    if (flush() < 0 || (!trace.given_known && learn_stream() < 0))
        return -1;
    switch_to(call, true, true);
    return 0;
}

int trace_end(int call) {
    switch_to(call, false, true);
    cudaError_t status =
        cudaDeviceSynchronize(); /* a kernel's fault is told by the next sync too */
    (void)status;
    int flushed = flush();
    switch_to(call, false, false);
    return flushed;
}

static int by_call_and_time(const void *left, const void *right) {
    const struct kept *a = left, *b = right;
    if (a->event.call != b->event.call)
        return a->event.call < b->event.call ? -1 : 1;
    return (a->at_ns > b->at_ns) - (a->at_ns < b->at_ns);
}

int trace_collect(struct behaviour_event *events, uint64_t most, uint64_t *count,
                  uint64_t *dropped) {
    const char *why = NULL;
    CUptiResult status = CUPTI_SUCCESS;
    for (int i = 0; i < ACTIVITIES && status == CUPTI_SUCCESS; i++)
        status = cupti.cuptiActivityDisable(activities[i]);
    if (status != CUPTI_SUCCESS || cupti_unwatch(on_call, &why) < 0)
        return error("CUPTI cannot stop recording: %s", why ? why : words(status));
    qsort(trace.kept, trace.kept_count, sizeof *trace.kept, by_call_and_time);
    for (uint64_t i = 0; i < trace.kept_count && i < most; i++)
        events[i] = trace.kept[i].event;
    *count = trace.kept_count;
    *dropped = trace.dropped;
    free(trace.kept);
    memset(&trace, 0, sizeof trace);
    return 0;
}
