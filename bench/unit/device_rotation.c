#include "bench/unit/device_rotation.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "bench/base/error.h"
#include "bench/process/interrupt.h"

#define WAITS 2000 /* ten seconds: a round is rarely longer, and a device may be gone for good */
#define WAIT_NANOSECONDS 5000000

int device_rotation_open(struct device_rotation *rotation, struct device_session *sessions,
                         size_t count) {
    rotation->sessions = sessions;
    rotation->count = count;
    rotation->locks = memfd_create("rotation", MFD_CLOEXEC);
    return rotation->locks < 0 ? error("no file for %zu devices: %s", count, strerror(errno)) : 0;
}

/* F_WRLCK takes the device and F_UNLCK gives it back. False, with errno, where that cannot be. */
static bool set(const struct device_rotation *rotation, const struct device_session *session,
                short type) {
    struct flock lock = {
        .l_type = type, .l_whence = SEEK_SET, .l_start = session - rotation->sessions, .l_len = 1};
    return fcntl(rotation->locks, F_SETLK, &lock) == 0;
}

struct device_session *device_rotation_take(const struct device_rotation *rotation,
                                            const struct device_session *last) {
    const struct timespec moment = {.tv_nsec = WAIT_NANOSECONDS};
    const size_t first = last ? (size_t)(last - rotation->sessions) + 1 : 0;
    for (int waits = 0; !interrupted; waits++) {
        for (size_t i = 0; i < rotation->count; i++) {
            struct device_session *session = &rotation->sessions[(first + i) % rotation->count];
            if (session == last && waits < WAITS)
                continue;
            if (set(rotation, session, F_WRLCK))
                return session;
            if (errno != EAGAIN && errno != EACCES && errno != EINTR) {
                error("a device cannot be taken: %s", strerror(errno));
                return NULL;
            }
        }
        nanosleep(&moment, NULL);
    }
    error("interrupted");
    return NULL;
}

void device_rotation_give(const struct device_rotation *rotation,
                          const struct device_session *session) {
    if (!set(rotation, session, F_UNLCK))
        error("a device cannot be given back: %s", strerror(errno));
}

void device_rotation_close(struct device_rotation *rotation) {
    close(rotation->locks);
}
