#include "reports/tables/ncu.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/csv.h"
#include "bench/base/error.h"
#include "bench/base/text.h"

const char *const ncu_metric_names[NCU_METRICS] = {
    [NCU_SECONDS] = "gpu__time_duration.sum",
    [NCU_DRAM] = "dram__throughput.avg.pct_of_peak_sustained_elapsed",
    [NCU_DRAM_BYTES] = "dram__bytes.sum.per_second",
    [NCU_SM] = "sm__throughput.avg.pct_of_peak_sustained_elapsed",
    [NCU_OCCUPANCY] = "sm__warps_active.avg.pct_of_peak_sustained_active",
    [NCU_TENSOR] = "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active",
    [NCU_L1] = "l1tex__t_sector_hit_rate.pct",
    [NCU_L2] = "lts__t_sector_hit_rate.pct",
    [NCU_REGISTERS] = "launch__registers_per_thread",
    [NCU_SHARED] = "launch__shared_mem_per_block",
};

static void take_own_line(struct ncu_log *log, const char *line) {
    static const char mark[] = "==ERROR==";
    const bool complaint = strncmp(line, mark, sizeof mark - 1) == 0;
    log->forbidden |= strstr(line, "ERR_NVGPUCTRPERM") != NULL;
    for (int i = 0; i < NCU_METRICS; i++)
        if (strstr(line, ncu_metric_names[i]))
            log->refused |= 1u << i;
    if (!complaint || *log->complaint)
        return;
    const char *words = line + sizeof mark - 1;
    words += strspn(words, " ");
    snprintf(log->complaint, sizeof log->complaint, "%.*s", (int)strcspn(words, "\r\n"), words);
}

/* Copies the table, with empty lines for others so that the numbers of lines stay. Returns whether
 * there is one. */
static bool sift(FILE *in, struct ncu_log *log, FILE *table) {
    char *line = NULL;
    size_t room = 0;
    bool found = false;
    while (getline(&line, &room, in) >= 0) {
        const bool own = strncmp(line, "==", 2) == 0;
        found |= strncmp(line, "\"ID\",", 5) == 0;
        if (own)
            take_own_line(log, line);
        fputs(own || !found ? "\n" : line, table);
    }
    free(line);
    return found;
}

/* What one of the unit is in seconds, bytes or whatever else is counted: "usecond", "us",
 * "Gbyte/second", "Kbyte/block", "%". NaN for one that is neither. */
static double scale_of(const char *unit) {
    static const char prefixes[] = "numKMGT";
    static const double factors[] = {1e-9, 1e-6, 1e-3, 1e3, 1e6, 1e9, 1e12};
    static const char *const words[] = {"second", "s", "byte", "B", "%", "register", "thread", ""};
    char quantity[32];
    snprintf(quantity, sizeof quantity, "%.*s", (int)strcspn(unit, "/"), unit);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(quantity, words[i]) == 0)
            return 1;
    const char *prefix = *quantity ? strchr(prefixes, *quantity) : NULL;
    for (int i = 0; i < 4 && prefix; i++)
        if (strcmp(quantity + 1, words[i]) == 0)
            return factors[prefix - prefixes];
    return NAN;
}

/* "1,234.5", or "n/a" and other words: NaN. */
static double number_of(const char *text) {
    char digits[64], *end;
    size_t used = 0;
    for (; *text && used < sizeof digits - 1; text++)
        if (*text != ',')
            digits[used++] = *text;
    digits[used] = 0;
    const double value = strtod(digits, &end);
    return used == 0 || *end || !isfinite(value) ? NAN : value;
}

static void add_note(struct ncu_launch *launch, const char *name, const char *why) {
    text_append(launch->note, sizeof launch->note, "%s%s: %s", *launch->note ? "; " : "", name,
                why);
}

static void take_value(const struct csv_table *table, size_t row, enum ncu_metric metric,
                       struct ncu_launch *launch) {
    const char *name = ncu_metric_names[metric];
    const int column = csv_table_find(table, name);
    launch->values[metric] = NAN;
    if (column < 0) {
        add_note(launch, name, "not known on this device");
        return;
    }
    const char *text = csv_table_text(table, row, column);
    const char *unit = csv_table_text(table, 0, column);
    const double value = number_of(text) * scale_of(unit);
    if (isfinite(value)) {
        launch->values[metric] = value;
    } else {
        char why[96];
        snprintf(why, sizeof why, "'%.40s' %.40s", text, unit);
        add_note(launch, name, why);
    }
}

/* "(128, 1, 1)" becomes "128x1x1". */
static void take_size(const struct csv_table *table, size_t row, const char *name, char size[48]) {
    const int column = csv_table_find(table, name);
    size_t used = 0;
    for (const char *p = column < 0 ? "" : csv_table_text(table, row, column); *p && used < 47; p++)
        if (*p == ',')
            size[used++] = 'x';
        else if (*p >= '0' && *p <= '9')
            size[used++] = *p;
    size[used] = 0;
}

static int take_table(const struct csv_table *table, struct ncu_log *log) {
    const int function = csv_table_column(table, "Kernel Name");
    if (function < 0)
        return -1;
    if (table->rows == 0)
        return error("%s: a row of units is wanted below the header; this is no raw page of ncu",
                     table->file);
    if (!(log->launches = calloc(table->rows, sizeof *log->launches)))
        return error("no memory for %zu launches", table->rows);
    for (size_t row = 1; row < table->rows; row++) {
        struct ncu_launch *launch = &log->launches[log->count++];
        snprintf(launch->function, sizeof launch->function, "%s",
                 csv_table_text(table, row, function));
        take_size(table, row, "Grid Size", launch->grid);
        take_size(table, row, "Block Size", launch->block);
        for (int i = 0; i < NCU_METRICS; i++)
            take_value(table, row, (enum ncu_metric)i, launch);
    }
    return 0;
}

static int read_text(const char *file, char *text, size_t size, struct ncu_log *log) {
    struct csv_table table;
    FILE *stream = fmemopen(text, size, "r");
    if (!stream)
        return error("%s: %s", file, strerror(errno));
    int status = csv_table_read_stream(stream, file, &table);
    fclose(stream);
    if (status < 0)
        return -1;
    status = take_table(&table, log);
    csv_table_free(&table);
    return status;
}

int ncu_read(const char *file, struct ncu_log *log) {
    char *text = NULL;
    size_t size = 0;
    *log = (struct ncu_log){0};
    FILE *in = fopen(file, "r");
    if (!in)
        return errno == ENOENT ? 0 : error("%s: cannot read: %s", file, strerror(errno));
    FILE *out = open_memstream(&text, &size);
    const bool found = out && sift(in, log, out);
    int status = !out || fclose(out) == EOF ? error("no memory for %s", file)
                 : ferror(in)               ? error("%s: cannot read", file)
                 : found                    ? read_text(file, text, size, log)
                                            : 0;
    fclose(in);
    free(text);
    if (status < 0)
        ncu_free(log);
    return status;
}

void ncu_free(struct ncu_log *log) {
    free(log->launches);
    *log = (struct ncu_log){0};
}
