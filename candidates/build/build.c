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
    job->arguments[n++] = pool->include;
    job->arguments[n] = NULL;
}

/* What changes a compiler's output as flags do. */
static const char *const variables[] = {"NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS",
                                        "NVCC_CCBIN",         "CPATH",
                                        "C_INCLUDE_PATH",     "CPLUS_INCLUDE_PATH"};
enum { VARIABLES = sizeof variables / sizeof *variables };

/* The key: what is compiled, where, by what and how. Paths count, the source's and those headers
 * are looked for in: from elsewhere the same words include other headers. */
static int make_key(struct pool *pool, struct job *job, const char *version) {
    const char *strings[MOST_ARGUMENTS + 2 * VARIABLES + 8];
    char *wrapper = NULL;
    size_t size = 0;
    int n = 0;
    strings[n++] = job->candidate->source_hash;
    strings[n++] = job->candidate->path;
    strings[n++] = version;
    for (int i = 1; job->arguments[i]; i++)
        strings[n++] = job->arguments[i];
    for (int i = 0; i < VARIABLES; i++)
        if (getenv(variables[i])) {
            strings[n++] = variables[i];
            strings[n++] = getenv(variables[i]);
        }
    if (*pool->set->function) {
        FILE *out = open_memstream(&wrapper, &size);
        if (!out)
            return error("no memory for a wrapper");
        cuda_l2_write_wrapper(out, pool->set, job->candidate);
        if (fclose(out) == EOF)
            return error("no memory for a wrapper");
        strings[n++] = wrapper;
    }
    strings[n] = NULL;
    hash_strings(strings, job->key);
    free(wrapper);
    return 0;
}

/* KEY.deps: "so HASH", "cost SECONDS BYTES", then "HASH PATH" a header. Returns whether the library
 * and every header are what they were; costs are read either way. */
static bool entry_is_current(const struct pool *pool, struct job *job) {
    char deps[PATH_MAX], hash[33], line[PATH_MAX + 64];
    bool current = false;
    if (join(deps, pool->cache, job->key, ".deps") < 0)
        return false;
    FILE *file = fopen(deps, "r");
    if (!file)
        return false;
    while (fgets(line, sizeof line, file)) {
        char *path = strchr(line, ' ');
        line[strcspn(line, "\n")] = 0;
        if (!path) {
            current = false;
            break;
        }
        *path++ = 0;
        if (strcmp(line, "cost") == 0) {
            if (sscanf(path, "%lf %lf", &job->known_seconds, &job->bytes) != 2)
                job->known_seconds = 0;
            continue;
        }
        const bool library = strcmp(line, "so") == 0;
        current =
            (library ? hash_file_quietly(job->built->so, hash) : hash_header(path, hash)) == 0 &&
            strcmp(hash, library ? path : line) == 0;
        if (!current)
            break;
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
    set_arguments(pool, job);
    if (make_key(pool, job, version) < 0)
        return -1;
    if (snprintf(built->so, sizeof built->so, "%s/%s.so", pool->cache, job->key) >=
        (int)sizeof built->so)
        return error("%s: the cache's path is too long", pool->cache);
    built->in_cache = true;
    job->bytes = is_cu ? GUESS_CU_BYTES : GUESS_C_BYTES;
    if (!entry_is_current(pool, job)) {
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
    cuda_l2_write_wrapper(out, pool->set, job->candidate);
    if (ferror(out) | fclose(out))
        return error("%s: it cannot be written", job->source);
    return 0;
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
    arguments[n++] = "-MD";
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

/* Turns the compiler's make rule into lines "HASH PATH" for every header. In the rule a backslash
 * before a newline goes on, before a blank it keeps the blank; a dollar sign is written twice. A
 * set's own flags can put anything into the rule: what cannot be a header is the kernel's fault.
 * Returns 0, 1 with the result's message, or -1. */
static int write_headers(const char *rule_path, struct job *job, FILE *out) {
    FILE *rule = fopen(rule_path, "r");
    char path[PATH_MAX], hash[33];
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
        if (n > 0 && prerequisites && strcmp(path, job->source) != 0) {
            if (hash_header(path, hash) == 0) {
                fprintf(out, "%s %s\n", hash, path);
            } else {
                snprintf(job->built->message, sizeof job->built->message,
                         "%.1500s, which the compiler lists as a header, cannot be read: %s", path,
                         hash_explain(errno));
                status = 1;
            }
        }
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

/* Moves a finished library into the cache. The deps come last: without them there is no entry. */
static int publish(const struct pool *pool, struct job *job, double bytes) {
    char so[PATH_MAX], rule[PATH_MAX], part[PATH_MAX], deps[PATH_MAX], hash[33];
    if (join(so, job->scratch, "kernel", ".so") < 0 ||
        join(rule, job->scratch, "kernel", ".d") < 0 || join(part, job->part, "deps", "") < 0 ||
        join(deps, pool->cache, job->key, ".deps") < 0)
        return -1;
    if (!is_file(so) || !is_file(rule)) {
        snprintf(job->built->message, sizeof job->built->message,
                 "%.1000s ended well and left no library, or no list of headers", job->compiler);
        return 0;
    }
    if (hash_file(so, hash) < 0)
        return -1;
    FILE *out = fopen(part, "w");
    if (!out)
        return error("%s: %s", part, strerror(errno));
    fprintf(out, "cost %.3f %.0f\nso %s\n", job->built->seconds, bytes, hash);
    int status = write_headers(rule, job, out);
    if ((ferror(out) | fclose(out)) != 0 || status < 0 ||
        (status == 0 && (rename(so, job->built->so) < 0 || rename(part, deps) < 0)))
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
    for (size_t i = 0; i < set->count && status == 0; i++) {
        struct job *job = &pool.jobs[pool.count];
        results[i] = (struct built){.outcome = BUILD_NOT_WANTED};
        if (wanted && !wanted[i])
            continue;
        *job = (struct job){.candidate = &set->list[i], .built = &results[i]};
        status = prepare(&pool, job);
        if (status == 1) {
            pool.count++;
            status = 0;
        } else if (status == 0) {
            progress(context, job->candidate, job->built);
        }
    }
    if (status == 0) {
        qsort(pool.jobs, pool.count, sizeof *pool.jobs, by_length);
        status = run_pool(&pool, progress, context);
    }
    free(pool.jobs);
    return status;
}
