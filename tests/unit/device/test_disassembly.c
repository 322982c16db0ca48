/* The disassembler here is a script that says it has been called. */

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/device/disassembly.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

static int remove_libraries(void **state);

static struct built built[3];
static struct disassembly *list;

static int make_libraries(void **state) {
    if (scratch_make(state) < 0)
        return -1;
    scratch_put("cuobjdump", "#!/bin/sh\necho called >> %s\nexec /bin/cat \"$2\"\n",
                scratch_path("calls"));
    if (chmod(scratch_path("cuobjdump"), 0755) < 0 || setenv("PATH", scratch, 1) < 0)
        return -1;
    scratch_put("a.so", "arch = sm_80\nFunction : one\n/*0*/ FFMA R4 ;\n"
                        "Function : two\n/*0*/ HMMA.16816.F32 R4 ;\n/*1*/ HMMA.16816.F32 R4 ;\n");
    scratch_put("b.so", "arch = sm_90a\nFunction : three\n/*0*/ HMMA.16816.F16 R4 ;\n");
    for (int i = 0; i < 2; i++) {
        built[i] = (struct built){.outcome = BUILD_OK, .in_cache = true};
        snprintf(built[i].so, sizeof built[i].so, "%s", scratch_path(i ? "b.so" : "a.so"));
    }
    built[2].outcome = BUILD_FAILED;
    return 0;
}

/* How often the disassembler was called to read all of them. */
static int read_all(void) {
    const struct build_options options = {.jobs = 1};
    int calls = 0;
    disassembly_free(list, 3);
    unlink(scratch_path("calls"));
    assert_int_equal(disassembly_read(built, NULL, 3, &options, &list), 0);
    FILE *file = fopen(scratch_path("calls"), "r");
    for (char line[16]; file && fgets(line, sizeof line, file);)
        calls++;
    if (file)
        fclose(file);
    return calls;
}

static void assert_all_read(void) {
    assert_int_equal(list[0].status, 0);
    assert_int_equal(list[0].code.count, 2);
    assert_int_equal(list[0].code.arch_count, 1);
    assert_string_equal(list[0].code.archs[0], "sm_80");
    assert_string_equal(list[0].code.functions[1].name, "two");
    assert_int_equal(list[0].code.functions[1].symbol, behaviour_symbol("two"));
    assert_int_equal(list[0].code.functions[1].counts[MACHINE_HMMA_F32], 2);
    assert_int_equal(list[0].code.functions[0].counts[MACHINE_FFMA], 1);
    assert_int_equal(list[1].status, 0);
    assert_int_equal(list[1].code.functions[0].counts[MACHINE_HMMA_F16], 1);
    assert_int_equal(list[2].status, 1);
}

TEST_WITH(what_was_read_is_read_once, make_libraries, remove_libraries) {
    assert_int_equal(read_all(), 2);
    assert_all_read();
    assert_int_equal(read_all(), 0);
    assert_all_read();
}

TEST_WITH(another_library_is_read_again, make_libraries, remove_libraries) {
    assert_int_equal(read_all(), 2);
    scratch_put("b.so", "arch = sm_90a\nFunction : four\n/*0*/ HMMA.16816.F32 R4 ;\n");
    assert_int_equal(read_all(), 1);
    assert_string_equal(list[1].code.functions[0].name, "four");
    assert_int_equal(list[1].code.functions[0].counts[MACHINE_HMMA_F16], 0);
}

/* The file that is kept of a.so, changed by sed. */
static void edit(const char *script) {
    char command[512];
    snprintf(command, sizeof command, "/bin/sed -i -e '%s' %s", script, scratch_path("a.code"));
    assert_int_equal(system(command), 0);
}

TEST_WITH(a_damaged_memory_is_not_believed, make_libraries, remove_libraries) {
    static const char *const scripts[] = {"1s/^./x/", /* another program's */
                                          "s/2 functions/3 functions/",
                                          "s/2 functions/99999999 functions/",
                                          "s/1 archs/17 archs/",
                                          "s/^end$/en/",
                                          "$d",
                                          "4s/ 0 / 1 /",
                                          "4s/ [0-9]* one/ x one/",
                                          "1,5d"};
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
        read_all();
        assert_int_equal(read_all(), 0);
        edit(scripts[i]);
        assert_int_equal(read_all(), 1);
        assert_all_read();
    }
}

/* Of two at once the later one finds the earlier one's folder there and fails. */
TEST_WITH(no_more_at_once_than_jobs, make_libraries, remove_libraries) {
    scratch_put("cuobjdump", "#!/bin/sh\n/bin/mkdir %s || exit 1\n/bin/sleep 0.2\n/bin/rmdir %s\n",
                scratch_path("one"), scratch_path("one"));
    read_all();
    assert_int_equal(list[0].status, 0);
    assert_int_equal(list[1].status, 0);
}

/* Called in the child, which takes memory: a lock that another thread held at the fork would stay
 * locked for ever. */
static int was_forked_by_the_only_thread(const char *folder) {
    (void)folder;
    char path[64];
    int threads = -2; /* "." and ".." */
    snprintf(path, sizeof path, "/proc/%d/task", (int)getppid());
    DIR *tasks = opendir(path);
    while (tasks && readdir(tasks))
        threads++;
    if (tasks)
        closedir(tasks);
    return threads == 1 ? 0 : -1;
}

TEST_WITH(one_thread_starts_all, make_libraries, remove_libraries) {
    const struct build_options options = {.jobs = 3, .confine = was_forked_by_the_only_thread};
    scratch_put("cuobjdump", "#!/bin/sh\n/bin/sleep 0.1\nexec /bin/cat \"$2\"\n");
    assert_int_equal(disassembly_read(built, NULL, 3, &options, &list), 0);
    assert_all_read();
}

TEST_WITH(a_failure_is_not_kept, make_libraries, remove_libraries) {
    scratch_put("cuobjdump", "#!/bin/sh\necho called >> %s\nexit 1\n", scratch_path("calls"));
    assert_int_equal(read_all(), 2);
    assert_int_equal(list[0].status, 1);
    assert_int_equal(read_all(), 2);
}

TEST_WITH(nothing_is_left_beside_a_library_that_was_given, make_libraries, remove_libraries) {
    built[0].in_cache = false;
    assert_int_equal(read_all(), 2);
    assert_all_read();
    assert_int_equal(read_all(), 1);
    assert_int_not_equal(access(scratch_path("a.code"), F_OK), 0);
    assert_int_equal(access(scratch_path("b.code"), F_OK), 0);
}

TEST_WITH(a_memory_that_cannot_be_kept_is_no_fault, make_libraries, remove_libraries) {
    assert_int_equal(mkdir(scratch_path("a.code"), 0755), 0);
    for (int i = 0; i < 2; i++) {
        read_all();
        assert_all_read();
    }
}

/* Nor what is not wanted. */
TEST_WITH(what_was_not_compiled_is_not_read, make_libraries, remove_libraries) {
    const struct build_options options = {.jobs = 1};
    built[0].outcome = BUILD_FAILED;
    assert_int_equal(read_all(), 1);
    assert_int_equal(list[0].status, 1);
    assert_string_equal(list[0].why, "it was not compiled");
    assert_int_equal(list[1].status, 0);
    assert_int_equal(list[2].status, 1);
    disassembly_free(list, 3);
    assert_int_equal(disassembly_read(built, (const bool[]){true, false, true}, 3, &options, &list),
                     0);
    for (int i = 0; i < 3; i++)
        assert_int_equal(list[i].status, 1);
}

static int remove_libraries(void **state) {
    disassembly_free(list, 3);
    list = NULL;
    return scratch_remove(state);
}
