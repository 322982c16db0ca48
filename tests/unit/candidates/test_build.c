/* Compiling candidates, mostly with scripts for compilers: what the cache keeps, what it notices,
 * and what is left when something goes wrong.
 *
 * Every build runs in a process of its own, as a user's would: a process knows a header's hash for
 * life. */
#include "candidates/build/build.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "bench/base/error.h"
#include "bench/base/memory.h"
#include "bench/process/confine.h"
#include "tests/support/says.h"
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

/* The compiler of the tests: notes each compile in `calls`, does `body`, and hands over to cc. Says
 * it is of the version in the file `version`. */
static void use_compiler(const char *body) {
    scratch_put("version", "1");
    scratch_put("cc",
                "#!/bin/sh\n"
                "cd '%s' || exit 9\n"
                "[ \"$1\" = --version ] && exec cat version\n"
                "echo \"$*\" >>calls\n"
                ": \"${TMPDIR:?}\"\n%s\n"
                "PATH=$KEPT_PATH exec cc \"$@\"\n",
                scratch, body);
    assert_int_equal(chmod(scratch_path("cc"), 0777), 0);
    assert_int_equal(setenv("CC", scratch_path("cc"), 1), 0);
}

static int setup(void **state) {
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

static void tell(void *context, const struct candidate *candidate, const struct built *built) {
    (void)candidate;
    const size_t i = (size_t)(built - (const struct built *)context);
    shared->told[i < MOST ? i : 0]++;
    if (shared->stop_when_told)
        shared->stop = 1;
}

/* Starts a build of the folder; its process. */
static pid_t start(const char *folder) {
    static struct candidate_set set;
    assert_int_equal(set_open(scratch_path(folder), NULL, &set), 0);
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

static int end(pid_t pid) {
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status) == 0 ? 0 : -1;
}

static int build(const char *folder) {
    return end(start(folder));
}

/* Compiles since the last question; what they were given is in `calls_text`. */
static char calls_text[8192];
static int calls(void) {
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

/* KEY.deps, KEY.log and a library, which is KEY-VARIANT.so or set apart. */
static bool is_kept(const char *name) {
    static const char hex[] = "0123456789abcdef";
    if (strspn(name, hex) != 32)
        return false;
    name += 32;
    if (*name != '-')
        return strcmp(name, ".deps") == 0 || strcmp(name, ".log") == 0;
    return strspn(name + 1, hex) == 32 &&
           (strcmp(name + 33, ".so") == 0 || strcmp(name + 33, ".apart.so") == 0);
}

/* Files in the cache; fails if any is a temporary one. */
static int cache_files(void) {
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
static void built_by(const char *folder, int compiles) {
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

/* KEY.deps of a library KEY-VARIANT.so. */
static const char *deps_of(const char *so) {
    static char path[1100];
    snprintf(path, sizeof path, "%.*s.deps", (int)strlen(so) - 36, so);
    return path;
}

static void write_deps(const char *so, const char *text) {
    FILE *file = fopen(deps_of(so), "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

/* What KEY.deps says. */
static const char *read_deps(const char *so) {
    static char text[8192];
    FILE *file = fopen(deps_of(so), "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    return text;
}

static void lists(const char *line) {
    const char *text = read_deps(shared->results[0].so);
    if (!strstr(text, line))
        fail_msg("no \"%s\" in %s", line, text);
}

static void lists_not(const char *words) {
    const char *text = read_deps(shared->results[0].so);
    if (strstr(text, words))
        fail_msg("\"%s\" in %s", words, text);
}

static void failed_with(const char *words) {
    assert_int_equal(shared->results[0].outcome, BUILD_FAILED);
    assert_false(shared->results[0].cached);
    assert_int_equal(shared->told[0], 1);
    if (!strstr(shared->results[0].message, words))
        fail_msg("\"%s\" lacks \"%s\"", shared->results[0].message, words);
}

/* A line that ends with the last of the processes that hold it: a fifo. */
static int line_open(void) {
    assert_int_equal(mkfifo(scratch_path("line"), 0666), 0);
    int line = open(scratch_path("line"), O_RDONLY | O_NONBLOCK);
    assert_true(line >= 0);
    return line;
}

/* Holds the line in a child of the compiler's and sleeps, longer than line_is_dead waits. */
#define SLEEP "exec 3>line; (echo up >&3; sleep 30) & wait"

static void line_is_up(int line) {
    char text[4];
    struct pollfd poll_in = {.fd = line, .events = POLLIN};
    assert_int_equal(poll(&poll_in, 1, 60000), 1);
    assert_int_equal(read(line, text, 3), 3);
    assert_memory_equal(text, "up\n", 3);
}

static void line_is_dead(int line) {
    struct pollfd poll_in = {.fd = line, .events = POLLIN};
    char byte;
    if (poll(&poll_in, 1, 10000) != 1 || read(line, &byte, 1) != 0)
        fail_msg("a compiler's child still runs");
    close(line);
}

static void a_second_build_is_a_hit(void **state) {
    (void)state;
    scratch_put("kern/a.c", KERNEL);
    built_by("kern", 1);
    const double seconds = shared->results[0].seconds;
    assert_true(seconds > 0);
    assert_int_equal(cache_files(), 2);
    built_by("kern", 0);
    assert_true(shared->results[0].seconds > seconds - 0.001 &&
                shared->results[0].seconds < seconds + 0.001);
}

static void what_changes_the_library_is_noticed(void **state) {
    (void)state;
    scratch_put("kern/a.c", "#include \"tile.h\"\n" KERNEL);
    scratch_put("kern/tile.h", "#include \"deeper.h\"\n");
    scratch_put("kern/deeper.h", "\n");
    built_by("kern", 1);
    scratch_put("kern/deeper.h", "int deeper;\n");
    built_by("kern", 1);
    scratch_put("include/gemmgate.h", "#define GEMMGATE_ABI 2\n");
    built_by("kern", 1);
    scratch_put("kern/a.c", "#include \"tile.h\"\n\n" KERNEL);
    built_by("kern", 1);
    scratch_put("version", "2");
    built_by("kern", 1);
    scratch_put("kern/gemmgate.ini", "[set]\nflags = -DNAME\n");
    built_by("kern", 1);
    scratch_put("kern/gemmgate.ini", "[set]\nflags = -DOTHER -DNAME\n");
    built_by("kern", 1);
    scratch_put("kern/gemmgate.ini", "[set]\nflags = -DNAME -DOTHER\n");
    built_by("kern", 1);
    scratch_put("kern/tile.h", "\n");
    remove(scratch_path("kern/deeper.h"));
    built_by("kern", 1);
    built_by("kern", 0);
}

static void what_does_not_is_not(void **state) {
    (void)state;
    scratch_put("kern/a.c", KERNEL);
    scratch_put("kern/tile.h", "1\n");
    built_by("kern", 1);
    scratch_put("kern/tile.h", "2\n");
    scratch_put("include/other.h", "3\n");
    scratch_put("kern/a.c", KERNEL);
    options.timeout_seconds = 1000;
    options.jobs = 1;
    built_by("kern", 0);
}

/* The same words of source, but other headers: the first library must not stand in for the second,
 * nor be replaced by it. Both are kept. */
static void a_copy_with_other_headers_is_its_own(void **state) {
    (void)state;
    char first[1024], second[1024];
    scratch_put("kern/a.c", "#include \"tile.h\"\n" KERNEL);
    scratch_put("kern/tile.h", "int tile = 1;\n");
    scratch_put("copy/a.c", "#include \"tile.h\"\n" KERNEL);
    scratch_put("copy/tile.h", "int tile = 2;\n");
    built_by("kern", 1);
    memcpy(first, shared->results[0].so, sizeof first);
    built_by("copy", 1);
    assert_string_not_equal(shared->results[0].so, first);
    memcpy(second, shared->results[0].so, sizeof second);
    assert_int_equal(access(first, R_OK), 0);
    for (int i = 0; i < 2; i++) {
        built_by("kern", 0);
        assert_string_equal(shared->results[0].so, first);
        built_by("copy", 0);
        assert_string_equal(shared->results[0].so, second);
    }

    scratch_put("include2/gemmgate.h", "#define GEMMGATE_ABI 2\n");
    snprintf(include, sizeof include, "%s", scratch_path("include2"));
    built_by("kern", 1);
    assert_string_not_equal(shared->results[0].so, first);
}

static void move(const char *from, const char *to) {
    assert_int_equal(rename(scratch_path(from), scratch_path(to)), 0);
}

static void use_include(const char *folder) {
    snprintf(include, sizeof include, "%s", scratch_path(folder));
}

/* The set, its headers, and this program's: wherever they lie, they are what they were. */
static void moved_folders_are_a_hit(void **state) {
    (void)state;
    scratch_put("here/kern/a.c", "#include \"tile.h\"\n#include \"../common.h\"\n"
                                 "#include <deep/one.h>\n#include <two.h>\n" KERNEL);
    scratch_put("here/kern/tile.h", "int tile;\n");
    scratch_put("here/common.h", "int common;\n");
    scratch_put("lib/deep/one.h", "#include \"../other/three.h\"\n");
    scratch_put("lib/other/three.h", "int three;\n");
    scratch_put("lib2/two.h", "int two;\n");
    scratch_put("here/kern/gemmgate.ini", "[set]\ninclude = ../../lib\nflags = -I %s/\n",
                scratch_path("lib2"));
    built_by("here/kern", 1);
    lists(" 1 tile.h\n");
    lists(" 1 ../common.h\n");
    lists(" 1 deep/one.h\n");
    lists(" 1 deep/../other/three.h\n");
    lists(" 1 two.h\n");
    lists(" 1 gemmgate.h\n");
    lists_not(scratch);
    lists_not("a.c");

    move("here", "there");
    move("lib", "moved");
    move("lib2", "moved2");
    move("include", "checkout");
    use_include("checkout");
    scratch_put("there/kern/gemmgate.ini", "[set]\ninclude = ../../moved\nflags = -I%s\n",
                scratch_path("moved2"));
    built_by("there/kern", 0);
    move("cc", "cc2");
    setenv("CC", scratch_path("cc2"), 1);
    built_by("there/kern", 0);
    /* Still they are watched, where they are now. */
    scratch_put("moved/other/three.h", "int four;\n");
    built_by("there/kern", 1);
    scratch_put("there/common.h", "int uncommon;\n");
    built_by("there/kern", 1);
    scratch_put("moved2/two.h", "int two, more;\n");
    built_by("there/kern", 1);
    scratch_put("checkout/gemmgate.h", "#define GEMMGATE_ABI 2\n");
    built_by("there/kern", 1);
    built_by("there/kern", 0);
}

/* However a folder is named. */
static void no_folder_is_in_the_key(void **state) {
    (void)state;
    static const char *const ways[] = {"-I",        "-I ",         "-isystem",
                                       "-isystem ", "-idirafter ", "-iquote "};
    scratch_put("lib/one.h", "int one;\n");
    scratch_put("lib2/one.h", "int one;\n");
    scratch_put("kern/a.c", "#include \"one.h\"\n" KERNEL);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        for (int j = 0; j < 2; j++) {
            scratch_put("kern/gemmgate.ini", "[set]\nflags = -DWAY=%zu %s%s -DMORE\n", i, ways[i],
                        scratch_path(j ? "lib2" : "lib"));
            built_by("kern", 1 - j);
            lists(" 1 one.h\n");
        }
        scratch_put("lib2/one.h", "int one, more%zu;\n", i);
        built_by("kern", 1);
        scratch_put("lib2/one.h", "int one;\n");
    }
}

/* Nor one that the environment names; other flags of it count. */
static void the_environment_counts_as_flags_do(void **state) {
    (void)state;
    static const char *const variables[] = {"CPATH", "C_INCLUDE_PATH"};
    scratch_put("lib/one.h", "int one;\n");
    scratch_put("lib2/one.h", "int one;\n");
    scratch_put("kern/a.c", "#include <one.h>\n" KERNEL);
    for (int i = 0; i < 2; i++) {
        scratch_put("lib2/one.h", "int one;\n");
        setenv(variables[i], scratch_path("lib"), 1);
        built_by("kern", i == 0); /* one's headers are the other's */
        lists(" 1 one.h\n");
        setenv(variables[i], scratch_path("lib2"), 1);
        built_by("kern", 0);
        scratch_put("lib2/one.h", "int one, more%d;\n", i);
        built_by("kern", 1);
        unsetenv(variables[i]);
        assert_int_equal(build("kern"), 0);
        failed_with("one.h");
        assert_int_equal(calls(), 1);
    }
    setenv("CPATH", scratch_path("lib"), 1);
    setenv("NVCC_CCBIN", "some-compiler", 1);
    built_by("kern", 0);
    setenv("NVCC_APPEND_FLAGS", "", 1);
    built_by("kern", 0);
    setenv("NVCC_APPEND_FLAGS", "-DNAME -I elsewhere", 1);
    built_by("kern", 1);
    setenv("NVCC_APPEND_FLAGS", "-Inowhere -DNAME", 1);
    built_by("kern", 0);
    setenv("NVCC_APPEND_FLAGS", "-DOTHER", 1);
    built_by("kern", 1);
    unsetenv("NVCC_APPEND_FLAGS");
    setenv("NVCC_PREPEND_FLAGS", "-DOTHER", 1);
    built_by("kern", 1);
    unsetenv("NVCC_PREPEND_FLAGS");
    unsetenv("NVCC_CCBIN");
    unsetenv("CPATH");
}

/* A header that comes to stand before another, in any of the folders. */
static void a_header_in_front_is_noticed(void **state) {
    (void)state;
    static const char *const places[] = {"lib2/one.h", "lib/one.h", "kern/one.h"};
    scratch_put("kern/a.c", "#include \"one.h\"\n" KERNEL);
    scratch_put("kern/gemmgate.ini",
                "[set]\ninclude = ../lib\ninclude = ../lib2\ninclude = ../lib3\n");
    scratch_put("lib3/one.h", "int one;\n");
    built_by("kern", 1);
    for (int i = 0; i < 3; i++) {
        scratch_put(places[i], "int other%d;\n", i);
        built_by("kern", 1);
        built_by("kern", 0);
    }
    /* One of the same words is none the worse, and one behind another is nobody's. */
    scratch_put("lib/one.h", "int other2;\n");
    remove(scratch_path("kern/one.h"));
    built_by("kern", 0);
    scratch_put("lib3/one.h", "int last;\n");
    built_by("kern", 0);
}

/* <one.h> passes over the source's folder, and #include_next over the folder it is in. */
static void one_that_is_passed_over_is_in_nobodys_way(void **state) {
    (void)state;
    scratch_put("kern/a.c", "#include <one.h>\n" KERNEL);
    scratch_put("kern/gemmgate.ini", "[set]\ninclude = ../lib\ninclude = ../lib2\n");
    scratch_put("kern/one.h", "#error not this one\n");
    scratch_put("lib/one.h", "#include_next <one.h>\n");
    scratch_put("lib2/one.h", "int one;\n");
    built_by("kern", 1);
    built_by("kern", 0);
    lists(" 2 one.h\n");
    lists(" 3 one.h\n");
    scratch_put("lib2/one.h", "int other;\n");
    built_by("kern", 1);
    scratch_put("lib/one.h", "int first;\n");
    built_by("kern", 1);
    built_by("kern", 0);
}

/* A header in no folder is known by its path. */
static void an_absolute_header_is_watched(void **state) {
    (void)state;
    scratch_put("far/one.h", "int one;\n");
    scratch_put("kern/a.c", "#include \"%s\"\n" KERNEL, scratch_path("far/one.h"));
    built_by("kern", 1);
    built_by("kern", 0);
    char line[600];
    snprintf(line, sizeof line, " 0 %s\n", scratch_path("far/one.h"));
    lists(line);
    scratch_put("far/one.h", "int other;\n");
    built_by("kern", 1);
    remove(scratch_path("far/one.h"));
    assert_int_equal(build("kern"), 0);
    failed_with("far/one.h");
}

/* Another release's kernel of the same words is another file, or what is static in one would be in
 * both. */
static void libraries_are_set_apart(void **state) {
    (void)state;
    char first[1024], second[1024];
    struct stat before, after;
    scratch_put("kern/a.c", KERNEL);
    built_by("kern", 1);
    memcpy(first, shared->results[0].so, sizeof first);
    options.apart = true;
    built_by("kern", 0);
    memcpy(second, shared->results[0].so, sizeof second);
    assert_string_not_equal(first, second);
    assert_int_equal(stat(first, &before), 0);
    assert_int_equal(stat(second, &after), 0);
    assert_int_not_equal(before.st_ino, after.st_ino);
    assert_int_equal(before.st_size, after.st_size);
    built_by("kern", 0);
    assert_string_equal(shared->results[0].so, second);
    assert_int_equal(stat(second, &before), 0);
    assert_int_equal(before.st_ino, after.st_ino);
    /* A copy that is damaged is made again, and so is that of a kernel that was not compiled yet.
     */
    assert_int_equal(truncate(second, 1000), 0);
    built_by("kern", 0);
    assert_int_equal(stat(second, &after), 0);
    assert_int_equal(before.st_size, after.st_size);
    scratch_put("kern/a.c", KERNEL "int more;\n");
    built_by("kern", 1);
    assert_non_null(strstr(shared->results[0].so, ".apart.so"));
    options.apart = false;
    built_by("kern", 0);
    assert_null(strstr(shared->results[0].so, ".apart.so"));
}

/* KEY.deps does not grow for ever. */
static void the_last_libraries_are_kept(void **state) {
    (void)state;
    scratch_put("kern/a.c", "#include \"tile.h\"\n" KERNEL);
    for (int i = 0; i < 6; i++) {
        scratch_put("kern/tile.h", "int tile = %d;\n", i);
        built_by("kern", 1);
    }
    for (int i = 2; i < 6; i++) {
        scratch_put("kern/tile.h", "int tile = %d;\n", i);
        built_by("kern", 0);
    }
    int costs = 0;
    for (const char *p = read_deps(shared->results[0].so); (p = strstr(p, "cost ")); p++)
        costs++;
    assert_int_equal(costs, 4);
    scratch_put("kern/tile.h", "int tile = 1;\n");
    built_by("kern", 1);
}

/* A toolkit with its nvcc, cc in truth: what it gives its compiler is not listed, wherever it lies.
 */
static void the_toolkit_is_the_compilers(void **state) {
    (void)state;
    scratch_put("kern/a.cu", "#include <runtime.h>\n" KERNEL);
    scratch_put("kits/one/include/runtime.h", "int runtime;\n");
    scratch_put("kits/one/bin/nvcc.profile", "%s", "");
    use_compiler(
        "here=$(dirname \"$0\"); while [ \"$1\" != -MMD ] && [ \"$1\" != -MD ]; do shift; done\n"
        "set -- -x c -shared -fPIC -I\"$PWD/include\" -I\"$here/../include\" \"$@\"");
    move("cc", "kits/one/bin/nvcc");
    assert_int_equal(symlink(scratch_path("kits/one"), scratch_path("kit")), 0);
    setenv("CUDACXX", scratch_path("kit/bin/nvcc"), 1);
    strcpy(options.arch, "90a");
    built_by("kern", 1);
    assert_non_null(strstr(calls_text, " -MMD "));
    lists_not("runtime.h");
    lists(" 1 gemmgate.h\n");
    scratch_put("kits/one/include/runtime.h", "int other_runtime;\n");
    built_by("kern", 0);
    scratch_put("version", "2");
    built_by("kern", 1);
    /* What is named is watched, be it the toolkit's; and so is the system's where its folders are.
     */
    scratch_put("kern/gemmgate.ini", "[set]\nflags = -isystem %s\n", scratch_path("lib"));
    scratch_put("lib/one.h", "int one;\n");
    scratch_put("kern/a.cu", "#include <one.h>\n" KERNEL);
    use_compiler("while [ \"$1\" != -MD ]; do shift; done\n"
                 "set -- -x c -shared -fPIC -I\"$PWD/include\" -isystem \"$PWD/lib\" \"$@\"");
    move("cc", "kits/one/bin/nvcc");
    built_by("kern", 1);
    lists(" 1 one.h\n");
    scratch_put("lib/one.h", "int other;\n");
    built_by("kern", 1);
    /* gcc takes this for a system folder, whatever it is named by. */
    scratch_put("kern/gemmgate.ini", "[set]\nflags = -I/usr/local/include\n");
    built_by("kern", 1);
    assert_non_null(strstr(calls_text, " -MD "));
    /* A program by the name that belongs to no toolkit has none. */
    remove(scratch_path("kits/one/bin/nvcc.profile"));
    scratch_put("kern/gemmgate.ini", "[set]\n");
    scratch_put("kern/a.cu", "#include <runtime.h>\nint more;\n" KERNEL);
    use_compiler("while [ \"$1\" != -MMD ]; do shift; done\n"
                 "set -- -x c -shared -fPIC -I\"$PWD/include\" -I\"$PWD/kits/one/include\" \"$@\"");
    move("cc", "kits/one/bin/nvcc");
    built_by("kern", 1);
    scratch_put("kits/one/include/runtime.h", "int third;\n");
    built_by("kern", 1);
}

/* The wrapper names the source by its path, and neither key nor list have that. */
static void a_wrapped_function_moves_too(void **state) {
    (void)state;
    static const char ini[] = "[set]\nname = Some_Set\nfunction = product\naccumulate = f16\n";
    scratch_put("kern/a.cu", "#include \"tile.h\"\nvoid product(int a) { }\n");
    scratch_put("kern/tile.h", "int tile;\n");
    scratch_put("kern/gemmgate.ini", ini);
    /* The wrapper's C++ is not for cc: it compiles the source that the wrapper includes. */
    use_compiler(
        "while [ \"$1\" != -MMD ]; do [ \"${1#-I}\" = \"$PWD/include\" ] && exit 7; shift; done\n"
        "for wrapper; do :; done; grep -q '^#include \"'$PWD'/.*/a.cu\"$' \"$wrapper\" || exit 8\n"
        "source=$(sed -n '1s/.*\"\\(.*\\)\"/\\1/p' \"$wrapper\")\n"
        "set -- -x c -shared -fPIC $1 $2 $3 $4 $5 \"$source\"");
    setenv("CUDACXX", scratch_path("cc"), 1);
    strcpy(options.arch, "90a");
    built_by("kern", 1);
    lists(" 1 tile.h\n");
    lists_not("a.cu");
    assert_int_equal(mkdir(scratch_path("deep"), 0777), 0);
    move("kern", "deep/er");
    scratch_put("include/gemmgate.h", "#define GEMMGATE_ABI 2\n");
    built_by("deep/er", 0);
    scratch_put("deep/er/tile.h", "int other;\n");
    built_by("deep/er", 1);
    /* What the wrapper says counts. */
    scratch_put("deep/er/gemmgate.ini",
                "[set]\nname = Some_Set\nfunction = product\naccumulate = f32\n");
    built_by("deep/er", 1);
    move("deep/er/a.cu", "deep/er/b.cu");
    assert_int_equal(build("deep/er"), 0);
    assert_int_equal(shared->results[0].cached, 0);
}

/* Make rules keep such names in spellings of their own. */
static void odd_paths_are_watched(void **state) {
    (void)state;
    static const char *const names[] = {"my tile.h", "a$b.h", "a$$b.h",
                                        "a#b.h",     "a:b.h", "two  blanks.h"};
    scratch_put("my $et #1/a.c", KERNEL);
    snprintf(cache, sizeof cache, "%s", scratch_path("my $cache: #1"));
    built_by("my $et #1", 1);
    built_by("my $et #1", 0);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[128];
        snprintf(path, sizeof path, "my $et #1/%s", names[i]);
        scratch_put(path, "int one;\n");
        scratch_put("my $et #1/a.c", "#include \"%s\"\n" KERNEL, names[i]);
        built_by("my $et #1", 1);
        built_by("my $et #1", 0);
        scratch_put(path, "int two;\n");
        built_by("my $et #1", 1);
    }
}

static void a_bad_source_is_tried_again(void **state) {
    (void)state;
    scratch_put("kern/a.c", "#error this line is wrong\n");
    for (int i = 0; i < 2; i++) {
        assert_int_equal(build("kern"), 0);
        failed_with("this line is wrong");
        assert_int_equal(calls(), 1);
        assert_int_equal(cache_files(), 1); /* KEY.log */
    }
}

/* A header broke it: the old library does not stand in. */
static void an_old_library_does_not_hide_a_failure(void **state) {
    (void)state;
    scratch_put("kern/a.c", "#include \"tile.h\"\n" KERNEL);
    scratch_put("kern/tile.h", "\n");
    built_by("kern", 1);
    scratch_put("kern/tile.h", "#error the header is wrong\n");
    assert_int_equal(build("kern"), 0);
    failed_with("the header is wrong");
    scratch_put("kern/tile.h", "#error the header is wrong\nint more;\n");
    assert_int_equal(build("kern"), 0);
    failed_with("the header is wrong");
}

static void a_silent_compiler_is_explained(void **state) {
    (void)state;
    scratch_put("kern/a.c", KERNEL);
    use_compiler("exit 3");
    assert_int_equal(build("kern"), 0);
    failed_with("/cc ended with status 3");
    use_compiler("kill -SEGV $$");
    assert_int_equal(build("kern"), 0);
    failed_with("/cc ended with signal 11");
    use_compiler("i=0; while [ $i -lt 999 ]; do echo line $i; i=$((i+1)); done; exit 1");
    assert_int_equal(build("kern"), 0);
    failed_with("\nline 998\n");
    assert_int_equal(strlen(shared->results[0].message), sizeof shared->results[0].message - 1);
}

static void one_failure_spoils_no_other(void **state) {
    (void)state;
    scratch_put("kern/a.c", KERNEL);
    scratch_put("kern/b.c", "#error wrong\n");
    scratch_put("kern/c.so", "not compiled");
    scratch_put("kern/d.c", KERNEL);
    assert_int_equal(build("kern"), 0);
    assert_int_equal(shared->results[0].outcome, BUILD_OK);
    assert_int_equal(shared->results[1].outcome, BUILD_FAILED);
    assert_int_equal(shared->results[2].outcome, BUILD_OK);
    assert_int_equal(shared->results[3].outcome, BUILD_OK);
    for (int i = 0; i < 4; i++)
        assert_int_equal(shared->told[i], 1);
    assert_string_not_equal(shared->results[0].so, shared->results[3].so);
    assert_string_equal(shared->results[2].so, scratch_path("kern/c.so"));
    assert_true(shared->results[2].cached);
    assert_int_equal(calls(), 3);
}

static void a_damaged_entry_is_built_again(void **state) {
    (void)state;
    static const char *const garbage[] = {
        "", "\n", "so", "so \n", "cost\n", "cost x y\n", "a b\nc", "so 00\n", " ", "\377\376 \001"};
    char so[1024];
    scratch_put("kern/a.c", KERNEL);
    built_by("kern", 1);
    memcpy(so, shared->results[0].so, sizeof so);
    assert_int_equal(truncate(so, 1000), 0);
    built_by("kern", 1);
    assert_int_equal(truncate(so, 0), 0);
    built_by("kern", 1);
    assert_int_equal(unlink(so), 0);
    built_by("kern", 1);
    for (size_t i = 0; i < sizeof garbage / sizeof *garbage; i++) {
        write_deps(so, garbage[i]);
        built_by("kern", 1);
    }
    built_by("kern", 0);
}

static void a_timeout_kills_the_whole_group(void **state) {
    (void)state;
    int line = line_open();
    scratch_put("kern/a.c", KERNEL);
    use_compiler(SLEEP);
    options.timeout_seconds = 2;
    assert_int_equal(build("kern"), 0);
    assert_int_equal(shared->results[0].outcome, BUILD_TIMED_OUT);
    assert_string_equal(shared->results[0].message, "killed after 2 s");
    assert_int_equal(calls(), 1);
    line_is_up(line);
    line_is_dead(line);
    assert_int_equal(cache_files(), 0);
}

static void a_stop_ends_it(void **state) {
    (void)state;
    int line = line_open();
    scratch_put("kern/a.c", KERNEL);
    use_compiler(SLEEP);
    stderr_catch();
    pid_t pid = start("kern");
    line_is_up(line);
    shared->stop = 1;
    int status = end(pid);
    stderr_says("stopped while compiling; what is compiled is kept");
    assert_int_equal(status, -1);
    line_is_dead(line);
    assert_int_equal(cache_files(), 0);
    assert_int_equal(shared->told[0], 0);
}

static void progress_can_stop_it(void **state) {
    (void)state;
    int line = line_open();
    scratch_put("kern/quick.c", KERNEL);
    scratch_put("kern/slow.c", KERNEL);
    use_compiler("case \"$*\" in *slow.c*) " SLEEP "; esac\nuntil [ -e up ]; do sleep 0.02; done");
    stderr_catch();
    shared->stop_when_told = 1;
    pid_t pid = start("kern");
    line_is_up(line);
    scratch_put("up", "%s", "");
    int status = end(pid);
    stderr_says("stopped while compiling");
    assert_int_equal(status, -1);
    line_is_dead(line);
    assert_int_equal(calls(), 2);
    assert_int_equal(cache_files(), 2);
    assert_int_equal(shared->told[0], 1);
    assert_int_equal(shared->told[1], 0);

    /* What was compiled is kept, and nothing is started after the stop. */
    shared->stop = 0;
    assert_says(build("kern"), -1, "stopped while compiling");
    assert_true(shared->results[0].cached);
    assert_int_equal(calls(), 0);
}

/* With libraries of 5, 9 and 7 seconds in the cache, none of them current. */
static void the_longest_goes_first(void **state) {
    (void)state;
    static const char *const costs[] = {"cost 5 1e6\n", "cost 9 1e6\n", "cost 7 1e6\n"};
    scratch_put("kern/a.c", KERNEL);
    scratch_put("kern/b.c", KERNEL);
    scratch_put("kern/c.c", KERNEL);
    options.jobs = 1;
    assert_int_equal(build("kern"), 0);
    assert_int_equal(calls(), 3);
    for (int i = 0; i < 3; i++)
        write_deps(shared->results[i].so, costs[i]);
    scratch_put("kern/new.c", KERNEL);
    scratch_put("kern/new_long.c", KERNEL "/* with more to compile, as a rule */\n");
    assert_int_equal(build("kern"), 0);
    assert_int_equal(calls(), 5);
    const char *a = strstr(calls_text, "/a.c "), *b = strstr(calls_text, "/b.c "),
               *c = strstr(calls_text, "/c.c "), *new = strstr(calls_text, "/new.c "),
               *new_long = strstr(calls_text, "/new_long.c ");
    assert_true(a && b && c && new &&new_long);
    assert_true(new_long < new &&new < b &&b < c &&c < a);
}

/* Two compiles that need more than there is together take turns; even one that needs more than
 * there is alone is tried. */
static void memory_bounds_the_pool(void **state) {
    (void)state;
    scratch_put("kern/a.c", KERNEL);
    scratch_put("kern/b.c", KERNEL);
    assert_int_equal(build("kern"), 0);
    for (int i = 0; i < 2; i++)
        write_deps(shared->results[i].so, "cost 5 1e16\n");
    use_compiler("mkdir alone || exit 7; sleep 0.3; rmdir alone");
    assert_int_equal(build("kern"), 0);
    assert_int_equal(shared->results[0].outcome, BUILD_OK);
    assert_int_equal(shared->results[1].outcome, BUILD_OK);
}

static void has_available(double bytes) {
    char proc[512], groups[512];
    snprintf(proc, sizeof proc, "%s", scratch_path("proc"));
    snprintf(groups, sizeof groups, "%s", scratch_path("groups"));
    const double found = memory_available(proc, groups);
    if (found != bytes)
        fail_msg("%.0f bytes are available, not %.0f", found, bytes);
}

static void use_group(const char *lines) {
    scratch_put("proc/self/cgroup", "%s", lines);
}

/* In /proc and /sys as the kernel writes them. */
static void a_groups_limit_bounds_memory(void **state) {
    (void)state;
    static const char *const folders[] = {"proc",         "groups",          "groups/job",
                                          "groups/job/a", "groups/memory",   "groups/memory/job",
                                          "groups/cpu",   "groups/memory/x", "proc/self"};
    has_available(1e15);
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        assert_int_equal(mkdir(scratch_path(folders[i]), 0777), 0);
    scratch_put("proc/meminfo", "MemTotal:  9000 kB\nMemFree:  10 kB\nMemAvailable:    8000 kB\n");
    has_available(8000 * 1024);

    /* Version 2: the own group, those above it, and the root, which in a container has a limit. */
    use_group("0::/job/a\n");
    has_available(8000 * 1024);
    scratch_put("groups/job/a/memory.max", "max\n");
    scratch_put("groups/job/a/memory.current", "7000000\n");
    has_available(8000 * 1024);
    scratch_put("groups/job/a/memory.max", "7500000\n");
    has_available(500000);
    scratch_put("groups/job/a/memory.stat", "anon 1\ninactive_file 6000\nactive_file 50\n");
    has_available(506000);
    scratch_put("groups/job/memory.max", "7400000\n");
    scratch_put("groups/job/memory.current", "7000000\n");
    has_available(400000);
    scratch_put("groups/memory.max", "7300000\n");
    scratch_put("groups/memory.current", "7000000\n");
    has_available(300000);
    scratch_put("groups/job/a/memory.current", "7600000\n");
    has_available(0);
    use_group("0::/elsewhere/b\n");
    has_available(300000);
    use_group("0::/\n");
    has_available(300000);

    /* Version 1: the memory controller, alone or with others. */
    scratch_put("groups/memory/job/memory.limit_in_bytes", "1000000\n");
    scratch_put("groups/memory/job/memory.usage_in_bytes", "800000\n");
    scratch_put("groups/memory/memory.limit_in_bytes", "9223372036854771712\n");
    scratch_put("groups/memory/memory.usage_in_bytes", "800000\n");
    scratch_put("groups/memory/x/memory.limit_in_bytes", "5\n");
    use_group("9:name=memory:/x\n8:cpu,cpuacct:/x\n7:memory:/job\n");
    has_available(200000);
    use_group("9:name=memory:/x\n8:cpu:/x\n7:cpuset,memory,pids:/job/deeper\n6:memories:/x\n");
    has_available(200000);
    scratch_put("groups/memory/job/memory.stat", "inactive_file 9\ntotal_inactive_file 700\n");
    has_available(200700);
    scratch_put("groups/memory/memory.limit_in_bytes", "850000\n");
    has_available(50000);
    use_group("7:cpu:/x\n1:name=systemd:/x\nnonsense\n");
    has_available(8000 * 1024);
}

static void two_builders_share_a_cache(void **state) {
    (void)state;
    scratch_put("kern/a.c", KERNEL);
    scratch_put("kern/b.c", KERNEL);
    /* Each builder's first compiler waits for the other's. */
    use_compiler("echo >>met; until [ $(wc -l <met) -ge 2 ]; do sleep 0.02; done");
    options.jobs = 1;
    pid_t first = start("kern"), second = start("kern");
    assert_int_equal(end(first), 0);
    assert_int_equal(end(second), 0);
    assert_int_equal(shared->results[0].outcome, BUILD_OK);
    assert_int_equal(shared->results[1].outcome, BUILD_OK);
    assert_int_equal(calls(), 4);
    assert_int_equal(cache_files(), 4);
    assert_int_equal(build("kern"), 0);
    assert_true(shared->results[0].cached);
    assert_true(shared->results[1].cached);
    assert_int_equal(calls(), 0);
}

static void no_compiler_is_a_result(void **state) {
    (void)state;
    scratch_put("kern/a.c", KERNEL);
    setenv("CC", "", 1);
    setenv("PATH", scratch_path("none"), 1);
    int status = build("kern");
    setenv("PATH", getenv("KEPT_PATH"), 1);
    assert_int_equal(status, 0);
    failed_with("no C compiler on PATH: install gcc or set CC");
    setenv("CC", scratch_path("none"), 1);
    assert_int_equal(build("kern"), 0);
    failed_with("no C compiler on PATH: install gcc or set CC");
    setenv("CC", "gemmgate-has-no-such-compiler", 1);
    assert_int_equal(build("kern"), 0);
    failed_with("no C compiler on PATH: install gcc or set CC");
}

static void a_cuda_source_is_for_one_architecture(void **state) {
    (void)state;
    char so[1024];
    scratch_put("kern/a.cu", KERNEL);
    use_compiler("while [ \"$1\" != -MMD ]; do shift; done; set -- -x c -shared -fPIC "
                 "-I\"$PWD/include\" \"$@\"");
    setenv("CUDACXX", scratch_path("cc"), 1);
    assert_int_equal(build("kern"), 0);
    failed_with("a CUDA source needs a GPU or a named architecture");
    assert_int_equal(calls(), 0);
    strcpy(options.arch, "90a");
    built_by("kern", 1);
    assert_non_null(strstr(calls_text, "-gencode arch=compute_90a,code=sm_90a "));
    memcpy(so, shared->results[0].so, sizeof so);
    strcpy(options.arch, "80");
    built_by("kern", 1);
    assert_string_not_equal(shared->results[0].so, so);
    strcpy(options.arch, "90a");
    built_by("kern", 0);
    assert_string_equal(shared->results[0].so, so);
}

static void a_cache_needs_a_folder_to_write_in(void **state) {
    (void)state;
    scratch_put("kern/a.c", KERNEL);
    scratch_put("file", "no folder");
    snprintf(cache, sizeof cache, "%s", scratch_path("file"));
    assert_says(build("kern"), -1, "file: Not a directory; --cache-dir names another folder");
    snprintf(cache, sizeof cache, "%s", scratch_path("file/cache"));
    assert_says(build("kern"), -1, "file/cache: Not a directory; --cache-dir names another folder");

    snprintf(cache, sizeof cache, "%s", scratch_path("closed"));
    assert_int_equal(mkdir(cache, 0555), 0);
    assert_int_equal(chmod(scratch, 0755), 0);
    const bool root = geteuid() == 0; /* whom no mode stops */
    assert_int_equal(root ? seteuid(65534) : 0, 0);
    stderr_catch();
    int status = build("kern");
    assert_int_equal(root ? seteuid(0) : 0, 0);
    stderr_says("closed: Permission denied; --cache-dir names another folder");
    assert_int_equal(status, -1);
    assert_int_equal(calls(), 0);
}

static void the_cache_is_found(void **state) {
    (void)state;
    scratch_put("kern/a.c", KERNEL);
    options.cache = NULL;
    setenv("HOME", scratch_path("home"), 1);
    setenv("XDG_CACHE_HOME", "", 1);
    setenv("GEMMGATE_CACHE", "", 1);
    static const char *const variables[] = {"HOME", "XDG_CACHE_HOME", "GEMMGATE_CACHE"};
    static const char *const folders[] = {"one/.cache/gemmgate/", "two/gemmgate/", "three/"};
    static const char *const values[] = {"one", "two", "three"};
    for (int i = 0; i < 3; i++) {
        char want[512];
        setenv(variables[i], scratch_path(values[i]), 1);
        assert_int_equal(build("kern"), 0);
        snprintf(want, sizeof want, "%s", scratch_path(folders[i]));
        assert_memory_equal(shared->results[0].so, want, strlen(want));
        assert_int_equal(access(shared->results[0].so, R_OK), 0);
    }
    for (int i = 0; i < 3; i++)
        unsetenv(variables[i]);
    assert_says(build("kern"), -1, "no place for compiled kernels: give --cache-dir DIR");
}

static int note_scratch(const char *folder) {
    snprintf(shared->scratch, sizeof shared->scratch, "%s", folder);
    return access(folder, W_OK | X_OK);
}

static void a_compile_has_a_scratch_folder(void **state) {
    (void)state;
    char tmpdir[600] = "", output[600];
    options.confine = note_scratch;
    scratch_put("kern/a.c", KERNEL);
    use_compiler("echo \"$TMPDIR\" >tmpdir; : >\"$TMPDIR/written\" || exit 5");
    assert_int_equal(build("kern"), 0);
    assert_int_equal(shared->results[0].outcome, BUILD_OK);
    FILE *file = fopen(scratch_path("tmpdir"), "r");
    assert_non_null(file);
    assert_non_null(fgets(tmpdir, sizeof tmpdir, file));
    fclose(file);
    tmpdir[strcspn(tmpdir, "\n")] = 0;
    assert_string_equal(tmpdir, shared->scratch);
    assert_memory_equal(tmpdir, cache, strlen(cache));
    assert_non_null(strstr(tmpdir, ".part/"));
    assert_int_equal(calls(), 1);
    snprintf(output, sizeof output, " -o %s/", tmpdir);
    assert_non_null(strstr(calls_text, output));
    assert_int_equal(access(tmpdir, F_OK), -1);
}

#define LITTER                                                                                     \
    "mkdir -p \"$TMPDIR/a/b\" kept && echo x >\"$TMPDIR/a/b/c\" && : >kept/file && "               \
    "ln -s \"$PWD/kept\" \"$TMPDIR/link\" && : >\"$TMPDIR/../more\" || exit 9\n"

/* cache_files() sees to what is left. */
static void the_scratch_folder_goes(void **state) {
    (void)state;
    static const char *const ends[] = {"", "exit 3", "kill -KILL $$", "sleep 30"};
    static const enum build_outcome outcomes[] = {BUILD_OK, BUILD_FAILED, BUILD_FAILED,
                                                  BUILD_TIMED_OUT};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        char body[512];
        scratch_put("kern/a.c", "int number = %zu;\n" KERNEL, i);
        snprintf(body, sizeof body, LITTER "%s", ends[i]);
        use_compiler(body);
        options.timeout_seconds = outcomes[i] == BUILD_TIMED_OUT ? 2 : 100;
        assert_int_equal(build("kern"), 0);
        assert_int_equal(shared->results[0].outcome, outcomes[i]);
        cache_files();
        assert_int_equal(access(scratch_path("kept/file"), F_OK), 0);
    }
}

/* A builder was killed, and another of its name comes. */
static void an_old_folder_is_in_nobodys_way(void **state) {
    (void)state;
    char host[48] = "", *so = shared->results[0].so;
    scratch_put("kern/a.c", KERNEL);
    built_by("kern", 1);
    assert_int_equal(gethostname(host, sizeof host - 1), 0);
    scratch_put("cc",
                "#!/bin/sh\n"
                "old='%.*s.%s'.$PPID.part\n"
                "[ \"$1\" = --version ] && cd '%s' && mkdir -p \"$old/scratch/kernel.so\" &&\n"
                "    : >\"$old/deps\" && echo \"$old\" >old && exec cat version\n"
                "PATH=$KEPT_PATH exec cc \"$@\"\n",
                (int)strlen(so) - 36, so, host, scratch);
    assert_int_equal(unlink(so), 0);
    assert_int_equal(build("kern"), 0);
    assert_int_equal(shared->results[0].outcome, BUILD_OK);
    assert_int_equal(access(scratch_path("old"), F_OK), 0);
    assert_int_equal(cache_files(), 2);
}

static void what_a_compiler_starts_ends_with_it(void **state) {
    (void)state;
    int line = line_open();
    scratch_put("kern/a.c", KERNEL);
    use_compiler("exec 3>line; echo up >&3; sleep 30 & exec 3>&-");
    built_by("kern", 1);
    line_is_up(line);
    line_is_dead(line);
}

static void a_library_is_a_file(void **state) {
    (void)state;
    static const char *const bodies[] = {
        "exit 0", "mkfifo \"$TMPDIR/kernel.so\"; : >\"$TMPDIR/kernel.d\"; exit 0",
        "ln -s /dev/null \"$TMPDIR/kernel.so\"; : >\"$TMPDIR/kernel.d\"; exit 0",
        "mkfifo \"$TMPDIR/kernel.d\"; : >\"$TMPDIR/kernel.so\"; exit 0"};
    scratch_put("kern/a.c", KERNEL);
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        use_compiler(bodies[i]);
        assert_int_equal(build("kern"), 0);
        failed_with("/cc ended well and left no library");
        assert_int_equal(cache_files(), 0);
    }
}

/* b.c is compiled beside a.c when that is killed, and c.c is left. */
static void a_killed_compiler_is_tried_again_alone(void **state) {
    (void)state;
    scratch_put("kern/a.c", KERNEL);
    scratch_put("kern/b.c", KERNEL);
    scratch_put("kern/c.c", KERNEL);
    use_compiler(
        "mkdir runs.$$ || exit 7\n"
        "case \"$*\" in\n"
        "*/a.c*) if [ -e once ]; then\n"
        "    sleep 0.3; [ \"$(echo runs.*)\" = runs.$$ ] || exit 8\n"
        "else until [ -e second ]; do sleep 0.02; done; : >once; rmdir runs.$$; kill -KILL "
        "$$; fi ;;\n"
        "*/b.c*) : >second; until [ -e once ]; do sleep 0.02; done; sleep 0.3 ;;\n"
        "esac; rmdir runs.$$");
    stderr_catch();
    int status = build("kern");
    stderr_says("a.c: its compiler was killed, probably for want of memory; it is tried again by "
                "itself (fewer --jobs need less)");
    assert_int_equal(status, 0);
    for (int i = 0; i < 3; i++) {
        if (shared->results[i].outcome != BUILD_OK)
            fail_msg("%c.c: %s", 'a' + i, shared->results[i].message);
        assert_int_equal(shared->told[i], 1);
    }
    assert_int_equal(calls(), 4);
    assert_int_equal(cache_files(), 6);
}

/* As a signal, a shell's status, and in the words of gcc, its linker, clang and nvcc. */
static void one_that_is_killed_twice_says_so(void **state) {
    (void)state;
    static const char *const ends[] = {
        "kill -KILL $$",
        "exit 137",
        "echo 'gcc: fatal error: Killed signal terminated program cc1'; exit 1",
        "echo 'collect2: fatal error: ld terminated with signal 9 [Killed]'; exit 1",
        "echo 'clang: error: unable to execute command: Killed'; exit 254",
        "echo \"nvcc error   : 'cicc' died due to signal 9 (Kill signal)\"; exit 9"};
    scratch_put("kern/a.c", KERNEL);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        use_compiler(ends[i]);
        assert_says(build("kern"), 0, "a.c: its compiler was killed");
        failed_with("(killed twice, the second time with no other compiler of this build beside "
                    "it: probably for want of memory; ");
        failed_with(": gemmgate build --jobs 1)\n");
        failed_with(i == 0   ? "/cc ended with signal 9"
                    : i == 1 ? "/cc ended with status 137"
                             : "illed");
        assert_int_equal(calls(), 2);
        assert_int_equal(cache_files(), 1); /* KEY.log */
    }
    /* Others are not tried again. */
    use_compiler("echo 'killed by nobody'; kill -TERM $$; kill -ABRT $$");
    assert_int_equal(build("kern"), 0);
    failed_with("killed by nobody");
    assert_null(strstr(shared->results[0].message, "memory"));
    assert_int_equal(calls(), 1);
}

/* A set's flags can make the compiler list anything as a header: it costs that kernel alone. */
static void a_header_is_a_file(void **state) {
    (void)state;
    char none[512], fifo[512], folder[512], long_one[512];
    snprintf(none, sizeof none, "%s", scratch_path("none"));
    snprintf(fifo, sizeof fifo, "%s", scratch_path("fifo"));
    snprintf(folder, sizeof folder, "%s", scratch_path("kern"));
    snprintf(long_one, sizeof long_one, "%s", scratch_path("long"));
    scratch_put("long", "%s", "");
    assert_int_equal(mkfifo(fifo, 0666), 0);
    assert_int_equal(truncate(long_one, (off_t)1 << 33), 0);
    const char *const bad[][2] = {{none, "No such file or directory"},
                                  {"/dev/zero", "it is no regular file"},
                                  {fifo, "it is no regular file"},
                                  {folder, "Is a directory"},
                                  {long_one, "File too large"}};
    scratch_put("kern/a.c", KERNEL);
    scratch_put("kern/b.c", KERNEL);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char body[1024], want[1024];
        snprintf(body, sizeof body,
                 "case \"$*\" in */a.c*) set -- -MT x: -MT '%s' -MT y \"$@\"; esac", bad[i][0]);
        snprintf(want, sizeof want, "%s, which the compiler lists as a header, cannot be read: %s",
                 bad[i][0], bad[i][1]);
        use_compiler(body);
        assert_int_equal(build("kern"), 0);
        failed_with(want);
        assert_int_equal(shared->results[1].outcome, BUILD_OK);
        assert_int_equal(cache_files(), 2);
    }
}

/* Nor is one waited for that an entry names. */
static void an_entrys_header_is_a_file(void **state) {
    (void)state;
    char deps[600];
    scratch_put("kern/a.c", KERNEL);
    built_by("kern", 1);
    assert_int_equal(mkfifo(scratch_path("fifo"), 0666), 0);
    for (int i = 0; i < 2; i++) {
        char *so = strstr(read_deps(shared->results[0].so), "so ");
        snprintf(deps, sizeof deps, "cost 1 1\n%.68s\n00 %s%s\n", so, i ? "0 " : "1 ../",
                 i ? scratch_path("fifo") : "fifo");
        write_deps(shared->results[0].so, deps);
        built_by("kern", 1);
    }
}

static int refuse(const char *folder) {
    (void)folder;
    return error("the kernel has no such thing");
}

static void no_compiler_runs_outside_its_sandbox(void **state) {
    (void)state;
    options.confine = refuse;
    scratch_put("kern/a.c", KERNEL);
    assert_int_equal(build("kern"), 0);
    failed_with("the kernel has no such thing");
    failed_with("the compiler's sandbox cannot be set up; --no-sandbox goes without");
    assert_int_equal(calls(), 0);
    assert_int_equal(cache_files(), 1); /* KEY.log */
}

static void skip_without_landlock(void) {
    if (syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION) < 1)
        skip();
}

/* Whoever shares the cache can read what a locked in compiler made. */
static void a_sandboxed_compiler_compiles(void **state) {
    (void)state;
    options.confine = confine_compiler;
    scratch_put("kern/a.c", KERNEL);
    setenv("CC", "cc", 1);
    mode_t mask = umask(022);
    int status = build("kern");
    umask(mask);
    assert_int_equal(status, 0);
    if (shared->results[0].outcome != BUILD_OK)
        fail_msg("%s", shared->results[0].message);
    assert_int_equal(cache_files(), 2);
    const char *deps = deps_of(shared->results[0].so);
    struct stat file;
    assert_int_equal(stat(shared->results[0].so, &file), 0);
    assert_int_equal(file.st_mode & 0444, 0444);
    assert_int_equal(stat(deps, &file), 0);
    assert_int_equal(file.st_mode & 0444, 0444);
    assert_int_equal(build("kern"), 0);
    assert_true(shared->results[0].cached);
}

static void a_sandboxed_compiler_writes_nowhere_else(void **state) {
    (void)state;
    static const char *const places[] = {"outside", "$TMPDIR/../deps", "$TMPDIR/../../other.so"};
    skip_without_landlock();
    scratch_put("kern/a.c", KERNEL);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char body[256];
        snprintf(body, sizeof body, "echo x >\"%s\" || exit 5; rm \"%s\"", places[i], places[i]);
        use_compiler(body);
        options.confine = confine_compiler;
        assert_int_equal(build("kern"), 0);
        failed_with("(in the sandbox a compiler writes below TMPDIR only");
        failed_with("Permission denied");
        cache_files();
        /* At large it can. */
        options.confine = NULL;
        built_by("kern", 1);
        assert_int_equal(unlink(shared->results[0].so), 0);
    }
}

/* However much it says. */
static void the_hint_fits(void **state) {
    (void)state;
    skip_without_landlock();
    options.confine = confine_compiler;
    scratch_put("kern/a.c", KERNEL);
    use_compiler("i=0; while [ $i -lt 999 ]; do echo line $i; i=$((i+1)); done; : >out; exit 1");
    assert_int_equal(build("kern"), 0);
    failed_with("--no-sandbox goes without)\n");
    failed_with("\nline 998\n");
    failed_with("Permission denied");
    assert_int_equal(strlen(shared->results[0].message), sizeof shared->results[0].message - 1);
}

static void only_what_is_wanted_is_compiled(void **state) {
    static const bool second[] = {false, true, false};
    (void)state;
    scratch_put("kern/a.c", KERNEL);
    scratch_put("kern/b.c", KERNEL);
    scratch_put("kern/c.so", "not compiled");
    shared->wanted = second;
    assert_int_equal(build("kern"), 0);
    assert_int_equal(calls(), 1);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(shared->results[i].outcome, second[i] ? BUILD_OK : BUILD_NOT_WANTED);
        assert_int_equal(shared->told[i], second[i]);
    }
}

#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, setup, scratch_remove)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_SCRATCH(a_second_build_is_a_hit),
        IN_SCRATCH(what_changes_the_library_is_noticed),
        IN_SCRATCH(what_does_not_is_not),
        IN_SCRATCH(a_copy_with_other_headers_is_its_own),
        IN_SCRATCH(moved_folders_are_a_hit),
        IN_SCRATCH(no_folder_is_in_the_key),
        IN_SCRATCH(the_environment_counts_as_flags_do),
        IN_SCRATCH(a_header_in_front_is_noticed),
        IN_SCRATCH(one_that_is_passed_over_is_in_nobodys_way),
        IN_SCRATCH(an_absolute_header_is_watched),
        IN_SCRATCH(libraries_are_set_apart),
        IN_SCRATCH(the_last_libraries_are_kept),
        IN_SCRATCH(the_toolkit_is_the_compilers),
        IN_SCRATCH(a_wrapped_function_moves_too),
        IN_SCRATCH(odd_paths_are_watched),
        IN_SCRATCH(a_bad_source_is_tried_again),
        IN_SCRATCH(an_old_library_does_not_hide_a_failure),
        IN_SCRATCH(a_silent_compiler_is_explained),
        IN_SCRATCH(one_failure_spoils_no_other),
        IN_SCRATCH(a_damaged_entry_is_built_again),
        IN_SCRATCH(a_timeout_kills_the_whole_group),
        IN_SCRATCH(a_stop_ends_it),
        IN_SCRATCH(progress_can_stop_it),
        IN_SCRATCH(the_longest_goes_first),
        IN_SCRATCH(memory_bounds_the_pool),
        IN_SCRATCH(a_groups_limit_bounds_memory),
        IN_SCRATCH(two_builders_share_a_cache),
        IN_SCRATCH(no_compiler_is_a_result),
        IN_SCRATCH(a_cuda_source_is_for_one_architecture),
        IN_SCRATCH(a_cache_needs_a_folder_to_write_in),
        IN_SCRATCH(the_cache_is_found),
        IN_SCRATCH(a_compile_has_a_scratch_folder),
        IN_SCRATCH(the_scratch_folder_goes),
        IN_SCRATCH(an_old_folder_is_in_nobodys_way),
        IN_SCRATCH(what_a_compiler_starts_ends_with_it),
        IN_SCRATCH(a_library_is_a_file),
        IN_SCRATCH(a_killed_compiler_is_tried_again_alone),
        IN_SCRATCH(one_that_is_killed_twice_says_so),
        IN_SCRATCH(a_header_is_a_file),
        IN_SCRATCH(an_entrys_header_is_a_file),
        IN_SCRATCH(no_compiler_runs_outside_its_sandbox),
        IN_SCRATCH(a_sandboxed_compiler_compiles),
        IN_SCRATCH(a_sandboxed_compiler_writes_nowhere_else),
        IN_SCRATCH(the_hint_fits),
        IN_SCRATCH(only_what_is_wanted_is_compiled),
    };
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED || setenv("KEPT_PATH", getenv("PATH"), 1) < 0)
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
