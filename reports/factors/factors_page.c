#include "reports/factors/factors.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/base/need.h"
#include "bench/base/text.h"
#include "reports/page/plot.h"
#include "reports/page/writers.h"
#include "reports/run/opened.h"

/* The finding in words: where it begins and ends, and the largest step. */
static void finding(const struct factors_chain *chain, char *text, size_t size) {
    const struct factors_step *first = chain->steps, *last = first + chain->count - 1,
                              *most = first + 1;
    for (const struct factors_step *step = first + 1; step <= last; step++)
        if (fabs(log(step->change.ratio)) > fabs(log(most->change.ratio)))
            most = step;
    const struct factors_value *change = &most->change;
    *text = 0;
    text_append(text, size,
                "The ratio goes from %.3f (%s) to %.3f (%s). The largest step is %s: it multiplies "
                "the ratio by %.3f",
                first->level.ratio, first->name, last->level.ratio, last->name, most->name,
                change->ratio);
    if (isfinite(change->low) && isfinite(change->high))
        text_append(text, size, " (95 %% interval %.3f to %.3f)%s", change->low, change->high,
                    change->low <= 1 && change->high >= 1
                        ? ", which does not show that it changes anything"
                        : "");
    text_append(text, size, ".");
}

static void put_table(struct document *page, const char *id, const struct factors_chain *chain) {
    static const char *const means[] = {"paper", "geometric"};
    static const char *const refusals[] = {"omitted", "as 1", "counted"};
#define OF(member, title, ...) DOCUMENT_OF(factors_step, member, title, __VA_ARGS__)
    static const struct document_column columns[] = {
        OF(name, "step", TEXT, .unbroken = true),
        OF(says, "what", TEXT, .key = "says"),
        OF(library, "library", CODE, .omit = DOCUMENT_OMIT_SAME),
        OF(mode, "mode", CODE, .omit = DOCUMENT_OMIT_SAME),
        OF(lens, "lens", CODE),
        OF(mean, "mean", TEXT, .words = means, .omit = DOCUMENT_OMIT_SAME),
        OF(refused, "refused", TEXT, .words = refusals, .omit = DOCUMENT_OMIT_SAME),
        OF(shapes, "shapes", COUNT),
        OF(visits, "visits", COUNT),
        OF(level.ratio, "ratio", RATIO),
        OF(level.shapes_low, "over shapes", INTERVAL, .key = "shapes_interval"),
        OF(change.ratio, "change", RATIO),
        OF(change.shapes_low, "change over shapes", INTERVAL, .key = "change_shapes"),
        OF(share, "share %", SHARE, .key = "share"),
    };
#undef OF
    char caption[256];
    snprintf(caption, sizeof caption, "%zu shapes are in all steps; %zu of them are refused",
             chain->shapes, chain->refused);
    DOCUMENT_TABLE(page, id, caption, columns);
    document_rows(page, chain->steps, chain->count, sizeof *chain->steps);
}

/* Steps that alone lack shapes have made the chain shorter for all. */
static void put_lacking(struct document *page, const struct factors_chain *chain) {
    for (size_t i = 0; i < chain->count; i++)
        if (chain->steps[i].alone > 0)
            document_item(page, "%zu shape%s left out of all steps, since %s alone lacks %s.",
                          chain->steps[i].alone, chain->steps[i].alone == 1 ? " is" : "s are",
                          chain->steps[i].name, chain->steps[i].alone == 1 ? "it" : "them");
}

/* A bar a step, from the ratio before to the ratio now, with what the step has changed in words
 * above it. */
static int draw(const char *folder, const char *name, const char *title,
                const struct factors_chain *chain) {
    enum { BEGIN, UP, DOWN };
    struct plot_range ratios = {1, 1};
    struct plot plot;
    if (plot_open(&plot, folder, name, "steps") < 0)
        return -1;
    for (size_t i = 0; i < chain->count; i++) {
        const struct factors_step *step = &chain->steps[i];
        const double before = i ? step[-1].level.ratio : 1, ratio = step->level.ratio;
        const struct factors_value *value = i ? &step->change : &step->level;
        const double low = isfinite(value->low) ? before * value->low : ratio,
                     high = isfinite(value->high) ? before * value->high : ratio;
        char change[64] = "";
        if (i)
            snprintf(change, sizeof change, "%+.1f %%\\n", 100 * (ratio / before - 1));
        plot_row(&plot, "%zu %.9g %.9g %.9g %.9g %d %.9g \"%s%.3f\"", i, before, ratio, low, high,
                 i == 0           ? BEGIN
                 : ratio > before ? UP
                                  : DOWN,
                 fmax(fmax(before, ratio), high), change, ratio);
        plot_widen(&ratios, ratio);
        plot_widen(&ratios, low);
        plot_widen(&ratios, 1.1 * high); /* room for the words */
        plot_tick(&plot, 'x', step->name, (double)i);
    }
    plot_end(&plot);
    plot_title(&plot, title, "");
    plot_ratio_axis(&plot, 'y', ratios, 0);
    plot_set(&plot,
             "set xtics rotate by 30 right\nset xrange [-0.6:%.9g]\nset bmargin 9\n"
             "set style fill solid 0.75 noborder\nset ylabel \"time of the library / time of the "
             "kernel; above 1 the kernel is faster\"\nset key below",
             (double)chain->count - 0.4);
    return plot_close(&plot) < 0 ? -1 : plot_draw(folder, name);
}

/* "factors-STEM" of FOLDER/STEM.ini, in letters that every file system takes: figures and tables are
 * named by their files. */
struct name {
    char text[128];
};

static struct name name_of(const char *file) {
    const char *slash = strrchr(file, '/'), *stem = slash ? slash + 1 : file;
    struct name name;
    snprintf(name.text, sizeof name.text, "factors-%.*s", (int)strcspn(stem, "."), stem);
    for (char *p = name.text; *p; p++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_", *p))
            *p = '_';
    return name;
}

static void put_chain(struct document *page, const char *name, const char *folder,
                      const struct factors_chain *chain) {
    char text[2 * RUNDIR_TEXT];
    const char *title = *chain->title ? chain->title : "Factor by factor";
    finding(chain, text, sizeof text);
    document_section(page, 2, name, title);
    document_paragraph(page, "%s", text);
    document_figure(page, name, text,
                    "Each bar goes from the ratio before the step to the ratio after it. Intervals "
                    "are of the step, over visits, where both sides have visits",
                    draw(folder, name, title, chain) > 0);
    put_table(page, name, chain);
    put_lacking(page, chain);
}

/* The rows of each step, which runs[] own; steps of one run share them. */
static int read_steps(const struct factors_chain *chain, struct rundir *runs, struct rows *rows) {
    for (size_t i = 0; i < chain->count; i++) {
        size_t same = 0;
        while (strcmp(chain->steps[same].run, chain->steps[i].run) != 0)
            same++;
        if (same == i &&
            (rundir_open(chain->steps[i].run, &runs[i]) < 0 || rundir_read(&runs[i]) < 0))
            return -1;
        rows[i] = runs[same].rows;
    }
    return 0;
}

static int add_chain(struct document *page, const char *file, const char *folder) {
    struct factors_chain chain;
    if (factors_file_read(file, &chain) < 0)
        return -1;
    struct rundir *runs = need(chain.count, sizeof *runs);
    struct rows *rows = need(chain.count, sizeof *rows);
    int status = read_steps(&chain, runs, rows);
    if (status == 0)
        status = factors_make(&chain, rows);
    if (status == 0)
        put_chain(page, name_of(file).text, folder, &chain);
    else
        error("%s: this chain of steps cannot be followed, see above", file);
    rundir_close_all(runs, chain.count);
    free(rows);
    factors_chain_free(&chain);
    return status;
}

static void put_meaning(struct document *page) {
    document_section(page, 2, "words", "How to read it");
    document_item(page, "*Ratio*: time of the library over time of the kernel, one number for all "
                        "shapes. 1.070 is a speedup of +7.0 %%. Its interval is that of the "
                        "visits: what another run of the same shapes would show. A step of one "
                        "visit has none.");
    document_item(page, "*Over shapes*: the interval as if the shapes were drawn at random from "
                        "others like them.");
    document_item(page, "*Change*: the ratio over that of the step before, on the same shapes, "
                        "with intervals of its own: shapes, and visits where both have as many, "
                        "are paired.");
    document_item(page, "*Share*: how much of the way from the first ratio to the last the step "
                        "makes, by logarithms. A step against the way is negative.");
    document_item(page, "*Mean*: paper is the arithmetic mean of time of the library over time of "
                        "the kernel, as the paper counts. Geometric is the geometric mean of "
                        "robust ratios.");
    document_item(page, "*Refused*: what kernels count that any of the runs refuses. Omitted: not "
                        "at all. As 1: the library is used in their place. Counted: as measured.");
}

static int refuse_equal_names(const char *const *files, size_t count) {
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++)
            if (strcmp(name_of(files[i]).text, name_of(files[j]).text) == 0)
                return error("%s and %s would both be called %s: rename one", files[j], files[i],
                             name_of(files[i]).text);
    return 0;
}

int factors_page_make(const char *const *files, size_t count, const char *folder,
                      struct document **page) {
    int status = refuse_equal_names(files, count) < 0 ? -1 : files_make_folder(folder);
    *page = document_new("From one number to another, factor by factor");
    for (size_t i = 0; i < count && status == 0; i++)
        status = add_chain(*page, files[i], folder);
    if (status == 0)
        put_meaning(*page);
    for (size_t i = 0; i < count && status == 0; i++) {
        const struct name table = name_of(files[i]);
        char csv[sizeof table.text + 4];
        snprintf(csv, sizeof csv, "%s.csv", table.text);
        status = write_file(folder, csv, *page, table.text);
    }
    if (status == 0 && write_file(folder, "factors.md", *page, NULL) == 0 &&
        write_file(folder, "factors.html", *page, NULL) == 0)
        return EXIT_PASS;
    document_free(*page);
    *page = NULL;
    return EXIT_TROUBLE;
}
