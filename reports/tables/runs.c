#include "reports/tables/runs.h"

#include <stdio.h>
#include <stdlib.h>

#include "bench/base/timed_inputs.h"
#include "bench/base/words.h"
#include "reports/rows/series.h"
#include "reports/tables/controls.h"

/* What is made for a row. */
struct making {
    const char *controls;
    char *plan, *manifest, *command;
    char place[1024], unverified[PATH_MAX + 256], why[1024], unjudged[512];
};

#define RUN_ROW(TEXT, NUMBER, SIZE)                                                                \
    TEXT(hash, about->hash)                                                                        \
    TEXT(device, about->device)                                                                    \
    TEXT(cards, about->cards)                                                                      \
    TEXT(software, about->software)                                                                \
    TEXT(set_name, about->set)                                                                     \
    TEXT(suite, about->suite)                                                                      \
    TEXT(element, about->element)                                                                  \
    TEXT(accumulate, about->accumulate)                                                            \
    TEXT(inputs, about->inputs)                                                                    \
    TEXT(modes, about->modes)                                                                      \
    TEXT(protocol, about->protocol)                                                                \
    TEXT(start, about->start)                                                                      \
    TEXT(finish, about->end)                                                                       \
    TEXT(imported, about->imported)                                                                \
    TEXT(how_complete, about->how_complete)                                                        \
    TEXT(place, making.place)                                                                      \
    TEXT(unverified, making.unverified)                                                            \
    TEXT(why, making.why)                                                                          \
    TEXT(unjudged, making.unjudged)                                                                \
    TEXT(folder, run->folder ? run->folder : "")                                                   \
    TEXT(fingerprint, run->fingerprint.key)                                                        \
    TEXT(host_clock, about->on_host ? about_host_clock : "")                                       \
    TEXT(remedy, about_remedy(about))                                                              \
    TEXT(controls, making.controls)                                                                \
    TEXT(claims, asked && asked->claims ? asked->claims : "")                                      \
    TEXT(published, asked && asked->published ? asked->published : "")                             \
    TEXT(plan, making.plan)                                                                        \
    TEXT(manifest, making.manifest)                                                                \
    TEXT(command, making.command)                                                                  \
    NUMBER(shapes, (double)about->shapes)                                                          \
    NUMBER(complete, about->complete)                                                              \
    NUMBER(going_on, about->going_on)                                                              \
    NUMBER(alike, asked ? (double)asked->alike : 0)
QUERY_LIST(run_row, "runs", RUN_ROW)

#define STATED(TEXT, NUMBER, SIZE)                                                                 \
    TEXT(lens, words_lenses[lens])                                                                 \
    NUMBER(held, held)                                                                             \
    NUMBER(at_us, held ? 1e6 * series_empty_seconds[lens] : launch)                                \
    NUMBER(took_us, 1e6 * seconds)
QUERY_LIST(stated, "stated", STATED)

void runs_add_stated(sqlite3 *db, const char *name, const struct rundir *run) {
    const double launch = json_number_value(json_object_get(run->plan, "launch_us"));
    for (int lens = 0; lens < LENS_COUNT; lens++) {
        const bool held = words_lens_is((enum lens)lens, LENS_HELD);
        double seconds;
        if (rows_stated(&run->rows, words_lenses[lens], &seconds) == 0)
            continue;
        const struct stated stated = QUERY_VALUES(STATED);
        query_add(db, stated_file(), name, &stated, 1);
    }
}

/* What a report asks for. */
static void look_at(sqlite3 *db, const char *name, const struct rundir *run,
                    const struct runs_asked *asked, struct making *making) {
    runs_add_stated(db, name, run);
    if (rundir_verified(run, making->unverified, sizeof making->unverified))
        *making->unverified = 0;
    making->controls =
        controls_word(controls_ask(db, name, run->plan, making->why, sizeof making->why));
    making->command = json_dumps(asked->command, JSON_COMPACT);
}

void runs_add(sqlite3 *db, const char *name, const struct rundir *run,
              const struct runs_asked *asked) {
    const struct about *about = &run->about;
    const char *where = *about->imported ? about->imported : about->device,
               *unjudged = timed_inputs_unjudged(about->inputs);
    struct making making = {.controls = "",
                            .plan = json_dumps(run->plan, JSON_COMPACT),
                            .manifest = json_dumps(run->manifest, JSON_COMPACT)};
    snprintf(making.place, sizeof making.place, "%s%s%s", where,
             *where && *about->protocol ? ", " : "", about->protocol);
    if (unjudged)
        snprintf(making.unjudged, sizeof making.unjudged,
                 "**Timed on %s: no number here judges a kernel.** On these inputs %s.",
                 about->inputs, unjudged);
    if (asked)
        look_at(db, name, run, asked, &making);
    const struct run_row row = QUERY_VALUES(RUN_ROW);
    query_add(db, run_row_file(), name, &row, 1);
    free(making.plan);
    free(making.manifest);
    free(making.command);
}
