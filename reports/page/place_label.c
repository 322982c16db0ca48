#include "reports/page/document.h"

#include "bench/base/words.h"
#include "reports/page/document_parts.h"

void place_label(struct document *page, const char *place) {
    document_label(page, words_place_mark(place));
}

void place_explain(struct document *page) {
    const struct document_table *table = page && page->last ? page->last->table : NULL;
    for (size_t i = 0; table && i < table->row_count * table->column_count; i++)
        if (table->cells[i].label) {
            document_paragraph(page,
                               "*%s*: taken in the kernel's own process, since its work cannot be "
                               "recorded and carried out where no code of the kernel runs. What "
                               "that code does beside its work may be in the number.",
                               table->cells[i].label);
            return;
        }
}
