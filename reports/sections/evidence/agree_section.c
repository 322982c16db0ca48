/* How far another run of the same plan agrees with this one. */
#include "reports/sections/sections.h"

void section_again(struct document *page, const struct report *report) {
    if (!report->again)
        return;
    document_section(page, 2, "again", "How far another run agrees");
    agree_fill(page, report->again, 2);
}
