/* A kernel's source, as the audit reads it. */
#include <stdlib.h>

#include "correctness/static_audit.h"
#include "tests/fuzz/fuzz.h"

void fuzz_source(const uint8_t *data, size_t size) {
    struct finding_list *list = calloc(1, sizeof *list);
    fuzz_promise(list);
    fuzz_promise(static_audit_source(fuzz_put("kernel.cu", data, size), list) == 0);
    for (size_t i = 0; i < list->count; i++)
        for (const char *c = list->items[i].text; *c; c++)
            fuzz_promise(*c >= ' ' && *c <= '~');
    free(list);
}
