#include "bench/run/turns.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bench/base/error.h"

enum turn_state { WAITS, TAKEN, DONE, LOST };

struct turn {
    enum turn_state state;
    int worker; /* who has it; meaningless unless TAKEN */
};

/* Bytes of the file: one for whoever looks at the turns, then one a worker for as long as it lives.
 */
#define LOOKING 0
#define WORKER(worker) (1 + (off_t)(worker))

static size_t bytes_of(const struct turns *turns) {
    return turns->count * sizeof *turns->turns + turns->units * sizeof *turns->last + 1;
}

int turns_open(struct turns *turns, const struct work_item *items, size_t count, size_t units,
               bool moves) {
    *turns = (struct turns){.items = items, .count = count, .units = units, .moves = moves};
    turns->locks = memfd_create("turns", MFD_CLOEXEC);
    turns->turns =
        mmap(NULL, bytes_of(turns), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (turns->locks < 0 || turns->turns == MAP_FAILED) {
        if (turns->locks >= 0)
            close(turns->locks);
        return error("no memory for %zu rounds of units: %s", count, strerror(errno));
    }
    turns->last = (int *)(turns->turns + count);
    for (size_t i = 0; i < units; i++)
        turns->last[i] = -1;
    return 0;
}

/* Of one that died the system lets go all. */
static void lock(const struct turns *turns, off_t byte, short type) {
    struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1};
    while (fcntl(turns->locks, F_SETLKW, &lock) < 0 && errno == EINTR)
        ;
}

static bool lives(const struct turns *turns, int worker) {
    struct flock lock = {
        .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = WORKER(worker), .l_len = 1};
    return fcntl(turns->locks, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

static bool others_live(const struct turns *turns, size_t worker) {
    struct flock before = {.l_type = F_WRLCK,
                           .l_whence = SEEK_SET,
                           .l_start = WORKER(0),
                           .l_len = (off_t)worker},
                 after = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = WORKER(worker + 1)};
    return (worker > 0 && fcntl(turns->locks, F_GETLK, &before) == 0 && before.l_type != F_UNLCK) ||
           (fcntl(turns->locks, F_GETLK, &after) == 0 && after.l_type != F_UNLCK);
}

/* What waits of the unit becomes that. */
static void leave(struct turns *turns, size_t unit, enum turn_state state) {
    for (size_t i = 0; i < turns->count; i++)
        if (turns->items[i].unit == unit && turns->turns[i].state == WAITS)
            turns->turns[i].state = state;
}

/* What the dead have had is lost, and what only they could go on with. */
static void bury(struct turns *turns, size_t worker) {
    for (size_t i = 0; i < turns->count; i++) {
        struct turn *turn = &turns->turns[i];
        const size_t unit = turns->items[i].unit;
        const int last = turns->last[unit];
        const bool taken = turn->state == TAKEN && turn->worker != (int)worker;
        const bool bound =
            turn->state == WAITS && !turns->moves && last >= 0 && last != (int)worker;
        if ((taken && !lives(turns, turn->worker)) || (bound && !lives(turns, last))) {
            turn->state = LOST;
            leave(turns, unit, LOST);
        }
    }
}

static bool is_taken(const struct turns *turns, size_t unit) {
    for (size_t i = 0; i < turns->count; i++)
        if (turns->items[i].unit == unit && turns->turns[i].state == TAKEN)
            return true;
    return false;
}

/* The first item that the worker may take and nobody else should; else what it had last (`own`),
 * if that may move; both are turns->count where there is none. Returns whether any item waits. */
static bool look(const struct turns *turns, size_t worker, size_t *next, size_t *own) {
    bool any = false;
    *next = *own = turns->count;
    for (size_t i = 0; i < turns->count && *next == turns->count; i++) {
        const size_t unit = turns->items[i].unit;
        const int last = turns->last[unit];
        if (turns->turns[i].state != WAITS)
            continue;
        any = true;
        if (is_taken(turns, unit))
            continue;
        if (last < 0 || (last == (int)worker) != turns->moves)
            *next = i;
        else if (last == (int)worker && *own == turns->count)
            *own = i;
    }
    return any;
}

enum turn_taken turns_take(struct turns *turns, size_t worker, bool impatient,
                           struct work_item *item) {
    size_t next, own;
    lock(turns, WORKER(worker), F_WRLCK);
    lock(turns, LOOKING, F_WRLCK);
    bury(turns, worker);
    const bool any = look(turns, worker, &next, &own);
    if (next == turns->count && (impatient || !others_live(turns, worker)))
        next = own;
    if (next < turns->count) {
        *item = turns->items[next];
        turns->turns[next] = (struct turn){.state = TAKEN, .worker = (int)worker};
    }
    lock(turns, LOOKING, F_UNLCK);
    return next < turns->count ? TURN_TAKEN : any ? TURN_LATER : TURN_NONE;
}

void turns_give(struct turns *turns, size_t worker, const struct work_item *item, bool ended) {
    lock(turns, LOOKING, F_WRLCK);
    for (size_t i = 0; i < turns->count; i++)
        if (turns->items[i].unit == item->unit && turns->turns[i].state == TAKEN)
            turns->turns[i].state = DONE;
    turns->last[item->unit] = (int)worker;
    if (ended)
        leave(turns, item->unit, DONE);
    lock(turns, LOOKING, F_UNLCK);
}

size_t turns_waiting(struct turns *turns) {
    size_t waiting = 0;
    lock(turns, LOOKING, F_WRLCK);
    for (size_t i = 0; i < turns->count; i++)
        waiting += turns->turns[i].state == WAITS;
    lock(turns, LOOKING, F_UNLCK);
    return waiting;
}

bool turns_are_done(const struct turns *turns) {
    for (size_t i = 0; i < turns->count; i++)
        if (turns->turns[i].state != DONE)
            return false;
    return true;
}

void turns_close(struct turns *turns) {
    munmap(turns->turns, bytes_of(turns));
    close(turns->locks);
}
