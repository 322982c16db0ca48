#include "reports/tables/runs.h"

#include <stdio.h>
#include <stdlib.h>

#include "bench/base/text.h"
#include "bench/base/timed_inputs.h"
#include "bench/base/words.h"
#include "reports/rows/series.h"
#include "reports/tables/controls.h"

struct run_row {
    struct about about;
    const char *folder, *fingerprint, *host_clock, *remedy, *controls, *claims, *published;
    char *plan, *manifest, *command;
    char place[1024], unverified[PATH_MAX + 256], why[1024], unjudged[512], stated[RUNDIR_TEXT];
    double shapes, complete, going_on, alike;
};

#define SAID(name, member)                                                                         \
    { name, .form = ROWS_TEXT, .offset = offsetof(struct run_row, member) }
#define ABOUT(member) SAID(#member, about.member)
static const struct rows_column columns[] = {ABOUT(hash),
                                             ABOUT(device),
                                             ABOUT(cards),
                                             ABOUT(software),
                                             SAID("set_name", about.set),
                                             ABOUT(suite),
                                             ABOUT(element),
                                             ABOUT(accumulate),
                                             ABOUT(inputs),
                                             ABOUT(modes),
                                             ABOUT(protocol),
                                             ABOUT(start),
                                             SAID("finish", about.end),
                                             ABOUT(imported),
                                             ABOUT(how_complete),
                                             SAID("place", place),
                                             SAID("unverified", unverified),
                                             SAID("why", why),
                                             SAID("unjudged", unjudged),
                                             SAID("stated", stated),
                                             QUERY_TEXT(run_row, folder),
                                             QUERY_TEXT(run_row, fingerprint),
                                             QUERY_TEXT(run_row, host_clock),
                                             QUERY_TEXT(run_row, remedy),
                                             QUERY_TEXT(run_row, controls),
                                             QUERY_TEXT(run_row, claims),
                                             QUERY_TEXT(run_row, published),
                                             QUERY_TEXT(run_row, plan),
                                             QUERY_TEXT(run_row, manifest),
                                             QUERY_TEXT(run_row, command),
                                             QUERY_NUMBER(run_row, shapes),
                                             QUERY_NUMBER(run_row, complete),
                                             QUERY_NUMBER(run_row, going_on),
                                             QUERY_NUMBER(run_row, alike)};
static const struct rows_file file = QUERY_ROWS("runs", run_row, columns);

const char *runs_unjudged(const char *inputs, char *text, size_t size) {
    const char *why = timed_inputs_unjudged(inputs);
    snprintf(text, size, "%s%s%s%s%s", why ? "**Timed on " : "", why ? inputs : "",
             why ? ": no number here judges a kernel.** On these inputs " : "", why ? why : "",
             why ? "." : "");
    return text;
}

/* At what launch, or empty call, the ratios are stated, and what was measured in the mean. */
static void say_stated(const struct rundir *run, char *text, size_t size) {
    const double launch = json_number_value(json_object_get(run->plan, "launch_us"));
    for (int lens = 0; lens < LENS_COUNT; lens++) {
        const bool held = words_lens_is((enum lens)lens, LENS_HELD);
        double seconds;
        if (rows_stated(&run->rows, words_lenses[lens], &seconds) > 0)
            text_append(text, size, "%sby %s at %s of %.4g µs (here it took %.3g µs)",
                        *text ? ", " : "", words_lenses[lens], held ? "an empty call" : "a launch",
                        held ? 1e6 * series_empty_seconds((enum lens)lens) : launch, 1e6 * seconds);
    }
}

/* What a report asks for. */
static void look_at(sqlite3 *db, const char *name, const struct rundir *run,
                    const struct runs_asked *asked, struct run_row *row) {
    say_stated(run, row->stated, sizeof row->stated);
    if (rundir_verified(run, row->unverified, sizeof row->unverified))
        *row->unverified = 0;
    row->controls = controls_word(controls_ask(db, name, run->plan, row->why, sizeof row->why));
    row->claims = asked->claims ? asked->claims : "";
    row->published = asked->published ? asked->published : "";
    row->command = json_dumps(asked->command, JSON_COMPACT);
    row->alike = (double)asked->alike;
}

void runs_add(sqlite3 *db, const char *name, const struct rundir *run,
              const struct runs_asked *asked) {
    struct run_row row = {.about = run->about,
                          .folder = run->folder ? run->folder : "",
                          .fingerprint = run->fingerprint.key,
                          .host_clock = run->about.on_host ? about_host_clock : "",
                          .remedy = about_remedy(&run->about),
                          .controls = "",
                          .claims = "",
                          .published = "",
                          .plan = json_dumps(run->plan, JSON_COMPACT),
                          .manifest = json_dumps(run->manifest, JSON_COMPACT),
                          .shapes = (double)run->about.shapes,
                          .complete = run->about.complete,
                          .going_on = run->about.going_on};
    const char *where = *run->about.imported ? run->about.imported : run->about.device;
    snprintf(row.place, sizeof row.place, "%s%s%s", where,
             *where && *run->about.protocol ? ", " : "", run->about.protocol);
    runs_unjudged(run->about.inputs, row.unjudged, sizeof row.unjudged);
    if (asked)
        look_at(db, name, run, asked, &row);
    query_add(db, &file, name, &row, 1);
    free(row.plan);
    free(row.manifest);
    free(row.command);
}
