#include "reports/gate/winners.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/base/need.h"
#include "reports/gate/compare.h"
#include "reports/query/query.h"
#include "reports/rows/layouts.h"
#include "reports/rows/series.h"
#include "reports/run/verify.h"

/* X-max is one of two layouts that are here themselves. */
static bool is_single_layout(const char *reference) {
    return strcmp(reference, RUNDIR_PREVIOUS) != 0 && !layouts_is_max(reference);
}

/* A kernel on a shape beside a library: a row of the table `contenders`. */
struct contender {
    struct shape shape;
    const char *candidate, *library;
    double library_seconds;
    size_t place, pair; /* which run, and which of its pairs */
};

#define COLUMN(title, form_, member, ...)                                                          \
    { .name = title, .form = form_, .offset = offsetof(struct contender, member), __VA_ARGS__ }
static const struct rows_column contender_columns[] = {
    COLUMN("m", ROWS_SIZE, shape.m),
    COLUMN("n", ROWS_SIZE, shape.n),
    COLUMN("k", ROWS_SIZE, shape.k),
    COLUMN("candidate", ROWS_TEXT, candidate, .kept = true),
    COLUMN("library", ROWS_TEXT, library, .kept = true),
    COLUMN("library_seconds", ROWS_NUMBER, library_seconds),
    COLUMN("place", ROWS_SIZE, place),
    COLUMN("pair", ROWS_SIZE, pair)};
#undef COLUMN
static const struct rows_file contender_file = {.name = "contenders",
                                                .columns = contender_columns,
                                                .column_count = sizeof contender_columns /
                                                                sizeof *contender_columns,
                                                .row_size = sizeof(struct contender)};

void winners_add(sqlite3 *db, const struct winners_run *runs, size_t place, const char *mode,
                 const char *lens) {
    const struct pairs *speeds = runs[place].speeds;
    struct contender *list = need(speeds->count, sizeof *list);
    size_t count = 0;
    for (size_t i = 0; i < speeds->count; i++) {
        const struct pair *pair = &speeds->list[i];
        if (is_single_layout(pair->reference) && !pair->unrecorded &&
            strcmp(pair->mode, mode) == 0 && strcmp(pair->lens, lens) == 0)
            list[count++] = (struct contender){
                pair->shape, pair->candidate, pair->reference, pair->reference_seconds, place, i};
    }
    query_add(db, &contender_file, runs[place].name, list, count);
    free(list);
}

static size_t count_unrecorded(const struct pairs *speeds) {
    const struct pair *last = NULL;
    size_t count = 0;
    for (size_t i = 0; i < speeds->count; i++) {
        const struct pair *speed = &speeds->list[i];
        const bool same = last && shape_compare(last->shape, speed->shape) == 0 &&
                          strcmp(last->candidate, speed->candidate) == 0;
        if (!speed->unrecorded || !is_single_layout(speed->reference) || same)
            continue;
        last = speed;
        count++;
    }
    return count;
}

/* Whether the first goes before the second: a kernel that is shown to be faster than the library
 * before one that is not, then by ratio. */
static bool is_better(const struct winners_row *a, const struct winners_row *b) {
    const bool a_wins = a->verdict == VERDICT_FASTER, b_wins = b->verdict == VERDICT_FASTER;
    if (a_wins != b_wins)
        return a_wins;
    if (a->ratio.ratio != b->ratio.ratio)
        return a->ratio.ratio > b->ratio.ratio;
    return strcmp(a->kernel, b->kernel) < 0;
}

/* The row that the kernel would make of its shape. */
static struct winners_row row_of(sqlite3_stmt *answer, const struct winners_run *runs,
                                 const struct gate_policy *policy) {
    const size_t run = query_count(answer, "place");
    const struct pair *pair = &runs[run].speeds->list[query_count(answer, "pair")];
    struct winners_row row = {.shape = pair->shape,
                              .mode = pair->mode,
                              .lens = pair->lens,
                              .margin = gate_policy_class(policy, pair->shape)->margin,
                              .library = pair->reference,
                              .library_seconds = query_number(answer, "mean_seconds"),
                              .kernel = pair->candidate,
                              .run = run,
                              .timed_visits = pair->timed_visits,
                              .left_out = pair->left_out,
                              .ratio = estimate_together(pair, query_count(answer, "kernels"))};
    row.verdict = estimate_verdict(&row.ratio, pair, NULL, row.margin);
    return row;
}

void winners_find(const struct winners_run *runs, size_t run_count, const char *mode,
                  const char *lens, const struct gate_policy *policy, struct winners *winners) {
    sqlite3 *db = query_open();
    *winners = (struct winners){0};
    for (size_t r = 0; r < run_count; r++) {
        winners_add(db, runs, r, mode, lens);
        winners->unrecorded += count_unrecorded(runs[r].speeds);
    }
    sqlite3_stmt *answer = query_ask(db, query_winners, NULL);
    while (query_next(answer)) {
        if (!*query_text(answer, "library")) {
            winners->lone++;
            continue;
        }
        const struct winners_row row = row_of(answer, runs, policy);
        struct winners_row *last = winners->count ? &winners->rows[winners->count - 1] : NULL;
        if (!last || shape_compare(last->shape, row.shape) != 0) {
            winners->rows = need_more(winners->rows, winners->count, sizeof *winners->rows);
            winners->rows[winners->count++] = row;
        } else if (is_better(&row, last))
            *last = row;
    }
    sqlite3_close(db);
}

void winners_free(struct winners *winners) {
    free(winners->rows);
    *winners = (struct winners){0};
}

static bool wins(const struct winners_row *row) {
    return row->verdict == VERDICT_FASTER;
}

/* Of the winner: a kernel stands by its ratio to the library. */
static double seconds_of(const struct winners_row *row) {
    return row->library_seconds / (wins(row) ? row->ratio.ratio : 1);
}

/* On how many shapes a kernel wins. */
static void put_verdict(struct document *page, const struct winners *winners) {
    size_t won = 0, slower = 0;
    for (size_t i = 0; i < winners->count; i++) {
        const struct winners_row *row = &winners->rows[i];
        won += wins(row);
        slower += row->verdict == VERDICT_SLOWER;
    }
    document_section(page, 2, "verdict", "Verdict");
    document_note(
        page, won ? DOCUMENT_GOOD : DOCUMENT_PLAIN,
        "**On %zu of %zu shapes a kernel wins**: it is shown to be faster than the strongest "
        "library.",
        won, winners->count);
    if (won < winners->count)
        document_add(page,
                     " On the others the library stands: on %zu the fastest kernel is shown to be "
                     "slower, on %zu it is not shown to be faster.",
                     slower, winners->count - won - slower);
    if (winners->unrecorded > 0)
        document_paragraph(page,
                           "Left out: %zu unrecorded kernel%s, a kernel on a shape being one. No "
                           "device work bounds what they take.",
                           winners->unrecorded, winners->unrecorded == 1 ? "" : "s");
}

/* What was compared: kernels of several sets have the same names. */
static void put_sets(struct document *page, const struct winners_run *runs, size_t count) {
    if (count == 0)
        return;
    document_facts(page, "what was compared");
    for (size_t i = 0; i < count; i++)
        compare_put_set(page, runs[i].name, runs[i].opened, false);
    document_fact(page, "measured on", runs->opened->about.device);
    document_fact(page, "software", runs->opened->about.software);
}

struct document *winners_page(const struct winners *winners, const struct winners_run *runs,
                              size_t run_count) {
    enum { PAGES = DOCUMENT_PAGES, DATA = DOCUMENT_DATA };
#define OF(member, title, ...) DOCUMENT_OF(winners_row, member, title, __VA_ARGS__)
    static const struct document_column columns[] = {
        OF(shape, "shape", TEXT, .formats = PAGES),
        OF(shape.m, "m", COUNT, .formats = DATA),
        OF(shape.n, "n", COUNT, .formats = DATA),
        OF(shape.k, "k", COUNT, .formats = DATA),
        OF(mode, "mode", CODE, .formats = DATA),
        OF(lens, "lens", CODE, .formats = DATA),
        {.name = "winner", .type = DOCUMENT_CODE},
        {.name = "kind"},
        {.name = "set", .omit = DOCUMENT_OMIT_EMPTY},
        {.name = "time", .type = DOCUMENT_SECONDS, .key = "seconds"},
        {.name = "TFLOP/s", .type = DOCUMENT_SIGNIFICANT, .key = "tflops"},
        OF(library, "strongest library", CODE, .key = "library"),
        OF(kernel, "fastest kernel", CODE, .key = "kernel"),
        {.name = "ratio", .type = DOCUMENT_RATIO},
        {.name = "it is", .key = "verdict"},
        {.name = "left out", .key = "left_out", .omit = DOCUMENT_OMIT_EMPTY},
        OF(margin, "margin", NUMBER, .formats = DATA),
        OF(library_seconds, "library_seconds", NUMBER, .formats = DATA),
    };
#undef OF
    struct document *page = document_new("Winners");
    put_sets(page, runs, run_count);
    document_only(page, DOCUMENT_PAGES);
    put_verdict(page, winners);
    if (winners->count > 0)
        document_paragraph(
            page,
            "Mode `%s`, lens `%s`. The ratio is the time of the strongest "
            "library / the time of the fastest kernel; the 95 %% intervals of "
            "a shape's kernels hold together. Which library is the strongest is told by "
            "the same visits: of libraries that are equally fast the one that was "
            "lucky stands here, a little too fast.",
            winners->rows[0].mode, winners->rows[0].lens);
    if (winners->lone > 0)
        document_paragraph(page,
                           "On %zu shapes the runs have no library in common: these are left out.",
                           winners->lone);
    document_section(page, 2, "shapes", "Shapes");
    document_only(page, DOCUMENT_ALL);
    DOCUMENT_TABLE(page, "winners", NULL, columns);
    for (size_t i = 0; i < winners->count; i++) {
        const struct winners_row *row = &winners->rows[i];
        char text[SERIES_LEFT_OUT_TEXT];
        document_row_of(page, row);
        document_cell(page, wins(row) ? row->kernel : row->library);
        document_cell(page, wins(row) ? "kernel" : "library");
        document_cell(page, wins(row) ? runs[row->run].name : "");
        document_number(page, seconds_of(row));
        document_number(page, 1e-12 * shape_flops(row->shape) / seconds_of(row));
        document_ratio(page, row->ratio.ratio, row->ratio.low, row->ratio.high);
        document_cell(page, verdict_words[row->verdict]);
        document_cell(page, series_left_out_text(row->left_out, row->timed_visits, text));
    }
    return page;
}

/* The winners as a C header. */

static const char head[] = "/* The fastest kernel or library of each shape: made by `gemmgate "
                           "winners`. Valid C99 and C++. */\n"
                           "#ifndef GEMMGATE_WINNERS_H\n"
                           "#define GEMMGATE_WINNERS_H\n"
                           "\n"
                           "#include <stddef.h>\n"
                           "\n"
                           "struct gemmgate_winner {\n"
                           "    long m, n, k;\n"
                           "    const char *name; /* of the kernel or library */\n"
                           "    const char *set;  /* of the kernel; \"\": a library */\n"
                           "    double ratio;     /* time of the strongest library / its time */\n"
                           "};\n"
                           "\n"
                           "/* By m, n and k. */\n"
                           "static const struct gemmgate_winner gemmgate_winners[] = {\n";

static const char tail[] =
    "};\n"
    "\n"
    "/* The shape's winner, or NULL: the shape was not measured. */\n"
    "static inline const struct gemmgate_winner *gemmgate_find_winner(long m, long n, long k) {\n"
    "    size_t low = 0, high = sizeof gemmgate_winners / sizeof *gemmgate_winners;\n"
    "    while (low < high) {\n"
    "        const size_t middle = low + (high - low) / 2;\n"
    "        const struct gemmgate_winner *winner = &gemmgate_winners[middle];\n"
    "        if (winner->m == m && winner->n == n && winner->k == k)\n"
    "            return winner;\n"
    "        if (winner->m < m || (winner->m == m && (winner->n < n ||\n"
    "                                                 (winner->n == n && winner->k < k))))\n"
    "            low = middle + 1;\n"
    "        else\n"
    "            high = middle;\n"
    "    }\n"
    "    return NULL;\n"
    "}\n"
    "\n"
    "#endif\n";

/* A string in C: names come from files. */
static void put_string(FILE *out, const char *text) {
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\' || *text == '?')
            fputc('\\', out);
        if ((unsigned char)*text >= ' ' && *text != 0x7f)
            fputc(*text, out);
    }
    fputc('"', out);
}

void winners_write_header(FILE *out, const struct winners *winners,
                          const struct winners_run *runs) {
    fputs(head, out);
    for (size_t i = 0; i < winners->count; i++) {
        const struct winners_row *row = &winners->rows[i];
        fprintf(out, "    {%" PRId64 ", %" PRId64 ", %" PRId64 ", ", row->shape.m, row->shape.n,
                row->shape.k);
        put_string(out, wins(row) ? row->kernel : row->library);
        fputs(", ", out);
        put_string(out, wins(row) ? runs[row->run].name : "");
        fprintf(out, ", %.4f},\n", wins(row) ? row->ratio.ratio : 1);
    }
    fputs(tail, out);
}

/* The first of the words that a speed has as its mode, or its lens; "" where there is none. */
static const char *first_of(const struct winners_run *runs, size_t count, const char *const *words,
                            bool mode) {
    for (; *words; words++)
        for (size_t r = 0; r < count; r++)
            for (size_t i = 0; i < runs[r].speeds->count; i++) {
                const struct pair *speed = &runs[r].speeds->list[i];
                if (strcmp(mode ? speed->mode : speed->lens, *words) == 0)
                    return *words;
            }
    return "";
}

/* The set's name, or if another run has that, the folder's. */
static int name_run(const struct rundir *run, struct winners_run *runs, size_t index) {
    const char *folder = run->folder, *slash = strrchr(folder, '/');
    const char *const names[] = {run->about.set, slash && slash[1] ? slash + 1 : folder, folder};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        bool taken = !*names[n] || strlen(names[n]) >= sizeof runs->name;
        for (size_t i = 0; i < index; i++)
            taken |= strcmp(runs[i].name, names[n]) == 0;
        if (taken)
            continue;
        strcpy(runs[index].name, names[n]);
        return 0;
    }
    return error("%s: is named twice, or its name is too long", folder);
}

/* Says through error() what cannot be compared. Returns an exit status. */
static int read_runs(struct rundir *opened, size_t count, struct winners_run *runs) {
    char text[1024];
    for (size_t i = 0; i < count; i++) {
        if (verify_speeds(&opened[i]) < 0 || name_run(&opened[i], runs, i) < 0)
            return EXIT_TROUBLE;
        if (fingerprint_differ(&opened[0].fingerprint, &opened[i].fingerprint, text, sizeof text) >
            0)
            return error("%s and %s cannot be compared: %s", opened[0].folder, opened[i].folder,
                         text),
                   EXIT_NOT_COMPARABLE;
        runs[i].speeds = &opened[i].speeds;
        runs[i].opened = &opened[i];
    }
    return EXIT_PASS;
}

/* Returns an exit status. */
static int find(const struct winners_call *call, const struct winners_run *runs,
                struct winners *winners) {
    static const char *const modes[] = {"offline", "server", NULL};
    static const char *const lenses[] = {"device", "call", "stream", "wait", NULL};
    const char *mode = call->mode ? call->mode : first_of(runs, call->count, modes, true);
    const char *lens = call->lens ? call->lens : first_of(runs, call->count, lenses, false);
    winners_find(runs, call->count, mode, lens, call->policy, winners);
    if (winners->count > 0)
        return EXIT_PASS;
    if (winners->lone > 0)
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

static int write_header(const char *folder, const struct winners *winners,
                        const struct winners_run *runs) {
    struct file file;
    if (files_make_folder(folder) < 0 || file_open(&file, folder, "winners.h") < 0)
        return -1;
    winners_write_header(file.stream, winners, runs);
    return file_commit(&file);
}

int winners_make(const struct winners_call *call, struct document **page) {
    struct rundir *opened = rundir_open_all(call->runs, call->count);
    struct winners_run *runs = need(call->count, sizeof *runs);
    struct winners winners = {0};
    int status = opened ? read_runs(opened, call->count, runs) : EXIT_TROUBLE;
    *page = NULL;
    if (status == EXIT_PASS)
        status = find(call, runs, &winners);
    if (status == EXIT_PASS && call->folder && write_header(call->folder, &winners, runs) < 0)
        status = EXIT_TROUBLE;
    if (status == EXIT_PASS)
        *page = winners_page(&winners, runs, call->count);
    winners_free(&winners);
    free(runs);
    rundir_close_all(opened, call->count);
    return status;
}
