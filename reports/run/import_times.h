/* Times that other tools have measured, to a run directory. A reader of a tool yields rows: a shape,
 * whose time it is, and seconds. All else is one path. The run has times and ratios, and neither
 * samples, checks nor controls. */
#ifndef REPORTS_RUN_IMPORT_TIMES_H
#define REPORTS_RUN_IMPORT_TIMES_H

#include <stdbool.h>
#include <stddef.h>

#include "bench/base/csv.h"
#include "bench/base/element.h"
#include "bench/base/shape.h"
#include "bench/base/words.h"
#include "reports/rows/columns.h"

/* One time of a file. */
struct import_time {
    struct shape shape; /* of the product whose C is row-major */
    const char *arm; /* a kernel, or a library by our name where we have one; kept (kept_text.h) */
    enum lens lens;  /* what is like the interval that the tool times */
    const char *cache; /* "cold", "warm", or "": not known */
    double seconds;
    char where[64];   /* in the file: "7", a line, or "benchmarks[0].states[7]" */
    const char *note; /* kept */
};

struct import_times {
    /* What is wanted of every row. */
    const char *file;
    enum element element;
    const char *accumulate; /* "f32" or "f16" */

    struct import_time *list;
    size_t count;
    size_t failed;     /* rows left out, since the tool calls them failed or skipped */
    char first[128];   /* of these: where, and the tool's own word */
    size_t unverified; /* rows that the tool did not verify */
    char gpu[128];     /* its name; "": the file does not say */
};

/* A tool: `read` adds the rows of times->file. 0, or -1 after error() that names file, line (in JSON
 * the path), column, and what to do. */
struct import_tool {
    const char *name;
    const char *unit; /* of its times, for messages */
    bool many;        /* an arm has many rows of a shape, of which the fastest is meant */
    int (*read)(struct import_times *times);
};
extern const struct import_tool import_cutlass, import_nvbench, import_triton;

/* Makes RUN of the file. tool: the name of one. Returns an exit status (bench/base/error.h); on
 * failure there is no RUN. */
int import_times(const char *tool, const char *file, enum element element, const char *accumulate,
                 const char *run);

/* Adds a copy of the row, whose arm is that of a provider: a library has our name, and where the
 * layout of B is told ("nn" or "tn") it ends the name. */
void import_add(struct import_times *times, const struct import_time *row, const char *provider,
                const char *layout);

/* Whether the text names a type of elements, in anybody's spelling: *same says whether it is the
 * run's. */
bool import_type(const struct import_times *times, const char *text, bool *same);

/* What to do about a row of another type. */
#define IMPORT_ELEMENT                                                                             \
    "this run is of %s: leave other rows out, or import with --element bf16 or f16"

/* Reads times->file as CSV, row by row (csv_table_each). 0, or -1 after error(). */
int import_csv(const struct import_times *times, csv_taker *take, void *context);

/* The time in the column, in units of `unit` seconds: a number above 0. 0, or -1 after error(). */
int import_csv_seconds(const struct csv_table *table, size_t row, int column, double unit,
                       double *seconds);

#endif
