/* For tests: the runner's devices and baselines on a machine without a GPU. The host, called cuda,
 * as many times as $FAKE_GPUS says (once), of which $CUDA_VISIBLE_DEVICES shows some, by number or
 * as GPU-fake-NUMBER, but with $FAKE_GPU_STUBBORN always the first; with all lenses; OpenBLAS,
 * called cuBLAS. What the process that opens a GPU sees is a line of $FAKE_GPU_OPENS, of which line
 * $FAKE_GPU_BUSY is that of a GPU that cannot be opened. $FAKE_GPU_ROOM is how many MiB of its memory are free. With
 * $FAKE_GPU_EXCLUSIVE, how names of files begin, only one process at a time can open each. With
 * $FAKE_GPU_VARIANTS cublas-tn chooses among so many algorithms, of which the third is the fastest
 * and the last cannot be had; with $FAKE_GPU_MARKS holds before the third give up. The baselines of
 * cuBLASLt are the host's, with $FAKE_GPU_CUBLASLT the GPU's. Their first algorithms are what the
 * heuristic has. cublas-gemv-nn and -tn are the GPU's with $FAKE_GPU_GEMV. With $FAKE_GPU_LIES their others take long, but for processes that try one after
 * the other: a choice that rests on such a process is wrong. With $FAKE_GPU_NO_SWEEP its caches cannot be swept where a recording is. $FAKE_GPU_WRONG is
 * what its reference products are off by, in one element, and behind a
 * colon those of which k. What a device is asked to do around timed calls is a line each of the
 * file $FAKE_GPU_OPERATIONS, behind the number of the process. fake_recorder.c and fake_player.c
 * record kernels on it and carry them out; with $FAKE_GPU_BLIND nothing can be recorded. */
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "baselines/baselines.h"
#include "bench/base/clock.h"
#include "bench/base/error.h"
#include "bench/device/device.h"
#include "tests/support/chunked_product.h"
#include "tests/support/fake_memory.h"
#include "tests/support/fake_recording.h"

static struct device_ops gpu;
static struct baseline nn, tn, gemv[2], cublaslt[4];

const struct device_ops *const device_kinds[] = {&gpu, NULL};
const struct baseline *const baselines[] = {
    &nn, &tn, &gemv[0], &gemv[1], &cublaslt[0], &cublaslt[1], &cublaslt[2], &cublaslt[3], NULL};

static int count(const char **why) {
    const char *seen = getenv("CUDA_VISIBLE_DEVICES"), *gpus = getenv("FAKE_GPUS");
    int words = 1;
    *why = "none are left";
    if (!seen)
        return gpus ? atoi(gpus) : 1;
    for (; *seen; seen++)
        words += *seen == ',';
    return words;
}

/* Adds a line to $FAKE_GPU_OPENS. Returns its number, 0 without such a file, or -1. */
static int log_opening(int ordinal) {
    const char *path = getenv("FAKE_GPU_OPENS"), *seen = getenv("CUDA_VISIBLE_DEVICES");
    FILE *log = path ? fopen(path, "a+") : NULL;
    int lines = 0;
    if (!log)
        return 0;
    const bool written = fprintf(log, "%d of %s\n", ordinal, seen ? seen : "all") > 0 &&
                         fseek(log, 0, SEEK_SET) == 0;
    for (int c; (c = getc(log)) != EOF;)
        lines += c == '\n';
    fclose(log);
    return written ? lines : error("FAKE_GPU_OPENS cannot be written");
}

/* The lock is held until the process ends. */
static int take_alone(const char *stem, const char *seen, int ordinal) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s.%s.%d", stem, seen, ordinal);
    return flock(open(path, O_RDWR | O_CREAT, 0600), LOCK_EX | LOCK_NB);
}

static int open_gpu(int ordinal, void **state) {
    const char *why, *busy = getenv("FAKE_GPU_BUSY"), *exclusive = getenv("FAKE_GPU_EXCLUSIVE");
    const char *seen = getenv("CUDA_VISIBLE_DEVICES");
    if (ordinal >= count(&why))
        return error("invalid device ordinal");
    const int line = log_opening(ordinal);
    if (line < 0)
        return -1;
    if (exclusive && take_alone(exclusive, seen ? seen : "all", ordinal) < 0)
        return error("all devices are busy or unavailable");
    return busy && line == atoi(busy) ? error("out of memory") : device_host.open(0, state);
}

bool fake_gpu_lost, fake_gpu_plays;

void fake_gpu_note(const char *format, ...) {
    const char *path = getenv("FAKE_GPU_OPERATIONS");
    FILE *log = path ? fopen(path, "a") : NULL;
    va_list list;
    if (!log)
        return;
    va_start(list, format);
    fprintf(log, "%d ", (int)getpid());
    vfprintf(log, format, list);
    fputc('\n', log);
    va_end(list);
    fclose(log);
}

/* As on a GPU, where the fills of one call have no order: the last is made first. */
static int fill(void *state, const struct fill *fills, int count) {
    const bool locked = fake_memory_lock(false);
    int status = 0;
    fake_gpu_note("fills %d", count);
    for (int i = count - 1; i >= 0; i--) {
        status |= device_host.fill(state, &fills[i], 1);
        fake_gpu_note("fill %s %lld", fills[i].matrix ? "input" : "constant",
                      (long long)(fills[i].rows_stored * fills[i].ld));
    }
    fake_memory_lock(locked);
    return status;
}

static double delayed; /* of the interval */

/* Locked here, calls of a recording do not take the time of it. */
static int start(void *state) {
    fake_gpu_note("start");
    delayed = 0;
    fake_memory_lock(fake_gpu_plays);
    return device_host.start(state);
}

#define TICK 20e-6 /* of its clock, once in 20 ms of the host's */

/* The host takes as long for a call as the clock will say, however short it is. */
static int stop(void *state) {
    fake_gpu_note("stop");
    const int status = device_host.stop(state);
    const double end = clock_seconds() + TICK;
    while (clock_seconds() < end)
        ;
    fake_memory_lock(false);
    return status;
}

/* However busy the host is, calls that are shorter than 20 ms take one tick. Of where in a tick they
 * end little is left. */
static int elapsed(void *state, double *seconds) {
    double host;
    const int status = device_host.elapsed(state, &host);
    host -= delayed;
    *seconds = (ceil(host / 20e-3) + host) * TICK + delayed;
    return status;
}

static int delay(void *state, double seconds) {
    delayed += seconds;
    return device_host.delay(state, seconds);
}

/* A kernel leaves the error of a call that was refused so. Who asks next is told, and it is gone. */
static const char *forget(void *state) {
    static char words[64];
    const char *left = getenv("FAKE_GPU_LEFT");
    (void)state;
    snprintf(words, sizeof words, "%s", left ? left : "");
    unsetenv("FAKE_GPU_LEFT");
    return *words ? words : NULL;
}

/* What a kernel has spoiled stays so until the process ends. */
static int sync_gpu(void *state, const char **why) {
    const char *left = forget(state);
    *why = left ? left : "an illegal memory access was encountered";
    return fake_gpu_lost || left ? -1 : 0;
}

static int look(void *state, const struct look *look, int number) {
    return forget(state) ? -1 : device_host.look(state, look, number);
}

/* The host is done when a call returns: there is nothing to hold. */
static int hold(void *state) {
    (void)state;
    fake_gpu_note("hold");
    return 0;
}

static void let_go(void *state) {
    (void)state;
    fake_gpu_note("let go");
}

static int launched; /* the algorithm of cublas-tn */

static bool gave_up(void *state) {
    (void)state;
    return getenv("FAKE_GPU_MARKS") && launched == 2;
}

/* The caches of the host would take milliseconds. */
static int sweep(void *state) {
    (void)state;
    fake_gpu_note("sweep");
    return fake_gpu_plays && getenv("FAKE_GPU_NO_SWEEP") ? error("a sweep: out of memory") : 0;
}

static int touch(void *state, const uint16_t *at, int64_t elements) {
    fake_gpu_note("touch %lld", (long long)elements);
    return device_host.touch(state, at, elements);
}

/* The word at that place of the list, or the ordinal where there is none. */
static void name_gpu(int ordinal, struct device_info *info) {
    const char *seen = getenv("CUDA_VISIBLE_DEVICES"), *prefix = "GPU-fake-";
    int number = ordinal;
    if (getenv("FAKE_GPU_STUBBORN"))
        seen = "0";
    for (; seen && ordinal > 0 && (seen = strchr(seen, ',')); ordinal--)
        seen++;
    if (seen)
        number = atoi(strncmp(seen, prefix, strlen(prefix)) == 0 ? seen + strlen(prefix) : seen);
    snprintf(info->uuid, sizeof info->uuid, "%s%d", prefix, number);
    snprintf(info->pci, sizeof info->pci, "0000:%02x:00.0", number);
}

static int describe(int ordinal, struct device_info *info) {
    if (device_host.describe(0, info) < 0)
        return -1;
    info->exclusive = getenv("FAKE_GPU_EXCLUSIVE") != NULL;
    snprintf(info->name, sizeof info->name, "Fake GPU");
    name_gpu(ordinal, info);
    info->sm = 90;
    return 0;
}

static uint64_t room(void *state) {
    const char *mib = getenv("FAKE_GPU_ROOM");
    (void)state;
    return mib ? (uint64_t)atoi(mib) << 20 : 0;
}

static int multiply(void *state, enum element element, struct shape shape, const uint16_t *a,
                    const uint16_t *b, float *c) {
    const char *wrong = getenv("FAKE_GPU_WRONG"), *k = wrong ? strchr(wrong, ':') : NULL;
    (void)state;
    chunked_product(element, shape, a, b, c);
    if (wrong && (!k || atoi(k + 1) == shape.k))
        c[shape.m * shape.n / 2] += (float)atof(wrong);
    return 0;
}

/* A library that has algorithms. */
struct choice {
    void *of; /* the state of OpenBLAS's */
    int selected, tried;
};

static int choice_setup(const struct gemm_problem *problem, size_t workspace_bytes, void **state) {
    struct choice *choice = calloc(1, sizeof *choice);
    if (!choice || baseline_openblas_nn.ops.setup(problem, workspace_bytes, &choice->of) != 0) {
        free(choice);
        return 1;
    }
    *state = choice;
    return 0;
}

static void choice_teardown(void *state) {
    struct choice *choice = state;
    baseline_openblas_nn.ops.teardown(choice->of);
    free(choice);
}

static int choice_forget(void *state) {
    return baseline_openblas_nn.forget(((struct choice *)state)->of);
}

static int variants(void *state) {
    (void)state;
    return atoi(getenv("FAKE_GPU_VARIANTS"));
}

static int select_any(void *state, int variant) {
    struct choice *choice = state;
    choice->selected = variant;
    choice->tried++;
    return 0;
}

static int select_variant(void *state, int variant) {
    return variant == variants(state) - 1 ? 1 : select_any(state, variant);
}

static const char *describe_variant(void *state, int variant) {
    static char text[32];
    (void)state;
    snprintf(text, sizeof text, "variant %d", variant);
    return text;
}

/* More than the pauses of a busy machine, so often. */
static void dawdle(int times) {
    const struct timespec more = {.tv_nsec = 20000000 * times};
    nanosleep(&more, NULL);
}

/* Each place away from the third costs more. */
static int launch_variant(void *state, const struct gemm_args *args) {
    const struct choice *choice = state;
    launched = choice->selected;
    dawdle(abs(choice->selected - 2));
    return baseline_openblas_tn.ops.launch(choice->of, args);
}

enum { TRIES = 3 };

static void lie(const struct choice *choice) {
    if (getenv("FAKE_GPU_LIES"))
        dawdle(choice->tried > TRIES ? choice->selected == 0 : choice->selected > 0);
}

static int launch_nn(void *state, const struct gemm_args *args) {
    const struct choice *choice = state;
    lie(choice);
    return baseline_openblas_nn.ops.launch(choice->of, args);
}

static int launch_tn(void *state, const struct gemm_args *args) {
    const struct choice *choice = state;
    lie(choice);
    return baseline_openblas_tn.ops.launch(choice->of, args);
}

static void make_choice(struct baseline *baseline,
                        int (*launch)(void *state, const struct gemm_args *args),
                        int (*select)(void *state, int variant)) {
    baseline->ops.setup = choice_setup;
    baseline->ops.teardown = choice_teardown;
    baseline->ops.launch = launch;
    baseline->forget = choice_forget;
    baseline->variants = variants;
    baseline->select = select;
    baseline->describe = describe_variant;
}

static void make_cublaslt(void) {
    static const char *const names[] = {"cublaslt-heuristic-nn", "cublaslt-heuristic-tn",
                                        "cublaslt-autotune-nn", "cublaslt-autotune-tn"};
    for (int i = 0; i < 4; i++) {
        cublaslt[i] = i % 2 ? tn : nn;
        cublaslt[i].ops.name = names[i];
        cublaslt[i].ops.device = getenv("FAKE_GPU_CUBLASLT") ? GEMM_CUDA : GEMM_HOST;
        if (i >= 2)
            make_choice(&cublaslt[i], i % 2 ? launch_tn : launch_nn, select_any);
    }
}

static int is_vector(const struct gemm_problem *problem) {
    return problem->m == 1;
}

static void make_gemv(void) {
    static const char *const names[] = {"cublas-gemv-nn", "cublas-gemv-tn"};
    for (int i = 0; i < 2; i++) {
        gemv[i] = i ? tn : nn;
        gemv[i].ops.name = names[i];
        gemv[i].ops.device = getenv("FAKE_GPU_GEMV") ? GEMM_CUDA : GEMM_HOST;
        gemv[i].ops.can_do = is_vector;
    }
}

__attribute__((constructor)) static void make(void) {
    gpu = device_host;
    gpu.kind = "cuda";
    gpu.device = GEMM_CUDA;
    gpu.count = count;
    gpu.open = open_gpu;
    gpu.describe = describe;
    gpu.multiply = multiply;
    gpu.fill = fill;
    gpu.start = start;
    gpu.stop = stop;
    gpu.elapsed = elapsed;
    gpu.delay = delay;
    gpu.sync = sync_gpu;
    gpu.forget = forget;
    gpu.look = look;
    gpu.touch = touch;
    fake_memory_serve(&gpu);
    gpu.room = room;
    gpu.hold = hold;
    gpu.let_go = let_go;
    gpu.gave_up = gave_up;
    gpu.sweep = sweep;
    nn = baseline_openblas_nn;
    tn = baseline_openblas_tn;
    nn.ops.name = "cublas-nn";
    tn.ops.name = "cublas-tn";
    nn.ops.device = tn.ops.device = GEMM_CUDA;
    make_gemv();
    make_cublaslt();
    if (getenv("FAKE_GPU_VARIANTS"))
        make_choice(&tn, launch_variant, select_variant);
}
