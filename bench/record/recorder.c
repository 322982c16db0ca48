/* CUPTI tells of every call that reaches the driver, by whatever way the kernel made it, and of
 * every module that is loaded. */
#include "bench/record/recorder.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "bench/base/text.h"
#include "bench/device/cupti_watch.h"
#include "bench/device/fixed_memory.h"
#include "bench/record/recorder_parts.h"

struct recorder_state recorder;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_t runner_thread;
static _Thread_local bool busy; /* this file's own calls to the driver are nobody's */

void recorder_refuse(const char *format, ...) {
    va_list arguments;
    if (*recorder.why)
        return;
    va_start(arguments, format);
    vsnprintf(recorder.why, sizeof recorder.why, format, arguments);
    va_end(arguments);
}

/* A call that takes no stream for the thread's default stream works on another one. Where nothing
 * is kept, the stream is all that matters. */
bool recorder_takes(const struct recorder_event *event, CUstream given) {
    if (recorder.phase != RECORDER_CALL && recorder.phase != RECORDER_COUNTED)
        return false;
    if ((given || !event->per_thread) && (!given || given == CU_STREAM_LEGACY))
        return !recorder.late;
    recorder_refuse("it works on another stream than the one it is given (%s): hand that one over",
                    event->data->functionName);
    return false;
}

/* Of a fill or a copy. */
static uint64_t exact_of(const struct recording_step *step) {
    const struct recording_fill *fill = &step->fill;
    const struct recording_copy *copy = &step->copy;
    const uint64_t filled[] = {fill->to.offset, fill->value, fill->element, fill->count};
    const uint64_t copied[] = {copy->to.offset, copy->from.offset, copy->width,
                               copy->height,    copy->to_pitch,    copy->from_pitch};
    return step->kind == RECORDING_FILL ? facts_hash(1, filled, sizeof filled)
                                        : facts_hash(2, copied, sizeof copied);
}

void recorder_add_step(const struct recording_step *step) {
    if (recorder.phase == RECORDER_COUNTED) {
        facts_add_exact(&recorder.facts, exact_of(step));
        return;
    }
    recorder.settled = false;
    recording_append_step(&recorder.writer, step);
}

/* Never recordable, at whatever time they are called. */
static const struct {
    const char *beginning, *words;
} refused[] = {
    {"cuLaunchHostFunc", "it runs code on the host between its device work"},
    {"cuStreamAddCallback", "it runs code on the host between its device work"},
    {"cuLaunchCooperativeKernelMultiDevice", "it works on several devices"},
    {"cuLaunchGrid", "it launches in a way of old drivers"},
    {"cuMemAllocManaged", "it uses managed memory"},
    {"cuMemCreate", "it maps memory of its own"},
    {"cuMemAddressReserve", "it maps memory of its own"},
    {"cuMemPoolCreate", "it has a memory pool of its own"},
    {"cuMulticast", "it uses multicast memory"},
    {"cuMemImport", "it imports memory"},
    {"cuImportExternal", "it imports memory"},
    {"cuIpcOpen", "it opens memory of another process"},
    {"cuTexObjectCreate", "it uses textures"},
    {"cuTexRef", "it uses textures"},
    {"cuSurfObjectCreate", "it uses surfaces"},
    {"cuArray", "it uses arrays"},
    {"cuMipmappedArray", "it uses arrays"},
    {"cuCtxCreate", "it makes a context of its own"},
    {"cuGreenCtxCreate", "it makes a context of its own"},
    {"cuStreamWaitValue", "its stream waits for a value in memory"},
    {"cuStreamWriteValue", "its stream writes a value to memory"},
    {"cuStreamBatchMemOp", "its stream waits for a value in memory"},
    {"cuEventCreateFrom", "it waits for what is no CUDA"},
    {"cuStreamBeginCapture", "it captures its work as a graph"},
    {"cuGraph", "it uses graphs"},
    {"cuStreamCopyAttributes", "it sets attributes of a stream"},
    {"cuStreamSetAttribute",
     "it sets an attribute of a stream, which outlasts the call: give it to the launch"},
    {"cuCtxSetLimit", "it sets a limit of the context, which outlasts the call"},
    {"cuCtxSetCacheConfig",
     "it sets whether all kernels of the context prefer L1 or shared memory"},
    {"cuMemAllocHost", "it takes locked memory of the host: take memory of the device"},
    {"cuMemHostAlloc", "it takes locked memory of the host: take memory of the device"},
    {"cuMemHostRegister", "it takes locked memory of the host: take memory of the device"},
};

/* In a call, of what no handler records: what puts no work on the device. */
static const char *const harmless[] = {
    "cuCtxGet",        "cuCtxSetCurrent", "cuCtxSetFlags",  "cuCtxSetSharedMem",
    "cuCtxPush",       "cuCtxPop",        "cuDevice",       "cuDriver",
    "cuEventCreate",   "cuEventDestroy",  "cuEventElapsed", "cuFunc",
    "cuGet",           "cuInit",          "cuKernel",       "cuLibrary",
    "cuLink",          "cuMemAlloc",      "cuMemFree",      "cuMemGet",
    "cuMemPoolGet",    "cuMemPoolSet",    "cuMemPoolTrim",  "cuModule",
    "cuOccupancy",     "cuPointer",       "cuProfiler",     "cuStreamCreate",
    "cuStreamDestroy", "cuStreamGet",     "cuStreamIsCapt", "cuStreamSetFlags",
    "cuTensorMap",     "cuThreadExch",    "cuCtxAttach",    "cuCtxDetach",
};

static void judge_call(const char *name, bool handled) {
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (text_begins(name, refused[i].beginning)) {
            recorder_refuse("%s (%s)", refused[i].words, name);
            return;
        }
    if (handled || recorder.phase != RECORDER_CALL)
        return;
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
        if (text_begins(name, harmless[i]))
            return;
    recorder_refuse("its calls use %s", name);
}

static void on_wait(const struct recorder_event *event) {
    (void)event;
    recorder.settled = true;
}

/* The calls that mean something to the recorder. */
struct row {
    CUpti_CallbackId id;
    bool per_thread;
    bool failed_too; /* it is told of a call that has failed, too */
    recorder_handler *handler;
};
#define ONE(name, ...)                                                                             \
    { CUPTI_DRIVER_TRACE_CBID_##name, false, __VA_ARGS__ }
/* Also its form with a default stream for each thread, whose name ends otherwise. */
#define BOTH(name, end, ...)                                                                       \
    {CUPTI_DRIVER_TRACE_CBID_##name, false, __VA_ARGS__}, {                                        \
        CUPTI_DRIVER_TRACE_CBID_##name##end, true, __VA_ARGS__                                     \
    }

/* Calls that the recorder serves, unless it is attached. */
static const struct row served[] = {
    ONE(cuMemAlloc_v2, false, recorder_on_alloc),
    ONE(cuMemAllocPitch_v2, false, recorder_on_alloc_pitch),
    BOTH(cuMemAllocAsync, _ptsz, false, recorder_on_alloc_async),
    BOTH(cuMemAllocFromPoolAsync, _ptsz, false, recorder_on_alloc_pool),
    ONE(cuMemFree_v2, true, recorder_on_free),
    BOTH(cuMemFreeAsync, _ptsz, true, recorder_on_free_async),
};
static const struct row watched[] = {
    BOTH(cuLaunchKernel, _ptsz, false, recorder_on_launch),
    BOTH(cuLaunchCooperativeKernel, _ptsz, false, recorder_on_cooperative),
    BOTH(cuLaunchKernelEx, _ptsz, false, recorder_on_launch_ex),
    ONE(cuModuleGetFunction, false, recorder_on_get_function),
    ONE(cuLibraryGetKernel, false, recorder_on_get_kernel),
    ONE(cuKernelGetFunction, false, recorder_on_kernel_function),
    BOTH(cuMemsetD8_v2, _ptds, false, recorder_on_fill_8),
    BOTH(cuMemsetD16_v2, _ptds, false, recorder_on_fill_16),
    BOTH(cuMemsetD32_v2, _ptds, false, recorder_on_fill_32),
    BOTH(cuMemsetD8Async, _ptsz, false, recorder_on_fill_async_8),
    BOTH(cuMemsetD16Async, _ptsz, false, recorder_on_fill_async_16),
    BOTH(cuMemsetD32Async, _ptsz, false, recorder_on_fill_async_32),
    BOTH(cuMemcpy, _ptds, false, recorder_on_copy),
    BOTH(cuMemcpyDtoD_v2, _ptds, false, recorder_on_copy),
    BOTH(cuMemcpyAsync, _ptsz, false, recorder_on_copy_async),
    BOTH(cuMemcpyDtoDAsync_v2, _ptsz, false, recorder_on_copy_async),
    BOTH(cuMemcpy2D_v2, _ptds, false, recorder_on_copy_2d),
    BOTH(cuMemcpy2DUnaligned_v2, _ptds, false, recorder_on_copy_2d),
    BOTH(cuMemcpy2DAsync_v2, _ptsz, false, recorder_on_copy_2d_async),
    ONE(cuFuncSetCacheConfig, false, recorder_on_function_cache),
    ONE(cuKernelSetCacheConfig, false, recorder_on_kernel_cache),
    ONE(cuFuncSetAttribute, false, recorder_on_function_attribute),
    ONE(cuKernelSetAttribute, false, recorder_on_kernel_attribute),
    BOTH(cuEventRecord, _ptsz, true, on_wait),
    BOTH(cuEventRecordWithFlags, _ptsz, true, on_wait),
    BOTH(cuStreamWaitEvent, _ptsz, true, on_wait),
    ONE(cuEventSynchronize, true, on_wait),
    ONE(cuEventQuery, true, on_wait),
    BOTH(cuStreamSynchronize, _ptsz, true, on_wait),
    BOTH(cuStreamQuery, _ptsz, true, on_wait),
    ONE(cuCtxSynchronize, true, on_wait),
    ONE(cuCtxSynchronize_v2, true, on_wait),
};

static const struct row *find_row(CUpti_CallbackId id) {
    for (size_t i = 0; i < sizeof watched / sizeof *watched; i++)
        if (watched[i].id == id)
            return &watched[i];
    for (size_t i = 0; i < sizeof served / sizeof *served && !recorder.late; i++)
        if (served[i].id == id)
            return &served[i];
    return NULL;
}

static void hand_over(const struct row *row, const CUpti_CallbackData *data) {
    const struct recorder_event event = {data, data->functionParams, row->per_thread};
    const CUresult *status = data->functionReturnValue;
    if (!status || (!data->functionParams && row->handler != on_wait))
        recorder_refuse("CUPTI does not tell what %s was given", data->functionName);
    else if (row->failed_too || *status == CUDA_SUCCESS)
        row->handler(&event);
}

/* CUPTI tells of each call twice: when it begins, and when it has returned. */
static void on_driver_call(CUpti_CallbackId id, const CUpti_CallbackData *data) {
    const bool leaving = data->callbackSite == CUPTI_API_EXIT;
    const struct row *row = find_row(id);
    if (recorder.phase != RECORDER_OFF && !leaving)
        facts_add_function(&recorder.facts, data->functionName);
    if (!pthread_equal(pthread_self(), runner_thread)) {
        if (row)
            recorder_refuse("a thread of its own asks for %s", data->functionName);
        return;
    }
    if (recorder.phase == RECORDER_OFF)
        return;
    if (!leaving)
        judge_call(data->functionName, row != NULL);
    else if (row)
        hand_over(row, data);
}

/* Of resources only modules are asked for; what else the driver tells may come without data.
 * Modules that it loads before there is a kernel are ours or its own. A module larger than a
 * recording is not taken; a kernel that launches from it is refused then. */
static void on_resource(CUpti_CallbackId id, const CUpti_ResourceData *data) {
    if (id != CUPTI_CBID_RESOURCE_MODULE_LOADED || !recorder.begun)
        return;
    const CUpti_ModuleResourceData *module = data->resourceDescriptor;
    if (module && module->pCubin && module->cubinSize > 0 &&
        module->cubinSize <= RECORDING_MOST_BYTES)
        recorder_take_module(module->pCubin, module->cubinSize);
}

/* A call of ours to the driver, made in here, must not come in here. One that waits for another
 * thread which comes in here would wait for ever: there is none. */
static void on_event(CUpti_CallbackDomain domain, CUpti_CallbackId id, const void *data) {
    const bool call = domain == CUPTI_CB_DOMAIN_DRIVER_API;
    if (!data || (busy && call) || (!call && domain != CUPTI_CB_DOMAIN_RESOURCE))
        return;
    const bool outer = !busy;
    if (outer)
        pthread_mutex_lock(&lock);
    busy = true;
    if (call && ((const CUpti_CallbackData *)data)->functionName)
        on_driver_call(id, data);
    else if (!call)
        on_resource(id, data);
    if (!outer)
        return;
    busy = false;
    pthread_mutex_unlock(&lock);
}

void recorder_load(void) {
    const char *why;
    cupti_watch_library(&why);
    recorder_load_names();
}

int recorder_start(bool late, const char **why) {
    if (recorder.late)
        return 0;
    recorder_load_names();
    recorder.driver = cuda_driver(why);
    if (!recorder.driver)
        return -1;
    runner_thread = pthread_self();
    recorder.late = late;
    if (cupti_watch(on_event, why) == 0)
        return 0;
    recorder.late = false;
    return -1;
}

static void begin(enum recorder_phase phase, bool call) {
    pthread_mutex_lock(&lock);
    recorder.phase = phase;
    recorder.settled = false;
    facts_begin(&recorder.facts, call);
    pthread_mutex_unlock(&lock);
}

void recorder_begin_setup(void) {
    recorder.begun = true;
    begin(RECORDER_SETUP, false);
}

void recorder_begin_counted(void) {
    begin(RECORDER_COUNTED, true);
}

void recorder_begin_call(const struct gemm_args *kept) {
    if (kept && !recorder.late)
        recording_begin_call(&recorder.writer, kept);
    begin(kept ? RECORDER_CALL : RECORDER_SETUP, true);
}

void recorder_end(void) {
    pthread_mutex_lock(&lock);
    recorder.phase = RECORDER_OFF;
    facts_end(&recorder.facts);
    pthread_mutex_unlock(&lock);
}

void recorder_tell(struct facts *facts, char why[RECORDING_WHY]) {
    pthread_mutex_lock(&lock);
    *facts = recorder.facts;
    memset(&recorder.facts, 0, sizeof recorder.facts);
    snprintf(why, RECORDING_WHY, "%s", recorder.why);
    *recorder.why = 0;
    pthread_mutex_unlock(&lock);
}

void recorder_keep_memory(void) {
    recorder.kept = true;
    busy = true;
    recorder_keep_arena();
    recorder_keep_variables();
    busy = false;
}

/* An address in a variable moves with it. */
static void settle_address(struct recording_address *where) {
    if (!recorder_find_variable(where->offset, where))
        where->variable = RECORDING_NONE;
}

static void settle_words(struct recording_span span) {
    struct recording_writer *writer = &recorder.writer;
    for (uint64_t i = 0; i + 8 <= span.size && !writer->full; i += 8) {
        struct recording_pointer pointer = {.at = span.at + i};
        struct recording_address address;
        uint64_t word;
        memcpy(&word, writer->blob.bytes + pointer.at, sizeof word);
        if (recorder_find_variable(word, &address)) {
            pointer.variable = address.variable;
            pointer.addend = address.offset;
            recording_add_pointer(writer, &pointer);
        }
    }
}

/* A kernel finds addresses in what it is given, in variables that a loader or a call has set, and in
 * memory that its setup has filled. */
static void settle_held(void) {
    struct recording_writer *writer = &recorder.writer;
    for (uint32_t i = 0; i < recording_next(writer, RECORDING_TABLE_memories); i++) {
        const struct recording_memory *memory =
            recording_entry(writer, RECORDING_TABLE_memories, i);
        settle_words(memory->held);
    }
    for (uint32_t i = 0; i < recording_next(writer, RECORDING_TABLE_variables); i++) {
        const struct recording_variable *variable =
            recording_entry(writer, RECORDING_TABLE_variables, i);
        settle_words(variable->held);
    }
}

static void settle_step(struct recording_step *step) {
    if (step->kind == RECORDING_LAUNCH) {
        settle_words(step->launch.bytes);
    } else if (step->kind == RECORDING_FILL) {
        settle_address(&step->fill.to);
    } else if (step->kind == RECORDING_COPY) {
        settle_address(&step->copy.to);
        settle_address(&step->copy.from);
    }
}

/* Whoever reads it must find it sound: what it may not say is known there. */
static void look_over(const void *bytes, uint64_t size) {
    struct recording recording;
    const char *why;
    if (recording_read(bytes, size, &recording, &why) == 0)
        recording_free(&recording);
    else
        recorder_refuse("%s", why ? why : "there is no memory to look it over");
}

int recorder_write(void *to, uint64_t room, uint64_t *bytes, char why[RECORDING_WHY]) {
    struct recording_writer *writer = &recorder.writer;
    busy = true;
    recorder_finish_functions();
    for (uint32_t i = 0; i < recording_next(writer, RECORDING_TABLE_steps); i++)
        settle_step(recording_entry(writer, RECORDING_TABLE_steps, i));
    settle_held();
    busy = false;
    writer->head.base = fixed_memory_base();
    writer->head.base_bytes = FIXED_BYTES;
    writer->head.arena = fixed_memory_arena();
    writer->head.arena_bytes = recorder_arena_bytes();
    *bytes = recording_write(writer, to, room);
    if (*bytes == 0)
        recorder_refuse("its modules, launches and memory take more than %llu MiB",
                        (unsigned long long)(room >> 20));
    else
        look_over(to, *bytes);
    recording_writer_free(writer);
    snprintf(why, RECORDING_WHY, "%s", recorder.why);
    return *why ? 1 : 0;
}
