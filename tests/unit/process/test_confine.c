/* A compiler is locked into its scratch folder. */
#include "bench/process/confine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "tests/support/scratch.h"

/* What `locked` returns in a process that is locked into the scratch folder "in". */
static int in_confinement(int (*locked)(void)) {
    int status = 0;
    const pid_t pid = fork();
    if (pid == 0)
        _exit(confine_compiler(scratch_path("in")) < 0 ? 99 : locked());
    assert_true(pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status));
    return WEXITSTATUS(status);
}

static int writes(const char *name) {
    return open(scratch_path(name), O_WRONLY | O_CREAT, 0666) >= 0;
}

static int writes_inside(void) {
    return writes("in/file");
}

static int writes_outside(void) {
    return writes("file");
}

static int gains_no_privileges(void) {
    return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1;
}

static void a_compiler_gains_no_privileges(void **state) {
    (void)state;
    scratch_put("in/there", "x");
    assert_int_equal(in_confinement(gains_no_privileges), 1);
}

static void a_compiler_writes_into_its_folder_only(void **state) {
    (void)state;
    scratch_put("in/there", "x");
    assert_int_equal(in_confinement(writes_inside), 1);
    assert_int_equal(access(scratch_path("in/file"), F_OK), 0);
    if (in_confinement(writes_outside) == 1)
        skip(); /* a kernel without Landlock */
    assert_int_equal(access(scratch_path("file"), F_OK), -1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_compiler_gains_no_privileges),
        cmocka_unit_test(a_compiler_writes_into_its_folder_only),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
