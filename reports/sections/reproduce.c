/* How to do it again: the commands that made the run and the page. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/jsonfile.h"
#include "bench/base/need.h"
#include "bench/base/text.h"
#include "reports/sections/sections.h"

static void put_option(FILE *out, const char *option, const char *value) {
    if (!value)
        return;
    fprintf(out, " --%s ", option);
    text_quote(out, value);
}

static bool begins(const char *word, const char *option) {
    const size_t length = strlen(option);
    return strncmp(word, option, length) == 0 && (!word[length] || word[length] == '=');
}

/* The words of command.json, and the seed that was drawn where they give none. */
static void put_measured(FILE *out, const struct report *report) {
    const char *seed = jsonfile_text(report->plan, "seed");
    json_t *word;
    size_t i;
    fprintf(out, "gemmgate %s", jsonfile_text(report->command, "command"));
    json_array_foreach(json_object_get(report->command, "words"), i, word) {
        const char *text = json_is_string(word) ? json_string_value(word) : "";
        fputc(' ', out);
        text_quote(out, text);
        if (begins(text, "--seed"))
            seed = NULL;
    }
    put_option(out, "seed", seed);
}

static void put_import(FILE *out, const struct report *report) {
    json_t *source;
    size_t i;
    fputs("gemmgate import ", out);
    text_quote(out, jsonfile_text(report->plan, "imported"));
    json_array_foreach(json_object_get(report->manifest, "sources"), i, source) {
        const char *mode = jsonfile_text(source, "mode"), *name = jsonfile_text(source, "name");
        if (*mode && *name) {
            put_option(out, mode, name);
        } else {
            fputc(' ', out);
            text_quote(out, name);
        }
    }
    if (strcmp(jsonfile_text(report->plan, "element"), "bf16") == 0)
        put_option(out, "element", "bf16");
    if (strcmp(jsonfile_text(report->plan, "accumulate"), "f16") == 0)
        put_option(out, "accumulate", "f16");
}

/* Lines of commands. The caller frees. */
static char *commands_of(const struct report *report) {
    char *text;
    size_t size;
    FILE *out = need_stream(&text, &size);
    if (report->command)
        put_measured(out, report);
    else
        put_import(out, report);
    fputs(" -o RUN\ngemmgate report RUN", out);
    put_option(out, "claims", report->claims_file);
    put_option(out, "published", report->published_run);
    for (size_t i = 1; i < report->device_count; i++) {
        fputs(i == 1 ? " --again " : " ", out);
        text_quote(out, report->runs[i].folder);
    }
    fclose(out);
    return text;
}

void section_reproduce(struct document *page, const struct report *report) {
    const bool imported = json_is_string(json_object_get(report->plan, "imported"));
    const char *folder = jsonfile_text(report->command, "folder");
    if (report->command || imported) {
        char *commands = commands_of(report);
        document_paragraph(
            page, "These commands %s and make this page:", imported ? "import" : "measure");
        document_code(page, commands);
        free(commands);
    } else {
        document_paragraph(page, "The run does not hold the command that it was made with.");
    }
    if (*folder)
        document_paragraph(page, "The command was given in the folder `%s`.", folder);
    if (!imported)
        document_paragraph(
            page, "`plan.json` has every setting and the seed. `gemmgate verify RUN` computes all "
                  "numbers again from the raw samples.");
    document_paragraph(page,
                       "The tables as data: [report.json](report.json), [table1.csv](table1.csv), "
                       "[shapes.csv](shapes.csv). Every figure has its gnuplot script (.gp), data "
                       "(.dat) and SVG beside it.");
    if (report->manifest)
        document_add(page, " All that is known of machine and software is in `manifest.json` of "
                           "the run.");
    document_only(page, DOCUMENT_MARKDOWN);
    document_paragraph(page, "[report.html](report.html) is the same page with every shape.");
}
