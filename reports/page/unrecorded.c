#include "bench/base/outcome.h"
#include "reports/page/document.h"
#include "reports/page/document_parts.h"

void unrecorded_label(struct document *page, bool unrecorded) {
    document_label(page, unrecorded ? outcome_word(OUTCOME_UNRECORDED) : "");
}

void unrecorded_explain(struct document *page) {
    const struct document_table *table = page && page->last ? page->last->table : NULL;
    for (size_t i = 0; table && i < table->row_count * table->column_count; i++)
        if (table->cells[i].label) {
            document_paragraph(page,
                               "*%s*: the kernel's work could not be recorded. It was timed in its "
                               "own process alone, and no device work bounds the number.",
                               table->cells[i].label);
            return;
        }
}
