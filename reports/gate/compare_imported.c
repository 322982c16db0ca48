/* A comparison of two runs of which one is imported: their times beside each other. */
#include "reports/gate/compare_imported.h"

#include <limits.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/base/text.h"
#include "reports/page/writers.h"
#include "reports/run/verify.h"
#include "reports/tables/beside.h"

/* What two runs must have in common; "": not known. Returns an exit status. */
static int check_alike(const char *what, const char *here, const char *there) {
    return !*here || !*there || strcmp(here, there) == 0
               ? EXIT_PASS
               : (error("the runs cannot be compared: %s: here %s, there %s", what, here, there),
                  EXIT_NOT_COMPARABLE);
}

/* The rows of a run; one that was measured is verified. 0, or -1 after error(). */
static int read_run(struct rundir *run) {
    return *run->about.imported ? rundir_read(run) : verify_speeds(run);
}

static struct document *make_page(sqlite3 *db, const struct rundir *now,
                                  const struct rundir *before) {
    struct document *page = document_new("Comparison with an imported run");
    document_facts(page, "what was compared");
    document_fact(page, "there, the old run", before->folder);
    document_fact(page, "there, imported without samples and checks", before->about.imported);
    document_fact(page, "here, the new run", now->folder);
    document_fact(page, "here, imported without samples and checks", now->about.imported);
    document_only(page, DOCUMENT_PAGES);
    beside_note(page, "The old run", &before->about);
    beside_note(page, "The new run", &now->about);
    document_only(page, DOCUMENT_ALL);
    beside_fill(page, db, now->folder, before->folder);
    return page;
}

static int write_all(const struct document *page, const char *folder, bool json) {
    if (folder && (files_make_folder(folder) < 0 ||
                   write_file(folder, "compare.csv", page, "beside-shapes") < 0 ||
                   write_file(folder, "compare.md", page, NULL) < 0 ||
                   write_file(folder, "compare.html", page, NULL) < 0))
        return -1;
    if ((json ? write_json(stdout, page) : write_text(stdout, page)) < 0)
        return -1;
    if (folder && !json)
        text_print_line(stdout, "%s/compare.html", folder);
    return 0;
}

int compare_imported(struct rundir *now, struct rundir *before, const char *folder, bool json) {
    int status = check_alike("element", now->about.element, before->about.element);
    if (status == EXIT_PASS)
        status = check_alike("accumulate", now->about.accumulate, before->about.accumulate);
    if (status != EXIT_PASS)
        return status;
    if (read_run(now) < 0 || read_run(before) < 0)
        return EXIT_TROUBLE;
    sqlite3 *db = query_open();
    query_load(db, now->folder, &now->rows);
    query_load(db, before->folder, &before->rows);
    if (beside_any(db, now->folder, before->folder)) {
        struct document *page = make_page(db, now, before);
        status = write_all(page, folder, json) < 0 ? EXIT_TROUBLE : EXIT_PASS;
        document_free(page);
    } else {
        error("%s and %s have no times of one shape by one lens", before->folder, now->folder);
        status = EXIT_NOT_COMPARABLE;
    }
    sqlite3_close(db);
    return status;
}
