#include "bench/command/options/option_man.h"

#include <string.h>

#include "bench/command/options/command_table.h"
#include "bench/command/options/option_table.h"

/* Text of a line: no character of it is a request or an escape of roff's, and a hyphen can be
 * copied into a shell. */
static void put_text(FILE *out, const char *text, size_t length) {
    if (length && (*text == '.' || *text == '\''))
        fputs("\\&", out);
    for (size_t i = 0; i < length; i++)
        if (text[i] == '\\')
            fputs("\\e", out);
        else if (text[i] == '-')
            fputs("\\-", out);
        else
            putc(text[i], out);
}

static void put_words(FILE *out, const char *text) {
    put_text(out, text, strlen(text));
}

static void put_sentence(FILE *out, const char *text) {
    put_words(out, text);
    putc('\n', out);
}

/* Lines that are not filled. */
static void put_lines(FILE *out, const char *lines) {
    fputs(".nf\n", out);
    while (*lines) {
        const size_t length = strcspn(lines, "\n");
        put_text(out, lines, length);
        putc('\n', out);
        lines += length + (lines[length] == '\n');
    }
    fputs(".fi\n", out);
}

/* What the option's text ends with: "(required)" or "(default: 4)". */
static void put_row(FILE *out, const struct option_row *row, bool needed) {
    char value[OPTION_VALUE];
    const char *fallback = row->initial ? row->initial : row->otherwise;
    fputs(".TP\n\\fB", out);
    if (row->letter)
        fprintf(out, "\\-%c\\fR, \\fB", row->letter);
    put_words(out, "--");
    put_words(out, row->name);
    fputs("\\fR \\fI", out);
    put_words(out, option_value(row, value));
    fputs("\\fR\n", out);
    put_words(out, row->help);
    if (needed)
        fputs(" (required)", out);
    if (fallback) {
        fputs(" (default: ", out);
        put_words(out, fallback);
        putc(')', out);
    }
    putc('\n', out);
}

static void put_command(FILE *out, enum command_id id) {
    const struct command *command = &command_table[id];
    fprintf(out, ".SS \"gemmgate %s\"\n", command->name);
    fprintf(out, "%c", command->summary[0] & ~0x20);
    put_words(out, command->summary + 1);
    fputs(".\n", out);
    if (*command->about)
        put_sentence(out, command->about);
    if (*command->arguments) {
        fputs(".PP\nArguments:\n", out);
        put_lines(out, command->arguments);
    }
    for (size_t i = 0; i < option_count; i++)
        if (option_is_of(&option_table[i], id))
            put_row(out, &option_table[i], option_is_needed(&option_table[i], id));
    fputs(".PP\nExample:\n", out);
    put_lines(out, command->example);
}

void option_man(FILE *out, const char *version) {
    static const struct {
        const char *status, *meaning;
    } ends[] = {{"0", "the command did its work; a gate passes"},
                {"1", "a regression is confirmed"},
                {"2", "an error: wrong usage, a broken file, a full disk, an internal error"},
                {"3", "inconclusive: the numbers do not decide"},
                {"4", "not comparable with the stored baseline"},
                {"5", "the environment is not fit to measure"},
                {"6", "a kernel is wrong or dishonest"},
                {"75", "interrupted: --resume goes on"},
                {"77", "no such device"}};
    fprintf(out, ".TH GEMMGATE 1 \"\" \"gemmgate %s\" \"User Commands\"\n.SH NAME\n", version);
    fputs("gemmgate \\- measure half\\-precision GEMM kernels beside NVIDIA's libraries, and gate "
          "them\n.SH SYNOPSIS\n.B gemmgate\n\\fICOMMAND\\fR [\\fIARGUMENT\\fR...] "
          "[\\fIOPTION\\fR...]\n.SH DESCRIPTION\n",
          out);
    put_sentence(out, "gemmgate runs matrix-multiply kernels beside the libraries, refuses those "
                      "that are wrong or that cheat, times the others in one loop with the "
                      "libraries, and says whether they are faster.");
    fputs(".SH COMMANDS\n", out);
    for (int id = 0; id < COMMAND_COUNT; id++)
        put_command(out, (enum command_id)id);
    fputs(".SH \"EXIT STATUS\"\n", out);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        fprintf(out, ".TP\n%s\n", ends[i].status);
        put_sentence(out, ends[i].meaning);
    }
    fputs(".SH ENVIRONMENT\n.TP\nGEMMGATE_CACHE\nwhere compiled kernels are kept\n"
          ".TP\nCC, NVCC\nthe compilers\n.SH FILES\n.TP\n"
          "share/gemmgate/ci\nscripts for CI, policies, claims, schemas and templates\n"
          ".TP\nshare/gemmgate/candidates/examples\nkernels to begin with\n",
          out);
}
