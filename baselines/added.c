#include <stddef.h>

#include "baselines/baselines.h"

static const struct baseline *added[BASELINES_ADDED];
static int count;

int baseline_add(const struct baseline *baseline) {
    if (count == BASELINES_ADDED)
        return -1;
    added[count++] = baseline;
    return 0;
}

const struct baseline *baseline_at(int index) {
    int compiled = 0;
    while (compiled <= index && baselines[compiled])
        compiled++;
    return index < compiled           ? baselines[index]
           : index < compiled + count ? added[index - compiled]
                                      : NULL;
}
