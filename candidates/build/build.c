#include "candidates/build/build.h"

#include <errno.h>
#include <regex.h>
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

/* A compiler that ended other than well, and what it said. */
struct failure {
    int status; /* as waitpid has it */
    const char *said;
    bool confined;
};

static bool says_one_of(const char *said, const char *const *words) {
    while (*words && !strstr(said, *words))
        words++;
    return *words;
}

/* Somebody else than this builder, which kills those that take too long, has killed the compiler or a
 * program of it. Most likely the operating system did, for want of memory. If a program of the
 * compiler is killed, the compiler says so and ends as if it had failed. */
static bool was_killed(const struct failure *failure) {
    static const char *const words[] = {"Killed signal terminated program",  /* gcc */
                                        "terminated with signal 9",          /* and its linker */
                                        "unable to execute command: Killed", /* clang */
                                        "died due to signal 9",              /* nvcc */
                                        NULL};
    if (WIFSIGNALED(failure->status))
        return WTERMSIG(failure->status) == SIGKILL;
    return WEXITSTATUS(failure->status) == 128 + SIGKILL || /* by a shell */
           says_one_of(failure->said, words);
}

static bool was_not_confined(const struct failure *failure) {
    return failure->confined && WIFEXITED(failure->status) &&
           WEXITSTATUS(failure->status) == CHILD_NOT_CONFINED;
}

/* "cutlass/gemm/device/gemm.h: No such file or directory", as gcc, clang and nvcc say it. */
static bool lacks_cutlass(const struct failure *failure) {
    regex_t regex;
    const bool compiled = regcomp(&regex, "(cutlass|cute)/[^ '\n]*( No such file|' file not found)",
                                  REG_EXTENDED | REG_NOSUB) == 0;
    const bool lacks = compiled && regexec(&regex, failure->said, 0, NULL, 0) == 0;
    if (compiled)
        regfree(&regex);
    return lacks;
}

static bool met_full_disk(const struct failure *failure) {
    return strstr(failure->said, strerror(ENOSPC));
}

static bool sounds_like_sandbox(const struct failure *failure) {
    const char *const words[] = {strerror(EACCES), strerror(EPERM), strsignal(SIGSYS), NULL};
    return failure->confined &&
           (says_one_of(failure->said, words) ||
            (WIFSIGNALED(failure->status) && WTERMSIG(failure->status) == SIGSYS));
}

/* Causes that the compiler's words do not make plain; the first that holds is told. */
static const struct {
    bool (*holds)(const struct failure *failure);
    enum build_outcome outcome;
    const char *hint;
} causes[] = {
    {was_killed, BUILD_LACKING,
     "(killed, probably for want of memory; to compile one file after the other: gemmgate build "
     "--jobs 1 --candidates SET)\n"},
    {was_not_confined, BUILD_LACKING,
     "(the compiler's sandbox cannot be set up; --no-sandbox goes without)\n"},
    {lacks_cutlass, BUILD_LACKING,
     "(a header of CUTLASS is not there: name its source tree with --cutlass DIR)\n"},
    {met_full_disk, BUILD_LACKING,
     "(the disk of the cache is full; --cache-dir names another folder)\n"},
    {sounds_like_sandbox, BUILD_FAILED,
     "(in the sandbox a compiler writes below TMPDIR only and has no network, so that ccache or "
     "distcc fails; --no-sandbox goes without)\n"},
};
enum { CAUSES = sizeof causes / sizeof *causes };

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

/* Puts what the compiler said into the result, from its first error on, behind the hint to a cause. */
static void explain_failure(const struct builder *builder, struct job *job) {
    const int status = job->child.status;
    char log[PATH_MAX], silent[1100];
    struct file_bytes said = {0};
    if (files_join(log, job->part, "log") < 0)
        return;
    snprintf(silent, sizeof silent, "%.1000s ended with %s %d", job_compiler(builder, job)->path,
             WIFSIGNALED(status) ? "signal" : "status",
             WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    const bool spoke = file_bytes_read(log, &said) == 0 && said.size > 0;
    const struct failure failure = {status, spoke ? (const char *)said.bytes : silent,
                                    builder->options->confine != NULL};
    int cause = 0;
    while (cause < CAUSES && !causes[cause].holds(&failure))
        cause++;
    if (cause < CAUSES)
        job->built->outcome = causes[cause].outcome;
    snprintf(job->built->message, sizeof job->built->message, "%s%s",
             cause < CAUSES ? causes[cause].hint : "", first_error(failure.said));
    file_bytes_free(&said);
}

/* The memory that a compile is taken to need: nvcc was seen to take 5.5 GB for one kernel of the
 * CUDA-L2 release. */
#define CU_BYTES (6e9)
#define C_BYTES (0.5e9)

void build_defaults(struct build_options *options, int jobs) {
    *options = (struct build_options){.jobs = jobs, .timeout_seconds = 1200};
}

/* Why the file cannot be compiled here; NULL: it can. */
static const char *find_obstacle(struct builder *builder, const struct job *job) {
    const bool is_cu = job->candidate->type == CANDIDATE_CU;
    if (*job->candidate->defect)
        return job->candidate->defect;
    if (!*compiler_find(builder, job)->path) {
        job->built->outcome = BUILD_LACKING;
        return is_cu ? "no nvcc on PATH: install the CUDA toolkit (its runfile needs no root) or "
                       "set NVCC"
                     : "no C compiler on PATH: install gcc or set CC";
    }
    return is_cu && !*builder->options->arch ? "a CUDA source needs a GPU or a named architecture"
                                             : NULL;
}

/* Looks for the file in the cache. Returns whether there is something to compile. */
static bool prepare_job(struct builder *builder, struct job *job) {
    struct built *built = job->built;
    struct stat source;
    *built = (struct built){.outcome = BUILD_FAILED};
    if (job->candidate->type == CANDIDATE_SO) {
        snprintf(built->so, sizeof built->so, "%s", job->candidate->path);
    } else {
        const char *obstacle = find_obstacle(builder, job);
        snprintf(built->message, sizeof built->message, "%s", obstacle ? obstacle : "");
        if (obstacle)
            return false;
        compiler_set_arguments(builder, job);
        cache_make_key(builder, job);
        job->source_bytes = stat(job->candidate->path, &source) == 0 ? source.st_size : 0;
        if (!cache_find(builder, job))
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

/* Ends the job's compiler: what it left becomes the result. A compiler that is still at work is
 * killed, and `killed` says why. 0, or -1 after error(). */
static int end_job(struct builder *builder, struct job *job, enum child_fate killed) {
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
        explain_failure(builder, job);
    }
    child_remove_folder(job->part);
    if (status == 0 && child->fate != CHILD_STOPPED)
        builder->progress(builder->context, job->candidate, built);
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
static int run_jobs(struct builder *builder, size_t most) {
    const volatile int *stop = builder->options->stop;
    size_t started = 0, ended = 0;
    int status = 0;
    while (status == 0 && ended < builder->count && !(stop && *stop)) {
        struct job *job;
        if (started < builder->count && started - ended < most) {
            job = &builder->jobs[started++];
            status = compiler_start(builder, job);
        } else if ((job = find_ended(builder, started))) {
            status = end_job(builder, job, CHILD_TOO_LONG);
            ended++;
        } else {
            usleep(10000);
        }
    }
    if (status == 0 && ended < builder->count)
        status = error("stopped while compiling; what is compiled is kept");
    for (size_t i = 0; i < started; i++)
        if (builder->jobs[i].child.fate == CHILD_RUNS)
            end_job(builder, &builder->jobs[i], CHILD_STOPPED);
    return status;
}

static int compile_all(struct builder *builder) {
    if (builder->count == 0)
        return 0;
    if (cache_begin_work(builder) < 0)
        return -1;
    const int status = run_jobs(builder, most_at_once(builder));
    cache_end_work(builder);
    return status;
}

static void prepare_all(struct builder *builder, const bool *wanted, struct built *results) {
    for (size_t i = 0; i < builder->set->count; i++) {
        struct job *job = &builder->jobs[builder->count];
        results[i] = (struct built){.outcome = BUILD_NOT_WANTED};
        if (wanted && !wanted[i])
            continue;
        *job = (struct job){.candidate = &builder->set->list[i], .built = &results[i]};
        if (prepare_job(builder, job)) {
            builder->count++;
            continue;
        }
        free(job->wrapper);
        builder->progress(builder->context, job->candidate, job->built);
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
    builder =
        (struct builder){.set = set, .options = options, .progress = progress, .context = context};
    if (cache_open(&builder) < 0 || set_include(&builder, options->include) < 0)
        return -1;
    snprintf(builder.gencode, sizeof builder.gencode, "arch=compute_%s,code=sm_%s", options->arch,
             options->arch);
    builder.jobs = need(set->count, sizeof *builder.jobs);
    reads_begin();
    prepare_all(&builder, wanted, results);
    qsort(builder.jobs, builder.count, sizeof *builder.jobs, by_length);
    const int status = compile_all(&builder);
    for (size_t i = 0; i < builder.count; i++)
        free(builder.jobs[i].wrapper);
    free(builder.jobs);
    for (size_t i = 0; i < sizeof builder.compilers / sizeof *builder.compilers; i++)
        free(builder.compilers[i].version);
    return status;
}
