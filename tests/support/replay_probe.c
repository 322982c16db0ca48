/* Records calls of compiled kernels and plays them elsewhere, beside the kernels themselves:
 *
 *     replay_probe [--device KIND] [--library NAME] [--seconds S] [--calls N] [--unkept N] [--f16]
 *                  [--no-sandbox] KERNEL.so MxNxK ...
 *
 * prints a line a kernel. Three runners of one kernel follow each other: one times it, one records
 * it, one plays what was recorded and never hears of the library. It must lie beside
 * gemmgate-runner. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/base/clock.h"
#include "bench/base/error.h"
#include "bench/base/outcome.h"
#include "bench/process/runner_process.h"
#include "bench/record/recording.h"
#include "bench/runner/layout.h"
#include "correctness/numbers/input.h"
#include "correctness/numbers/number16.h"
#include "timing/stats.h"

#define LIMIT_SECONDS 120

static struct {
    const char *device, *library;
    double seconds;
    int calls, unkept, accumulate, sandbox;
} options = {"cuda", "cublas-tn", 0.3, 8, 3, GEMM_F32, 1};

/* Median seconds of a kernel and of the library beside it. */
struct times {
    double kernel[2], library[2]; /* by LENS_DEVICE and LENS_STREAM */
};

struct probe {
    const char *so;
    struct shape shape;
    struct shape padded;
    uint64_t seed, secret;
    void *recording;
    uint64_t bytes;
    uint64_t recorded[WIRE_RECORDED], played[WIRE_RECORDED], again[WIRE_RECORDED];
    int unread;
    double off, record_seconds, play_seconds;
    struct times native, replayed;
    struct wire_reply reply;
    char why[1200];
};

static size_t shared_bytes(const struct probe *probe) {
    const size_t product = (size_t)probe->shape.m * (size_t)probe->shape.n * 2;
    return product > RECORDING_MOST_BYTES ? product : RECORDING_MOST_BYTES;
}

static const char *last_line(const char *text) {
    static char line[400];
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] == '\n')
        length--;
    size_t begin = length;
    while (begin > 0 && text[begin - 1] != '\n')
        begin--;
    snprintf(line, sizeof line, "%.*s", (int)(length - begin), text + begin);
    return line;
}

/* 0, or -1 with why. */
static int ask(struct probe *probe, struct runner_process *process, const char *what,
               struct wire_request request) {
    int code = 0;
    struct wire_reply *reply = &probe->reply;
    const enum process_answer answer = process_ask(process, &request, LIMIT_SECONDS, reply, &code);
    if (answer == PROCESS_ANSWERED && reply->status == 0 && reply->outcome == OUTCOME_OK)
        return 0;
    const bool answered = answer == PROCESS_ANSWERED;
    char crashed[80];
    snprintf(crashed, sizeof crashed, "the runner crashed by signal %d", code);
    snprintf(probe->why, sizeof probe->why, "%s: %s%s%s; printed: %s", what,
             answered                      ? reply->text
             : answer == PROCESS_TIMED_OUT ? "timed out"
             : answer == PROCESS_EXITED    ? "the runner ended"
             : answer == PROCESS_CRASHED   ? crashed
                                           : "the runner cannot be asked",
             answered && reply->outcome != OUTCOME_OK ? ", outcome " : "",
             answered && reply->outcome != OUTCOME_OK ? outcome_word((enum outcome)reply->outcome)
                                                      : "",
             last_line(process->printed));
    return -1;
}

static int open_runner(struct probe *probe, struct runner_process *process, bool fixed,
                       bool record) {
    struct wire_open open = {.fixed = fixed, .record = record, .rehearse = !fixed};
    snprintf(open.device_kind, sizeof open.device_kind, "%s", options.device);
    const struct wire_shape shape = {.shape = probe->shape,
                                     .accumulate = options.accumulate,
                                     .workspace_bytes = (uint64_t)32 << 20};
    if (process_start(process, shared_bytes(probe)) < 0) {
        snprintf(probe->why, sizeof probe->why, "no runner");
        return -1;
    }
    if (ask(probe, process, "opening the device", wire_open_request(open)) < 0)
        return -1;
    return ask(probe, process, "making operands", wire_shape_request(shape));
}

static int add(struct probe *probe, struct runner_process *process, enum wire_arm kind,
               const char *name) {
    struct wire_add arm = {.kind = kind,
                           .operands = LAYOUT_CANDIDATE,
                           .sandbox = kind == ARM_CANDIDATE && options.sandbox};
    snprintf(arm.name, sizeof arm.name, "%s", name);
    if (ask(probe, process, "setting up", wire_add_request(arm)) < 0)
        return -1;
    return probe->reply.add.arm;
}

/* The median of every stride-th float from first on, without those that are marked. */
static double median_of(const float *floats, uint64_t blocks, size_t stride, size_t first) {
    double *values = malloc((blocks + 1) * sizeof *values);
    size_t kept = 0;
    for (uint64_t b = 0; b < blocks; b++)
        if (floats[b * stride + first] > 0)
            values[kept++] = (double)floats[b * stride + first];
    const double median = kept > 0 ? stats_median(values, kept) : NAN;
    free(values);
    return median;
}

/* The kernel or its recording beside the library. */
static int time_arms(struct probe *probe, struct runner_process *process, int library, int kernel,
                     struct times *times) {
    const struct wire_time time = {.lenses = 1 << LENS_DEVICE | 1 << LENS_STREAM,
                                   .interval = {.stream_calls = options.calls},
                                   .seconds = options.seconds,
                                   .most_blocks = 100000,
                                   .seed = probe->seed,
                                   .arm_count = 2,
                                   .arms = {library, kernel},
                                   .suspects = {-1, -1},
                                   .reference = -1};
    if (ask(probe, process, "warming up", wire_time_request(time)) < 0 ||
        ask(probe, process, "timing", wire_time_request(time)) < 0)
        return -1;
    const size_t stride = wire_block_floats(&time);
    for (size_t lens = 0; lens < 2; lens++) {
        const uint64_t blocks = probe->reply.time.blocks;
        times->library[lens] = median_of(process->shared, blocks, stride, 2 * lens);
        times->kernel[lens] = median_of(process->shared, blocks, stride, 2 * lens + 1);
    }
    return 0;
}

static int time_native(struct probe *probe, struct runner_process *process) {
    int library, kernel;
    return open_runner(probe, process, false, false) < 0 ||
                   (library = add(probe, process, ARM_BASELINE, options.library)) < 0 ||
                   (kernel = add(probe, process, ARM_CANDIDATE, probe->so)) < 0
               ? -1
               : time_arms(probe, process, library, kernel, &probe->native);
}

static int record(struct probe *probe, struct runner_process *process) {
    struct wire_record record = {.unkept = options.unkept,
                                 .calls = options.calls,
                                 .seed = probe->seed,
                                 .secret = probe->secret};
    const double start = clock_seconds();
    if (open_runner(probe, process, true, true) < 0 ||
        (record.arm = add(probe, process, ARM_CANDIDATE, probe->so)) < 0)
        return -1;
    probe->padded = probe->reply.add.padded;
    if (ask(probe, process, "recording", wire_record_request(record)) < 0)
        return -1;
    const struct wire_record_reply *told = &probe->reply.record;
    if (!told->replayable || told->bytes > process->shared_bytes) {
        snprintf(probe->why, sizeof probe->why, "%s", probe->reply.text);
        return -1;
    }
    probe->bytes = told->bytes;
    probe->recording = malloc(told->bytes);
    memcpy(probe->recording, process->shared, told->bytes);
    memcpy(probe->recorded, told->seals, sizeof probe->recorded);
    probe->record_seconds = clock_seconds() - start;
    return 0;
}

/* The largest difference of the C in the shared memory and the library's. */
static int compare(struct probe *probe, struct runner_process *process, int library) {
    const size_t count = (size_t)probe->shape.m * (size_t)probe->shape.n;
    uint16_t *c = malloc(count * sizeof *c);
    const struct wire_call call = {.arm = library,
                                   .input_kind = INPUT_NORMAL,
                                   .seed = seed_derive(probe->seed, SEED_BLOCK, 0)};
    memcpy(c, process->shared, count * sizeof *c);
    const int status = ask(probe, process, "the library's product", wire_call_request(call));
    const uint16_t *right = process->shared;
    probe->off = 0;
    for (size_t i = 0; i < count && status == 0; i++) {
        const double off = fabs((double)half_to_float(c[i]) - (double)half_to_float(right[i]));
        probe->off = off <= probe->off ? probe->off : off;
    }
    free(c);
    return status;
}

static int play(struct probe *probe, struct runner_process *process) {
    const struct wire_add load = {.kind = ARM_RECORDING,
                                  .bytes = probe->bytes,
                                  .padded = probe->padded,
                                  .operands = LAYOUT_CANDIDATE,
                                  .sandbox = options.sandbox};
    struct wire_play sequence = {.seed = probe->seed, .secret = probe->secret};
    const double start = clock_seconds();
    if (open_runner(probe, process, true, false) < 0)
        return -1;
    const int library = add(probe, process, ARM_BASELINE, options.library);
    memcpy(process->shared, probe->recording, probe->bytes);
    if (library < 0 || ask(probe, process, "loading", wire_add_request(load)) < 0)
        return -1;
    if (probe->reply.add.arm < 0) {
        snprintf(probe->why, sizeof probe->why, "%s", probe->reply.text);
        return -1;
    }
    probe->unread = probe->reply.add.unread;
    const int kernel = sequence.arm = probe->reply.add.arm;
    if (ask(probe, process, "playing", wire_play_request(sequence)) < 0)
        return -1;
    memcpy(probe->played, probe->reply.play.seals, sizeof probe->played);
    if (compare(probe, process, library) < 0 ||
        ask(probe, process, "playing again", wire_play_request(sequence)) < 0)
        return -1;
    memcpy(probe->again, probe->reply.play.seals, sizeof probe->again);
    probe->play_seconds = clock_seconds() - start;
    return time_arms(probe, process, library, kernel, &probe->replayed);
}

static int equal(const uint64_t *a, const uint64_t *b) {
    int count = 0;
    for (int i = 0; i < options.calls; i++)
        count += a[i] == b[i];
    return count;
}

/* Whoever of the three cannot go on ends the line. Returns whether the kernel was replayed. */
static bool run(struct probe *probe) {
    struct runner_process process = PROCESS_NONE;
    static const struct {
        const char *words;
        int (*run)(struct probe *probe, struct runner_process *process);
    } parts[] = {{"cannot be replayed", record},
                 {"native fails", time_native},
                 {"cannot be replayed", play}};
    for (int i = 0; i < 3; i++) {
        const int status = parts[i].run(probe, &process);
        process_end(&process);
        if (status == 0)
            continue;
        printf("%s: %s\n", parts[i].words, probe->why);
        return false;
    }
    const struct times *n = &probe->native, *r = &probe->replayed;
    printf("replayed; bits %d/%d, again %d/%d, off %.3g", equal(probe->recorded, probe->played),
           options.calls, equal(probe->played, probe->again), options.calls, probe->off);
    static const char *const lenses[] = {"device", "stream"};
    for (int i = 0; i < 2; i++)
        printf("; %s native %.2f (library %.2f) replayed %.2f (library %.2f) us, native/replayed "
               "%.3f, by library %.3f",
               lenses[i], 1e6 * n->kernel[i], 1e6 * n->library[i], 1e6 * r->kernel[i],
               1e6 * r->library[i], n->kernel[i] / r->kernel[i],
               n->kernel[i] / r->kernel[i] * r->library[i] / n->library[i]);
    printf("; unread modules %d; %.2f MiB; record %.2f s, play %.2f s\n", probe->unread,
           (double)probe->bytes / (1 << 20), probe->record_seconds, probe->play_seconds);
    return true;
}

static int read_options(int argc, char **argv) {
    int i = 1;
    for (; i < argc && strncmp(argv[i], "--", 2) == 0; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        if (strcmp(argv[i], "--f16") == 0) {
            options.accumulate = GEMM_F16;
            continue;
        }
        if (strcmp(argv[i], "--no-sandbox") == 0) {
            options.sandbox = 0;
            continue;
        }
        if (strcmp(argv[i], "--device") == 0)
            options.device = value;
        else if (strcmp(argv[i], "--library") == 0)
            options.library = value;
        else if (strcmp(argv[i], "--seconds") == 0)
            options.seconds = atof(value);
        else if (strcmp(argv[i], "--calls") == 0)
            options.calls = atoi(value);
        else if (strcmp(argv[i], "--unkept") == 0)
            options.unkept = atoi(value);
        else
            return argc;
        i++;
    }
    return i;
}

int main(int argc, char **argv) {
    int i = read_options(argc, argv), replayed = 0, all = 0;
    if (i + 1 >= argc || (argc - i) % 2 != 0 || options.calls < 1 ||
        options.calls > WIRE_RECORDED) {
        fprintf(stderr, "usage: %s [OPTIONS] KERNEL.so MxNxK ...\n", argv[0]);
        return EXIT_TROUBLE;
    }
    for (; i + 1 < argc; i += 2) {
        static struct probe probe;
        probe = (struct probe){.so = argv[i], .seed = 20261123, .secret = 0x5ec4e7};
        long long m, n, k;
        if (sscanf(argv[i + 1], "%lldx%lldx%lld", &m, &n, &k) != 3)
            return error("%s: a shape is MxNxK", argv[i + 1]) < 0 ? EXIT_TROUBLE : EXIT_PASS;
        probe.shape = (struct shape){m, n, k};
        printf("%s  ", argv[i + 1]);
        fflush(stdout);
        replayed += run(&probe);
        fflush(stdout);
        free(probe.recording);
        all++;
    }
    printf("%d of %d replayed\n", replayed, all);
    return EXIT_PASS;
}
