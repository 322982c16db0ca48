/* gemmgate list baselines, suites and candidates. */
#include "bench/base/error.h"
#include "bench/command/commands.h"
#include "bench/command/options/baselines_option.h"
#include "bench/plan/suite.h"
#include "bench/process/machine.h"
#include "candidates/set/set.h"
#include "reports/page/document.h"

/* A document with one table of text columns. */
static struct document *start_page(const char *id, const char *const *columns, int count) {
    struct document *page = document_new("");
    document_table(page, id, NULL);
    for (int i = 0; i < count; i++)
        document_column(page, (struct document_column){.name = columns[i], .unbroken = true});
    return page;
}

int command_list_baselines(struct settings *settings) {
    static const char *const columns[] = {"baseline", "device", "elements", "accumulate"};
    static struct machine_library libraries[WIRE_LIBRARIES];
    struct machine_baseline list[MACHINE_BASELINES];
    int library_count;
    const int count =
        baselines_known(settings->library, settings->cache_dir, libraries, &library_count, list);
    if (count < 0)
        return EXIT_TROUBLE;
    struct document *page = start_page("baselines", columns, 4);
    document_column(page,
                    (struct document_column){.name = "chooses by timing", .key = "autotuned"});
    document_column(page, (struct document_column){.name = "only if named", .key = "optional"});
    for (int i = 0; i < count; i++) {
        const struct machine_baseline *b = &list[i];
        document_row(page);
        document_cell(page, b->name);
        document_cell(page, b->device == GEMM_HOST ? "host" : "cuda");
        document_cell(page, element_list(b->elements));
        document_cell(page, b->accumulate == GEMM_F16   ? "f16"
                            : b->accumulate == GEMM_F32 ? "f32"
                                                        : "f16, f32");
        document_cell(page, b->autotuned ? "yes" : "no");
        document_cell(page, b->optional ? "yes" : "no");
    }
    document_only(page, DOCUMENT_TERMINAL);
    document_paragraph(page, "Of each pair X-nn and X-tn the report derives X-max, the faster "
                             "layout of a shape.");
    return listing_print(settings, page, "baselines");
}

int command_list_suites(struct settings *settings) {
    static const char *const columns[] = {"suite"};
    struct document *page = start_page("suites", columns, 1);
    struct suite_known suite;
    document_column(page, (struct document_column){.name = "shapes", .type = DOCUMENT_COUNT});
    document_column(page, (struct document_column){.name = "what it holds", .key = "summary"});
    for (int i = 0; suite_known(i, &suite); i++) {
        document_row(page);
        document_cell(page, suite.name);
        document_count(page, suite.count);
        document_cell(page, suite.summary);
    }
    document_only(page, DOCUMENT_TERMINAL);
    document_paragraph(page, "Any other name is a CSV file with the columns m, n and k, or mnk "
                             "(MxNxK or M_N_K), and if it lists real calls, count.");
    return listing_print(settings, page, "suites");
}

int command_list_candidates(struct settings *settings) {
    static const char *const columns[] = {"label", "file", "shape", "type", "elements", "xxh128"};
    struct candidate_set set = {0};
    if (set_open(settings->arguments[0], settings->cutlass, &set) < 0)
        return EXIT_TROUBLE;
    struct document *page = start_page("candidates", columns, 6);
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
    set_free(&set);
    return listing_print(settings, page, "candidates");
}
