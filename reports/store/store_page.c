#include "reports/store/store_page.h"

#include "reports/page/document.h"

struct document *store_page_list(const struct store_entry *entries, size_t count) {
#define OF(member, title, ...) DOCUMENT_OF(store_entry, member, title, __VA_ARGS__)
    static const struct document_column columns[] = {
        OF(promoted, "promoted", TEXT, .unbroken = true),
        OF(name, "entry", TEXT, .unbroken = true),
        OF(key, "fingerprint", TEXT, .unbroken = true),
        {.name = "commit", .unbroken = true},
        {.name = "kernels", .unbroken = true},
        {.name = "set", .unbroken = true},
        OF(shapes, "shapes", COUNT),
        OF(visits, "visits", COUNT),
        OF(device, "device", TEXT, .unbroken = true),
        OF(forced, "forced", TEXT),
    };
#undef OF
    struct document *page = document_new("");
    DOCUMENT_TABLE(page, "entries", NULL, columns);
    for (size_t i = 0; i < count; i++) {
        const struct store_entry *entry = &entries[i];
        document_row_of(page, entry);
        document_cell_marked(page, "%.12s", *entry->commit ? entry->commit : "-");
        document_cell_marked(page, "%.12s", *entry->kernels ? entry->kernels : "-");
        document_cell(page, *entry->set ? entry->set : "-");
    }
    return page;
}
