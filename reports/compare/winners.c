/* The fastest kernel of each shape over several runs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "reports/compare/compare.h"
#include "reports/compare/field.h"
#include "reports/page/writers.h"

/* What is read and made of it. */
struct winners {
    struct rundir *opened;
    struct field_run runs[FIELD_RUNS];
    size_t count;
    struct field field;
};

/* The first of the words that a speed has as its mode, or its lens; "" where there is none. */
static const char *first_of(const struct winners *winners, const char *const *words, bool mode) {
    for (; *words; words++)
        for (size_t r = 0; r < winners->count; r++)
            for (size_t i = 0; i < winners->runs[r].speeds.count; i++) {
                const struct pair *speed = &winners->runs[r].speeds.list[i];
                if (strcmp(mode ? speed->mode : speed->lens, *words) == 0)
                    return *words;
            }
    return "";
}

/* Returns an exit status. */
static int make(const struct compare_winners_call *call, struct winners *winners) {
    static const char *const modes[] = {"offline", "server", NULL};
    static const char *const lenses[] = {"device", "call", "stream", "wait", NULL};
    memset(winners, 0, sizeof *winners);
    if (call->count > FIELD_RUNS)
        return error("%zu runs; at most %d are compared", call->count, FIELD_RUNS), EXIT_TROUBLE;
    if (!(winners->opened = rundir_open_all(call->runs, call->count)))
        return EXIT_TROUBLE;
    winners->count = call->count;
    const int status = field_read(winners->opened, call->count, winners->runs);
    if (status != EXIT_PASS)
        return status;
    const char *mode = call->mode ? call->mode : first_of(winners, modes, true);
    const char *lens = call->lens ? call->lens : first_of(winners, lenses, false);
    field_make(winners->runs, winners->count, mode, lens, call->policy, &winners->field);
    if (winners->field.count > 0)
        return EXIT_PASS;
    if (winners->field.lone > 0)
        return error("%s and the others have timed no library in common on any shape",
                     call->runs[0]),
               EXIT_NOT_COMPARABLE;
    return error("%s%s holds no kernel that can win%s%s%s%s: one that passed every check, was "
                 "recorded and was timed beside a library",
                 call->runs[0], call->count > 1 ? " and the others" : "",
                 call->mode ? ", in mode " : "", call->mode ? call->mode : "",
                 call->lens ? ", by lens " : "", call->lens ? call->lens : ""),
           EXIT_TROUBLE;
}

static void end(struct winners *winners) {
    field_free(&winners->field);
    rundir_close_all(winners->opened, winners->count);
}

static int write_header(const char *folder, const struct winners *winners) {
    struct file file;
    if (file_open(&file, folder, "winners.h") < 0)
        return -1;
    field_write_header(file.stream, &winners->field, winners->runs);
    return file_commit(&file);
}

static int write_winners(const char *folder, const struct document *page,
                         const struct winners *winners) {
    return files_make_folder(folder) < 0 ||
                   write_file(folder, "winners.csv", page, "winners") < 0 ||
                   write_file(folder, "winners.md", page, NULL) < 0 ||
                   write_file(folder, "winners.html", page, NULL) < 0 ||
                   write_file(folder, "winners.json", page, NULL) < 0 ||
                   write_header(folder, winners) < 0
               ? -1
               : 0;
}

int compare_winners(const struct compare_winners_call *call, struct document **page) {
    static struct winners winners;
    int status = make(call, &winners);
    *page = NULL;
    if (status == EXIT_PASS) {
        *page = field_winners_page(&winners.field, winners.runs, winners.count);
        if (call->folder && write_winners(call->folder, *page, &winners) < 0)
            status = EXIT_TROUBLE;
    }
    end(&winners);
    if (status != EXIT_PASS) {
        document_free(*page);
        *page = NULL;
    }
    return status;
}
