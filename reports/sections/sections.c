#include "reports/sections/sections.h"

#include <stdio.h>

#include "assets.h"
#include "reports/tables/lines.h"

void sections_load(sqlite3 *db, const char *name, const struct rundir *run,
                   const struct runs_asked *asked, const struct claims *claims) {
    runs_add(db, name, run, asked);
    agree_load(db, &(struct agree){0});
    lines_add(db, name, &run->speeds, NULL);
    query_next(query_ask(db, query_add_against, name, NULL));
    claims_judge(db, name, &run->speeds, claims);
}

void sections_shapes(struct document *page, sqlite3 *db, const char *run) {
    for (sqlite3_stmt *line = query_ask(db, query_leading, run, NULL); query_next(line);) {
        const char *text = query_text(line, "title");
        query_table(page, "every-shape", text,
                    query_ask(db, query_every_shape, run, query_text(line, "candidate"),
                              query_text(line, "mode"), query_text(line, "baseline"),
                              query_text(line, "lens"), query_text(line, "element"), NULL));
        document_fold(page, false, text);
        unrecorded_explain(page);
    }
}

/* In the order of the page. */
static const char *const templates[] = {
    assets_verdict_md,   assets_claims_md,     assets_lenses_md,    assets_gain_md,
    assets_refused_md,   assets_shapes_md,     assets_energy_md,    assets_imported_md,
    assets_trust_md,     assets_recordings_md, assets_again_md,     assets_runs_md,
    assets_published_md, assets_measured_md,   assets_reproduce_md, assets_reading_md,
    assets_data_md};

struct document *sections_make(sqlite3 *db, const char *run, const struct agree *agree) {
    sqlite3_stmt *title = query_ask(db, query_title, run, NULL);
    query_next(title);
    struct document *page = document_new(query_text(title, "title"));
    sqlite3_finalize(title);
    for (size_t i = 0; i < sizeof templates / sizeof *templates; i++) {
        if (templates[i] == assets_runs_md && agree->count > 1)
            agree_fill(page, agree);
        document_only(page, DOCUMENT_MARKDOWN | DOCUMENT_HTML | DOCUMENT_DATA);
        query_fill(page, db, run, templates[i]);
        if (templates[i] == assets_shapes_md)
            sections_shapes(page, db, run);
    }
    return page;
}
