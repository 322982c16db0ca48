#include "candidates/build/build.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/base/clock.h"
#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/base/installed.h"
#include "bench/base/need.h"
#include "candidates/build/job.h"
#include "candidates/build/memory.h"

/* Whether the compiler, or a program that it had started, was killed by somebody else than this
 * builder, which kills those that take too long. Most likely the operating system killed it for
 * want of memory. If a program of the compiler is killed, the compiler says so in the log and ends
 * as if it had failed. */
static bool failure_was_kill(int status, const char *log) {
    static const char *const words[] = {"Killed signal terminated program",  /* gcc */
                                        "terminated with signal 9",          /* and its linker */
                                        "unable to execute command: Killed", /* clang */
                                        "died due to signal 9"};             /* nvcc */
    char text[2048];
    if (WIFSIGNALED(status))
        return WTERMSIG(status) == SIGKILL;
    if (WEXITSTATUS(status) == 128 + SIGKILL) /* by a shell */
        return true;
    files_read_tail(log, text, sizeof text);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(text, words[i]))
            return true;
    return false;
}

static bool sounds_like_sandbox(int status, const char *text) {
    return strstr(text, strerror(EACCES)) || strstr(text, strerror(EPERM)) ||
           strstr(text, strsignal(SIGSYS)) || (WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS);
}

/* "cutlass/gemm/device/gemm.h: No such file or directory", as gcc, clang and nvcc say it. */
static bool lacks_cutlass(const char *text) {
    static const char *const folders[] = {"cutlass/", "cute/"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        for (const char *at = text; (at = strstr(at, folders[i])); at++) {
            const char *end = strpbrk(at, " '\n");
            if (end && end - at < 200 &&
                (strncmp(end, " No such file", 13) == 0 ||
                 strncmp(end, "' file not found", 16) == 0))
                return true;
        }
    return false;
}

/* Where the first error stands, at the beginning of its line; the text's beginning where none does.
 */
static const char *first_error(const char *text) {
    static const char *const words[] = {"error: ", "error : ", "fatal   : ", "undefined reference",
                                        "ld: cannot find "};
    const char *first = NULL;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const char *at = strstr(text, words[i]);
        first = at && (!first || at < first) ? at : first;
    }
    while (first && first > text && first[-1] != '\n')
        first--;
    return first ? first : text;
}

/* Puts what the compiler said into the result, from its first error on. A hint comes before it if
 * the compiler was killed, or if the text sounds as if the sandbox caused the failure. */
static void failure_explain(const struct builder *builder, const struct job *job, int status,
                            const char *log) {
    const bool confined = builder->options->confine != NULL;
    static const char killed[] = "(killed, probably for want of memory; to compile one file after "
                                 "the other: gemmgate build --jobs 1 --candidates SET)\n";
    static const char locked[] = "(in the sandbox a compiler writes below TMPDIR only and has no "
                                 "network, so that ccache or distcc fails; --no-sandbox goes "
                                 "without)\n";
    static const char none[] = "(the compiler's sandbox cannot be set up; --no-sandbox goes "
                               "without)\n";
    static const char cutlass[] = "(a header of CUTLASS is not there: name its source tree with "
                                  "--cutlass DIR)\n";
    static const char full[] =
        "(the disk of the cache is full; --cache-dir names another folder)\n";
    char silent[1100];
    struct file_bytes said = {0};
    snprintf(silent, sizeof silent, "%.1000s ended with %s %d", job->compiler,
             WIFSIGNALED(status) ? "signal" : "status",
             WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    const bool spoke = file_bytes_read(log, &said) == 0 && said.size > 0;
    if (spoke)
        said.bytes[said.size] = 0; /* it has room for one more */
    const char *text = spoke ? (const char *)said.bytes : silent;
    const bool entered = !WIFEXITED(status) || WEXITSTATUS(status) != CHILD_NOT_CONFINED;
    const bool was_kill = failure_was_kill(status, log), lost = confined && !entered;
    const bool headless = lacks_cutlass(text), is_full = strstr(text, strerror(ENOSPC));
    if (was_kill || lost || headless || is_full)
        job->built->outcome = BUILD_LACKING;
    const char *hint = was_kill                                        ? killed
                       : lost                                          ? none
                       : headless                                      ? cutlass
                       : is_full                                       ? full
                       : confined && sounds_like_sandbox(status, text) ? locked
                                                                       : "";
    snprintf(job->built->message, sizeof job->built->message, "%s%s", hint, first_error(text));
    file_bytes_free(&said);
}

/* The memory that a compile is taken to need: nvcc was seen to take 5.5 GB for one kernel of the
 * CUDA-L2 release. */
#define CU_BYTES (6e9)
#define C_BYTES (0.5e9)

void build_defaults(struct build_options *options, int jobs) {
    *options = (struct build_options){.jobs = jobs, .timeout_seconds = 1200};
}

/* Finds compiler, key and cache entry. Returns whether there is something to compile. */
static bool prepare_job(struct builder *builder, struct job *job) {
    const struct candidate *c = job->candidate;
    struct built *built = job->built;
    memset(built, 0, sizeof *built);
    if (c->type == CANDIDATE_SO) {
        snprintf(built->so, sizeof built->so, "%s", c->path);
        built->outcome = BUILD_OK;
        built->cached = true;
        return false;
    }
    const bool is_cu = c->type == CANDIDATE_CU;
    built->outcome = BUILD_FAILED;
    if (*c->defect) {
        snprintf(built->message, sizeof built->message, "%s", c->defect);
        return false;
    }
    (is_cu ? compiler_find_nvcc : compiler_find_cc)(job->compiler);
    if (!*job->compiler) {
        built->outcome = BUILD_LACKING;
        snprintf(built->message, sizeof built->message, "%s",
                 is_cu ? "no nvcc on PATH: install the CUDA toolkit or set NVCC"
                       : "no C compiler on PATH: install gcc or set CC");
        return false;
    }
    if (is_cu && !*builder->options->arch) {
        snprintf(built->message, sizeof built->message,
                 "a CUDA source needs a GPU or a named architecture");
        return false;
    }
    compiler_ask_version(builder, job->compiler);
    if (is_cu && !*builder->roots.toolkit)
        reads_set_toolkit(&builder->roots, job->compiler);
    compiler_set_arguments(builder, job);
    cache_make_key(builder, job);
    if (!cache_find(builder, job)) {
        struct stat source;
        job->source_bytes = stat(c->path, &source) == 0 ? source.st_size : 0;
        return true;
    }
    built->outcome = BUILD_OK;
    built->cached = true;
    return false;
}

/* The longest source first. Of 540 kernels of the CUDA-L2 release 32 took more than 100 s, and 27 of
 * these are in the fifth with the longest sources. */
static int by_length(const void *a, const void *b) {
    const int64_t s = ((const struct job *)a)->source_bytes,
                  t = ((const struct job *)b)->source_bytes;
    return (s < t) - (s > t);
}

/* The compiler failed: its words go into the result. */
static void take_failure(const struct builder *builder, struct job *job, int status) {
    char log[PATH_MAX], kept[PATH_MAX];
    if (files_join(log, job->part, "log") < 0)
        return;
    failure_explain(builder, job, status, log);
    if (cache_file(builder, job, ".log", kept) == 0)
        rename(log, kept);
}

/* A build at work. */
struct work {
    struct builder *builder;
    build_progress *progress;
    void *context;
};

/* Ends the job's compiler: what it left becomes the result. A compiler that is still at work is
 * killed, and `killed` says why. 0, or -1 after error(). */
static int end_job(const struct work *work, struct job *job, enum child_fate killed) {
    struct builder *builder = work->builder;
    struct child *child = &job->child;
    struct built *built = job->built;
    int status = child_end(child, killed);
    built->seconds = child->seconds;
    if (child->fate == CHILD_TOO_LONG) {
        built->outcome = BUILD_TIMED_OUT;
        snprintf(built->message, sizeof built->message, "killed after %.0f s",
                 builder->options->timeout_seconds);
    } else if (child->fate == CHILD_ENDED && child->status == 0) {
        status = cache_publish(builder, job) < 0 ? -1 : status;
    } else if (child->fate == CHILD_ENDED) {
        take_failure(builder, job, child->status);
    }
    child_remove_folder(job->part);
    if (status == 0 && child->fate != CHILD_STOPPED)
        work->progress(work->context, job->candidate, built);
    return status;
}

/* Compilers at once: as many as are asked for and fit into memory, of which others need some. */
static size_t most_at_once(const struct builder *builder) {
    const double available = 0.9 * memory_available("/proc", "/sys/fs/cgroup");
    double each = C_BYTES;
    for (size_t i = 0; i < builder->count; i++)
        if (builder->jobs[i].candidate->type == CANDIDATE_CU)
            each = CU_BYTES;
    return (size_t)memory_fits(available, each, builder->options->jobs);
}

/* Of the jobs that were started, one whose compiler has ended or has taken too long; NULL: none. */
static struct job *find_ended(const struct builder *builder, size_t started) {
    const double limit = builder->options->timeout_seconds;
    for (struct job *job = builder->jobs; job < builder->jobs + started; job++)
        if (job->child.fate == CHILD_RUNS &&
            (child_has_ended(job->child.pid) || clock_seconds() - job->child.started > limit))
            return job;
    return NULL;
}

/* Starts the jobs in their order, so many at once, until all have ended or one cannot be started or
 * kept. The compilers that are then still at work are killed. 0, or -1 after error(). */
static int run_jobs(const struct work *work, size_t most) {
    struct builder *builder = work->builder;
    const volatile int *stop = builder->options->stop;
    size_t started = 0, ended = 0;
    int status = 0;
    while (status == 0 && ended < builder->count && !(stop && *stop)) {
        struct job *job;
        if (started < builder->count && started - ended < most) {
            job = &builder->jobs[started++];
            status = compiler_start(builder, job, &job->child);
        } else if ((job = find_ended(builder, started))) {
            status = end_job(work, job, CHILD_TOO_LONG);
            ended++;
        } else {
            usleep(10000);
        }
    }
    if (status == 0 && ended < builder->count)
        status = error("stopped while compiling; what is compiled is kept");
    for (size_t i = 0; i < started; i++)
        if (builder->jobs[i].child.fate == CHILD_RUNS)
            end_job(work, &builder->jobs[i], CHILD_STOPPED);
    return status;
}

static int compile_all(const struct work *work) {
    struct builder *builder = work->builder;
    if (builder->count == 0)
        return 0;
    if (cache_begin_work(builder) < 0)
        return -1;
    const int status = run_jobs(work, most_at_once(builder));
    cache_end_work(builder);
    return status;
}

static void prepare_all(struct builder *builder, const bool *wanted, struct built *results,
                        build_progress *progress, void *context) {
    for (size_t i = 0; i < builder->set->count; i++) {
        struct job *job = &builder->jobs[builder->count];
        results[i] = (struct built){.outcome = BUILD_NOT_WANTED};
        if (wanted && !wanted[i])
            continue;
        *job = (struct job){.candidate = &builder->set->list[i], .built = &results[i]};
        if (prepare_job(builder, job))
            builder->count++;
        else
            progress(context, job->candidate, job->built);
    }
}

static int set_include(struct builder *builder, const char *folder) {
    char own[PATH_MAX];
    if (!folder && installed_find("candidates", own) < 0)
        return -1;
    if (snprintf(builder->include, PATH_MAX, "-I%s", folder ? folder : own) >= PATH_MAX)
        return error("the include path is too long");
    return 0;
}

int build_all(const struct candidate_set *set, const bool *wanted,
              const struct build_options *options, struct built *results, build_progress *progress,
              void *context) {
    static struct builder builder;
    builder = (struct builder){.set = set, .options = options};
    if (cache_open(&builder) < 0 || set_include(&builder, options->include) < 0)
        return -1;
    snprintf(builder.gencode, sizeof builder.gencode, "arch=compute_%s,code=sm_%s", options->arch,
             options->arch);
    builder.jobs = need(set->count, sizeof *builder.jobs);
    reads_begin();
    builder.roots.set = set;
    builder.roots.include = builder.include;
    prepare_all(&builder, wanted, results, progress, context);
    qsort(builder.jobs, builder.count, sizeof *builder.jobs, by_length);
    const int status = compile_all(&(struct work){&builder, progress, context});
    free(builder.jobs);
    free(builder.version);
    return status;
}
