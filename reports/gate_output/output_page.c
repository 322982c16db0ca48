#include <stdbool.h>
#include <stdlib.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
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

/* Writes the summary if it has at most OUTPUT_MARKDOWN bytes: 1, 0 if it has more, or -1 after
 * error(). */
static int try_markdown(FILE *out, const struct gate *gate, struct gate_page_most most) {
    char *bytes = NULL;
    size_t size = 0;
    struct document *page = gate_page(gate, most);
    FILE *stream = open_memstream(&bytes, &size);
    int status = stream ? write_markdown(stream, page) : error("no memory for the summary");
    if (stream && fclose(stream) == EOF && status == 0)
        status = error("no memory for the summary");
    document_free(page);
    if (status == 0)
        status = size <= OUTPUT_MARKDOWN;
    if (status > 0 && out)
        fwrite(bytes, 1, size, out);
    free(bytes);
    return status;
}

/* The largest *number, at most what it is, with which the summary is short enough; 1 where none is
 * known to be. */
static int find_most(const struct gate *gate, const struct gate_page_most *most, size_t *number) {
    size_t enough = 1, much = *number + 1;
    while (much - enough > 1) {
        *number = enough + (much - enough) / 2;
        const int fits = try_markdown(NULL, gate, *most);
        if (fits < 0)
            return -1;
        *(fits ? &enough : &much) = *number;
    }
    *number = enough;
    return 0;
}

/* What is fine gives way before anything else does. */
int output_markdown(FILE *out, const struct gate *gate) {
    struct gate_page_most most = {0};
    int fits = try_markdown(out, gate, most);
    if (fits != 0)
        return fits < 0 ? -1 : 0;
    most.fine = 1;
    fits = try_markdown(NULL, gate, most);
    if (fits < 0)
        return -1;
    if (fits)
        most.fine = gate->count;
    else
        most.rows = gate->count;
    if (find_most(gate, &most, fits ? &most.fine : &most.rows) < 0)
        return -1;
    return try_markdown(out, gate, most) < 0 ? -1 : 0;
}
