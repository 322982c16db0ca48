/* CUPTI tells of every call that reaches the driver, by whatever way the kernel made it, and of
 * every module that is loaded. */
#include "bench/record/recorder.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "bench/device/cupti_watch.h"
#include "bench/device/fixed_memory.h"
#include "bench/record/recorder_parts.h"

struct recorder_state recorder;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_t runner_thread;
static _Thread_local bool busy; /* this file's own calls to the driver are nobody's */
static struct recorder_slot handlers[CUPTI_DRIVER_TRACE_CBID_SIZE];

void recorder_refuse(const char *format, ...) {
    va_list arguments;
    if (*recorder.why)
        return;
    va_start(arguments, format);
    vsnprintf(recorder.why, sizeof recorder.why, format, arguments);
    va_end(arguments);
}

bool recorder_is_done(const struct recorder_event *event) {
    return event->leaving && event->status == CUDA_SUCCESS;
}

/* A call that takes no stream for the thread's default stream works on another one. Where nothing
 * is kept, the stream is all that matters. */
bool recorder_takes(const struct recorder_event *event, CUstream given) {
    if (!recorder_is_done(event) ||
        (recorder.phase != RECORDER_CALL && recorder.phase != RECORDER_COUNTED))
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

static bool starts_with(const char *name, const char *beginning) {
    return strncmp(name, beginning, strlen(beginning)) == 0;
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
        if (starts_with(name, refused[i].beginning)) {
            recorder_refuse("%s (%s)", refused[i].words, name);
            return;
        }
    if (handled || recorder.phase != RECORDER_CALL)
        return;
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
        if (starts_with(name, harmless[i]))
            return;
    recorder_refuse("its calls use %s", name);
}

static void on_driver_call(CUpti_CallbackId id, const CUpti_CallbackData *data) {
    const struct recorder_slot none = {NULL, false},
                               slot = id < CUPTI_DRIVER_TRACE_CBID_SIZE ? handlers[id] : none;
    recorder_handler *handler = slot.handler;
    struct recorder_event event = {.data = data,
                                   .per_thread = slot.per_thread,
                                   .leaving = data->callbackSite == CUPTI_API_EXIT};
    if (recorder.phase != RECORDER_OFF && !event.leaving)
        facts_add_function(&recorder.facts, data->functionName);
    if (!pthread_equal(pthread_self(), runner_thread)) {
        if (handler)
            recorder_refuse("a thread of its own asks for %s", data->functionName);
        return;
    }
    if (recorder.phase == RECORDER_OFF)
        return;
    if (!event.leaving)
        judge_call(data->functionName, handler != NULL);
    if (!handler)
        return;
    const bool told = data->functionParams || id == CUPTI_DRIVER_TRACE_CBID_cuCtxSynchronize;
    if (!told || (event.leaving && !data->functionReturnValue)) {
        recorder_refuse("CUPTI does not tell what %s was given", data->functionName);
        return;
    }
    if (event.leaving)
        event.status = *(const CUresult *)data->functionReturnValue;
    handler(&event, data->functionParams);
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

static void on_settled(const struct recorder_event *event, const void *parameters) {
    (void)parameters;
    recorder.settled |= event->leaving;
}

static void handle_waits(void) {
    RECORDER_HANDLE_BOTH(cuEventRecord, _ptsz, on_settled);
    RECORDER_HANDLE_BOTH(cuEventRecordWithFlags, _ptsz, on_settled);
    RECORDER_HANDLE_BOTH(cuStreamWaitEvent, _ptsz, on_settled);
    RECORDER_HANDLE(cuEventSynchronize, on_settled);
    RECORDER_HANDLE(cuEventQuery, on_settled);
    RECORDER_HANDLE_BOTH(cuStreamSynchronize, _ptsz, on_settled);
    RECORDER_HANDLE_BOTH(cuStreamQuery, _ptsz, on_settled);
    RECORDER_HANDLE(cuCtxSynchronize, on_settled);
    RECORDER_HANDLE(cuCtxSynchronize_v2, on_settled);
}

static int watch(const char **why) {
    recorder_load_names();
    recorder.driver = cuda_driver(why);
    if (!recorder.driver)
        return -1;
    runner_thread = pthread_self();
    recorder_handle_kernels(handlers);
    recorder_handle_copies(handlers);
    handle_waits();
    recorder_handle_settings(handlers);
    return cupti_watch(on_event, why);
}

int recorder_start(const char **why) {
    recorder_handle_memory(handlers);
    return watch(why);
}

int recorder_attach(const char **why) {
    if (recorder.late)
        return 0;
    recorder.late = watch(why) == 0;
    return recorder.late ? 0 : -1;
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

void recorder_begin_unkept(void) {
    begin(RECORDER_SETUP, true);
}

void recorder_begin_call(const void *a, const void *b_row, const void *b_col, const void *c) {
    if (!recorder.late)
        recording_begin_call(&recorder.writer, a, b_row, b_col, c);
    begin(RECORDER_CALL, true);
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
