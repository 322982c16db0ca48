/* Where a gain comes from: the launch, or the kernel itself. */
#include "reports/rows/size_class.h"
#include "reports/sections/sections.h"

void section_gain(struct document *page, const struct report *report) {
    char width[16], classes[16];
    snprintf(width, sizeof width, "%d", SIZE_CLASS_WIDTH);
    snprintf(classes, sizeof classes, "%d", SIZE_CLASSES);
    sqlite3_stmt *answer = query_ask(report->db, query_gain, report->run, width, classes, NULL);
    if (!query_next(answer)) /* a lens is missing */
        return;
    sqlite3_reset(answer);
    document_section_folded(page, 3, "gain", "Where the gain comes from");
    document_paragraph(
        page, "How much more time the library takes (geometric means). `call` has launch "
              "and kernel, `device` the kernel alone. The rest is the launch: it goes away "
              "where calls follow each other without a pause.");
    query_table(page, "gain", NULL, answer);
}
