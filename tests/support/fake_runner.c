#include "tests/support/fake_runner.h"
#include "tests/support/small_recording.h"

#define FAKE_RECORDING 64 /* stands for the bytes of a small recording */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/clock.h"
#include "bench/runner/block.h"
#include "correctness/accumulator/probe_element.h"
#include "correctness/numbers/element_bits.h"
#include "correctness/numbers/input.h"
#include "correctness/numbers/number16.h"
#include "correctness/numbers/values.h"

struct fake_runner fake;

/* One process: what was added to it. */
#define PROCESSES 256
static struct {
    struct shape shape;
    int32_t inputs; /* of timed calls */
    const struct fake_kernel *arms[WIRE_ARMS];
    int delayed[WIRE_ARMS];
    int arm_count;
    struct wire_request sent;
    bool plays, records; /* what it was opened for */
    int sequences;       /* that were begun of the recording which was added last */
} processes[PROCESSES];

double __wrap_clock_seconds(void);
double __wrap_clock_seconds(void) {
    return fake.now;
}

void __wrap_gpu_monitor_read(const struct nvml *watch, struct gpu_monitor_reading *reading);
void __wrap_gpu_monitor_read(const struct nvml *watch, struct gpu_monitor_reading *reading) {
    (void)watch;
    *reading = fake.reading;
    fake.readings++;
}

int __real_cores_allowed(void);
int __wrap_cores_allowed(void);
int __wrap_cores_allowed(void) {
    return fake.cores ? fake.cores : __real_cores_allowed();
}

void fake_reset(void) {
    memset(&fake, 0, sizeof fake);
    memset(processes, 0, sizeof processes);
    fake.now = 1000;
    fake.recording = (struct fake_recordings){
        .record = {.recordable = 1, .bytes = FAKE_RECORDING}, .add = {.calls = 8}, .why = ""};
    fake.reading = (struct gpu_monitor_reading){NAN, NAN, NAN, NAN, -1, -1};
}

struct fake_kernel *fake_add(const char *name, double seconds) {
    struct fake_kernel *kernel = fake.kernels;
    while (*kernel->name)
        kernel++;
    snprintf(kernel->name, sizeof kernel->name, "%s", name);
    for (int lens = 0; lens < LENS_COUNT; lens++)
        kernel->seconds[lens] = seconds;
    kernel->reads = FAKE_ROW | FAKE_COL;
    kernel->setup_seconds = 0.25;
    kernel->call_seconds = 0.5;
    return kernel;
}

struct fake_fault *fake_fail(enum wire_verb verb, const char *kernel, enum process_answer answer) {
    struct fake_fault *fault = fake.faults;
    while (fault->verb)
        fault++;
    *fault = (struct fake_fault){.verb = verb, .answer = answer, .text = "", .printed = ""};
    snprintf(fault->kernel, sizeof fault->kernel, "%s", kernel);
    return fault;
}

static bool is_of(int i, enum wire_verb verb, const char *kernel) {
    return fake.log[i].verb == verb && (!*kernel || strcmp(fake.asked_of[i], kernel) == 0);
}

int fake_count(enum wire_verb verb, const char *kernel) {
    int count = 0;
    for (int i = 0; i < fake.asked; i++)
        count += is_of(i, verb, kernel);
    return count;
}

const struct wire_request *fake_last(enum wire_verb verb, const char *kernel) {
    for (int i = fake.asked - 1; i >= 0; i--)
        if (is_of(i, verb, kernel))
            return &fake.log[i];
    return NULL;
}

static const struct fake_kernel *kernel_called(const char *name) {
    static const struct fake_kernel empty = {
        .name = WIRE_EMPTY, .seconds = {[LENS_DEVICE] = 3e-6, [LENS_STREAM] = 2e-6}};
    if (strcmp(name, WIRE_EMPTY) == 0)
        return &empty;
    for (size_t i = 0; i < sizeof fake.kernels / sizeof *fake.kernels; i++)
        if (*name && strcmp(fake.kernels[i].name, name) == 0)
            return &fake.kernels[i];
    return NULL;
}

/* The earlier release's recordings are told by a word that nobody uses. */
static uint32_t *mark_of(void *recording) {
    return &((struct recording_head *)recording)->unused;
}

static bool is_recording(const struct wire_request *request) {
    return request->verb == WIRE_ADD && request->add.kind == ARM_RECORDING;
}

/* The kernel that a request is about, or NULL. */
static const struct fake_kernel *kernel_of(const struct runner_process *process,
                                           const struct wire_request *request) {
    const pid_t at = process->pid;
    const struct wire_time *time = &request->time;
    const bool suspects = request->verb == WIRE_TIME && time->suspect_count > 0;
    const int arm = suspects ? time->arms[time->suspects[time->suspect_count - 1]]
                    : request->verb == WIRE_CALL   ? request->call.arm
                    : request->verb == WIRE_RECORD ? request->record.arm
                    : request->verb == WIRE_REPEAT ? request->repeat.arm
                                                   : -1;
    if (is_recording(request))
        return kernel_called(*mark_of(process->shared) % 2 ? "old.so" : "mine.so");
    if (request->verb == WIRE_ADD)
        return request->add.kind == ARM_TWIN ? processes[at].arms[request->add.twin_of]
                                             : kernel_called(request->add.name);
    return arm >= 0 ? processes[at].arms[arm] : NULL;
}

/* Made once: it takes longer than anything else here. */
static const uint16_t *table_of(int32_t kind, int64_t k) {
    static uint16_t tables[INPUT_TABLES][INPUT_TABLE_SIZE];
    static int64_t made_for[INPUT_TABLES];
    if (made_for[kind] != k && kind < INPUT_KINDS)
        input_table(ELEMENT_F16, (enum input_kind)kind, input_density(ELEMENT_F16, k),
                    tables[kind]);
    else if (made_for[kind] != k)
        values_table(ELEMENT_F16, (enum input_kind)kind, k, table_of(INPUT_NORMAL, k),
                     tables[kind]);
    made_for[kind] = k;
    return tables[kind];
}

/* A (m x k) or B (k x n) of a call. */
static float *make_input(const struct wire_call *call, enum input_matrix matrix, struct shape s) {
    const enum input_kind kind = values_table_of((enum input_kind)call->input_kind, matrix);
    const uint16_t *table = kind == INPUT_PROBE ? NULL : table_of((int32_t)kind, s.k);
    const int64_t rows = matrix == INPUT_A ? s.m : s.k, cols = matrix == INPUT_A ? s.k : s.n;
    float *out = malloc((size_t)(rows * cols) * sizeof *out);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < cols; j++)
            out[i * cols + j] = number16_to_float(
                ELEMENT_F16, table ? input_element(table, call->seed, matrix, i, j)
                                   : probe_element(ELEMENT_F16, call->seed, matrix, i, j, s));
    struct values_special special[VALUES_SPECIALS];
    values_specials(ELEMENT_F16, call->seed, s, special);
    for (int i = 0; i < VALUES_SPECIALS && call->input_kind == INPUT_SPECIAL; i++)
        if (special[i].matrix == matrix)
            out[special[i].row * cols + special[i].column] =
                number16_to_float(ELEMENT_F16, special[i].bits);
    return out;
}

static void multiply(const struct fake_kernel *kernel, const struct wire_call *call, struct shape s,
                     uint16_t *c) {
    float *a = make_input(call, INPUT_A, s), *b = make_input(call, INPUT_B, s);
    const bool poisoned = (call->poison == WIRE_POISON_B_ROW && kernel->reads & FAKE_ROW) ||
                          (call->poison == WIRE_POISON_B_COL && kernel->reads & FAKE_COL);
    for (int64_t i = 0; i < s.m; i++)
        for (int64_t j = 0; j < s.n; j++) {
            float sum = 0;
            for (int64_t l = 0; l < s.k; l++) {
                sum += a[i * s.k + l] * b[l * s.n + j];
                if (kernel->f16 && l % 16 == 15)
                    sum = number16_to_float(ELEMENT_F16, number16_from_float(ELEMENT_F16, sum));
            }
            c[i * s.n + j] = poisoned ? ELEMENT_NAN : number16_from_float(ELEMENT_F16, sum);
        }
    if (call->input_kind == INPUT_NORMAL && kernel->error != 0)
        c[0] = number16_from_float(ELEMENT_F16,
                                   number16_to_float(ELEMENT_F16, c[0]) + (float)kernel->error);
    if (kernel->spoil)
        kernel->spoil(c, s, call);
    free(a);
    free(b);
}

/* In double, and rounded once. */
static void make_product(const struct wire_product *product, struct shape s, float *c) {
    const struct wire_call call = {.input_kind = product->input_kind, .seed = product->seed};
    float *a = make_input(&call, INPUT_A, s), *b = make_input(&call, INPUT_B, s);
    for (int64_t i = 0; i < s.m; i++)
        for (int64_t j = 0; j < s.n; j++) {
            double sum = 0;
            for (int64_t l = 0; l < s.k; l++)
                sum += (double)a[i * s.k + l] * (double)b[l * s.n + j];
            c[i * s.n + j] = (float)sum;
        }
    free(a);
    free(b);
}

static double sample_of(int at, const struct wire_time *time, int slot, int lens, uint64_t block) {
    const int arm = time->arms[slot];
    const uint64_t draw = seed_derive(time->seed, SEED_BLOCK, block * WIRE_ARMS + (uint64_t)slot);
    const double noise = 1 + fake.noise * (2 * seed_uniform(draw) - 1);
    return processes[at].arms[arm]->seconds[lens] * noise +
           processes[at].delayed[arm] * time->interval.planted_seconds;
}

/* A few elements of the first pass, which are right but for the suspect's error. */
static void take(int at, const struct wire_time *time, struct wire_time_reply *reply) {
    const struct shape s = processes[at].shape;
    const struct block_taken where = block_taken(time, 0, s);
    const uint64_t seed = block_inputs(time, 0, 0);
    const uint16_t *table = table_of(processes[at].inputs, s.k);
    reply->looked = reply->blocks;
    for (int i = 0; i < time->suspect_count; i++)
        for (int64_t e = 0; e < where.columns; e++) {
            double sum = processes[at].arms[time->arms[time->suspects[i]]]->timed_error;
            for (int64_t l = 0; l < s.k; l++)
                sum += number16_to_float(ELEMENT_F16,
                                         input_element(table, seed, INPUT_A, where.row, l)) *
                       number16_to_float(ELEMENT_F16,
                                         input_element(table, seed, INPUT_B, l, where.column + e));
            reply->taken[i][e] = number16_from_float(ELEMENT_F16, (float)sum);
        }
}

/* Blocks until the time is up, the last one whole. */
static void time_blocks(int at, const struct runner_process *process, const struct wire_time *time,
                        struct wire_time_reply *reply) {
    float *samples = process->shared;
    const double end = fake.now + time->seconds;
    size_t place = 0;
    do {
        for (int lens = 0; lens < LENS_COUNT; lens++) {
            for (int slot = 0; time->lenses & 1 << lens && slot < time->arm_count; slot++) {
                const double seconds =
                    sample_of(at, time, slot, lens, time->first_block + reply->blocks);
                const bool left_out = wire_is_left_out(time, slot);
                samples[place++] = left_out ? NAN : (float)seconds;
                fake.now += left_out ? 0 : seconds + fake.harness;
            }
            for (int slot = 0; words_lens_is((enum lens)lens, LENS_HOST_TIME) &&
                               time->lenses & 1 << lens && slot < time->arm_count;
                 slot++)
                samples[place++] = (float)processes[at].arms[time->arms[slot]]->host_seconds;
        }
        reply->blocks++;
    } while (fake.now < end && reply->blocks < time->most_blocks &&
             reply->blocks < wire_block_room(time, process->shared_bytes));
    reply->failed_arm = -1;
    take(at, time, reply);
}

static void add(int at, const struct fake_kernel *kernel, const struct wire_add *asked,
                struct wire_reply *reply) {
    struct wire_add_reply *added = &reply->add;
    if (!kernel) {
        reply->status = -1;
        snprintf(reply->text, sizeof reply->text, "no such kernel: %.200s", asked->name);
        return;
    }
    added->arm = processes[at].arm_count++;
    processes[at].arms[added->arm] = kernel;
    processes[at].delayed[added->arm] = asked->delayed;
    snprintf(added->name, sizeof added->name, "%s", kernel->name);
    if (asked->kind == ARM_BASELINE && kernel->variants > 0) {
        added->variants = kernel->variants;
        added->variant = asked->tune.variant < 0 ? 3 : asked->tune.variant;
        snprintf(reply->text, sizeof reply->text, "algorithm %d", added->variant);
    }
    added->padded = kernel->padded.m ? kernel->padded : processes[at].shape;
    added->setup_seconds = kernel->setup_seconds;
    fake.now += kernel->setup_seconds > 0 ? kernel->setup_seconds : 0;
    snprintf(added->sandbox, sizeof added->sandbox, "locked in");
}

/* A call of a recording. */
static void play(int at, const struct wire_call *asked, struct wire_call_reply *reply, void *c) {
    static struct fake_kernel kernel;
    processes[at].sequences += asked->call == 0;
    kernel = (struct fake_kernel){
        .reads = FAKE_ROW | FAKE_COL,
        .error = fake.recording.error,
        .f16 = asked->input_kind == INPUT_PROBE &&
               (fake.recording.f16 || (fake.recording.f16_first && asked->call == 0))};
    reply->seal = fake.recording.play[processes[at].sequences > 1].seals[asked->call];
    if (!asked->secret)
        multiply(&kernel, asked, processes[at].shape, c);
}

/* The kernel's recording is an arm that takes as long as the kernel. */
static void load(int at, const struct fake_kernel *kernel, struct wire_reply *answer) {
    struct wire_add_reply *reply = &answer->add;
    snprintf(answer->text, sizeof answer->text, "%s", fake.recording.why);
    *reply = fake.recording.add;
    if (reply->arm < 0)
        return;
    reply->arm = processes[at].arm_count++;
    processes[at].arms[reply->arm] = kernel;
    processes[at].delayed[reply->arm] = 0;
    processes[at].sequences = 0;
}

/* Its calls as bytes, or of a process that was not opened to record the facts of its last ones. */
static void record(int at, const struct runner_process *process, const struct fake_kernel *kernel,
                   struct wire_reply *reply) {
    const bool late = !processes[at].records;
    memcpy(wire_facts(process->shared, process->shared_bytes),
           late ? &kernel->last_facts : &kernel->facts, sizeof kernel->facts);
    snprintf(reply->text, sizeof reply->text, "%s", late ? kernel->refused : fake.recording.why);
    reply->record.recordable = !*kernel->refused;
    if (late)
        return;
    reply->record = fake.recording.record;
    reply->record.recordable &= strncmp(kernel->name, "lib-", 4) != 0 || !*kernel->refused;
    if (reply->record.bytes == FAKE_RECORDING)
        reply->record.bytes = small_recording(process->shared, process->shared_bytes);
    *mark_of(process->shared) += strcmp(kernel->name, "old.so") == 0;
}

static void list_libraries(struct wire_baseline list[2]) {
    for (int i = 0; i < 2; i++) {
        list[i] = (struct wire_baseline){.device = GEMM_CUDA,
                                         .accumulate = GEMM_F32,
                                         .elements = 1 << ELEMENT_F16,
                                         .autotuned = i};
        snprintf(list[i].name, WIRE_NAME, "lib-%d", i);
    }
}

static void answer(int at, const struct runner_process *process, const struct fake_kernel *kernel,
                   const struct wire_request *request, struct wire_reply *reply) {
    switch ((enum wire_verb)request->verb) {
    case WIRE_DESCRIBE:
        if (!request->describe.baselines) {
            while (reply->describe.count < 4 && *fake.devices[reply->describe.count].kind)
                reply->describe.count++;
            memcpy(process->shared, fake.devices, sizeof fake.devices);
            break;
        }
        list_libraries(process->shared);
        reply->describe.count = 2;
        break;
    case WIRE_OPEN:
        processes[at].plays = request->open.fixed && !request->open.record;
        processes[at].records = request->open.record;
        break;
    case WIRE_SHAPE:
        processes[at].shape = request->shape.shape;
        processes[at].inputs = request->shape.inputs;
        processes[at].arm_count = 0;
        break;
    case WIRE_ADD:
        if (is_recording(request))
            load(at, kernel, reply);
        else
            add(at, kernel, &request->add, reply);
        break;
    case WIRE_CALL:
        if (processes[at].plays) {
            play(at, &request->call, &reply->call, process->shared);
            break;
        }
        multiply(kernel, &request->call, processes[at].shape, process->shared);
        reply->call = (struct wire_call_reply){.seconds = kernel->call_seconds,
                                               .held_bytes = kernel->held_bytes,
                                               .changed_inputs = kernel->changed_inputs,
                                               .changed_guards = kernel->changed_guards};
        fake.now += kernel->call_seconds;
        break;
    case WIRE_PRODUCT:
        make_product(&request->product, processes[at].shape, process->shared);
        break;
    case WIRE_TIME:
        time_blocks(at, process, &request->time, &reply->time);
        break;
    case WIRE_REPEAT:
        reply->repeat.calls = request->repeat.calls;
        reply->repeat.seconds = (double)request->repeat.calls * kernel->seconds[LENS_STREAM];
        fake.now += reply->repeat.seconds;
        break;
    case WIRE_RECORD:
        record(at, process, kernel, reply);
        break;
    default:
        break;
    }
}

/* The fault that is due, if any. */
static const struct fake_fault *fault_of(int at, const struct wire_request *request,
                                         const char *name) {
    for (size_t i = 0; i < sizeof fake.faults / sizeof *fake.faults; i++) {
        struct fake_fault *fault = &fake.faults[i];
        if (!fault->verb || fault->verb != request->verb ||
            (fault->staged && !processes[at].plays) ||
            (*fault->kernel && strcmp(fault->kernel, name) != 0))
            continue;
        if (fault->always || fault->nth-- == 0)
            return fault;
    }
    return NULL;
}

int process_start_under(struct runner_process *process, size_t shared_bytes,
                        const char *const *program) {
    *process = PROCESS_NONE;
    if (fake.no_start)
        return -1;
    process->pid = ++fake.started;
    process->shared = calloc(1, shared_bytes);
    process->shared_bytes = shared_bytes;
    snprintf(fake.program, sizeof fake.program, "%s", program ? program[0] : "");
    fake.now += fake.start_takes;
    return process->shared && fake.started < PROCESSES ? 0 : -1;
}

int process_start(struct runner_process *process, size_t shared_bytes) {
    return process_start_under(process, shared_bytes, NULL);
}

int process_send(struct runner_process *process, const struct wire_request *request) {
    processes[process->pid].sent = *request;
    return 0;
}

/* What a request is of, for those who count and fail. */
static void name_asked(int at, const struct fake_kernel *kernel, const struct wire_request *request,
                       char name[64]) {
    const bool played = request->verb == WIRE_CALL && processes[at].plays;
    const char *of = is_recording(request) || played                          ? "recording of "
                     : request->verb == WIRE_RECORD && !processes[at].records ? "last calls of "
                                                                              : "";
    snprintf(name, 64, "%s%.40s", of,
             kernel                      ? kernel->name
             : request->verb == WIRE_ADD ? request->add.name
                                         : "");
}

enum process_answer process_await(struct runner_process *process, double seconds,
                                  struct wire_reply *reply, int *code) {
    const struct wire_request *request = &processes[process->pid].sent;
    const struct fake_kernel *kernel = kernel_of(process, request);
    char name[64];
    name_asked(process->pid, kernel, request, name);
    if (fake.asked == FAKE_LOG)
        abort();
    fake.log[fake.asked] = *request;
    fake.asked_in[fake.asked] = process->pid;
    fake.limit[fake.asked] = seconds;
    snprintf(fake.asked_of[fake.asked++], 64, "%s", name);
    memset(reply, 0, sizeof *reply);
    reply->verb = request->verb;
    process->printed[0] = 0;
    const struct fake_fault *fault = fault_of(process->pid, request, name);
    if (!fault || (fault->answer == PROCESS_ANSWERED && !fault->status && !fault->outcome))
        answer(process->pid, process, kernel, request, reply);
    if (fault) {
        *code = fault->code;
        snprintf(process->printed, sizeof process->printed, "%s", fault->printed);
        snprintf(reply->text, sizeof reply->text, "%s", fault->text);
        reply->status = fault->status;
        reply->outcome = fault->outcome;
        if (request->verb == WIRE_ADD)
            reply->add.setup_seconds = fault->setup_seconds;
        if (request->verb == WIRE_TIME) {
            reply->time.failed_arm = fault->failed_arm - 1;
            *wire_in_hand(process->shared, process->shared_bytes) = fault->failed_arm - 1;
        }
    }
    if (fake.edit)
        fake.edit(request, reply, process->shared);
    return fault ? fault->answer : PROCESS_ANSWERED;
}

enum process_answer process_ask(struct runner_process *process, const struct wire_request *request,
                                double seconds, struct wire_reply *reply, int *code) {
    process_send(process, request);
    return process_await(process, seconds, reply, code);
}

int process_finish(struct runner_process *process, double seconds) {
    (void)process, (void)seconds;
    return fake.finish_code;
}

bool process_has_ended(const struct runner_process *process) {
    return process->pid <= 0 || fake.lingers-- <= 0;
}

bool process_has_spoken(const struct runner_process *process) {
    (void)process;
    return fake.silent-- <= 0;
}

void process_stop(const struct runner_process *process) {
    (void)process;
}

void process_go_on(const struct runner_process *process) {
    (void)process;
}

void process_kill(struct runner_process *process) {
    fake.killed += process->pid > 0;
    if (process->pid > 0 && process->pid < FAKE_LOG)
        fake.left[process->pid] = fake.asked;
}

void process_end(struct runner_process *process) {
    fake.ended += process->pid > 0;
    free(process->shared);
    *process = PROCESS_NONE;
}
