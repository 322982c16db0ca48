/* More runs than two: ranks and winners. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "reports/compare/compare.h"
#include "reports/compare/field_page.h"
#include "reports/compare/field_read.h"
#include "reports/page/write_file.h"
#include "reports/page/write_json.h"
#include "reports/page/write_text.h"

/* What is read and made of it. */
struct several {
    struct field_run runs[FIELD_RUNS];
    size_t count;
    struct weights weights;
    struct field field;
};

/* The first of the words that a speed has as its mode, or its lens. */
static const char *first_of(const struct several *several, const char *const *words, bool mode) {
    for (; *words; words++)
        for (size_t r = 0; r < several->count; r++)
            for (size_t i = 0; i < several->runs[r].speeds.count; i++) {
                const struct round_speed *speed = &several->runs[r].speeds.list[i];
                if (strcmp(mode ? speed->mode : speed->lens, *words) == 0)
                    return *words;
            }
    return NULL;
}

/* one: of a single mode and lens. Returns an exit status. */
static int make(const struct compare_several_call *call, bool one, struct several *several) {
    static const char *const modes[] = {"offline", "server", NULL};
    static const char *const lenses[] = {"device", "call", "latency", "stream", NULL};
    memset(several, 0, sizeof *several);
    if (call->weights && weights_read(call->weights, &several->weights) < 0)
        return EXIT_TROUBLE;
    for (size_t i = 0; i < call->count && several->weights.count == 0; i++)
        if (weights_of_run(call->runs[i], &several->weights) < 0)
            return EXIT_TROUBLE;
    several->count = call->count < FIELD_RUNS ? call->count : FIELD_RUNS;
    const int status = field_read(call->runs, call->count, several->runs);
    if (status != EXIT_PASS)
        return status;
    const char *mode = call->mode ? call->mode : one ? first_of(several, modes, true) : NULL;
    const char *lens = call->lens ? call->lens : one ? first_of(several, lenses, false) : NULL;
    if (field_make(several->runs, several->count, mode, lens, call->policy, &several->weights,
                   &several->field) < 0)
        return EXIT_TROUBLE;
    if (several->field.count > 0)
        return EXIT_PASS;
    if (several->field.lone > 0)
        return error("%s and the others have timed no library in common on any shape",
                     call->runs[0]),
               EXIT_NOT_COMPARABLE;
    return error("%s%s holds no honest kernel that was timed beside a library%s%s%s%s",
                 call->runs[0], call->count > 1 ? " and the others" : "",
                 call->mode ? ", in mode " : "", call->mode ? call->mode : "",
                 call->lens ? ", by lens " : "", call->lens ? call->lens : ""),
           EXIT_TROUBLE;
}

static void end(struct several *several) {
    field_free(&several->field);
    field_runs_free(several->runs, several->count);
    weights_free(&several->weights);
}

/* Ranks, to the folder and to stdout. */
static int show_ranks(const struct compare_several_call *call, const struct several *several) {
    struct field_total *totals;
    const long count = field_totals(&several->field, call->policy, &totals);
    if (count < 0)
        return -1;
    struct document *page = field_page(&several->field, several->runs, totals, (size_t)count);
    int status = 0;
    if (call->folder && (files_make_folder(call->folder) < 0 ||
                         write_file(call->folder, "compare.csv", page, "shapes") < 0 ||
                         write_file(call->folder, "compare.md", page, NULL) < 0 ||
                         write_file(call->folder, "compare.html", page, NULL) < 0))
        status = -1;
    if (status == 0)
        status = call->json ? write_json(stdout, page) : write_text(stdout, page);
    document_free(page);
    free(totals);
    return status;
}

int compare_several(const struct compare_several_call *call) {
    static struct several several;
    int status = make(call, false, &several);
    if (status == EXIT_PASS && show_ranks(call, &several) < 0)
        status = EXIT_TROUBLE;
    end(&several);
    return status;
}

static int write_header(const char *folder, const struct several *several) {
    struct file file;
    if (file_open(&file, folder, "winners.h") < 0)
        return -1;
    field_write_header(file.stream, &several->field, several->runs);
    return file_commit(&file);
}

static int write_winners(const char *folder, const struct document *page,
                         const struct several *several) {
    return files_make_folder(folder) < 0 ||
                   write_file(folder, "winners.csv", page, "winners") < 0 ||
                   write_file(folder, "winners.md", page, NULL) < 0 ||
                   write_file(folder, "winners.html", page, NULL) < 0 ||
                   write_file(folder, "winners.json", page, NULL) < 0 ||
                   write_header(folder, several) < 0
               ? -1
               : 0;
}

int compare_winners(const struct compare_several_call *call, struct document **page) {
    static struct several several;
    int status = make(call, true, &several);
    *page = NULL;
    if (status == EXIT_PASS) {
        *page = field_winners_page(&several.field, several.runs);
        if (call->folder && write_winners(call->folder, *page, &several) < 0)
            status = EXIT_TROUBLE;
    }
    end(&several);
    if (status != EXIT_PASS) {
        document_free(*page);
        *page = NULL;
    }
    return status;
}
