/* Lines of Tables 1 and 2: one list of columns for table1.csv, table2.csv and the terminal. */
#include "reports/sections/sections.h"

void sections_put_lines(struct document *page, const char *id, enum table_kind kind,
                        const struct table *table) {
#define OF(member, title, ...) DOCUMENT_OF(table_line, member, title, __VA_ARGS__)
    const unsigned judged = kind == TABLE_BEST ? DOCUMENT_DATA : DOCUMENT_ALL;
    const struct document_column columns[] = {
        OF(candidate, "candidate", TEXT, .omit = DOCUMENT_OMIT_SAME),
        OF(mode, "mode", TEXT, .omit = DOCUMENT_OMIT_SAME),
        OF(lens, "lens", TEXT, .omit = DOCUMENT_OMIT_SAME),
        OF(baseline, "baseline", TEXT, .unbroken = true),
        OF(shapes, "shapes", COUNT),
        OF(geomean, kind == TABLE_BEST ? "ratio" : "ratio (95 %)", RATIO, .key = "geomean_ratio",
           .omit = DOCUMENT_OMIT_EMPTY),
        OF(shapes_low, "over shapes", INTERVAL, .key = "over_shapes", .formats = DOCUMENT_DATA),
        OF(middle, "median", NUMBER, .key = "median_ratio", .formats = DOCUMENT_DATA),
        SECTIONS_VERDICTS(.formats = judged, .omit = DOCUMENT_OMIT_EMPTY),
        SECTIONS_VERDICT(environment, .formats = DOCUMENT_DATA),
        OF(mean, "paper's mean %", SPEEDUP, .key = "mean"),
        OF(median, "its median %", SPEEDUP, .key = "median", .formats = DOCUMENT_DATA),
        OF(sd, "sd %", SHARE, .key = "sd", .formats = DOCUMENT_DATA),
        OF(wins, "wins", COUNT, .formats = DOCUMENT_DATA),
        OF(unrecorded, "unrecorded", COUNT, .omit = DOCUMENT_OMIT_ZERO),
    };
#undef OF
    DOCUMENT_TABLE(page, id, NULL, columns);
    document_rows(page, table->lines, table->count, sizeof *table->lines);
}
