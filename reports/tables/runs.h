/* What is said of runs beside their rows: the table `runs` of the database, in which queries find it.
 *
 * Its columns are the texts of struct about (about.h), of which set is set_name and end is finish, and
 *     folder, fingerprint        of the run (fingerprint.h)
 *     plan, manifest, command    JSON; NULL where there is none
 *     place                      what its numbers are from: the device or the tool, and the protocol
 *     host_clock                 what to know of its times, where its device is the host
 *     remedy                     what is to be done about a run that is not complete
 *     unverified                 why it is not known that its files are as they were measured
 *     controls, why              the verdict of the controls, and why they failed
 *     unjudged                   a note (with marks) that times on its inputs judge no kernel
 *     claims, published          the file and the run that the report stands beside
 *     shapes, complete, going_on, alike    numbers; alike: how many runs of a report are of one kind of machine
 * Texts that are not known are "". Rows are in the order in which the runs were given. */
#ifndef REPORTS_TABLES_RUNS_H
#define REPORTS_TABLES_RUNS_H

#include "reports/query/query.h"
#include "reports/run/opened.h"

/* What a report was asked for. */
struct runs_asked {
    const char *claims, *published; /* NULL: nothing */
    const json_t *command;          /* command.json of the run; NULL: it has none */
    size_t alike;
};

/* Adds the run, called so. What reads its rows or files (unverified, controls) is added for
 * a report alone; asked: NULL: for none. Then its controls are loaded before (controls_ask). */
void runs_add(sqlite3 *db, const char *name, const struct rundir *run,
              const struct runs_asked *asked);

/* Fills the table `stated`: by which lenses ratios of small products are stated, at so many us (`at_us`) of an
 * empty call where the lens is `held`, else of a launch, and how long it took here in the mean (`took_us`).
 * runs_add does so for a report. */
void runs_add_stated(sqlite3 *db, const char *name, const struct rundir *run);

#endif
