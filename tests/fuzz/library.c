/* A kernel's shared library, as the audit reads it: any ELF file, however damaged. */
#include <string.h>

#include "correctness/audit/static_audit.h"
#include "tests/fuzz/fuzz.h"

void fuzz_library(const uint8_t *data, size_t size) {
    static struct finding_list list; /* large: emptied, not made anew */
    list.count = 0;
    memset(list.seen, 0, sizeof list.seen);
    fuzz_promise(static_audit(fuzz_put("kernel.so", data, size), &list) == 0);
    fuzz_read += list.seen[FINDING_MALFORMED] == 0;
    for (size_t i = 0; i < list.count; i++)
        for (const char *c = list.items[i].text; *c; c++)
            fuzz_promise(*c >= ' ' && *c <= '~');
}
