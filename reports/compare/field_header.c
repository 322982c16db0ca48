/* The winners as a C header. */
#include <inttypes.h>

#include "reports/compare/field.h"

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
        fprintf(out, ", %.4f},", row->wins ? kernel->ratio.ratio : 1);
        if (row->wins && *words_place_mark(kernel->place))
            fprintf(out, " /* %s */", words_place_mark(kernel->place));
        fputc('\n', out);
    }
    fputs(tail, out);
}
