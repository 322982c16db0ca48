#include "reports/gate/winners.h"

#include <stdlib.h>
#include <string.h>

#include "assets.h"
#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/base/need.h"
#include "bench/base/timed_inputs.h"
#include "reports/gate/gate_rows.h"
#include "reports/run/verify.h"
#include "reports/tables/runs.h"

void winners_choose(sqlite3 *db, const char *mode, const char *lens) {
    query_next(query_ask(db, query_winners, mode, lens, NULL));
}

/* The winners take the place of @ROWS@ in winners.h.in. */
void winners_write_header(FILE *out, sqlite3 *db) {
    const char *rows = strstr(assets_winners_h_in, "@ROWS@");
    fprintf(out, "%.*s", (int)(rows - assets_winners_h_in), assets_winners_h_in);
    for (sqlite3_stmt *row = query_ask(db, query_winner_header, NULL); query_next(row);)
        fprintf(out, "%s\n", query_text(row, "text"));
    fputs(rows + strlen("@ROWS@"), out);
}

/* The set's name, or if another run has that, the folder's. NULL after error(). */
static char *name_run(const struct rundir *run, char *const *names, size_t count) {
    const char *folder = run->folder, *slash = strrchr(folder, '/');
    const char *const names_of[] = {run->about.set, slash && slash[1] ? slash + 1 : folder, folder};
    for (size_t n = 0; n < sizeof names_of / sizeof *names_of; n++) {
        bool taken = !*names_of[n];
        for (size_t i = 0; i < count; i++)
            taken |= strcmp(names[i], names_of[n]) == 0;
        if (!taken)
            return need_copy(names_of[n]);
    }
    error("%s: is named twice", folder);
    return NULL;
}

/* Reads the runs, names them, and adds their kernels. Says through error() what cannot be compared.
 * Returns an exit status. */
static int read_runs(const struct winners_call *call, struct rundir *runs, char **names,
                     sqlite3 *db) {
    char text[1024];
    for (size_t i = 0; i < call->count; i++) {
        if (verify_speeds(&runs[i]) < 0 || !(names[i] = name_run(&runs[i], names, i)))
            return EXIT_TROUBLE;
        const char *inputs = runs[i].about.inputs, *why = timed_inputs_unjudged(inputs);
        if (why)
            return error("%s was timed on %s, where no kernel can win: %s; measure with --inputs "
                         "normal or uniform",
                         runs[i].folder, inputs, why),
                   EXIT_TROUBLE;
        if (fingerprint_differ(&runs->fingerprint, &runs[i].fingerprint, text, sizeof text) > 0)
            return error("%s and %s cannot be compared: %s", runs->folder, runs[i].folder, text),
                   EXIT_NOT_COMPARABLE;
        runs_add(db, names[i], &runs[i], NULL);
        query_add_pairs(db, names[i], &runs[i].speeds);
    }
    return EXIT_PASS;
}

static int write_header(const char *folder, sqlite3 *db) {
    struct file file;
    if (files_make_folder(folder) < 0 || file_open(&file, folder, "winners.h") < 0)
        return -1;
    winners_write_header(file.stream, db);
    return file_commit(&file);
}

int winners_make(const struct winners_call *call, struct document **page) {
    struct rundir *runs = rundir_open_all(call->runs, call->count);
    const char *mode = call->mode ? call->mode : "", *lens = call->lens ? call->lens : "";
    char **names = need(call->count, sizeof *names);
    sqlite3 *db = query_open();
    gate_load_policy(db, call->policy);
    int status = runs ? read_runs(call, runs, names, db) : EXIT_TROUBLE;
    *page = NULL;
    if (status == EXIT_PASS) {
        winners_choose(db, mode, lens);
        status =
            query_refuse(query_ask(db, query_winners_refused, call->runs[0], mode, lens, NULL));
    }
    if (status == EXIT_PASS && call->folder && write_header(call->folder, db) < 0)
        status = EXIT_TROUBLE;
    if (status == EXIT_PASS) {
        *page = document_new("Winners");
        query_fill(*page, db, "", assets_winners_md);
    }
    sqlite3_close(db);
    for (size_t i = 0; i < call->count; i++)
        free(names[i]);
    free(names);
    rundir_close_all(runs, call->count);
    return status;
}
