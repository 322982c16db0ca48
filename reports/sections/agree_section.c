/* How far other runs of the same plan agree with this one, and what they say of cards. */
#include "reports/sections/sections.h"

void section_again(struct document *page, const struct report *report) {
    if (report->run_count < 2)
        return;
    document_section(page, 2, "again", "How far another run agrees");
    agree_fill(page, &report->agree);
}
