#include "candidates/build/job.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/base/error.h"
#include "bench/base/files.h"

void compiler_find_nvcc(char path[PATH_MAX]) {
    const char *names[] = {getenv("CUDACXX"), getenv("NVCC"), "nvcc", "/usr/local/cuda/bin/nvcc"};
    *path = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names && !*path; i++)
        if (names[i] && *names[i])
            child_find(names[i], NULL, path);
}

void compiler_find_cc(char path[PATH_MAX]) {
    const char *name = getenv("CC");
    child_find(name && *name ? name : "cc", NULL, path);
}

/* What the compiler says of its version is part of the key. */
int compiler_version(const struct builder *builder, const char *compiler, char *text, size_t size) {
    char path[PATH_MAX], name[96];
    const char *const arguments[] = {compiler, "--version", NULL};
    struct child child;
    snprintf(name, sizeof name, "version.%s.part", builder->maker);
    if (files_join(path, builder->cache, name) < 0)
        return -1;
    const int output = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (output < 0)
        return error("%s: %s", path, strerror(errno));
    const struct child_program program = {.arguments = arguments, .output = output};
    const int status = child_run(&child, &program, builder->options->timeout_seconds);
    close(output);
    files_read_tail(path, text, size);
    unlink(path);
    return status;
}

/* g++ makes a template's static variables one for the whole process, whatever dlopen is told: two
 * releases of a kernel in one process would share them. clang does not, and refuses the flag. */
static const char *host_flags(const struct candidate_set *set) {
    bool other = getenv("NVCC_CCBIN") != NULL;
    for (int i = 0; i < set->flag_count; i++)
        other |= strstr(set->flags[i], "-ccbin") || strstr(set->flags[i], "--compiler-bindir");
    return other ? "-fPIC" : "-fPIC,-fno-gnu-unique";
}

void compiler_set_arguments(struct builder *builder, struct job *job) {
    const char *const cu[] = {
        "-O3",     "-std=c++17", "--shared", "-Xcompiler", host_flags(builder->set),
        "-cudart", "shared",     NULL};
    const char *const c[] = {"-O3", "-std=gnu11", "-shared", "-fPIC", NULL};
    const bool is_cu = job->candidate->type == CANDIDATE_CU;
    int n = 0;
    for (const char *const *flag = is_cu ? cu : c; *flag; flag++)
        job->arguments[n++] = *flag;
    if (is_cu) {
        job->arguments[n++] = "-gencode";
        job->arguments[n++] = builder->gencode;
    }
    for (int i = 0; i < builder->set->flag_count; i++)
        job->arguments[n++] = builder->set->flags[i];
    job->arguments[n++] = builder->include;
    job->arguments[n] = NULL;
}

/* A folder that is there already was left by a builder that was killed. */
static int make_part(const struct builder *builder, struct job *job) {
    char name[128];
    snprintf(name, sizeof name, "%s.%s.part", job->key, builder->maker);
    if (files_join(job->part, builder->cache, name) < 0 ||
        files_join(job->scratch, job->part, "scratch") < 0)
        return -1;
    int status = mkdir(job->part, 0700);
    if (status < 0 && errno == EEXIST) {
        child_remove_folder(job->part);
        status = mkdir(job->part, 0700);
    }
    return status < 0 ? error("%s: %s", job->part, strerror(errno)) : 0;
}

void compiler_write_wrapper(FILE *out, const struct builder *builder, const struct job *job,
                            const char *source) {
    static const enum call_language languages[] = {
        [CANDIDATE_CU] = CALL_CUDA, [CANDIDATE_C] = CALL_C, [CANDIDATE_SO] = CALL_LIBRARY};
    const struct candidate *candidate = job->candidate;
    call_write_wrapper(out, candidate->call, candidate->label, languages[candidate->type],
                       builder->set->element, source);
}

/* What the compiler is given: the candidate itself, or a wrapper around it. */
static int write_source(const struct builder *builder, struct job *job) {
    snprintf(job->source, sizeof job->source, "%s", job->candidate->path);
    if (!job->candidate->call)
        return 0;
    if (files_join(job->source, job->part,
                   job->candidate->type == CANDIDATE_CU ? "kernel.cu" : "kernel.c") < 0)
        return -1;
    FILE *out = fopen(job->source, "w");
    if (!out)
        return error("%s: %s", job->source, strerror(errno));
    compiler_write_wrapper(out, builder, job, job->candidate->path);
    if (ferror(out) | fclose(out))
        return error("%s: it cannot be written", job->source);
    return 0;
}

/* Which headers are to be listed. A kernel's code is the toolkit's work, on any system. The code of
 * a host kernel is made of the system's headers, too. */
static const char *listing_flag(const struct builder *builder, const struct job *job) {
    return job->candidate->type == CANDIDATE_CU && !builder->headers.has_system ? "-MMD" : "-MD";
}

/* A C source for CUDA calls the driver. The toolkit has its header, and a library to link with
 * where no driver is installed. Returns how many arguments this took. */
static int add_driver(const struct job *job, const char **arguments, char include[2 * PATH_MAX],
                      char library[2 * PATH_MAX]) {
    char nvcc[PATH_MAX];
    struct headers headers;
    if (job->candidate->type != CANDIDATE_C || !candidate_is_cuda(job->candidate))
        return 0;
    compiler_find_nvcc(nvcc);
    headers_set_toolkit(&headers, nvcc);
    if (!*headers.toolkit)
        return 0;
    snprintf(include, 2 * PATH_MAX, "-I%s/include", headers.toolkit);
    snprintf(library, 2 * PATH_MAX, "-L%s/lib64/stubs", headers.toolkit);
    const char *const added[] = {include, library, "-Wl,--as-needed", "-lcuda"};
    memcpy(arguments, added, sizeof added);
    return sizeof added / sizeof *added;
}

/* With the job's folder made. */
static int start_compiler(struct builder *builder, struct job *job) {
    const char *arguments[JOB_ARGUMENTS + 16];
    char so[PATH_MAX], deps[PATH_MAX], log[PATH_MAX], include[2 * PATH_MAX], library[2 * PATH_MAX];
    int n = 0;
    if (files_join(so, job->scratch, "kernel.so") < 0 ||
        files_join(deps, job->scratch, "kernel.d") < 0 || files_join(log, job->part, "log") < 0)
        return -1;
    if (mkdir(job->scratch, 0700) < 0)
        return error("%s: %s", job->scratch, strerror(errno));
    if (write_source(builder, job) < 0)
        return -1;
    arguments[n++] = job->compiler;
    for (int i = 0; job->arguments[i]; i++)
        arguments[n++] = job->arguments[i];
    arguments[n++] = listing_flag(builder, job);
    arguments[n++] = "-MF";
    arguments[n++] = deps;
    arguments[n++] = "-o";
    arguments[n++] = so;
    arguments[n++] = job->source;
    n += add_driver(job, arguments + n, include, library);
    if (job->candidate->type != CANDIDATE_CU)
        arguments[n++] = "-lm";
    arguments[n] = NULL;
    const int output = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (output < 0)
        return error("%s: %s", log, strerror(errno));
    const struct child_program program = {.arguments = arguments,
                                          .scratch = job->scratch,
                                          .output = output,
                                          .confine = builder->options->confine};
    const int status = child_start(&job->child, &program);
    close(output);
    return status;
}

int compiler_start(struct builder *builder, struct job *job) {
    if (make_part(builder, job) < 0)
        return -1;
    int status = start_compiler(builder, job);
    if (status < 0)
        child_remove_folder(job->part);
    return status;
}
