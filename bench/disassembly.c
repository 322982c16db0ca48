#include "bench/disassembly.h"

#include <stdlib.h>

#include "bench/confine.h"
#include "bench/cuobjdump.h"
#include "bench/error.h"
#include "bench/unit.h"

#define LIMIT_SECONDS 120

int disassembly_read(const struct built *built, const bool *wanted, size_t count, bool confined,
                     struct disassembly **list) {
    *list = calloc(count + 1, sizeof **list);
    if (!*list)
        return error("no memory for the machine code of %zu libraries", count);
#pragma omp parallel for schedule(dynamic)
    for (size_t i = 0; i < count; i++) {
        struct disassembly *one = &(*list)[i];
        one->status = 1;
        one->why = "it was not compiled";
        if (wanted[i] && built[i].outcome == BUILD_OK && !unit_interrupted)
            one->status = cuobjdump_read(built[i].so, LIMIT_SECONDS,
                                         confined ? confine_compiler : NULL, &one->code, &one->why);
    }
    return 0;
}

void disassembly_free(struct disassembly *list, size_t count) {
    for (size_t i = 0; list && i < count; i++)
        machine_code_free(&list[i].code);
    free(list);
}
