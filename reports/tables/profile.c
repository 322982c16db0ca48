#include "reports/tables/profile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/base/csv.h"
#include "bench/base/error.h"
#include "bench/base/files.h"

static const char *const value_columns[NCU_METRICS] = {
    [NCU_SECONDS] = "seconds",
    [NCU_DRAM] = "dram_percent",
    [NCU_DRAM_BYTES] = "dram_bytes_per_second",
    [NCU_SM] = "sm_percent",
    [NCU_OCCUPANCY] = "occupancy_percent",
    [NCU_TENSOR] = "tensor_percent",
    [NCU_L1] = "l1_hit_percent",
    [NCU_L2] = "l2_hit_percent",
    [NCU_REGISTERS] = "registers",
    [NCU_SHARED] = "shared_bytes",
};

enum { TEXTS = 7 };
static const char *const text_columns[TEXTS] = {"candidate", "kernel", "function", "grid",
                                                "block",     "device", "note"};

/* The row's texts, in the order of text_columns. */
static void list_texts(struct profile_row *row, char *texts[TEXTS], size_t sizes[TEXTS]) {
    struct ncu_launch *launch = &row->launch;
    char *const all[TEXTS] = {row->candidate, row->kernel, launch->function, launch->grid,
                              launch->block,  row->device, launch->note};
    const size_t room[TEXTS] = {
        sizeof row->candidate, sizeof row->kernel, sizeof launch->function, sizeof launch->grid,
        sizeof launch->block,  sizeof row->device, sizeof launch->note};
    memcpy(texts, all, sizeof all);
    memcpy(sizes, room, sizeof room);
}

int profile_add(struct profile *profile, const struct profile_row *row) {
    struct profile_row *more = realloc(profile->rows, (profile->count + 1) * sizeof *more);
    if (!more)
        return error("no memory for %zu rows of a profile", profile->count + 1);
    profile->rows = more;
    profile->rows[profile->count++] = *row;
    return 0;
}

int profile_write(const char *run, const struct profile *profile) {
    char folder[PATH_MAX];
    struct file file;
    if (files_join(folder, run, PROFILE_FOLDER) < 0 || files_make_folder(folder) < 0 ||
        file_open(&file, folder, "profile.csv") < 0)
        return -1;
    FILE *out = file.stream;
    fputs("m,n,k,launch", out);
    for (int i = 0; i < TEXTS; i++)
        fprintf(out, ",%s", text_columns[i]);
    for (int i = 0; i < NCU_METRICS; i++)
        fprintf(out, ",%s", value_columns[i]);
    fputc('\n', out);
    for (size_t i = 0; i < profile->count; i++) {
        struct profile_row *row = &profile->rows[i];
        char *texts[TEXTS];
        size_t sizes[TEXTS];
        list_texts(row, texts, sizes);
        csv_put_shape(out, row->shape);
        fprintf(out, ",%.0f", row->number);
        csv_put_texts(out, (const char *const *)texts, TEXTS);
        csv_put_numbers(out, row->launch.values, NCU_METRICS);
        fputc('\n', out);
    }
    return file_commit(&file);
}

static int read_row(const struct csv_table *table, size_t at, struct profile_row *row) {
    char *texts[TEXTS];
    size_t sizes[TEXTS];
    const int number = csv_table_column(table, "launch");
    *row = (struct profile_row){0};
    list_texts(row, texts, sizes);
    if (number < 0 || csv_table_shape(table, at, &row->shape) < 0 ||
        csv_table_number(table, at, number, &row->number) < 0)
        return -1;
    for (int i = 0; i < TEXTS; i++) {
        const int column = csv_table_column(table, text_columns[i]);
        if (column < 0)
            return -1;
        snprintf(texts[i], sizes[i], "%s", csv_table_text(table, at, column));
    }
    for (int i = 0; i < NCU_METRICS; i++) {
        const int column = csv_table_column(table, value_columns[i]);
        if (column < 0)
            return -1;
        row->launch.values[i] = NAN;
        if (*csv_table_text(table, at, column) &&
            csv_table_number(table, at, column, &row->launch.values[i]) < 0)
            return -1;
    }
    return 0;
}

int profile_read(const char *run, struct profile *profile) {
    char path[PATH_MAX];
    struct csv_table table;
    struct profile_row row;
    int status = 0;
    if (files_join(path, run, PROFILE_FOLDER "/profile.csv") < 0)
        return -1;
    if (access(path, F_OK) != 0)
        return 0;
    if (csv_table_read(path, &table) < 0)
        return -1;
    for (size_t i = 0; i < table.rows && status == 0; i++) {
        status = read_row(&table, i, &row);
        if (status == 0)
            status = profile_add(profile, &row);
    }
    csv_table_free(&table);
    return status;
}

void profile_free(struct profile *profile) {
    free(profile->rows);
    *profile = (struct profile){0};
}
