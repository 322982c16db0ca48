/* What cuobjdump prints of a library that may be hostile, and what is kept of it. */
#include "correctness/audit/machine_code.h"

#include <string.h>

#include "tests/fuzz/fuzz.h"

static void read_as(int (*read)(FILE *text, struct machine_code *code), FILE *text) {
    struct machine_code code = {0};
    static struct finding_list list; /* large: emptied, not made anew */
    rewind(text);
    list.count = 0;
    memset(list.seen, 0, sizeof list.seen);
    if (read(text, &code) == 0) {
        fuzz_read += code.count > 0;
        fuzz_promise(code.arch_count <= MACHINE_ARCHS);
        for (size_t i = 0; i < code.count; i++)
            fuzz_promise(code.functions[i].arch < code.arch_count);
        machine_code_judge(&code, NULL, 0, true, &list);
    }
    machine_code_free(&code);
}

static int parse(FILE *text, struct machine_code *code) {
    machine_code_parse(text, code);
    return 0;
}

void fuzz_machine_code(const uint8_t *data, size_t size) {
    FILE *text = fopen(fuzz_put("sass", data, size), "r");
    fuzz_promise(text);
    read_as(parse, text);
    read_as(machine_code_load, text);
    fclose(text);
}
