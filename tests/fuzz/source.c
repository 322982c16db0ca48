/* A kernel's source, as the audit reads it. */
#include <string.h>

#include "correctness/audit/static_audit.h"
#include "tests/fuzz/fuzz.h"

void fuzz_source(const uint8_t *data, size_t size) {
    static struct finding_list list; /* large: emptied, not made anew */
    list.count = 0;
    memset(list.seen, 0, sizeof list.seen);
    fuzz_promise(static_audit_source(fuzz_put("kernel.cu", data, size), &list) == 0);
    fuzz_read += list.count > 0;
    for (size_t i = 0; i < list.count; i++)
        for (const char *c = list.items[i].text; *c; c++)
            fuzz_promise(*c >= ' ' && *c <= '~');
}
