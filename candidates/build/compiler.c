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
#include "bench/base/need.h"
#include "candidates/build/watch.h"

static void find_nvcc(char path[PATH_MAX]) {
    const char *names[] = {getenv("CUDACXX"), getenv("NVCC"), "nvcc", "/usr/local/cuda/bin/nvcc"};
    *path = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names && !*path; i++)
        if (names[i] && *names[i])
            child_find(names[i], NULL, path);
}

static void find_cc(char path[PATH_MAX]) {
    const char *name = getenv("CC");
    child_find(name && *name ? name : "cc", NULL, path);
}

/* The toolkit is the folder above nvcc's own, if nvcc.profile lies beside nvcc. */
static void find_toolkit(const char *nvcc, char toolkit[PATH_MAX]) {
    char profile[PATH_MAX + 16];
    if (!realpath(nvcc, toolkit)) {
        *toolkit = 0;
        return;
    }
    char *slash = strrchr(toolkit, '/');
    snprintf(profile, sizeof profile, "%.*s/nvcc.profile", (int)(slash - toolkit), toolkit);
    *slash = 0;
    slash = strrchr(toolkit, '/');
    *(slash && access(profile, F_OK) == 0 ? slash : toolkit) = 0;
}

const struct compiler *compiler_find(struct builder *builder, const struct job *job) {
    struct compiler *compiler = job_compiler(builder, job);
    const char *const arguments[] = {compiler->path, "--version", NULL};
    const struct child_program program = {.arguments = arguments};
    if (compiler->version)
        return compiler;
    if (job->candidate->type == CANDIDATE_CU) {
        find_nvcc(compiler->path);
        find_toolkit(compiler->path, builder->toolkit);
    } else {
        find_cc(compiler->path);
    }
    if (*compiler->path)
        compiler->version = child_output(program, builder->options->timeout_seconds);
    if (!compiler->version)
        compiler->version = need_copy("");
    return compiler;
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
    const struct candidate *candidate = job->candidate;
    const bool is_cu = candidate->type == CANDIDATE_CU;
    size_t size;
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
    FILE *wrapper = candidate->call ? need_stream(&job->wrapper, &size) : NULL;
    if (!wrapper)
        return;
    call_write_wrapper(wrapper, candidate->call, candidate->label, is_cu, builder->set->element);
    fclose(wrapper);
}

static int make_part(const struct builder *builder, struct job *job) {
    if (files_join(job->part, builder->work, job->key) < 0 ||
        files_join(job->scratch, job->part, "scratch") < 0)
        return -1;
    return mkdir(job->part, 0700) < 0 ? error("%s: %s", job->part, strerror(errno)) : 0;
}

static int write_wrapper(const struct job *job, const char *path) {
    FILE *out = fopen(path, "w");
    if (!out)
        return error("%s: %s", path, strerror(errno));
    fputs(job->wrapper, out);
    return ferror(out) | fclose(out) ? error("%s: it cannot be written", path) : 0;
}

/* Adds the sources: the candidate, by its name in the set's folder, where the compiler works, and
 * its wrapper, if it has one. No path of this machine is in it. Returns how many arguments. */
static int add_source(const struct job *job, const char *own, const char *wrapper,
                      const char **arguments) {
    int n = 0;
    if (job->wrapper)
        arguments[n++] = "-include";
    arguments[n++] = own;
    if (job->wrapper)
        arguments[n++] = wrapper;
    return n;
}

/* A C source for CUDA calls the driver. The toolkit has its header, and a library to link with
 * where no driver is installed. Returns how many arguments this took. */
static int add_driver(const struct job *job, const char **arguments, char include[2 * PATH_MAX],
                      char library[2 * PATH_MAX]) {
    char nvcc[PATH_MAX], toolkit[PATH_MAX];
    if (job->candidate->type != CANDIDATE_C || !candidate_is_cuda(job->candidate))
        return 0;
    find_nvcc(nvcc);
    find_toolkit(nvcc, toolkit);
    if (!*toolkit)
        return 0;
    snprintf(include, 2 * PATH_MAX, "-I%s/include", toolkit);
    snprintf(library, 2 * PATH_MAX, "-L%s/lib64/stubs", toolkit);
    const char *const added[] = {include, library, "-Wl,--as-needed", "-lcuda"};
    memcpy(arguments, added, sizeof added);
    return sizeof added / sizeof *added;
}

/* With the job's folder made. */
static int start_compiler(struct builder *builder, struct job *job) {
    const char *arguments[JOB_ARGUMENTS + 16];
    char so[PATH_MAX], log[PATH_MAX], own[PATH_MAX], wrapper[PATH_MAX];
    char include[2 * PATH_MAX], library[2 * PATH_MAX];
    const bool is_cu = job->candidate->type == CANDIDATE_CU;
    int n = 0;
    if (files_join(so, job->scratch, "kernel.so") < 0 || files_join(log, job->part, "log") < 0 ||
        files_join(own, ".", job->candidate->file) < 0 ||
        files_join(wrapper, job->part, is_cu ? "kernel.cu" : "kernel.c") < 0)
        return -1;
    if (mkdir(job->scratch, 0700) < 0)
        return error("%s: %s", job->scratch, strerror(errno));
    if (job->wrapper && write_wrapper(job, wrapper) < 0)
        return -1;
    arguments[n++] = job_compiler(builder, job)->path;
    for (int i = 0; job->arguments[i]; i++)
        arguments[n++] = job->arguments[i];
    arguments[n++] = "-o";
    arguments[n++] = so;
    n += add_source(job, own, wrapper, arguments + n);
    n += add_driver(job, arguments + n, include, library);
    if (!is_cu)
        arguments[n++] = "-lm";
    arguments[n] = NULL;
    const int output = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (output < 0)
        return error("%s: %s", log, strerror(errno));
    /* Room for the first words, which may be that there is none. */
    if (fallocate(output, FALLOC_FL_KEEP_SIZE, 0, 4096) < 0 && errno == ENOSPC) {
        close(output);
        return error("%s: %s; --cache-dir names another folder", builder->cache, strerror(ENOSPC));
    }
    const struct child_program program = {.arguments = arguments,
                                          .folder = builder->set->folder,
                                          .scratch = job->scratch,
                                          .output = output,
                                          .confine = watch_confine};
    watch_with(builder->options->confine);
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
