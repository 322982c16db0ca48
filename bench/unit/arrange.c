#include "bench/unit/arrange.h"

#include "correctness/numbers/input.h"
#include "timing/schedule.h"

int arrange_arms(const struct unit_context *context, int order[WIRE_ARMS]) {
    const struct unit_checked *checked = &context->checked;
    int drawn[WIRE_ARMS], count = 0;
    schedule_shuffle(seed_derive(context->seed, SEED_VISIT, (uint64_t)context->course.visit),
                     checked->arm_count, drawn);
    for (int under_test = 0; under_test < 2; under_test++)
        for (int i = 0; i < checked->arm_count; i++)
            if ((checked->arms[drawn[i]].built != NULL) == under_test &&
                unit_takes_part(context, &checked->arms[drawn[i]]))
                order[count++] = drawn[i];
    return count;
}
