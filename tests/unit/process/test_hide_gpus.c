/* Which GPUs a process can open, in folders written here that look like /proc and /dev. */
#include <string.h>

#include <fcntl.h>
#include <sys/wait.h>

#include "bench/process/hide_gpus.h"
#include "bench/process/landlock.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* In the order of their bits. */
static const char *const files[] = {
    "dev/nvidia0",         "dev/nvidia1", "dev/nvidia12",    "dev/nvidiactl", "dev/nvidia-uvm",
    "dev/nvidia-caps/cap", "dev/null",    "dev/nvidia1.bak", "beside",        "proc/stat"};
static const char *dev = "dev"; /* the name it is called by */
enum { GPU_0 = 1, GPU_1 = 2, GPU_12 = 4, ALL = (1 << COUNT(files)) - 1 };

static int make_machine(void **state) {
    if (scratch_make(state) < 0)
        return -1;
    for (size_t i = 0; i < COUNT(files); i++)
        scratch_put(files[i], "%s", "");
    /* The GPU of node 12 is the first by its address. */
    static const char *const gpus[] = {"0000:0a:00.0", "0000:1b:00.0", "0000:2c:00.0"};
    static const int minors[] = {12, 0, 1};
    char path[128];
    for (size_t i = 0; i < COUNT(gpus); i++) {
        snprintf(path, sizeof path, "proc/driver/nvidia/gpus/%s/information", gpus[i]);
        scratch_put(path,
                    "Model: \t\t NVIDIA H200\nIRQ:   \t\t 45\nBus Location: \t %s\n"
                    "Device Minor: \t %d\nGPU Excluded:\t No\n",
                    gpus[i], minors[i]);
    }
    scratch_put("proc/driver/nvidia/gpus/0000:3d:00.0/information", "Model: \t\t Unknown\n");
    return symlink("nvidia0", scratch_path("dev/link"));
}

/* What can be opened so, a bit a file. */
static int opened(int flags) {
    int bits = 0;
    for (size_t i = 0; i < COUNT(files); i++) {
        const int file = open(scratch_path(files[i]), flags);
        bits |= (file >= 0) << i;
        if (file >= 0)
            close(file);
    }
    return bits;
}

struct sight {
    int status, read, written, at_link;
};

/* What a process sees that stays with that GPU. */
static struct sight sight_of(const char *pci) {
    struct sight sight = {-2, 0, 0, 0};
    int ends[2], ended;
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        sight.status = hide_other_gpus(scratch_path("proc"), scratch_path(dev), pci);
        sight.read = opened(O_RDONLY);
        sight.written = opened(O_RDWR);
        sight.at_link = open(scratch_path("dev/link"), O_RDWR) >= 0;
        _exit(write(ends[1], &sight, sizeof sight) != sizeof sight);
    }
    assert_int_equal(read(ends[0], &sight, sizeof sight), sizeof sight);
    assert_int_equal(waitpid(child, &ended, 0), child);
    close(ends[0]);
    close(ends[1]);
    return sight;
}

static void need_landlock(void) {
    if (landlock_abi() == 0)
        skip();
}

TEST(only_its_own_gpu_is_left) {
    need_landlock();
    const struct {
        const char *pci;
        int gone, at_link;
    } cases[] = {{"0000:0A:00.0", GPU_0 | GPU_1, 0},
                 {"0000:1b:00.0", GPU_1 | GPU_12, 1},
                 {"0000:2C:00.0", GPU_0 | GPU_12, 0}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct sight sight = sight_of(cases[i].pci);
        assert_int_equal(sight.status, 1);
        assert_int_equal(sight.read, ALL & ~cases[i].gone);
        assert_int_equal(sight.written, ALL & ~cases[i].gone);
        assert_int_equal(sight.at_link, cases[i].at_link);
    }
}

TEST(nothing_changes_where_its_node_is_not_told) {
    static const char *const strangers[] = {"", "0000:4e:00.0", "0000:3d:00.0"};
    for (size_t i = 0; i < COUNT(strangers); i++) {
        const struct sight sight = sight_of(strangers[i]);
        assert_int_equal(sight.status, 0);
        assert_int_equal(sight.written, ALL);
    }
}

/* One that is a link gets no neighbour back in by another name. */
TEST(a_link_on_the_way_is_followed) {
    need_landlock();
    assert_int_equal(symlink("dev", scratch_path("way")), 0);
    dev = "way";
    const struct sight sight = sight_of("0000:1b:00.0");
    dev = "dev";
    assert_int_equal(sight.status, 1);
    assert_int_equal(sight.written, ALL & ~(GPU_1 | GPU_12));
}

TEST(where_a_folder_may_not_be_listed_nothing_changes) {
    need_landlock();
    if (geteuid() == 0)
        skip();
    assert_int_equal(chmod(scratch_path(""), 0300), 0);
    const struct sight sight = sight_of("0000:1b:00.0");
    assert_int_equal(chmod(scratch_path(""), 0700), 0);
    assert_int_equal(sight.status, 0);
    assert_int_equal(sight.written, ALL);
}

TESTS_BETWEEN(make_machine, scratch_remove)
