/* Teams of threads, and processes that are forked beside them. */
#include "bench/base/cores.h"

#include <sys/wait.h>
#include <unistd.h>

#include "correctness/numbers/input.h"
#include "tests/support/test.h"

enum { SIDE = 2048 }; /* worth several threads */

static void work(void) {
    static float out[SIDE * SIDE];
    input_fill_float(ELEMENT_F16, input_table_for(ELEMENT_F16, INPUT_NORMAL, 0), 1, INPUT_A, SIDE,
                     SIDE, out);
}

TEST(a_process_that_is_forked_has_teams_of_its_own) {
    int status = -1;
    work();
    team_end();
    const pid_t pid = fork();
    if (pid == 0) {
        alarm(20);
        work();
        _exit(0);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    work();
}
