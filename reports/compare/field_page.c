#include "reports/compare/field.h"

#include <inttypes.h>

#include "reports/page/document.h"
#include "reports/rows/undisturbed.h"

static void put_lone(struct document *page, const struct field *field) {
    if (field->lone > 0)
        document_paragraph(page,
                           "On %zu shapes the runs have no library in common: these are left out.",
                           field->lone);
}

/* Of the winner: a kernel stands by its ratio to the library. */
static double seconds_of(const struct field_row *row) {
    return row->library_seconds / (row->wins ? row->kernels[row->best].ratio.ratio : 1);
}

/* On how many shapes a kernel wins. */
static void put_verdict(struct document *page, const struct field *field) {
    size_t won = 0, slower = 0;
    for (size_t i = 0; i < field->count; i++) {
        const struct field_row *row = &field->rows[i];
        won += row->wins;
        slower += !row->wins && row->kernels[row->best].verdict == VERDICT_SLOWER;
    }
    document_section(page, 2, "verdict", "Verdict");
    document_note(
        page, won ? DOCUMENT_GOOD : DOCUMENT_PLAIN,
        "**On %zu of %zu shapes a kernel wins**: it is shown to be faster than the strongest "
        "library.",
        won, field->count);
    if (won < field->count)
        document_add(page,
                     " On the others the library stands: on %zu the fastest kernel is shown to be "
                     "slower, on %zu it is not shown to be faster.",
                     slower, field->count - won - slower);
    if (field->unrecorded > 0)
        document_paragraph(page,
                           "Left out: %zu unrecorded kernel%s, a kernel on a shape being one. No "
                           "device work bounds what they take.",
                           field->unrecorded, field->unrecorded == 1 ? "" : "s");
}

/* What was compared: kernels of several sets have the same names. */
static void put_sets(struct document *page, const struct field_run *runs, size_t count) {
    if (count == 0)
        return;
    document_facts(page, "what was compared");
    for (size_t i = 0; i < count; i++)
        comparison_put_set(page, runs[i].name, runs[i].opened, false);
    document_fact(page, "measured on", runs->opened->about.device);
    document_fact(page, "software", runs->opened->about.software);
}

struct document *field_winners_page(const struct field *field, const struct field_run *runs,
                                    size_t run_count) {
    enum { PAGES = DOCUMENT_PAGES, DATA = DOCUMENT_DATA };
#define OF(member, title, ...) DOCUMENT_OF(field_row, member, title, __VA_ARGS__)
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
        {.name = "fastest kernel", .type = DOCUMENT_CODE, .key = "kernel"},
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
    put_verdict(page, field);
    if (field->count > 0)
        document_paragraph(
            page,
            "Mode `%s`, lens `%s`. The ratio is the time of the strongest "
            "library / the time of the fastest kernel; the 95 %% intervals of "
            "a shape's kernels hold together. Which library is the strongest is told by "
            "the same visits: of libraries that are equally fast the one that was "
            "lucky stands here, a little too fast.",
            field->rows[0].mode, field->rows[0].lens);
    put_lone(page, field);
    document_section(page, 2, "shapes", "Shapes");
    document_only(page, DOCUMENT_ALL);
    DOCUMENT_TABLE(page, "winners", NULL, columns);
    for (size_t i = 0; i < field->count; i++) {
        const struct field_row *row = &field->rows[i];
        const struct field_kernel *kernel = &row->kernels[row->best];
        char text[UNDISTURBED_TEXT];
        document_row_of(page, row);
        document_cell(page, row->wins ? kernel->name : row->library);
        document_cell(page, row->wins ? "kernel" : "library");
        document_cell(page, row->wins ? runs[kernel->run].name : "");
        document_number(page, seconds_of(row));
        document_number(page, 1e-12 * shape_flops(row->shape) / seconds_of(row));
        document_cell(page, kernel->name);
        document_ratio(page, kernel->ratio.ratio, kernel->ratio.low, kernel->ratio.high);
        document_cell(page, verdict_words[kernel->verdict]);
        document_cell(page, undisturbed_text(kernel->left_out, kernel->timed_visits, text));
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

void field_write_header(FILE *out, const struct field *field, const struct field_run *runs) {
    fputs(head, out);
    for (size_t i = 0; i < field->count; i++) {
        const struct field_row *row = &field->rows[i];
        const struct field_kernel *kernel = &row->kernels[row->best];
        fprintf(out, "    {%" PRId64 ", %" PRId64 ", %" PRId64 ", ", row->shape.m, row->shape.n,
                row->shape.k);
        put_string(out, row->wins ? kernel->name : row->library);
        fputs(", ", out);
        put_string(out, row->wins ? runs[kernel->run].name : "");
        fprintf(out, ", %.4f},\n", row->wins ? kernel->ratio.ratio : 1);
    }
    fputs(tail, out);
}
