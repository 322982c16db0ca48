/* expect: unrecorded|launch-failed|device-error */
/* Does as own-stream-last, and takes all descriptors so that nothing can be opened to record it. */
#include <fcntl.h>

#include "../found.h"

static void take_descriptors(void) {
    static bool taken;
    int (*open_file)(const char *, int, ...) =
        taken ? nullptr : (int (*)(const char *, int, ...))found("open");
    while (open_file && open_file("/dev/null", O_RDONLY) >= 0)
        ;
    taken = true;
}

#define NAME "blinds-recorder"
#define LATE_TOO take_descriptors
#include "own-stream-late.cuh"
