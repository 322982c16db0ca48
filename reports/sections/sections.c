#include "reports/sections/sections.h"

#include <math.h>
#include <string.h>

#include "bench/base/element.h"

sqlite3_stmt *sections_ask(const struct report *report, const char *sql) {
    return query_ask(report->db, sql, report->run, NULL);
}

bool sections_have(const struct report *report, const char *sql) {
    sqlite3_stmt *answer = sections_ask(report, sql);
    const bool have = sqlite3_step(answer) == SQLITE_ROW;
    sqlite3_finalize(answer);
    return have;
}

void sections_most(struct document *page) {
    document_most(page, DOCUMENT_MARKDOWN, 50);
    document_most(page, DOCUMENT_HTML, 1000);
}

struct document *sections_make(const struct report *report) {
    static void (*const sections[])(struct document *, const struct report *) = {
#define SECTION_LINE(name) section_##name,
        SECTIONS(SECTION_LINE)
#undef SECTION_LINE
    };
    const struct about *about = report->about;
    const char *what = *about->set ? about->set : about->imported;
    const bool f16 = strcmp(about->element, element_words[ELEMENT_F16]) == 0;
    char title[sizeof about->imported + 48];
    snprintf(title, sizeof title, "gemmgate report%s%s%s%s", *what ? ": " : "", what,
             f16 ? "" : ", ", f16 ? "" : about->element);
    struct document *page = document_new(title);
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        document_only(page, SECTIONS_FILES);
        sections[i](page, report);
    }
    return page;
}
