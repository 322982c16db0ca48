#include "bench/disassembly.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "bench/confine.h"
#include "bench/cuobjdump.h"
#include "bench/error.h"
#include "bench/unit.h"
#include "correctness/cores.h"

#define LIMIT_SECONDS 120

struct pool {
    const struct built *built;
    const bool *wanted;
    size_t count;
    bool confined;
    struct disassembly *list;
    atomic_size_t next;
};

static void *read_some(void *context) {
    struct pool *pool = context;
    for (size_t i; (i = atomic_fetch_add(&pool->next, 1)) < pool->count;) {
        struct disassembly *one = &pool->list[i];
        one->status = 1;
        one->why = "it was not compiled";
        if (pool->wanted[i] && pool->built[i].outcome == BUILD_OK && !unit_interrupted)
            one->status =
                cuobjdump_read(pool->built[i].so, LIMIT_SECONDS,
                               pool->confined ? confine_compiler : NULL, &one->code, &one->why);
    }
    return NULL;
}

/* Threads and not OpenMP, whose pool does not outlive the fork of a fleet. */
int disassembly_read(const struct built *built, const bool *wanted, size_t count, bool confined,
                     struct disassembly **list) {
    enum { MOST = 64 };
    pthread_t threads[MOST];
    const int cores = cores_allowed();
    size_t started = 0;
    *list = calloc(count + 1, sizeof **list);
    if (!*list)
        return error("no memory for the machine code of %zu libraries", count);
    struct pool pool = {built, wanted, count, confined, *list, 0};
    while (started < MOST && started < count && (int)started + 1 < cores &&
           pthread_create(&threads[started], NULL, read_some, &pool) == 0)
        started++;
    read_some(&pool);
    for (size_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    return 0;
}

void disassembly_free(struct disassembly *list, size_t count) {
    for (size_t i = 0; list && i < count; i++)
        machine_code_free(&list[i].code);
    free(list);
}
