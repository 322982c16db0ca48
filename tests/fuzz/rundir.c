/* A whole run directory: read, verified, reported on, written again. Its units, one
 * that is whole and v, which has one visit, are the run's own folder, so that a file is read as theirs
 * and as the run's. */
#include "reports/run/rundir.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/base/error.h"
#include "reports/page/writers.h"
#include "reports/run/verify.h"
#include "reports/sections/sections.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/hash.h"

enum { SAMPLES = 10, PARTS = 12 };

static void make_folders(void) {
    mkdir(fuzz_path("run"), 0777);
    mkdir(fuzz_path("run/units"), 0777);
    mkdir(fuzz_path("again"), 0777);
    mkdir(fuzz_path("run/units/.v.visits"), 0777);
    (void)!symlink("..", fuzz_path("run/units/16x16x16.mine"));
    (void)!symlink("../..", fuzz_path("run/units/.v.visits/1"));
    fuzz_put("run/state.json", "{\"visit\": 1}", 12);
}

/* What was read is what is written, and is read again. */
static void write_again(const struct rows *rows) {
    struct rows again = {0};
    fuzz_promise(rows_csv_write(fuzz_path("again"), ROWS_CSV_RUN, rows) == 0);
    fuzz_promise(rows_csv_read(fuzz_path("again"), ROWS_CSV_RUN, &again) == 0);
    fuzz_promise(rows_differ("again", &again, rows, SIZE_MAX) == 0);
    rows_free(&again);
}

/* A page of all that was read, in every format. */
static void write_pages(sqlite3 *db) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    struct document *page = sections_make(db, "run", &(struct agree){0});
    fuzz_promise(out && page);
    fuzz_promise(write_markdown(out, page) == 0 && write_text(out, page) == 0);
    fuzz_promise(write_html(out, page, fuzz_path("run")) == 0);
    fuzz_promise(write_csv(out, page, "table1") == 0 && write_csv(out, page, "shapes") == 0);
    fuzz_promise(write_json(out, page) == 0);
    fuzz_promise(!ferror(out) && fclose(out) == 0 && size > 0);
    document_free(page);
    free(text);
}

static void report(struct rundir *run) {
    if (rundir_speeds(run) < 0)
        return; /* visits cannot be compared */
    sqlite3 *db = query_open();
    query_load(db, "run", &run->rows);
    sections_load(db, "run", run, &(struct runs_asked){.published = "run"}, &(struct claims){0});
    query_load(db, SECTIONS_PUBLISHED, &run->rows);
    runs_add(db, SECTIONS_PUBLISHED, run, NULL);
    query_next(query_ask(db, query_published_lines, "run", SECTIONS_PUBLISHED, NULL));
    for (sqlite3_stmt *line = query_ask(db, query_published, NULL); query_next(line);)
        fuzz_promise(query_count(line, "near") == query_count(line, "shapes"));
    write_pages(db);
    sqlite3_close(db);
}

void fuzz_rundir(const uint8_t *data, size_t size) {
    static const char *const names[PARTS] = {
        "run/plan.json",  "run/manifest.json",  "run/checks.csv",   "run/times.csv",
        "run/ratios.csv", "run/visits.csv",     "run/controls.csv", "run/conditions.csv",
        "run/audit.csv",  "run/recordings.csv", "run/samples.json", "run/offline.call.f32"};
    struct fuzz_part parts[PARTS];
    struct rundir run;
    make_folders();
    fuzz_split(data, size, parts, PARTS);
    uint8_t *index = hash_put_of(&parts[SAMPLES], &parts[SAMPLES + 1]);
    fuzz_put_parts(names, parts, PARTS);
    if (rundir_open(fuzz_path("run"), &run) == 0) {
        if (rundir_read_so_far(&run) == 0) {
            if (run.about.complete) {
                fuzz_read += run.rows.ratio_count > 0;
                write_again(&run.rows);
            }
            report(&run);
        }
        const int verified = verify_run(&run);
        fuzz_promise(verified == EXIT_PASS || verified == EXIT_TROUBLE);
    }
    rundir_close(&run);
    free(index);
}
