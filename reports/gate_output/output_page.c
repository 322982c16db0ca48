#include <stdbool.h>
#include <stdlib.h>

#include "bench/base/files.h"
#include "bench/base/need.h"
#include "reports/gate_output/gate_page.h"
#include "reports/gate_output/output.h"
#include "reports/page/write_csv.h"
#include "reports/page/write_html.h"
#include "reports/page/write_markdown.h"
#include "reports/page/write_text.h"

int output_csv(FILE *out, const struct gate *gate) {
    struct document *page = gate_page(gate, (struct gate_page_most){0});
    const int status = write_csv(out, page, "gate");
    document_free(page);
    return status;
}

int output_text(FILE *out, const struct gate *gate) {
    struct document *page = gate_page(gate, (struct gate_page_most){0});
    const int status = write_text(out, page);
    document_free(page);
    return status;
}

/* A gate without a picture is one all the same: gnuplot may be missing. */
int output_html(FILE *out, const struct gate *gate) {
    char folder[PATH_MAX];
    if (files_join(folder, gate->run, "gate") < 0)
        return -1;
    const bool drawn = gate_page_draw(folder, gate) > 0;
    struct document *page = gate_page_html(gate, drawn);
    const int status = write_html(out, page, folder);
    document_free(page);
    return status;
}

/* Writes the summary (out NULL: not) if it has at most OUTPUT_MARKDOWN bytes: whether it has. */
static bool try_markdown(FILE *out, const struct gate *gate, struct gate_page_most most) {
    char *bytes;
    size_t size;
    struct document *page = gate_page(gate, most);
    FILE *stream = need_stream(&bytes, &size);
    write_markdown(stream, page);
    fclose(stream);
    document_free(page);
    const bool fits = size <= OUTPUT_MARKDOWN;
    if (fits && out)
        fwrite(bytes, 1, size, out);
    free(bytes);
    return fits;
}

/* The largest *number, at most what it is, with which the summary is short enough; 1 where none is
 * known to be. */
static void find_most(const struct gate *gate, const struct gate_page_most *most, size_t *number) {
    size_t enough = 1, much = *number + 1;
    while (much - enough > 1) {
        *number = enough + (much - enough) / 2;
        *(try_markdown(NULL, gate, *most) ? &enough : &much) = *number;
    }
    *number = enough;
}

/* What is fine gives way before anything else does. */
int output_markdown(FILE *out, const struct gate *gate) {
    struct gate_page_most most = {0};
    if (try_markdown(out, gate, most))
        return 0;
    most.fine = 1;
    size_t *number = try_markdown(NULL, gate, most) ? &most.fine : &most.rows;
    *number = gate->count;
    find_most(gate, &most, number);
    try_markdown(out, gate, most);
    return 0;
}
