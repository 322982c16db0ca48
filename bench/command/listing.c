#include "bench/command/commands.h"

#include <stdio.h>

#include "bench/base/error.h"
#include "bench/base/text.h"
#include "reports/page/writers.h"

static int print_table(const struct document *page, const char *id) {
    json_t *rows = write_json_table(page, id);
    if (!rows)
        return -1;
    json_dumpf(rows, stdout, JSON_INDENT(2)); /* what goes wrong stays in ferror(stdout) */
    json_decref(rows);
    text_print_line(stdout, "%s", "");
    return 0;
}

int listing_print(const struct settings *settings, struct document *page, const char *id) {
    const int status = !settings->json ? write_text(stdout, page)
                       : id            ? print_table(page, id)
                                       : write_json(stdout, page);
    document_free(page);
    return status < 0 ? EXIT_TROUBLE : EXIT_PASS;
}
