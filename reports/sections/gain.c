/* Where a gain comes from: the launch, or the kernel itself. */
#include "reports/rows/size_class.h"
#include "reports/sections/sections.h"

void section_gain(struct document *page, const struct report *report) {
    static const struct document_column columns[] = {
        {.name = "candidate", .type = DOCUMENT_TEXT, .omit = DOCUMENT_OMIT_SAME},
        {.name = "mode", .type = DOCUMENT_TEXT, .omit = DOCUMENT_OMIT_SAME},
        {.name = "over", .type = DOCUMENT_TEXT, .key = "baseline", .omit = DOCUMENT_OMIT_SAME},
        {.name = "log2 MNK", .type = DOCUMENT_TEXT, .key = "sizes"},
        {.name = "shapes", .type = DOCUMENT_COUNT},
        {.name = "call: all %", .type = DOCUMENT_SPEEDUP, .key = "call"},
        {.name = "device: kernel %", .type = DOCUMENT_SPEEDUP, .key = "device"},
        {.name = "the rest: launch %", .type = DOCUMENT_SPEEDUP, .key = "launch"},
        {.name = "faster by call alone", .type = DOCUMENT_COUNT, .key = "by_call_alone"},
    };
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
    QUERY_TABLE(page, "gain", NULL, columns, answer);
}
