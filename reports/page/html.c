#include "reports/page/html.h"

#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "reports/page/html_markdown.h"
#include "reports/page/html_parts.h"
#include "reports/page/html_text.h"
#include "reports/tables/claims_show.h"
#include "reports/tables/findings.h"
#include "reports/tables/trust.h"

static const struct {
    const char *id, *name;
} contents[] = {
    {"measured", "What was measured"},
    {"claims", "Claims"},
    {"published", "Published"},
    {"tables", "Tables"},
    {"figures", "Figures"},
    {"heat", "By M, N, K"},
    {"shapes", "Every shape"},
    {"lenses", "Lenses disagree"},
    {"gain", "Where the gain is from"},
    {"profile", "Profile"},
    {"refused", "Refused kernels"},
    {"audits", "Audits"},
    {"trust", "Trust"},
    {"environment", "Environment"},
    {"reproduce", "Reproduce"},
};

void html_section(FILE *out, const char *id, const char *title) {
    fprintf(out, "<h2 id=\"%s\">", id);
    html_text(out, title);
    fputs("</h2>\n", out);
}

static void put_head(FILE *out, const struct about *about) {
    fputs("<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n"
          "<meta charset=\"utf-8\"/>\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
          "'unsafe-inline'; script-src 'unsafe-inline'\"/>\n"
          "<title>gemmgate report",
          out);
    if (*about->set || *about->imported) {
        fputs(": ", out);
        html_text(out, *about->set ? about->set : about->imported);
    }
    fprintf(out, "</title>\n<style>\n%s</style>\n</head>\n<body>\n", html_style);
    fputs("<a class=\"skip\" href=\"#measured\">To the report</a>\n<header>\n<h1>gemmgate report"
          "</h1>\n<nav aria-label=\"Contents\"><ul>\n",
          out);
    for (size_t i = 0; i < sizeof contents / sizeof *contents; i++)
        fprintf(out, "<li><a href=\"#%s\">%s</a></li>\n", contents[i].id, contents[i].name);
    fputs("</ul></nav>\n</header>\n<main>\n", out);
}

/* What a section of report.md says. 0, or -1 after error(). */
static int put_markdown(FILE *out, void (*write)(FILE *, const struct report *),
                        const struct report *report, const char *nothing) {
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    if (memory)
        write(memory, report);
    if (!memory || fclose(memory) != 0) {
        free(text);
        return error("no memory for a section of the page");
    }
    if (*text)
        html_markdown(out, text, 0);
    else
        fputs(nothing, out);
    free(text);
    return 0;
}

static void show_profile(FILE *out, const struct report *report) {
    if (report->profile)
        profile_show(out, report->profile);
}

static void show_published(FILE *out, const struct report *report) {
    published_show(out, report->published);
}

static void put_fact(FILE *out, const char *name, const char *value) {
    if (!*value)
        return;
    html_row_open(out);
    html_head_cell(out, name);
    html_cell(out, value);
    html_row_close(out);
}

static int put_measured(FILE *out, const struct report *report) {
    static const struct html_column columns[] = {{"", false}, {"value", false}};
    const struct about *about = report->about;
    char shapes[32] = "", when[96] = "";
    if (about->shapes)
        snprintf(shapes, sizeof shapes, "%zu", about->shapes);
    if (*about->start)
        snprintf(when, sizeof when, "%s%s%s", about->start, *about->end ? " to " : "", about->end);
    html_section(out, "measured", "What was measured");
    fprintf(out, "<div class=\"verdict%s\">\n",
            report->controls == CONTROLS_FAILED ? " failed" : "");
    const int status = put_markdown(out, trust_verdict, report, "");
    fputs("</div>\n", out);
    html_table_open(out, "What was run", columns, 2);
    put_fact(out, "source", about->imported);
    put_fact(out, "device", about->device);
    put_fact(out, "software", about->software);
    put_fact(out, "candidates", about->set);
    put_fact(out, "accumulate", about->accumulate);
    put_fact(out, "suite", about->suite);
    put_fact(out, "shapes", shapes);
    put_fact(out, "modes", about->modes);
    put_fact(out, "floors: empty interval, null kernel", about->floors);
    put_fact(out, "protocol", about->protocol);
    put_fact(out, "when", when);
    put_fact(out, "complete", about->how_complete);
    html_table_close(out);
    return status;
}

int html_write(FILE *out, const struct html_page *page) {
    const struct report *report = page->report;
    struct html_units units;
    if (html_units_make(report->rows, report->table1, &units) < 0)
        return -1;
    put_head(out, report->about);
    int status = put_measured(out, report);
    html_section(out, "claims", "What is claimed, and what was measured");
    if (status == 0)
        status = put_markdown(out, claims_show, report,
                              "<p>No claims were given to compare with: <code>gemmgate report RUN "
                              "--claims FILE</code>, for example "
                              "<code>ci/claims/cuda-l2-a100-f16.ini</code>.</p>\n");
    html_section(out, "published", "Beside what was published");
    if (status == 0)
        status = put_markdown(out, show_published, report,
                              "<p>Nothing was given; <code>gemmgate import</code> makes a run of "
                              "published ratios and <code>gemmgate report RUN --published "
                              "THAT</code> sets it beside this one, shape by shape.</p>\n");
    html_tables(out, report);
    if (status == 0)
        status = html_figures(out, page);
    html_heat(out, &units);
    html_shapes(out, &units);
    html_lenses(out, report);
    html_gain(out, report, &units);
    html_section(out, "profile", "What the hardware counted");
    if (status == 0)
        status = put_markdown(out, show_profile, report,
                              "<p>No kernel was profiled; <code>gemmgate profile RUN</code> "
                              "does.</p>\n");
    html_refused(out, report->rows);
    html_section(out, "audits", "What the audits found");
    if (status == 0)
        status = put_markdown(out, findings_write, report, "<p>Nothing.</p>\n");
    html_section(out, "trust", "Can the numbers be trusted");
    if (status == 0)
        status = put_markdown(out, trust_write, report, "");
    html_environment(out, page);
    html_reproduce(out, page);
    fprintf(out, "</main>\n<script>\n%s</script>\n</body>\n</html>\n", html_script);
    html_units_free(&units);
    return status;
}
