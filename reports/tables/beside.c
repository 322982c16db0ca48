#include "reports/tables/beside.h"

bool beside_any(sqlite3 *db, const char *here, const char *there) {
    return query_any(query_ask(db, query_beside, here, there, NULL));
}

void beside_fill(struct document *page, sqlite3 *db, const char *here, const char *there) {
    document_paragraph(
        page,
        "*There / here* is a time there over a time here, of the same shape by the same lens: "
        "above 1 the kernel here is faster. Of many shapes it is the geometric mean. It has "
        "no interval. Machines, clocks and inputs may differ: a library that stands on both "
        "sides says by how much they do. Where the cache differs, cold is the slower one.");
    query_table(page, "beside", "Times there over times here",
                query_ask(db, query_beside, here, there, NULL));
    query_table(page, "beside-shapes", "Times there and here, shape by shape",
                query_ask(db, query_beside_shapes, here, there, NULL));
    document_fold(page, false, "Shape by shape");
}

void beside_note(struct document *page, const char *name, const struct about *about) {
    if (*about->imported)
        document_note(page, DOCUMENT_BAD,
                      "**%s is imported** (%s): it has no samples, and this machine has checked "
                      "none of its kernels.",
                      name, about->imported);
}
