/* gemmgate list baselines, suites, candidates and columns, and how commands print a list. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/text.h"
#include "bench/command/commands.h"
#include "bench/plan/suite.h"
#include "bench/process/machine.h"
#include "candidates/set/cuda_l2.h"
#include "candidates/set/set.h"
#include "reports/page/writers.h"
#include "reports/rows/rows.h"

static int print_table(const struct document *page, const char *id) {
    json_t *rows = write_json_table(page, id);
    if (!rows)
        return -1;
    json_dumpf(rows, stdout, JSON_INDENT(2)); /* what goes wrong stays in ferror(stdout) */
    json_decref(rows);
    text_print_line(stdout, "%s", "");
    return 0;
}

int listing_print(const struct settings *settings, struct document *page, const char *id) {
    const int status = !settings->json ? write_text(stdout, page)
                       : id            ? print_table(page, id)
                                       : write_json(stdout, page);
    document_free(page);
    return status < 0 ? EXIT_TROUBLE : EXIT_PASS;
}

int command_list_baselines(struct settings *settings) {
    struct wire_baseline list[MACHINE_BASELINES];
    const int count = machine_baselines(list, MACHINE_BASELINES);
    if (count < 0)
        return EXIT_TROUBLE;
    struct document *page = document_new("");
    document_table(page, "baselines", NULL);
    document_columns(page, "baseline||unbroken", "device||unbroken", "elements||unbroken",
                     "accumulate||unbroken", "chooses by timing|autotuned", NULL);
    for (int i = 0; i < count; i++) {
        const struct wire_baseline *b = &list[i];
        document_row(page);
        document_cell(page, b->name);
        document_cell(page, b->device == GEMM_HOST ? "host" : "cuda");
        document_cell(page, element_list(b->elements));
        document_cell(page, b->accumulate == GEMM_F16   ? "f16"
                            : b->accumulate == GEMM_F32 ? "f32"
                                                        : "f16, f32");
        document_cell(page, b->autotuned ? "yes" : "no");
    }
    document_only(page, DOCUMENT_TERMINAL);
    document_paragraph(page, "Of each pair X-nn and X-tn the report derives X-max, the faster "
                             "layout of a shape.");
    return listing_print(settings, page, "baselines");
}

int command_list_suites(struct settings *settings) {
    struct document *page = document_new("");
    struct suite_known suite;
    document_table(page, "suites", NULL);
    document_columns(page, "suite||unbroken", "shapes||count", "what it holds|summary", NULL);
    for (int i = 0; suite_known(i, &suite); i++) {
        document_row(page);
        document_cell(page, suite.name);
        document_number(page, (double)suite.count);
        document_cell(page, suite.summary);
    }
    document_only(page, DOCUMENT_TERMINAL);
    document_paragraph(page, "Any other name is a CSV file with the columns m, n and k, or mnk "
                             "(MxNxK or M_N_K), and if it lists real calls, count.");
    return listing_print(settings, page, "suites");
}

/* A gemmgate.ini for files of torch functions that have none, ready to be pasted. */
static void print_proposals(const struct candidate_set *set) {
    char text[3 * TORCH_CALL];
    bool begun = false;
    for (size_t i = 0; i < set->count; i++) {
        const struct candidate *c = &set->list[i];
        if (!*c->proposal)
            continue;
        if (!begun)
            text_print_lines(stdout,
                             "\n; Save all below as gemmgate.ini in that folder. It is made of the "
                             "functions' signatures: look it over, and put an argument in the "
                             "place of each ?.\n"
                             "[set]\naccumulate = f32");
        begun = true;
        snprintf(text, sizeof text, "\n[kernel %s]\nfile = %s\ncall = %s", c->label, c->file,
                 c->proposal);
        text_print_lines(stdout, text);
    }
}

/* The first file that cannot be a kernel, and for which no call is proposed. */
static void warn_of_defect(const struct candidate_set *set) {
    for (size_t i = 0; i < set->count; i++)
        if (*set->list[i].defect && !*set->list[i].proposal) {
            warning("%s: %s", set->list[i].file, set->list[i].defect);
            return;
        }
}

static const char *claim_of(const struct candidate_set *set) {
    const int32_t accumulate = set->calls[0].accumulate;
    return accumulate == GEMM_F16 ? "f16" : accumulate == GEMM_F32 ? "f32" : "as --accumulate says";
}

/* The sets of a checkout of the release. False where the folder is none. */
static bool list_release(const struct settings *settings, const char *folder, int *status) {
    char **names, name[1200];
    const int count = cuda_l2_sets(folder, &names);
    if (count == 0)
        return false;
    struct document *page = document_new("");
    document_table(page, "sets", NULL);
    document_columns(page, "set||unbroken", "files||count", "elements", "accumulate",
                     "architecture", NULL);
    for (int i = 0; i < count; i++) {
        struct candidate_set set;
        snprintf(name, sizeof name, SET_CUDA_L2 "%s", names[i]);
        free(names[i]);
        if (set_open(name, NULL, &set) < 0)
            continue; /* the others are sets */
        document_row(page);
        document_cell(page, name);
        document_number(page, (double)set.count);
        document_cell(page, element_list(set.elements));
        document_cell(page, claim_of(&set));
        document_cell(page, *set.arch ? set.arch : "as --arch says");
        set_free(&set);
    }
    free(names);
    *status = listing_print(settings, page, "sets");
    return true;
}

int command_list_candidates(struct settings *settings) {
    struct candidate_set set = {0};
    int status;
    const char *name = settings->arguments[0];
    if (text_begins(name, SET_CUDA_L2) &&
        list_release(settings, name + strlen(SET_CUDA_L2), &status))
        return status;
    if (set_open(name, settings->cutlass, &set) < 0)
        return EXIT_TROUBLE;
    struct document *page = document_new("");
    document_table(page, "candidates", NULL);
    document_columns(page, "label||unbroken", "file||unbroken", "shape||unbroken", "type||unbroken",
                     "elements||unbroken", "xxh128||unbroken", NULL);
    for (size_t i = 0; i < set.count; i++) {
        const struct candidate *c = &set.list[i];
        char shape[SHAPE_TEXT] = "any";
        document_row(page);
        document_cell(page, c->label);
        document_cell(page, c->file);
        document_cell(page, c->has_shape ? shape_format(c->shape, shape) : shape);
        document_cell(page, candidate_type_name(c->type));
        document_cell(page, set.elements ? element_list(set.elements) : "as it says");
        document_cell(page, c->source_hash);
    }
    status = listing_print(settings, page, "candidates");
    if (status == EXIT_PASS && !settings->json)
        print_proposals(&set);
    warn_of_defect(&set);
    set_free(&set);
    return status;
}

/* "what became of the kernel: ok, unsupported, ..." */
static void put_meaning(struct document *page, const struct rows_column *column) {
    char text[1024] = "";
    text_append(text, sizeof text, "%s", column->meaning);
    for (size_t w = 0; column->words && column->words[w]; w++)
        text_append(text, sizeof text, "%s%s", w ? ", " : ": ",
                    *column->words[w] ? column->words[w] : "(empty)");
    document_cell(page, text);
}

int command_list_columns(struct settings *settings) {
    struct document *page = document_new("");
    document_table(page, "columns", NULL);
    document_columns(page, "file||unbroken", "column||unbroken", "key", "unit||unbroken", "meaning",
                     NULL);
    for (int kind = 0; kind < ROWS_KINDS; kind++)
        for (size_t c = 0; c < rows_files[kind].column_count; c++) {
            const struct rows_column *column = &rows_files[kind].columns[c];
            document_row(page);
            document_cell(page, rows_files[kind].name);
            document_cell(page, column->name);
            document_cell(page, column->key ? "yes" : "no");
            document_cell(page, column->unit);
            put_meaning(page, column);
        }
    document_only(page, DOCUMENT_TERMINAL);
    document_paragraph(page, "No two rows of a file have the same values in the columns marked "
                             "key. A number that is missing "
                             "is an empty field, and the column note says why.");
    return listing_print(settings, page, "columns");
}
