#include "candidates/build/build.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/base/installed.h"
#include "bench/base/need.h"
#include "candidates/build/child_pool.h"
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

/* The word in the first quotes of a line, as compilers write them; "": none. */
static void read_quoted(const char *line, size_t length, char word[64]) {
    static const char *const marks[][2] = {{"'", "'"}, {"`", "'"}, {"\u2018", "\u2019"}};
    *word = 0;
    for (size_t i = 0; i < sizeof marks / sizeof *marks && !*word; i++) {
        const char *from = memmem(line, length, marks[i][0], strlen(marks[i][0]));
        const char *to = from ? strstr(from += strlen(marks[i][0]), marks[i][1]) : NULL;
        if (to && to < line + length)
            snprintf(word, 64, "%.*s", (int)(to - from), from);
    }
}

/* Where gemmgate.ini says the flag that a message is about; 0: it is about no flag. What names a
 * line of a file is about that. */
static int flag_line(const struct candidate_set *set, const char *text) {
    const size_t length = strcspn(text, "\n");
    const char *digits = text + strcspn(text, ":(\n");
    char word[64];
    size_t longest = 0;
    int line = 0;
    if ((*digits == ':' || *digits == '(') && strchr("0123456789", digits[1]) && digits[1])
        return 0;
    read_quoted(text, length, word);
    for (int i = 0; i < set->flag_count; i++) {
        const size_t size = strlen(set->flags[i]);
        const bool is_named = memmem(text, length, set->flags[i], size) ||
                              (*word == '-' && strstr(set->flags[i], word));
        if (set->flag_lines[i] && size > longest && is_named) {
            longest = size;
            line = set->flag_lines[i];
        }
    }
    return line;
}

/* Puts what the compiler said into the result, from its first error on. A hint comes before it if
 * the compiler was killed, or if the text sounds as if the sandbox caused the failure. */
static void failure_explain(const struct builder *builder, const struct job *job, const char *log) {
    const bool confined = builder->options->confine != NULL;
    static const char killed[] = "(killed twice, the second time with no other compiler of this "
                                 "build beside it: probably for want of memory; give it more, or "
                                 "fill the cache where there is more: gemmgate build --jobs 1 "
                                 "--candidates SET)\n";
    static const char locked[] = "(in the sandbox a compiler writes below TMPDIR only and has no "
                                 "network, so that ccache or distcc fails; --no-sandbox goes "
                                 "without)\n";
    static const char none[] = "(the compiler's sandbox cannot be set up; --no-sandbox goes "
                               "without)\n";
    static const char cutlass[] = "(a header of CUTLASS is not there: name its source tree with "
                                  "--cutlass DIR)\n";
    static const char full[] =
        "(the disk of the cache is full; --cache-dir names another folder)\n";
    const int status = job->child.status;
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
    const int line = flag_line(builder->set, first_error(text));
    char where[sizeof builder->set->folder + 64] = "";
    if (line)
        snprintf(where, sizeof where, "%s/gemmgate.ini:%d: flags:\n", builder->set->folder, line);
    snprintf(job->built->message, sizeof job->built->message, "%s%s%s", where, hint,
             first_error(text));
    file_bytes_free(&said);
}

/* The memory that a compile is taken to need until one of the same file was measured: nvcc was seen
 * to take 5.5 GB for one kernel of the CUDA-L2 release. */
#define GUESS_CU_BYTES (6e9)
#define GUESS_C_BYTES (0.5e9)

void build_defaults(struct build_options *options, int jobs) {
    *options = (struct build_options){.jobs = jobs, .timeout_seconds = 1200};
}

/* Finds compiler, key and cache entry. Returns 1 if there is something to compile. */
static int prepare_job(struct builder *builder, struct job *job) {
    const struct candidate *c = job->candidate;
    struct built *built = job->built;
    static char version[PATH_MAX + 512], last[PATH_MAX];
    memset(built, 0, sizeof *built);
    if (c->type == CANDIDATE_SO) {
        snprintf(built->so, sizeof built->so, "%s", c->path);
        built->outcome = BUILD_OK;
        built->cached = true;
        return 0;
    }
    const bool is_cu = c->type == CANDIDATE_CU;
    built->outcome = BUILD_FAILED;
    if (*c->defect) {
        snprintf(built->message, sizeof built->message, "%s", c->defect);
        return 0;
    }
    (is_cu ? compiler_find_nvcc : compiler_find_cc)(job->compiler);
    if (!*job->compiler) {
        built->outcome = BUILD_LACKING;
        snprintf(built->message, sizeof built->message, "%s",
                 is_cu ? "no nvcc on PATH: install the CUDA toolkit or set NVCC"
                       : "no C compiler on PATH: install gcc or set CC");
        return 0;
    }
    if (is_cu && !*builder->options->arch) {
        snprintf(built->message, sizeof built->message,
                 "a CUDA source needs a GPU or a named architecture");
        return 0;
    }
    if (strcmp(last, job->compiler) != 0) {
        if (compiler_version(builder, job->compiler, version, sizeof version) < 0)
            return -1;
        snprintf(last, sizeof last, "%s", job->compiler);
    }
    if (is_cu && !*builder->roots.toolkit)
        reads_set_toolkit(&builder->roots, job->compiler);
    compiler_set_arguments(builder, job);
    cache_make_key(builder, job, version);
    job->bytes = is_cu ? GUESS_CU_BYTES : GUESS_C_BYTES;
    if (!cache_find(builder, job)) {
        struct stat source;
        job->source_bytes = stat(c->path, &source) == 0 ? (double)source.st_size : 0;
        return 1;
    }
    built->outcome = BUILD_OK;
    built->cached = true;
    built->seconds = job->known_seconds;
    return 0;
}

/* Unknown ones are taken to be longer than any that is known, the more so the longer their source:
 * of 540 kernels of the CUDA-L2 release, 27 of the 32 that took more than 100 s are in the fifth
 * with the longest. */
static double length_of(const struct job *job) {
    return job->known_seconds > 0 ? job->known_seconds : 1e9 + job->source_bytes;
}

/* Longest first. */
static int by_length(const void *a, const void *b) {
    const double s = length_of(a), t = length_of(b);
    return (s < t) - (s > t);
}

/* The pool of compilers hands this on. */
struct work {
    struct builder *builder;
    build_progress *progress;
    void *context;
};

static double needs(void *context, size_t i) {
    const struct work *work = context;
    return work->builder->jobs[i].bytes;
}

static int start_job(void *context, size_t i, struct child **child) {
    const struct work *work = context;
    struct job *job = &work->builder->jobs[i];
    *child = &job->child;
    return compiler_start(work->builder, job);
}

/* The compiler failed: its words go into the result. CHILD_AGAIN where it is to be tried again. */
static int take_failure(const struct builder *builder, struct job *job) {
    char log[PATH_MAX], kept[PATH_MAX];
    if (files_join(log, job->part, "log") < 0)
        return 0;
    if (!job->again && failure_was_kill(job->child.status, log)) {
        job->again = true;
        warning("%s: its compiler was killed, probably for want of memory; it is tried again by "
                "itself (fewer --jobs need less)",
                job->candidate->file);
        return CHILD_AGAIN;
    }
    failure_explain(builder, job, log);
    if (cache_file(builder, job, ".log", kept) == 0)
        rename(log, kept);
    return 0;
}

static int end_job(void *context, size_t i) {
    const struct work *work = context;
    struct builder *builder = work->builder;
    struct job *job = &builder->jobs[i];
    struct built *built = job->built;
    int status = 0;
    built->seconds = job->child.seconds;
    if (job->child.fate == CHILD_TOO_LONG) {
        built->outcome = BUILD_TIMED_OUT;
        snprintf(built->message, sizeof built->message, "killed after %.0f s",
                 builder->options->timeout_seconds);
    } else if (job->child.fate == CHILD_ENDED) {
        status = job->child.status == 0 ? cache_publish(builder, job, job->child.peak_bytes)
                                        : take_failure(builder, job);
    }
    child_remove_folder(job->part);
    if (status == 0 && job->child.fate != CHILD_STOPPED)
        work->progress(work->context, job->candidate, built);
    return status;
}

static int compile_all(struct work *work) {
    struct builder *builder = work->builder;
    if (builder->count == 0)
        return 0;
    if (cache_begin_work(builder) < 0)
        return -1;
    const struct child_pool pool = {.count = builder->count,
                                    .most = (size_t)builder->options->jobs,
                                    .limit_seconds = builder->options->timeout_seconds,
                                    .memory = 0.9 * memory_available("/proc", "/sys/fs/cgroup"),
                                    .stop = builder->options->stop,
                                    .context = work,
                                    .needs = needs,
                                    .start = start_job,
                                    .end = end_job};
    const int status = child_pool_run(&pool);
    cache_end_work(builder);
    return status > 0 ? error("stopped while compiling; what is compiled is kept") : status;
}

static void add_root(struct reads_roots *roots, const char *name, const char *folder) {
    if (roots->count == READS_ROOTS)
        return; /* its files are named by their paths */
    snprintf(roots->list[roots->count].name, sizeof roots->list->name, "@%s", name);
    roots->list[roots->count++].folder = folder;
}

/* The folders that this program adds: the set's line 0 flags. */
static void find_roots(struct builder *builder) {
    const struct candidate_set *set = builder->set;
    char name[12];
    builder->roots.set = set->folder;
    add_root(&builder->roots, "include", builder->include + strlen("-I"));
    for (int i = 0; i < set->flag_count; i++)
        if (!set->flag_lines[i] && strncmp(set->flags[i], "-I", 2) == 0) {
            snprintf(name, sizeof name, "%d", i);
            add_root(&builder->roots, name, set->flags[i] + strlen("-I"));
        }
}

static int prepare_all(struct builder *builder, const bool *wanted, struct built *results,
                       build_progress *progress, void *context) {
    for (size_t i = 0; i < builder->set->count; i++) {
        struct job *job = &builder->jobs[builder->count];
        results[i] = (struct built){.outcome = BUILD_NOT_WANTED};
        if (wanted && !wanted[i])
            continue;
        *job = (struct job){.candidate = &builder->set->list[i], .built = &results[i]};
        const int status = prepare_job(builder, job);
        if (status < 0)
            return -1;
        if (status == 1)
            builder->count++;
        else
            progress(context, job->candidate, job->built);
    }
    return 0;
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
    int status = cache_open(&builder);
    if (status < 0)
        return -1;
    if (set_include(&builder, options->include) < 0)
        return -1;
    snprintf(builder.gencode, sizeof builder.gencode, "arch=compute_%s,code=sm_%s", options->arch,
             options->arch);
    builder.jobs = need(set->count, sizeof *builder.jobs);
    reads_begin();
    find_roots(&builder);
    status = prepare_all(&builder, wanted, results, progress, context);
    if (status == 0) {
        qsort(builder.jobs, builder.count, sizeof *builder.jobs, by_length);
        status = compile_all(&(struct work){&builder, progress, context});
    }
    free(builder.jobs);
    return status;
}
