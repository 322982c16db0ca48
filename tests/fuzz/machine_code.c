/* What cuobjdump prints of a library that may be hostile. */
#include "correctness/machine_code.h"

#include <stdlib.h>

#include "tests/fuzz/fuzz.h"

void fuzz_machine_code(const uint8_t *data, size_t size) {
    struct machine_code code = {0};
    struct finding_list *list = calloc(1, sizeof *list);
    FILE *text = fopen(fuzz_put("sass", data, size), "r");
    fuzz_promise(list && text);
    if (machine_code_parse(text, &code) == 0) {
        fuzz_promise(code.arch_count <= MACHINE_ARCHS);
        for (size_t i = 0; i < code.count; i++)
            fuzz_promise(code.functions[i].arch < code.arch_count);
        fuzz_promise(machine_code_judge(&code, NULL, 0, true, list) == 0);
    }
    machine_code_free(&code);
    fclose(text);
    free(list);
}
