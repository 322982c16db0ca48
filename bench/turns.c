#include "bench/turns.h"

#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bench/error.h"

#define WAITS 2000 /* ten seconds: a round is rarely longer, and a device may be gone for good */
#define WAIT_NANOSECONDS 5000000

int turns_open(struct turns *turns, struct session *sessions, size_t count) {
    turns->sessions = sessions;
    if (pipe(turns->ends) < 0)
        return error("no pipe for %zu devices: %s", count, strerror(errno));
    for (size_t i = 0; i < count; i++)
        turns_give(turns, &sessions[i]);
    return 0;
}

/* The number of a free device, or -1 after error(). */
static int take(const struct turns *turns) {
    unsigned char number;
    ssize_t size;
    do
        size = read(turns->ends[0], &number, 1);
    while (size < 0 && errno == EINTR && !unit_interrupted);
    if (size == 1 && unit_interrupted)
        turns_give(turns, &turns->sessions[number]);
    return size == 1 && !unit_interrupted ? number : error("interrupted");
}

struct session *turns_take(const struct turns *turns, const struct session *last) {
    const struct timespec moment = {.tv_nsec = WAIT_NANOSECONDS};
    int number = take(turns);
    for (int i = 0; number >= 0 && &turns->sessions[number] == last && i < WAITS; i++) {
        turns_give(turns, last); /* to who has waited for longer, if anybody has */
        nanosleep(&moment, NULL);
        number = take(turns);
    }
    return number < 0 ? NULL : &turns->sessions[number];
}

void turns_give(const struct turns *turns, const struct session *session) {
    const unsigned char number = (unsigned char)(session - turns->sessions);
    if (write(turns->ends[1], &number, 1) != 1)
        error("a device cannot be given back: %s", strerror(errno));
}

void turns_close(struct turns *turns) {
    close(turns->ends[0]);
    close(turns->ends[1]);
}
