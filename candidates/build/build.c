#include "candidates/build/build.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench/base/child.h"
#include "bench/base/error.h"
#include "bench/base/hash.h"
#include "bench/base/memory.h"
#include "candidates/build/headers.h"
#include "candidates/set/cuda_l2.h"

#define MOST_ARGUMENTS 64

/* What a compile is taken to need until one of the same file was measured: nvcc was seen to
 * take 5.5 GB for one kernel of the CUDA-L2 release. */
#define GUESS_CU_BYTES (6e9)
#define GUESS_C_BYTES (0.5e9)

/* One file on its way through a compiler. */
struct job {
    const struct candidate *candidate;
    struct built *built;
    char key[33];
    char compiler[PATH_MAX];
    const char *arguments[MOST_ARGUMENTS]; /* without -MF, -o and the source */
    double known_seconds, bytes;           /* of an earlier compile, or a guess */
    double source_bytes;
    bool again; /* its compiler was killed once */
    pid_t pid;
    double started;
    char part[PATH_MAX];    /* a folder for all that is not kept */
    char scratch[PATH_MAX]; /* the folder in it that is the compiler's; the rest is the builder's */
    char source[PATH_MAX];
};

struct pool {
    const struct candidate_set *set;
    const struct build_options *options;
    char cache[PATH_MAX];
    char include[PATH_MAX]; /* "-I..." */
    char gencode[64];
    char maker[64]; /* "host.pid": folders of no two builders share a name */
    struct headers headers;
    struct job *jobs;
    size_t count;
};

void build_defaults(struct build_options *options, int jobs) {
    *options =
        (struct build_options){.include = GEMMGATE_INCLUDE, .jobs = jobs, .timeout_seconds = 1200};
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int join(char path[PATH_MAX], const char *folder, const char *name, const char *suffix) {
    if (snprintf(path, PATH_MAX, "%s/%s%s", folder, name, suffix) >= PATH_MAX)
        return error("%s/%s: the path is too long", folder, name);
    return 0;
}

static int make_folders(char *path) {
    for (char *p = path + 1;; p++) {
        char held = *p;
        if (held != '/' && held != 0)
            continue;
        *p = 0;
        if (mkdir(path, 0777) < 0 && errno != EEXIST)
            return error("%s: %s; --cache-dir names another folder", path, strerror(errno));
        *p = held;
        if (held == 0)
            break;
    }
    char inside[PATH_MAX + 2]; /* which only a folder has */
    snprintf(inside, sizeof inside, "%s/.", path);
    if (eaccess(inside, W_OK | X_OK) < 0)
        return error("%s: %s; --cache-dir names another folder", path, strerror(errno));
    return 0;
}

static int find_cache(struct pool *pool) {
    const char *given = pool->options->cache ? pool->options->cache : getenv("GEMMGATE_CACHE");
    const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int status;
    if (given && *given)
        status = snprintf(pool->cache, PATH_MAX, "%s", given);
    else if (xdg && *xdg)
        status = snprintf(pool->cache, PATH_MAX, "%s/gemmgate", xdg);
    else if (home && *home)
        status = snprintf(pool->cache, PATH_MAX, "%s/.cache/gemmgate", home);
    else
        return error("no place for compiled kernels: give --cache-dir DIR or set GEMMGATE_CACHE");
    if (status >= PATH_MAX)
        return error("the path of the cache is too long");
    return make_folders(pool->cache);
}

/* The program's path along PATH, or "" . */
static void find_program(const char *name, char path[PATH_MAX]) {
    *path = 0;
    if (strchr(name, '/')) {
        snprintf(path, PATH_MAX, "%s", access(name, X_OK) == 0 ? name : "");
        return;
    }
    const char *at = getenv("PATH");
    while (at && *at) {
        size_t length = strcspn(at, ":");
        if (snprintf(path, PATH_MAX, "%.*s/%s", (int)length, at, name) < PATH_MAX &&
            access(path, X_OK) == 0)
            return;
        *path = 0;
        at += length + (at[length] == ':');
    }
}

static void find_nvcc(char path[PATH_MAX]) {
    const char *names[] = {getenv("CUDACXX"), getenv("NVCC"), "nvcc", "/usr/local/cuda/bin/nvcc"};
    *path = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names && !*path; i++)
        if (names[i] && *names[i])
            find_program(names[i], path);
}

static void find_cc(char path[PATH_MAX]) {
    const char *name = getenv("CC");
    find_program(name && *name ? name : "cc", path);
}

/* In the child: away from all that is the builder's but the output. */
static int enter_scratch(const char *scratch, int (*confine)(const char *)) {
    if (setenv("TMPDIR", scratch, 1) < 0)
        return error("TMPDIR cannot be set to %s: %s", scratch, strerror(errno));
    if (confine && confine(scratch) != 0)
        return error("the compiler's sandbox cannot be set up; --no-sandbox goes without");
    return 0;
}

/* Starts arguments[0] in a process group of its own with its output in the file and, unless NULL,
 * in a scratch folder. The child or -1. */
static pid_t spawn(const char *const *arguments, const char *output, const char *scratch,
                   int (*confine)(const char *)) {
    pid_t pid = fork();
    if (pid != 0) {
        if (pid > 0)
            setpgid(pid, pid); /* here too, lest the group be killed before it is one */
        return pid;
    }
    setpgid(0, 0);
    signal(SIGTERM, SIG_IGN); /* a scheduler's is for the builder, who ends this process */
    signal(SIGHUP, SIG_IGN);
    signal(SIGPIPE, SIG_DFL);
    int out = open(output, O_WRONLY | O_CREAT | O_TRUNC, 0666), in = open("/dev/null", O_RDONLY);
    /* A file that is open already can be written to from any sandbox. */
    if (out < 0 || in < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0 ||
        close_range(3, ~0u, 0) < 0)
        _exit(127);
    if (scratch && enter_scratch(scratch, confine) < 0)
        _exit(126);
    execv(arguments[0], (char *const *)arguments);
    _exit(127);
}

/* Reads at most size - 1 bytes from the end of a file; "" if there is none. */
static void read_tail(const char *path, char *text, size_t size) {
    FILE *file = fopen(path, "r");
    *text = 0;
    if (!file)
        return;
    if (fseek(file, 0, SEEK_END) == 0) {
        long length = ftell(file), skip = length > (long)size - 1 ? length - (long)size + 1 : 0;
        if (length > 0 && fseek(file, skip, SEEK_SET) == 0)
            text[fread(text, 1, size - 1, file)] = 0;
    }
    fclose(file);
}

/* What the compiler says of its version is part of the key. */
static int version_of(const struct pool *pool, const char *compiler, char *text, size_t size) {
    char path[PATH_MAX], name[96];
    const char *arguments[] = {compiler, "--version", NULL};
    int status;
    snprintf(name, sizeof name, "version.%s", pool->maker);
    if (join(path, pool->cache, name, ".part") < 0)
        return -1;
    pid_t pid = spawn(arguments, path, NULL, NULL);
    if (pid < 0 || waitpid(pid, &status, 0) < 0)
        return error("cannot run %s: %s", compiler, strerror(errno));
    read_tail(path, text, size);
    unlink(path);
    return 0;
}

/* g++ makes a template's static variables one for the whole process, whatever dlopen is told: two
 * releases of a kernel in one process would share them. clang does not, and refuses the flag. */
static const char *host_flags(const struct candidate_set *set) {
    bool other = getenv("NVCC_CCBIN") != NULL;
    for (int i = 0; i < set->flag_count; i++)
        other |= strstr(set->flags[i], "-ccbin") || strstr(set->flags[i], "--compiler-bindir");
    return other ? "-fPIC" : "-fPIC,-fno-gnu-unique";
}

static void set_arguments(struct pool *pool, struct job *job) {
    const char *const cu[] = {
        "-O3",     "-std=c++17", "--shared", "-Xcompiler", host_flags(pool->set),
        "-cudart", "shared",     NULL};
    const char *const c[] = {"-O3", "-std=gnu11", "-shared", "-fPIC", NULL};
    const bool is_cu = job->candidate->type == CANDIDATE_CU;
    int n = 0;
    n++; /* the compiler's own path; set when it is started, since jobs move when they are sorted */
    for (const char *const *flag = is_cu ? cu : c; *flag; flag++)
        job->arguments[n++] = *flag;
    if (is_cu) {
        job->arguments[n++] = "-gencode";
        job->arguments[n++] = pool->gencode;
    }
    for (int i = 0; i < pool->set->flag_count; i++)
        job->arguments[n++] = pool->set->flags[i];
    if (!*pool->set->function) /* which is to be compiled without gemmgate.h */
        job->arguments[n++] = pool->include;
    job->arguments[n] = NULL;
}

static char *wrapper_text(const struct pool *pool, const struct job *job) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    cuda_l2_write_wrapper(out, pool->set, job->candidate, job->candidate->file);
    if (fclose(out) == EOF) {
        free(text);
        return NULL;
    }
    return text;
}

/* The key: what is compiled, by what and how. No path counts: what lies in folders is compared when
 * the entry is used. The file's name keeps the jobs of one pool apart. */
static int make_key(struct pool *pool, struct job *job, const char *version) {
    const char *strings[MOST_ARGUMENTS + HEADERS_WORDS + 8];
    char *wrapper = NULL;
    int n = 0, used;
    strings[n++] = job->candidate->source_hash;
    strings[n++] = job->candidate->file;
    strings[n++] = version;
    for (int i = 1; job->arguments[i]; i += used)
        if (!headers_flag(job->arguments + i, &used))
            strings[n++] = job->arguments[i];
    for (int i = 0; i < pool->headers.word_count; i++)
        strings[n++] = pool->headers.words[i];
    if (*pool->set->function) {
        if (!(wrapper = wrapper_text(pool, job)))
            return error("no memory for a wrapper");
        strings[n++] = wrapper;
    }
    strings[n] = NULL;
    hash_strings(strings, job->key);
    free(wrapper);
    return 0;
}

/* Where a library lies: VARIANT tells what headers it was compiled with. */
static int name_library(const struct pool *pool, struct job *job, const char *variant) {
    if (snprintf(job->built->so, sizeof job->built->so, "%s/%s-%s.so", pool->cache, job->key,
                 variant) >= (int)sizeof job->built->so)
        return error("%s: the cache's path is too long", pool->cache);
    return 0;
}

/* Of "HASH VARIANT": whether that library is what it was. */
static bool library_is_current(const struct pool *pool, struct job *job, char *text) {
    char hash[33], *variant = strchr(text, ' ');
    if (!variant || strspn(variant + 1, "0123456789abcdef") != 32 || variant[33])
        return false;
    *variant++ = 0;
    return name_library(pool, job, variant) == 0 && hash_file_quietly(job->built->so, hash) == 0 &&
           strcmp(hash, text) == 0;
}

static bool header_is_current(const struct pool *pool, const char *wanted, const char *name) {
    char path[PATH_MAX], hash[33];
    return headers_find(&pool->headers, name, path) && hash_header(path, hash) == 0 &&
           strcmp(hash, wanted) == 0;
}

/* KEY.deps: for each library, the latest first, "cost SECONDS BYTES", "so HASH VARIANT" and then
 * "HASH NAME" a header. Returns whether one and all of its headers are what they were; costs are
 * read either way. */
static bool find_entry(const struct pool *pool, struct job *job) {
    char deps[PATH_MAX], line[HEADERS_NAME + 64];
    bool current = false;
    if (join(deps, pool->cache, job->key, ".deps") < 0)
        return false;
    FILE *file = fopen(deps, "r");
    if (!file)
        return false;
    while (fgets(line, sizeof line, file)) {
        char *rest = strchr(line, ' ');
        line[strcspn(line, "\n")] = 0;
        if (!rest) {
            current = false;
            break;
        }
        *rest++ = 0;
        if (strcmp(line, "cost") == 0) {
            if (current) /* to the end of its headers */
                break;
            if (sscanf(rest, "%lf %lf", &job->known_seconds, &job->bytes) != 2)
                job->known_seconds = 0;
        } else if (strcmp(line, "so") == 0) {
            current = library_is_current(pool, job, rest);
        } else if (current) {
            current = header_is_current(pool, line, rest);
        }
    }
    fclose(file);
    return current;
}

/* Finds compiler, key and cache entry. Returns 1 if there is something to compile. */
static int prepare(struct pool *pool, struct job *job) {
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
    (is_cu ? find_nvcc : find_cc)(job->compiler);
    if (!*job->compiler) {
        snprintf(built->message, sizeof built->message, "%s",
                 is_cu ? "no nvcc on PATH: install the CUDA toolkit or set NVCC"
                       : "no C compiler on PATH: install gcc or set CC");
        return 0;
    }
    if (is_cu && !*pool->options->arch) {
        snprintf(built->message, sizeof built->message,
                 "a CUDA source needs a GPU or a named architecture");
        return 0;
    }
    if (strcmp(last, job->compiler) != 0) {
        if (version_of(pool, job->compiler, version, sizeof version) < 0)
            return -1;
        snprintf(last, sizeof last, "%s", job->compiler);
    }
    if (is_cu && !*pool->headers.toolkit)
        headers_set_toolkit(&pool->headers, job->compiler);
    set_arguments(pool, job);
    if (make_key(pool, job, version) < 0)
        return -1;
    built->in_cache = true;
    job->bytes = is_cu ? GUESS_CU_BYTES : GUESS_C_BYTES;
    if (!find_entry(pool, job)) {
        struct stat source;
        job->source_bytes = stat(c->path, &source) == 0 ? (double)source.st_size : 0;
        return 1;
    }
    built->outcome = BUILD_OK;
    built->cached = true;
    built->seconds = job->known_seconds;
    return 0;
}

/* A folder that is there already was left by a builder that was killed. */
static int make_part(const struct pool *pool, struct job *job) {
    char name[128];
    snprintf(name, sizeof name, "%s.%s", job->key, pool->maker);
    if (join(job->part, pool->cache, name, ".part") < 0 ||
        join(job->scratch, job->part, "scratch", "") < 0)
        return -1;
    int status = mkdir(job->part, 0700);
    if (status < 0 && errno == EEXIST) {
        child_remove_folder(job->part);
        status = mkdir(job->part, 0700);
    }
    return status < 0 ? error("%s: %s", job->part, strerror(errno)) : 0;
}

/* What the compiler is given: the candidate itself, or a wrapper around it. */
static int write_source(const struct pool *pool, struct job *job) {
    snprintf(job->source, sizeof job->source, "%s", job->candidate->path);
    if (!*pool->set->function)
        return 0;
    if (join(job->source, job->part, "kernel", ".cu") < 0)
        return -1;
    FILE *out = fopen(job->source, "w");
    if (!out)
        return error("%s: %s", job->source, strerror(errno));
    cuda_l2_write_wrapper(out, pool->set, job->candidate, job->candidate->path);
    if (ferror(out) | fclose(out))
        return error("%s: it cannot be written", job->source);
    return 0;
}

/* Which headers are to be listed. A kernel's code is the toolkit's work, on any system. The code of
 * a host kernel is made of the system's headers, too. */
static const char *listing_flag(const struct pool *pool, const struct job *job) {
    return job->candidate->type == CANDIDATE_CU && !pool->headers.has_system ? "-MMD" : "-MD";
}

/* With the job's folder made. */
static int start_compiler(struct pool *pool, struct job *job) {
    const char *arguments[MOST_ARGUMENTS + 8];
    char so[PATH_MAX], deps[PATH_MAX], log[PATH_MAX];
    int n = 0;
    if (join(so, job->scratch, "kernel", ".so") < 0 ||
        join(deps, job->scratch, "kernel", ".d") < 0 || join(log, job->part, "log", "") < 0)
        return -1;
    if (mkdir(job->scratch, 0700) < 0)
        return error("%s: %s", job->scratch, strerror(errno));
    if (write_source(pool, job) < 0)
        return -1;
    arguments[n++] = job->compiler;
    while ((arguments[n] = job->arguments[n]))
        n++;
    arguments[n++] = listing_flag(pool, job);
    arguments[n++] = "-MF";
    arguments[n++] = deps;
    arguments[n++] = "-o";
    arguments[n++] = so;
    arguments[n++] = job->source;
    if (job->candidate->type == CANDIDATE_C)
        arguments[n++] = "-lm";
    arguments[n] = NULL;
    job->started = now();
    job->pid = spawn(arguments, log, job->scratch, pool->options->confine);
    return job->pid < 0 ? error("cannot start a compiler: %s", strerror(errno)) : 0;
}

static int start(struct pool *pool, struct job *job) {
    if (make_part(pool, job) < 0)
        return -1;
    int status = start_compiler(pool, job);
    if (status < 0)
        child_remove_folder(job->part);
    return status;
}

/* Writes the line of one header that the compiler has listed. Returns 0, or 1 with the result's
 * message: a set's own flags can put anything into the list. */
static int write_header(const struct pool *pool, struct job *job, const char *path, FILE *out) {
    char name[HEADERS_NAME], hash[33];
    if (strcmp(path, job->source) == 0 || strcmp(path, job->candidate->path) == 0)
        return 0; /* the key has them */
    if (!headers_name(&pool->headers, path, name))
        return 0; /* the compiler's version stands for them */
    if (hash_header(path, hash) == 0) {
        fprintf(out, "%s %s\n", hash, name);
        return 0;
    }
    snprintf(job->built->message, sizeof job->built->message,
             "%.1500s, which the compiler lists as a header, cannot be read: %s", path,
             hash_explain(errno));
    return 1;
}

/* Turns the compiler's make rule into lines "HASH NAME" for every header. In the rule a backslash
 * before a newline goes on, before a blank it keeps the blank; a dollar sign is written twice.
 * Returns 0, 1 with the result's message, or -1. */
static int write_headers(const struct pool *pool, const char *rule_path, struct job *job,
                         FILE *out) {
    FILE *rule = fopen(rule_path, "r");
    char path[PATH_MAX];
    size_t n = 0;
    bool prerequisites = false;
    int status = 0;
    if (!rule)
        return -1;
    for (int c = fgetc(rule), ended = 0; status == 0 && !ended; c = fgetc(rule)) {
        ended = c == EOF;
        if (c == '\\') {
            c = fgetc(rule);
            if (c == '\n')
                c = ' ';
            else if (n + 1 < sizeof path) {
                path[n++] = (char)c;
                continue;
            }
        }
        if (c == '$' && (c = fgetc(rule)) != '$') {
            ungetc(c, rule);
            c = '$';
        }
        if (!ended && c != ' ' && c != '\n' && c != '\t') {
            if (n + 1 < sizeof path)
                path[n++] = (char)c;
            continue;
        }
        path[n] = 0;
        if (n > 0 && prerequisites)
            status = write_header(pool, job, path, out);
        if (n > 0 && path[n - 1] == ':')
            prerequisites = true;
        else if (n == 0 && c == ':')
            prerequisites = true;
        n = 0;
    }
    fclose(rule);
    return status;
}

/* A compiler that was taken over may have left a link or a pipe. */
static bool is_file(const char *path) {
    struct stat status;
    return lstat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* How many libraries KEY.deps keeps: the same words are compiled with other headers by turns where
 * two releases are compared. */
#define KEPT_VARIANTS 4

/* Copies what KEY.deps says of other libraries than this one. */
static void copy_others(const char *deps, const char *variant, FILE *out) {
    char line[HEADERS_NAME + 64], cost[128] = "";
    FILE *in = fopen(deps, "r");
    bool keeps = false;
    int kept = 1;
    while (in && fgets(line, sizeof line, in)) {
        if (strncmp(line, "cost ", 5) == 0) {
            snprintf(cost, sizeof cost, "%.120s", line);
            keeps = false;
        } else if (strncmp(line, "so ", 3) == 0) {
            keeps = !strstr(line, variant) && kept < KEPT_VARIANTS;
            kept += keeps;
            if (keeps)
                fprintf(out, "%s%s", cost, line);
        } else if (keeps) {
            fputs(line, out);
        }
    }
    if (in)
        fclose(in);
}

/* Writes what is to be KEY.deps, and names the library. Returns 0, 1 with the result's message, or
 * -1 after error(). */
static int write_deps(const struct pool *pool, struct job *job, const char *rule,
                      const char *old_deps, double bytes, FILE *out) {
    char so[PATH_MAX], hash[33], variant[33], *lines = NULL;
    size_t size;
    if (join(so, job->scratch, "kernel", ".so") < 0 || hash_file(so, hash) < 0)
        return -1;
    FILE *memory = open_memstream(&lines, &size);
    if (!memory)
        return error("no memory for a list of headers");
    int status = write_headers(pool, rule, job, memory);
    if (fclose(memory) == EOF || status < 0) {
        free(lines);
        return error("%s: it cannot be read", rule);
    }
    const char *strings[] = {job->key, lines, NULL};
    hash_strings(strings, variant);
    fprintf(out, "cost %.3f %.0f\nso %s %s\n%s", job->built->seconds, bytes, hash, variant, lines);
    copy_others(old_deps, variant, out);
    free(lines);
    return status == 0 && name_library(pool, job, variant) < 0 ? -1 : status;
}

/* Moves a finished library into the cache. The deps come last: without them there is no entry. */
static int publish(const struct pool *pool, struct job *job, double bytes) {
    char so[PATH_MAX], rule[PATH_MAX], part[PATH_MAX], deps[PATH_MAX];
    if (join(so, job->scratch, "kernel", ".so") < 0 ||
        join(rule, job->scratch, "kernel", ".d") < 0 || join(part, job->part, "deps", "") < 0 ||
        join(deps, pool->cache, job->key, ".deps") < 0)
        return -1;
    if (!is_file(so) || !is_file(rule)) {
        snprintf(job->built->message, sizeof job->built->message,
                 "%.1000s ended well and left no library, or no list of headers", job->compiler);
        return 0;
    }
    FILE *out = fopen(part, "w");
    if (!out)
        return error("%s: %s", part, strerror(errno));
    const int status = write_deps(pool, job, rule, deps, bytes, out);
    const int fault = ferror(out) | fclose(out);
    if (status < 0)
        return -1;
    if (fault || (status == 0 && (rename(so, job->built->so) < 0 || rename(part, deps) < 0)))
        return error("%s: the compiled kernel cannot be kept: %s", pool->cache, strerror(errno));
    if (status == 0)
        job->built->outcome = BUILD_OK;
    return 0;
}

/* Whether the compiler, or a program that it had started, was killed, and not by this builder, who
 * does so to those that are too long: most likely by the kernel, for want of memory. Compilers tell
 * of their programs, and end like any that failed. */
static bool was_killed(int status, const char *log) {
    static const char *const words[] = {"Killed signal terminated program",  /* gcc */
                                        "terminated with signal 9",          /* and its linker */
                                        "unable to execute command: Killed", /* clang */
                                        "died due to signal 9"};             /* nvcc */
    char text[2048];
    if (WIFSIGNALED(status))
        return WTERMSIG(status) == SIGKILL;
    if (WEXITSTATUS(status) == 128 + SIGKILL) /* by a shell */
        return true;
    read_tail(log, text, sizeof text);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(text, words[i]))
            return true;
    return false;
}

static bool sounds_like_sandbox(int status, const char *text) {
    return strstr(text, strerror(EACCES)) || strstr(text, strerror(EPERM)) ||
           strstr(text, strsignal(SIGSYS)) || (WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS);
}

/* Puts what the compiler said into the result, after a hint if it was killed, or sounds like the
 * sandbox's doing. */
static void explain(const struct job *job, int status, bool confined, const char *log) {
    static const char killed[] = "(killed twice, the second time with no other compiler of this "
                                 "build beside it: probably for want of memory; give it more, or "
                                 "fill the cache where there is more: gemmgate build --jobs 1)\n";
    static const char locked[] = "(in the sandbox a compiler writes below TMPDIR only and has no "
                                 "network, so that ccache or distcc fails; --no-sandbox goes "
                                 "without)\n";
    char text[sizeof job->built->message];
    read_tail(log, text, sizeof text);
    if (!*text)
        snprintf(text, sizeof text, "%.1000s ended with %s %d", job->compiler,
                 WIFSIGNALED(status) ? "signal" : "status",
                 WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    const char *hint = was_killed(status, log)                         ? killed
                       : confined && sounds_like_sandbox(status, text) ? locked
                                                                       : "";
    const size_t length = strlen(text), first = strlen(hint), room = sizeof text - 1 - first;
    const size_t kept = length < room ? length : room;
    memcpy(job->built->message, hint, first);
    memcpy(job->built->message + first, text + length - kept, kept + 1);
}

/* The compiler ended: its library goes to the cache, or its words into the result. Returns 1 where
 * it is to be started again, else 0, or -1. */
static int finish(const struct pool *pool, struct job *job, int status,
                  const struct rusage *usage) {
    struct built *built = job->built;
    char log[PATH_MAX], kept[PATH_MAX];
    int result = 0;
    built->seconds = now() - job->started;
    if (built->outcome == BUILD_TIMED_OUT) {
        snprintf(built->message, sizeof built->message, "killed after %.0f s",
                 pool->options->timeout_seconds);
    } else if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        result = publish(pool, job, (double)usage->ru_maxrss * 1024);
    } else if (join(log, job->part, "log", "") == 0) {
        if (!job->again && was_killed(status, log)) {
            job->again = true;
            result = 1;
        } else {
            explain(job, status, pool->options->confine != NULL, log);
            if (join(kept, pool->cache, job->key, ".log") == 0)
                rename(log, kept);
        }
    }
    child_remove_folder(job->part);
    job->pid = 0;
    return result;
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

static void kill_all(struct pool *pool) {
    for (size_t i = 0; i < pool->count; i++)
        if (pool->jobs[i].pid > 0) {
            kill(-pool->jobs[i].pid, SIGKILL);
            while (waitpid(pool->jobs[i].pid, NULL, 0) < 0 && errno == EINTR)
                ;
            child_remove_folder(pool->jobs[i].part);
        }
}

/* Makes job i, whose compiler was killed, the next to be started, and lets it need more memory than
 * there is, so that it runs alone. */
static void put_back(struct pool *pool, size_t i, size_t *next, double memory) {
    struct job *last = &pool->jobs[--*next], job = pool->jobs[i];
    warning("%s: its compiler was killed, probably for want of memory; it is tried again by "
            "itself (fewer --jobs need less)",
            job.candidate->file);
    pool->jobs[i] = *last;
    *last = job;
    last->bytes = 2 * memory + 1;
}

/* Runs the jobs. Memory that running compilers were promised counts as used until they end. */
static int run_pool(struct pool *pool, build_progress *progress, void *context) {
    const double memory = 0.9 * memory_available("/proc", "/sys/fs/cgroup");
    size_t next = 0, running = 0;
    double promised = 0;
    while (next < pool->count || running > 0) {
        if (pool->options->stop && *pool->options->stop) {
            kill_all(pool);
            return error("stopped while compiling; what is compiled is kept");
        }
        if (next < pool->count && running < (size_t)pool->options->jobs &&
            (running == 0 || promised + pool->jobs[next].bytes <= memory)) {
            promised += pool->jobs[next].bytes;
            if (start(pool, &pool->jobs[next++]) < 0) {
                kill_all(pool);
                return -1;
            }
            running++;
            continue;
        }
        bool ended = false;
        for (size_t i = 0; i < next; i++) {
            struct rusage usage;
            int status;
            struct job *job = &pool->jobs[i];
            if (job->pid <= 0)
                continue;
            if (now() - job->started > pool->options->timeout_seconds &&
                job->built->outcome != BUILD_TIMED_OUT) {
                job->built->outcome = BUILD_TIMED_OUT;
                kill(-job->pid, SIGKILL);
            }
            if (!child_has_ended(job->pid))
                continue;
            kill(-job->pid, SIGKILL); /* what it left behind */
            if (wait4(job->pid, &status, 0, &usage) != job->pid)
                continue;
            const int fate = finish(pool, job, status, &usage);
            if (fate < 0) {
                kill_all(pool);
                return -1;
            }
            promised -= job->bytes;
            running--;
            ended = true;
            if (fate == 1)
                put_back(pool, i, &next, memory);
            else
                progress(context, job->candidate, job->built);
        }
        if (!ended)
            usleep(10000);
    }
    return 0;
}

static int copy_file(const char *from, const char *to) {
    char chunk[1 << 16];
    size_t n;
    FILE *in = fopen(from, "rb"), *out = in ? fopen(to, "wbx") : NULL;
    bool fault = !in || !out;
    while (!fault && (n = fread(chunk, 1, sizeof chunk, in)) > 0)
        fault = fwrite(chunk, 1, n, out) != n;
    fault = fault || ferror(in);
    if (in)
        fclose(in);
    if (out && fclose(out) == EOF)
        fault = true;
    return fault ? -1 : 0;
}

/* Gives the library a file of its own, a copy: the loader takes two names of one file for one. */
static int set_apart(const struct pool *pool, struct built *built) {
    char own[sizeof built->so], part[PATH_MAX], hash[33], old[33];
    if (snprintf(own, sizeof own, "%.*s.apart.so", (int)(strlen(built->so) - strlen(".so")),
                 built->so) >= (int)sizeof own ||
        snprintf(part, sizeof part, "%s.%s.part", own, pool->maker) >= (int)sizeof part)
        return error("%s: the path is too long", built->so);
    if (hash_file(built->so, hash) < 0)
        return -1;
    if (hash_file_quietly(own, old) < 0 || strcmp(old, hash) != 0) {
        unlink(part); /* of a builder that was killed */
        if (copy_file(built->so, part) < 0 || rename(part, own) < 0) {
            unlink(part);
            return error("%s: it cannot be copied: %s", built->so, strerror(errno));
        }
    }
    memcpy(built->so, own, sizeof own);
    return 0;
}

static int set_all_apart(const struct pool *pool, struct built *results) {
    for (size_t i = 0; i < pool->set->count; i++)
        if (results[i].outcome == BUILD_OK && results[i].in_cache &&
            set_apart(pool, &results[i]) < 0)
            return -1;
    return 0;
}

/* Where headers are looked for, in the compiler's order. */
static int find_headers(struct pool *pool) {
    const char *flags[SET_FLAGS + 1];
    for (int i = 0; i < pool->set->flag_count; i++)
        flags[i] = pool->set->flags[i];
    flags[pool->set->flag_count] = NULL;
    headers_add_folder(&pool->headers, pool->set->folder);
    headers_add_flags(&pool->headers, flags);
    if (!*pool->set->function)
        headers_add_folder(&pool->headers, pool->options->include);
    return headers_add_environment(&pool->headers);
}

static int prepare_all(struct pool *pool, const bool *wanted, struct built *results,
                       build_progress *progress, void *context) {
    for (size_t i = 0; i < pool->set->count; i++) {
        struct job *job = &pool->jobs[pool->count];
        results[i] = (struct built){.outcome = BUILD_NOT_WANTED};
        if (wanted && !wanted[i])
            continue;
        *job = (struct job){.candidate = &pool->set->list[i], .built = &results[i]};
        const int status = prepare(pool, job);
        if (status < 0)
            return -1;
        if (status == 1)
            pool->count++;
        else
            progress(context, job->candidate, job->built);
    }
    return 0;
}

int build_all(const struct candidate_set *set, const bool *wanted,
              const struct build_options *options, struct built *results, build_progress *progress,
              void *context) {
    static struct pool pool;
    pool = (struct pool){.set = set, .options = options};
    int status = find_cache(&pool);
    if (status < 0)
        return -1;
    if (snprintf(pool.include, PATH_MAX, "-I%s", options->include) >= PATH_MAX)
        return error("the include path is too long");
    snprintf(pool.gencode, sizeof pool.gencode, "arch=compute_%s,code=sm_%s", options->arch,
             options->arch);
    char host[48] = "";
    if (gethostname(host, sizeof host - 1) < 0)
        snprintf(host, sizeof host, "host");
    snprintf(pool.maker, sizeof pool.maker, "%s.%d", host, (int)getpid());
    pool.jobs = calloc(set->count, sizeof *pool.jobs);
    if (!pool.jobs)
        return error("no memory for %zu compiles", set->count);
    status = find_headers(&pool);
    if (status == 0)
        status = prepare_all(&pool, wanted, results, progress, context);
    if (status == 0) {
        qsort(pool.jobs, pool.count, sizeof *pool.jobs, by_length);
        status = run_pool(&pool, progress, context);
    }
    if (status == 0 && options->apart)
        status = set_all_apart(&pool, results);
    free(pool.jobs);
    headers_free(&pool.headers);
    return status;
}
