/* What the queries of a report ask of, beside the rows of a run. */
#include <math.h>
#include <string.h>

#include "reports/rows/derive.h"
#include "reports/rows/unserved.h"
#include "reports/sections/sections.h"

/* What the tensor cores of a device do at best. */
struct peak {
    const char *device;
    double flops; /* operations per second */
};

static const struct rows_column peak_columns[] = {
    {.name = "device", .form = ROWS_TEXT, .kept = true, .offset = offsetof(struct peak, device)},
    {.name = "flops", .form = ROWS_NUMBER, .offset = offsetof(struct peak, flops)},
};
static const struct rows_file peak_file = {
    .name = "peaks", .columns = peak_columns, .column_count = 2, .row_size = sizeof(struct peak)};

static const struct rows_column shape_columns[] = {
    {.name = "m", .form = ROWS_SIZE, .offset = offsetof(struct shape, m)},
    {.name = "n", .form = ROWS_SIZE, .offset = offsetof(struct shape, n)},
    {.name = "k", .form = ROWS_SIZE, .offset = offsetof(struct shape, k)},
};
static const struct rows_file unserved_file = {.name = "unserved",
                                               .columns = shape_columns,
                                               .column_count = 3,
                                               .row_size = sizeof(struct shape)};

/* One of several devices. */
struct side {
    const char *device, *folder;
};

void sections_add_side(sqlite3 *db, const char *name, const struct rundir *run) {
    static const struct rows_column columns[] = {
        {.name = "device",
         .form = ROWS_TEXT,
         .kept = true,
         .offset = offsetof(struct side, device)},
        {.name = "folder",
         .form = ROWS_TEXT,
         .kept = true,
         .offset = offsetof(struct side, folder)},
    };
    static const struct rows_file file = {
        .name = "sides", .columns = columns, .column_count = 2, .row_size = sizeof(struct side)};
    const struct side side = {run->about.device, run->folder};
    query_add(db, &file, name, &side, 1);
}

/* The devices that times are of and whose peak the manifest tells. */
static void add_peaks(sqlite3 *db, const char *run, const struct rows *rows,
                      const json_t *manifest) {
    enum { DEVICES = 64 };
    struct peak peaks[DEVICES];
    struct light_rates rates;
    size_t seen = 0, count = 0;
    const char *devices[DEVICES];
    for (size_t i = 0; i < rows->time_count && seen < DEVICES; i++) {
        const char *device = rows->times[i].device;
        size_t at = 0;
        while (at < seen && strcmp(devices[at], device) != 0)
            at++;
        if (at < seen)
            continue;
        devices[seen++] = device;
        if ((json_object_get(manifest, "limits") || json_object_get(manifest, "devices")) &&
            derive_rates(manifest, device, &rates) == 0 && rates.f16_flops > 0)
            peaks[count++] = (struct peak){device, rates.f16_flops};
    }
    query_add(db, &peak_file, run, peaks, count);
}

void sections_load(sqlite3 *db, const char *run, const struct rows *rows, const json_t *plan,
                   const json_t *manifest, const struct table *table) {
    struct unserved unserved;
    query_load(db, run, rows);
    tables_add(db, run, table);
    unserved_find(rows, plan, &unserved);
    query_add(db, &unserved_file, run, unserved.list, unserved.count);
    unserved_free(&unserved);
    add_peaks(db, run, rows, manifest);
}
