/* Where a driver would have its memory, in one process and in the next: each is a child. */
#include "bench/process/hide_driver.h"

#include <stdbool.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/test.h"

#define USUAL_PLACE (UINT64_C(8) << 30)

static bool is_free(void) {
    void *at = mmap((void *)USUAL_PLACE, 4096, PROT_NONE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    return at != MAP_FAILED && munmap(at, 4096) == 0;
}

/* Where what lies at the usual place ends; 0: nothing lies there. */
static uint64_t end_of_map(void) {
    unsigned long long from, to;
    char line[512];
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(line, sizeof line, maps))
        if (sscanf(line, "%llx-%llx", &from, &to) == 2 && from == USUAL_PLACE) {
            fclose(maps);
            return to;
        }
    if (maps)
        fclose(maps);
    return 0;
}

static uint64_t end_in_a_process(void) {
    int pipes[2];
    uint64_t end = 0;
    assert_int_equal(pipe(pipes), 0);
    const pid_t child = fork();
    if (child == 0) {
        hide_driver_memory();
        end = end_of_map();
        _exit(write(pipes[1], &end, sizeof end) == sizeof end ? 0 : 1);
    }
    assert_int_equal(read(pipes[0], &end, sizeof end), sizeof end);
    assert_int_equal(waitpid(child, NULL, 0), child);
    close(pipes[0]);
    close(pipes[1]);
    return end;
}

TEST(each_process_has_another_place) {
    enum { PROCESSES = 4 };
    uint64_t ends[PROCESSES];
    bool differ = false;
    if (!is_free()) /* under a sanitizer */
        skip();
    for (int i = 0; i < PROCESSES; i++) {
        ends[i] = end_in_a_process();
        assert_in_range(ends[i], USUAL_PLACE + (UINT64_C(1) << 25), UINT64_C(136) << 30);
        differ |= ends[i] != ends[0];
    }
    assert_true(differ);
}
