/* What a process has changed of itself, as another one sees it. */
#include "bench/process/read_only.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/support/scratch.h"
#include "tests/support/test.h"

enum { PAGE = 4096, PAGES = 4 };
static struct read_only there;
static int to_child[2], from_child[2];
static char *constant; /* a file's, which nobody may write */
static pid_t child;

static void change(char what) {
    if (what == 'c') { /* and back to what its access was */
        mprotect(constant, PAGE * PAGES, PROT_READ | PROT_WRITE);
        constant[PAGE + 5] ^= 1;
        mprotect(constant, PAGE * PAGES, PROT_READ);
    } else if (what == 'u') {
        munmap(constant + 2 * PAGE, PAGE);
    } else if (what == 'd') {
        dlmopen(LM_ID_NEWLM, "libm.so.6", RTLD_NOW);
    } else if (what == 'w') { /* nothing of it is written */
        mprotect(constant, PAGE * PAGES, PROT_READ | PROT_WRITE);
    }
}

static const char *map_empty(const char *name, size_t bytes) {
    const int file = open(scratch_path(name), O_RDWR | O_CREAT, 0666);
    const bool made = ftruncate(file, (off_t)bytes) == 0;
    const char *memory = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, file, 0);
    close(file);
    return made ? memory : MAP_FAILED;
}

static int start(void **state) {
    char what, page[PAGE] = "constants";
    (void)state;
    if (map_empty("most", READ_ONLY_MOST) == MAP_FAILED ||
        map_empty("more", READ_ONLY_MOST + PAGE) == MAP_FAILED)
        return -1;
    const int file = open(scratch_path("constants"), O_RDWR | O_CREAT, 0666);
    for (int i = 0; i < PAGES; i++)
        if (write(file, page, PAGE) != PAGE)
            return -1;
    constant = mmap(NULL, PAGE * PAGES, PROT_READ, MAP_PRIVATE, file, 0);
    close(file);
    if (constant == MAP_FAILED || pipe(to_child) < 0 || pipe(from_child) < 0)
        return -1;
    child = fork();
    if (child == 0)
        while (read(to_child[0], &what, 1) == 1) {
            change(what);
            if (write(from_child[1], &what, 1) != 1)
                _exit(1);
        }
    read_only_remember(child, &there);
    return 0;
}

static int stop(void **state) {
    (void)state;
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    for (int i = 0; i < 2; i++) {
        close(to_child[i]);
        close(from_child[i]);
    }
    return munmap(constant, PAGE * PAGES);
}

static void tell(char what) {
    assert_int_equal(write(to_child[1], &what, 1), 1);
    assert_int_equal(read(from_child[0], &what, 1), 1);
}

static const struct read_only_part *part_named(const char *name) {
    for (int i = 0; i < there.count; i++)
        if (strstr(there.parts[i].name, name))
            return &there.parts[i];
    return NULL;
}

TEST_WITH(programs_and_libraries_are_remembered, start, stop) {
    if (there.count == 0)
        skip(); /* the system does not let one look */
    assert_non_null(part_named("test_read_only"));
    assert_non_null(part_named("libc"));
    assert_true(part_named("[vdso]") || !getauxval(AT_SYSINFO_EHDR));
    assert_int_equal(part_named("constants")->bytes, PAGE * PAGES);
    assert_null(read_only_changed(child, &there));
    tell('-');
    assert_null(read_only_changed(child, &there));
    tell('w');
    assert_null(read_only_changed(child, &there));
}

TEST_WITH(what_was_changed_is_found, start, stop) {
    if (there.count == 0)
        skip();
    tell('c');
    assert_string_equal(read_only_changed(child, &there)->name, "constants");
    tell('c');
    assert_null(read_only_changed(child, &there));
}

TEST_WITH(so_is_what_is_gone, start, stop) {
    if (there.count == 0)
        skip();
    tell('u');
    assert_string_equal(read_only_changed(child, &there)->name, "constants");
}

TEST_WITH(of_a_dead_process_nothing_is_said, start, stop) {
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    assert_null(read_only_changed(child, &there));
}

/* Of C's library it is the code that holds a clock. */
TEST_WITH(parts_are_of_two_mib_at_most, start, stop) {
    if (there.count == 0)
        skip();
    bool code = false;
    for (int i = 0; i < there.count; i++)
        code |= (uint64_t)clock_gettime - there.parts[i].begin < there.parts[i].bytes;
    assert_true(code);
    assert_int_equal(part_named("most")->bytes, READ_ONLY_MOST);
    assert_null(part_named("more"));
}

/* By dlmopen a process has libraries of its own that nobody else sees. */
TEST_WITH(a_second_library_is_seen, start, stop) {
    char name[READ_ONLY_NAME];
    assert_false(read_only_twice(child, name));
    tell('d');
    assert_true(read_only_twice(child, name));
    assert_non_null(strstr(name, ".so"));
}

TESTS_BETWEEN(scratch_make, scratch_remove)
