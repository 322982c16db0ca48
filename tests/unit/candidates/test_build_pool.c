/* Many compilers at once: in which order, within which time, and how they are stopped. */

#include "tests/support/builds.h"
#include "tests/support/says.h"
#include "tests/support/test.h"

TEST_WITH(a_timeout_kills_the_whole_group, setup, scratch_remove) {
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

TEST_WITH(a_stop_ends_it, setup, scratch_remove) {
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

TEST_WITH(progress_can_stop_it, setup, scratch_remove) {
    int line = line_open();
    scratch_put("kern/quick.c", KERNEL);
    scratch_put("kern/slow.c", KERNEL);
    use_compiler("case \"$*\" in *slow.c*) " SLEEP
                 "; esac\nuntil [ -e /dev/shm/${PWD##*/} ]; do sleep 0.02; done");
    stderr_catch();
    shared->stop_when_told = 1;
    pid_t pid = start("kern");
    line_is_up(line);
    char up[512]; /* what lies there is no part of a build */
    snprintf(up, sizeof up, "/dev/shm%s", strrchr(scratch, '/'));
    close(open(up, O_CREAT | O_WRONLY, 0600));
    int status = end(pid);
    stderr_says("stopped while compiling");
    assert_int_equal(status, -1);
    line_is_dead(line);
    assert_int_equal(calls(), 2);
    unlink(up);
    assert_int_equal(cache_files(), 2);
    assert_int_equal(shared->told[0], 1);
    assert_int_equal(shared->told[1], 0);

    /* What was compiled is kept, and nothing is started after the stop. */
    shared->stop = 0;
    assert_says(build("kern"), -1, "stopped while compiling");
    assert_true(shared->results[0].cached);
    assert_int_equal(calls(), 0);
}

/* Each compiler notes how many are at work. The first waits until there are two. */
TEST_WITH(as_many_are_at_work_as_may, setup, scratch_remove) {
    char folder[600], met[640];
    snprintf(folder, sizeof folder, "/dev/shm%s", strrchr(scratch, '/'));
    snprintf(met, sizeof met, "%s/met", folder);
    assert_int_equal(mkdir(folder, 0700), 0);
    for (int i = 0; i < 5; i++) {
        char name[16];
        snprintf(name, sizeof name, "kern/%c.c", 'a' + i);
        scratch_put(name, KERNEL);
    }
    use_compiler(
        "at=/dev/shm/${PWD##*/}\n"
        "touch $at/at.$$\n"
        "until [ -e $at/met ]; do [ $(ls $at | grep -c at.) -lt 2 ] || touch $at/met; done\n"
        "sleep 0.1; [ $(ls $at | grep -c at.) -le 2 ] || touch $at/three\n"
        "rm $at/at.$$");
    options.jobs = 2;
    assert_int_equal(build("kern"), 0);
    assert_int_equal(calls(), 5);
    assert_int_equal(access(met, F_OK), 0);
    unlink(met);
    assert_int_equal(rmdir(folder), 0); /* there is no file `three` */
}

TEST_WITH(the_longest_goes_first, setup, scratch_remove) {
    scratch_put("kern/a.c", KERNEL "/* short */\n");
    scratch_put("kern/b.c", KERNEL "/* with more to compile, as a rule */\n");
    scratch_put("kern/c.c", KERNEL "/* in between */\n");
    options.jobs = 1;
    assert_int_equal(build("kern"), 0);
    assert_int_equal(calls(), 3);
    const char *a = strstr(calls_text, "/a.c "), *b = strstr(calls_text, "/b.c "),
               *c = strstr(calls_text, "/c.c ");
    assert_true(a && b && c);
    assert_true(b < c && c < a);
}

TEST_WITH(what_a_compiler_starts_ends_with_it, setup, scratch_remove) {
    int line = line_open();
    scratch_put("kern/a.c", KERNEL);
    use_compiler("exec 3>line; echo up >&3; sleep 30 & exec 3>&-");
    built_by("kern", 1);
    line_is_up(line);
    line_is_dead(line);
}

/* As a signal, a shell's status, and in the words of gcc, its linker, clang and nvcc. */
TEST_WITH(one_that_is_killed_says_so, setup, scratch_remove) {
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
        assert_int_equal(build("kern"), 0);
        lacks("(killed, probably for want of memory; ");
        lacks(": gemmgate build --jobs 1 --candidates SET)\n");
        lacks(i == 0 ? "/cc ended with signal 9" : i == 1 ? "/cc ended with status 137" : "illed");
        assert_int_equal(calls(), 1);
        assert_int_equal(cache_files(), 0);
    }
    use_compiler("echo 'killed by nobody'; kill -TERM $$; kill -ABRT $$");
    assert_int_equal(build("kern"), 0);
    failed_with("killed by nobody");
    assert_null(strstr(shared->results[0].message, "memory"));
    assert_int_equal(calls(), 1);
}

TEST_WITH(only_what_is_wanted_is_compiled, setup, scratch_remove) {
    static const bool second[] = {false, true, false};
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

TESTS_BETWEEN(builds_share, NULL)
