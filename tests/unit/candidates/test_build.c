/* What becomes of a kernel that is compiled, mostly with scripts for compilers, and what a compiler
 * may do. */

#include <linux/landlock.h>
#include <sys/file.h>
#include <sys/syscall.h>

#include "bench/process/sandbox.h"
#include "tests/support/builds.h"
#include "tests/support/test.h"

TEST_WITH(a_bad_source_is_tried_again, setup, scratch_remove) {
    scratch_put("kern/a.c", "#error this line is wrong\n");
    for (int i = 0; i < 2; i++) {
        assert_int_equal(build("kern"), 0);
        failed_with("this line is wrong");
        assert_int_equal(calls(), 1);
        assert_int_equal(cache_files(), 0);
    }
}

/* A header broke it: the old library does not stand in. */
TEST_WITH(an_old_library_does_not_hide_a_failure, setup, scratch_remove) {
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

TEST_WITH(a_silent_compiler_is_explained, setup, scratch_remove) {
    scratch_put("kern/a.c", KERNEL);
    use_compiler("exit 3");
    assert_int_equal(build("kern"), 0);
    failed_with("/cc ended with status 3");
    use_compiler("kill -SEGV $$");
    assert_int_equal(build("kern"), 0);
    failed_with("/cc ended with signal 11");
    use_compiler("i=0; while [ $i -lt 999 ]; do echo line $i; i=$((i+1)); done; exit 1");
    assert_int_equal(build("kern"), 0);
    failed_with("line 0\nline 1\n");
    assert_int_equal(strlen(shared->results[0].message), sizeof shared->results[0].message - 1);
}

/* What is to be mended first is told first, however much is said before and behind it. */
TEST_WITH(the_first_error_is_kept, setup, scratch_remove) {
    static const char *const first[] = {"a.c:7:1: error: the first", "a.cu(7): error: the first",
                                        "a.o: undefined reference to `the first'"};
    scratch_put("kern/a.c", KERNEL);
    for (size_t i = 0; i < sizeof first / sizeof *first; i++) {
        char body[400];
        snprintf(body, sizeof body,
                 "for i in $(seq 99); do echo \"a.c:1:1: warning: $i\"; done; echo \"%s\"; echo '  "
                 "7 | x'; "
                 "for i in $(seq 99); do echo \"a.c:9:1: error: $i\"; done; exit 1",
                 first[i]);
        if (i == 2)
            snprintf(body, sizeof body,
                     "echo \"a.o: undefined reference to \\`the first'\"; echo "
                     "collect2: error: ld; exit 1");
        use_compiler(body);
        assert_int_equal(build("kern"), 0);
        failed_with(first[i]);
        assert_memory_equal(shared->results[0].message, first[i], strlen(first[i]));
    }
}

TEST_WITH(one_failure_spoils_no_other, setup, scratch_remove) {
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

TEST_WITH(no_compiler_is_a_result, setup, scratch_remove) {
    scratch_put("kern/a.c", KERNEL);
    setenv("CC", "", 1);
    setenv("PATH", scratch_path("none"), 1);
    int status = build("kern");
    setenv("PATH", getenv("KEPT_PATH"), 1);
    assert_int_equal(status, 0);
    lacks("no C compiler on PATH: install gcc or set CC");
    setenv("CC", scratch_path("none"), 1);
    assert_int_equal(build("kern"), 0);
    lacks("no C compiler on PATH: install gcc or set CC");
    setenv("CC", "gemmgate-has-no-such-compiler", 1);
    assert_int_equal(build("kern"), 0);
    lacks("no C compiler on PATH: install gcc or set CC");
}

TEST_WITH(a_cuda_source_is_for_one_architecture, setup, scratch_remove) {
    char so[1024];
    scratch_put("kern/a.cu", KERNEL);
    use_compiler("while [ \"$1\" != -o ]; do shift; done; set -- -shared -fPIC "
                 "-I\"$PWD/include\" $1 $2 -x c $3");
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

static int note_scratch(const char *folder) {
    snprintf(shared->scratch, sizeof shared->scratch, "%s", folder);
    return access(folder, W_OK | X_OK);
}

TEST_WITH(a_compile_has_a_scratch_folder, setup, scratch_remove) {
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
    assert_non_null(strstr(tmpdir, "/work."));
    assert_int_equal(calls(), 1);
    snprintf(output, sizeof output, " -o %s/", tmpdir);
    assert_non_null(strstr(calls_text, output));
    assert_int_equal(access(tmpdir, F_OK), -1);
}

#define LITTER                                                                                     \
    "mkdir -p \"$TMPDIR/a/b\" kept && echo x >\"$TMPDIR/a/b/c\" && : >kept/file && "               \
    "ln -s \"$PWD/kept\" \"$TMPDIR/link\" && : >\"$TMPDIR/../more\" || exit 9\n"

/* cache_files() sees to what is left. */
TEST_WITH(the_scratch_folder_goes, setup, scratch_remove) {
    static const char *const ends[] = {"", "exit 3", "kill -KILL $$", "sleep 30"};
    static const enum build_outcome outcomes[] = {BUILD_OK, BUILD_FAILED, BUILD_LACKING,
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

/* Of builders that were killed. Those that are at work hold the cache's lock together. */
TEST_WITH(what_killed_builders_left_goes, setup, scratch_remove) {
    scratch_put("some/cache/work.abcdef/key/scratch/half.so", "%s", "");
    scratch_put("kern/a.c", KERNEL);
    const int lock = open(cache, O_RDONLY | O_DIRECTORY);
    assert_int_equal(flock(lock, LOCK_SH), 0);
    assert_int_equal(build("kern"), 0);
    assert_int_equal(shared->results[0].outcome, BUILD_OK);
    assert_int_equal(access(scratch_path("some/cache/work.abcdef/key"), F_OK), 0);
    close(lock);
    scratch_put("kern/a.c", "int other;\n" KERNEL);
    assert_int_equal(build("kern"), 0);
    assert_int_equal(access(scratch_path("some/cache/work.abcdef"), F_OK), -1);
    cache_files();
}

static int refuse(const char *folder) {
    (void)folder;
    return error("the kernel has no such thing");
}

TEST_WITH(no_compiler_runs_outside_its_sandbox, setup, scratch_remove) {
    options.confine = refuse;
    scratch_put("kern/a.c", KERNEL);
    assert_int_equal(build("kern"), 0);
    lacks("the kernel has no such thing");
    lacks("the compiler's sandbox cannot be set up; --no-sandbox goes without");
    assert_int_equal(calls(), 0);
    assert_int_equal(cache_files(), 0);
}

static void skip_without_landlock(void) {
    if (syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION) < 1)
        skip();
}

/* Whoever shares the cache can read what a locked in compiler made. */
TEST_WITH(a_sandboxed_compiler_compiles, setup, scratch_remove) {
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

TEST_WITH(a_sandboxed_compiler_writes_nowhere_else, setup, scratch_remove) {
    static const char *const places[] = {"outside", "$TMPDIR/../deps", "$TMPDIR/../../other.so"};
    skip_without_landlock();
    scratch_put("kern/a.c", KERNEL);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char body[256];
        snprintf(body, sizeof body, "echo x >\"%s\" || exit 5; rm -f \"%s\"", places[i], places[i]);
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
TEST_WITH(the_hint_fits, setup, scratch_remove) {
    skip_without_landlock();
    options.confine = confine_compiler;
    scratch_put("kern/a.c", KERNEL);
    use_compiler("i=0; while [ $i -lt 999 ]; do echo line $i; i=$((i+1)); done; : >out; exit 1");
    assert_int_equal(build("kern"), 0);
    failed_with("--no-sandbox goes without)\n");
    failed_with("Permission denied\nline 0\n");
    assert_int_equal(strlen(shared->results[0].message), sizeof shared->results[0].message - 1);
}

TESTS_BETWEEN(builds_share, NULL)
