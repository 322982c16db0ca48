/* Lines of Tables 1 and 2: one list of columns for table1.csv, table2.csv, the terminal, the tables by lens
 * and the lines of the verdict. */
#include <math.h>

#include "reports/sections/sections.h"

void sections_put_lines(struct document *page, const char *id, const char *caption,
                        enum table_kind kind, const struct table_line *lines, size_t count,
                        const double *common) {
#define OF(member, title, ...) DOCUMENT_OF(table_line, member, title, __VA_ARGS__)
    const unsigned wide = common ? DOCUMENT_DATA : SECTIONS_FILES,
                   judged = kind == TABLE_BEST ? DOCUMENT_DATA : DOCUMENT_ALL;
    const struct document_column columns[] = {
        OF(candidate, "candidate", TEXT, .omit = DOCUMENT_OMIT_SAME),
        OF(mode, "mode", TEXT, .omit = DOCUMENT_OMIT_SAME),
        OF(lens, "lens", TEXT, .omit = DOCUMENT_OMIT_SAME),
        OF(baseline, "baseline", TEXT, .unbroken = true),
        OF(shapes, "shapes", COUNT),
        OF(geomean, kind == TABLE_BEST ? "ratio" : "ratio (95 %)", RATIO, .key = "geomean_ratio",
           .omit = DOCUMENT_OMIT_EMPTY),
        OF(shapes_low, "over shapes", INTERVAL, .key = "over_shapes", .formats = SECTIONS_FILES,
           .omit = DOCUMENT_OMIT_EMPTY),
        OF(middle, "median", NUMBER, .digits = 3, .key = "median_ratio", .formats = SECTIONS_FILES,
           .omit = DOCUMENT_OMIT_EMPTY),
        {.name = "shapes of all lenses",
         .type = DOCUMENT_NUMBER,
         .digits = 3,
         .formats = DOCUMENT_MARKDOWN | DOCUMENT_HTML,
         .omit = DOCUMENT_OMIT_EMPTY},
        SECTIONS_VERDICTS(.formats = judged, .omit = DOCUMENT_OMIT_EMPTY),
        SECTIONS_VERDICT(environment, .formats = judged & SECTIONS_FILES,
                         .omit = DOCUMENT_OMIT_ZERO),
        OF(mean, "paper's mean %", SPEEDUP, .key = "mean"),
        OF(median, "its median %", SPEEDUP, .key = "median", .formats = wide),
        OF(sd, "sd %", SHARE, .key = "sd", .formats = wide),
        OF(wins, "wins", COUNT, .formats = wide),
        OF(unrecorded, "unrecorded", COUNT, .omit = DOCUMENT_OMIT_ZERO),
    };
#undef OF
    DOCUMENT_TABLE(page, id, caption, columns);
    for (size_t i = 0; i < count; i++) {
        document_row_of(page, &lines[i]);
        document_number(page, common ? common[i] : NAN);
    }
}
