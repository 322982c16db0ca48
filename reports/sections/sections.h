/* What a report is made from, and its sections: each is a function that fills its part of the
 * document, and one line of the list below. */
#ifndef REPORTS_SECTIONS_SECTIONS_H
#define REPORTS_SECTIONS_SECTIONS_H

#include <jansson.h>
#include <stdbool.h>

#include "reports/page/document.h"
#include "reports/query/query.h"
#include "reports/run/about.h"
#include "reports/run/rundir.h"
#include "reports/tables/agree.h"
#include "reports/tables/beside.h"
#include "reports/tables/claims.h"
#include "reports/tables/controls.h"
#include "reports/tables/lines.h"

/* A picture of a candidate by a lens. */
struct figure {
    char candidate[RUNDIR_NAME], lens[RUNDIR_NAME];
    char name[3 * RUNDIR_NAME]; /* file name without .gp, .dat, .png, .svg */
    char title[5 * RUNDIR_NAME];
    bool drawn; /* the pictures are there */
};

/* What the database calls the run of published numbers (gemmgate import), or of others. */
#define SECTIONS_PUBLISHED "(published)"

struct report {
    const char *run; /* its folder */
    /* What the report was asked to set beside the run; NULL: nothing. */
    const char *claims_file, *published_run;
    const struct about *about;
    const json_t *plan;     /* NULL: not looked for */
    const json_t *manifest; /* NULL where the run has none yet */
    json_t *command;        /* command.json; NULL where the run has none */
    const struct rows *rows;
    sqlite3 *db;        /* sections_load has loaded this run, and the rows of the others */
    struct line *leads; /* the lines that lead */
    size_t lead_count;
    enum controls_verdict controls;
    char why[1024]; /* controls failed */
    struct figure *figures;
    size_t figure_count;
    struct claims claims;
    struct claim_findings findings;
    struct rundir published;    /* of others; the database has it as SECTIONS_PUBLISHED */
    char published_where[1024]; /* where its numbers are from */
    /* This one, others of its plan on devices of its kind, up to agree.run_count, and others of its
     * plan on other devices. */
    struct rundir *runs;
    size_t device_count;
    struct agree agree;
};

/* In the order of the page. */
#define SECTIONS(X)                                                                                \
    X(verdict)                                                                                     \
    X(claims)                                                                                      \
    X(lenses)                                                                                      \
    X(gain)                                                                                        \
    X(refused)                                                                                     \
    X(shapes)                                                                                      \
    X(energy)                                                                                      \
    X(imported)                                                                                    \
    X(trust)                                                                                       \
    X(recordings)                                                                                  \
    X(again)                                                                                       \
    X(published)                                                                                   \
    X(measured)                                                                                    \
    X(reproduce)                                                                                   \
    X(reading)                                                                                     \
    X(data)

#define SECTION_FUNCTION(name)                                                                     \
    void section_##name(struct document *page, const struct report *report);
SECTIONS(SECTION_FUNCTION)
#undef SECTION_FUNCTION

/* Where the parts of a report are shown but for the few lines of the terminal. */
enum { SECTIONS_FILES = DOCUMENT_MARKDOWN | DOCUMENT_HTML | DOCUMENT_DATA };

/* All of them. The caller frees. */
struct document *sections_make(const struct report *report);

/* The answer to a query of the report's run alone; whether it has a row. */
sqlite3_stmt *sections_ask(const struct report *report, const char *sql);
bool sections_have(const struct report *report, const char *sql);

/* Of the table that was filled last pages show no more than people read: a whole release that does not
 * compile would list every shape. */
void sections_most(struct document *page);

/* That times on such inputs judge no kernel, as a note; nothing where they do. */
void sections_unjudged(struct document *page, const char *inputs);

/* The verdict of the controls and, where they failed, why, as a note. */
void sections_controls(struct document *page, const struct report *report);

/* What became of the claims, as a note; nothing where none were given. */
void sections_claims(struct document *page, const struct report *report);

/* Figure 3 of the first line that leads: it stands beside the verdict. NULL where there is none. */
const struct figure *sections_figure(const struct report *report);

/* A figure of the report. For who cannot see it, its text says what was found by its lens. */
void sections_put_figure(struct document *page, const struct report *report,
                         const struct figure *figure);

/* Adds what the queries of sections ask of a run beside its rows, which are loaded: its lines, its ratios
 * to the reference library (`against`), the shapes that no kernel serves (`unserved`), and what its devices' tensor cores do at best (`peaks`).
 * 0, or -1 after error(). */
int sections_load(sqlite3 *db, const char *run, const struct rows *rows, const json_t *plan,
                  const json_t *manifest);

#endif
