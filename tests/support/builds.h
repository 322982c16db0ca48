/* For tests: sets that are built, mostly with scripts for compilers. Include after cmocka.h.
 *
 * Every build runs in a process of its own, as a user's would: a process knows a header's hash for
 * life. */
#ifndef TESTS_SUPPORT_BUILDS_H
#define TESTS_SUPPORT_BUILDS_H

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "bench/base/error.h"
#include "candidates/build/build.h"
#include "tests/support/asserts.h"
#include "tests/support/scratch.h"

#define MOST 5
#define KERNEL "#include \"gemmgate.h\"\nint kernel(void) { return GEMMGATE_ABI; }\n"

/* What builder and test share. */
static struct shared {
    struct built results[MOST];
    int told[MOST]; /* how often progress spoke of each */
    const bool *wanted;
    int stop;
    int stop_when_told; /* progress sets stop */
    char scratch[512];  /* what `confine` was given last */
} * shared;

static struct build_options options;
static char cache[512], include[512];

/* The compiler of the tests: notes each compile in `calls`, does `body` in the scratch folder, and hands over to cc. Says
 * it is of the version in the file `version`. */
__attribute__((unused)) static void use_compiler(const char *body) {
    scratch_put("version", "1");
    scratch_put("cc",
                "#!/bin/sh\n"
                "set=$PWD; cd '%s' || exit 9\n"
                "[ \"$1\" = --version ] && exec cat version\n"
                "echo \"$*\" >>calls\n"
                ": \"${TMPDIR:?}\"\n%s\n"
                "cd \"$set\"\n"
                "PATH=$KEPT_PATH exec cc \"$@\"\n",
                scratch, body);
    assert_int_equal(chmod(scratch_path("cc"), 0777), 0);
    assert_int_equal(setenv("CC", scratch_path("cc"), 1), 0);
}

__attribute__((unused)) static int setup(void **state) {
    if (scratch_make(state) < 0)
        return -1;
    memset(shared, 0, sizeof *shared);
    snprintf(cache, sizeof cache, "%s", scratch_path("some/cache"));
    snprintf(include, sizeof include, "%s", scratch_path("include"));
    build_defaults(&options, 2);
    options.cache = cache;
    options.include = include;
    options.stop = &shared->stop;
    scratch_put("include/gemmgate.h", "#define GEMMGATE_ABI 1\n");
    unsetenv("CUDACXX");
    unsetenv("NVCC");
    unsetenv("TMPDIR");
    use_compiler("");
    return 0;
}

__attribute__((unused)) static void tell(void *context, const struct candidate *candidate,
                                         const struct built *built) {
    (void)candidate;
    const size_t i = (size_t)(built - (const struct built *)context);
    shared->told[i < MOST ? i : 0]++;
    if (shared->stop_when_told)
        shared->stop = 1;
}

/* Starts a build of the folder, which may be cuda-l2:FOLDER; its process. */
__attribute__((unused)) static pid_t start(const char *folder) {
    static struct candidate_set set;
    char name[1100], cutlass[1100];
    const char *colon = strchr(folder, ':');
    snprintf(name, sizeof name, "%.*s%s", colon ? (int)(colon - folder) + 1 : 0, folder,
             scratch_path(colon ? colon + 1 : folder));
    snprintf(cutlass, sizeof cutlass, "%s", scratch_path("cutlass"));
    assert_int_equal(set_open(name, cutlass, &set), 0);
    assert_true(set.count <= MOST);
    memset(shared->results, 0xa5, sizeof shared->results);
    memset(shared->told, 0, sizeof shared->told);
    fflush(NULL);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        alarm(120); /* one that hangs has failed */
        _exit(build_all(&set, shared->wanted, &options, shared->results, tell, shared->results) == 0
                  ? 0
                  : 1);
    }
    set_free(&set);
    return pid;
}

__attribute__((unused)) static int end(pid_t pid) {
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status) == 0 ? 0 : -1;
}

__attribute__((unused)) static int build(const char *folder) {
    return end(start(folder));
}

/* Compiles since the last question; what they were given is in `calls_text`. */
static char calls_text[8192];
__attribute__((unused)) static int calls(void) {
    int n = 0;
    FILE *file = fopen(scratch_path("calls"), "r");
    *calls_text = 0;
    if (!file)
        return 0;
    calls_text[fread(calls_text, 1, sizeof calls_text - 1, file)] = 0;
    fclose(file);
    remove(scratch_path("calls"));
    for (const char *p = calls_text; *p; p++)
        n += *p == '\n';
    return n;
}

/* KEY-HASH.so and KEY-HASH.deps. */
__attribute__((unused)) static bool is_kept(const char *name) {
    static const char hex[] = "0123456789abcdef";
    return strspn(name, hex) == 32 && name[32] == '-' && strspn(name + 33, hex) == 32 &&
           (strcmp(name + 65, ".so") == 0 || strcmp(name + 65, ".deps") == 0);
}

/* Files in the cache; fails if any is a temporary one. */
__attribute__((unused)) static int cache_files(void) {
    DIR *folder = opendir(cache);
    assert_non_null(folder);
    int n = 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        const char *name = entry->d_name;
        if (*name == '.')
            continue;
        if (!is_kept(name))
            fail_msg("%s was left in the cache", name);
        n++;
    }
    closedir(folder);
    return n;
}

/* The build of one file ended well, by that many compiles. */
__attribute__((unused)) static void built_by(const char *folder, int compiles) {
    assert_int_equal(build(folder), 0);
    const struct built *b = &shared->results[0];
    if (b->outcome != BUILD_OK)
        fail_msg("it does not compile: %s", b->message);
    assert_int_equal(b->cached, compiles == 0);
    assert_int_equal(shared->told[0], 1);
    assert_int_equal(calls(), compiles);
    assert_int_equal(access(b->so, R_OK), 0);
    cache_files();
}

static const char *read_file(const char *path) {
    static char text[1 << 20];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    return text;
}

/* The file that lists what the library KEY-HASH.so was made of; the test fails if there is none. */
__attribute__((unused)) static const char *deps_of(const char *so) {
    static char path[1100];
    char first[40];
    const size_t key = strlen(so) - strlen("-HASH.so") - 28;
    snprintf(first, sizeof first, "so %.32s\n", so + key + 1);
    DIR *folder = opendir(cache);
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));) {
        snprintf(path, sizeof path, "%s/%s", cache, entry->d_name);
        if (strncmp(path, so, key) == 0 && strstr(path, ".deps") &&
            strncmp(read_file(path), first, strlen(first)) == 0)
            break;
        *path = 0;
    }
    closedir(folder);
    assert_string_not_equal(path, "");
    return path;
}

__attribute__((unused)) static void write_deps(const char *so, const char *text) {
    char path[1100];
    snprintf(path, sizeof path, "%s", deps_of(so));
    unlink(path);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

__attribute__((unused)) static const char *read_deps(const char *so) {
    return read_file(deps_of(so));
}

__attribute__((unused)) static void lists(const char *line) {
    const char *text = read_deps(shared->results[0].so);
    if (!strstr(text, line))
        fail_msg("no \"%s\" in %s", line, text);
}

__attribute__((unused)) static void lists_not(const char *words) {
    const char *text = read_deps(shared->results[0].so);
    if (strstr(text, words))
        fail_msg("\"%s\" in %s", words, text);
}

static void ended_with(enum build_outcome outcome, const char *words) {
    assert_int_equal(shared->results[0].outcome, outcome);
    assert_false(shared->results[0].cached);
    assert_int_equal(shared->told[0], 1);
    if (!strstr(shared->results[0].message, words))
        fail_msg("\"%s\" lacks \"%s\"", shared->results[0].message, words);
}

__attribute__((unused)) static void failed_with(const char *words) {
    ended_with(BUILD_FAILED, words);
}

/* This machine's fault. */
__attribute__((unused)) static void lacks(const char *words) {
    ended_with(BUILD_LACKING, words);
}

/* A line that ends with the last of the processes that hold it: a fifo. */
__attribute__((unused)) static int line_open(void) {
    assert_int_equal(mkfifo(scratch_path("line"), 0666), 0);
    int line = open(scratch_path("line"), O_RDONLY | O_NONBLOCK);
    assert_true(line >= 0);
    return line;
}

/* Holds the line in a child of the compiler's and sleeps, longer than line_is_dead waits. */
#define SLEEP "exec 3>line; (echo up >&3; sleep 30) & wait"

__attribute__((unused)) static void line_is_up(int line) {
    char text[4];
    struct pollfd poll_in = {.fd = line, .events = POLLIN};
    assert_int_equal(poll(&poll_in, 1, 60000), 1);
    assert_int_equal(read(line, text, 3), 3);
    assert_memory_equal(text, "up\n", 3);
}

__attribute__((unused)) static void line_is_dead(int line) {
    struct pollfd poll_in = {.fd = line, .events = POLLIN};
    char byte;
    if (poll(&poll_in, 1, 10000) != 1 || read(line, &byte, 1) != 0)
        fail_msg("a compiler's child still runs");
    close(line);
}

/* What all tests and their builders share. */
static int builds_share(void **state) {
    (void)state;
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return shared == MAP_FAILED ? -1 : setenv("KEPT_PATH", getenv("PATH"), 1);
}

#endif
