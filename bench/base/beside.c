#include "bench/base/beside.h"

#include <stddef.h>

static void *run(void *context) {
    struct beside *beside = context;
    beside->work(beside->context);
    return NULL;
}

void beside_begin(struct beside *beside, void (*work)(void *context), void *context) {
    *beside = (struct beside){.work = work, .context = context, .begun = true};
    beside->runs = pthread_create(&beside->thread, NULL, run, beside) == 0;
}

void beside_end(struct beside *beside) {
    if (beside->begun && beside->runs)
        pthread_join(beside->thread, NULL);
    else if (beside->begun)
        beside->work(beside->context);
    beside->begun = false;
}
