/* Writes a finished run of many shapes whose samples are made up, as large as a GPU's: made_large
 * FOLDER SEED SHAPES. It has a kernel, seven libraries, three lenses and twelve visits, by `call`
 * four. Two runs differ by their seeds. ci/growth measures with it how commands grow. */

#include "tests/support/store_run.h"

#include "tests/support/asserts.h"

enum { EDGES = 22, MOST_SHAPES = EDGES * EDGES * EDGES };
enum { VISITS = 12, BLOCKS = 12, MOST = 32 };

static const char *const libraries[] = {
    "torch-matmul",
    "cublas-nn",
    "cublas-tn",
    "cublaslt-heuristic-nn",
    "cublaslt-heuristic-tn",
    "cublaslt-autotune-nn",
    "cublaslt-autotune-tn",
};
static const char *const lenses[] = {"call", "device", "stream"};
enum { LIBRARIES = sizeof libraries / sizeof *libraries, LENSES = 3 };

/* 64 to 16384, all different. */
static int64_t edge_of(int i) {
    return 8 * lround(8 * exp2(8.0 * i / (EDGES - 1)));
}

/* One seventh of the shapes after another, so that few shapes have all sizes, too. */
static struct shape shape_of(int i) {
    const int at = (int)(i * 1009L % MOST_SHAPES);
    return (struct shape){edge_of(at % EDGES), edge_of(at / EDGES % EDGES),
                          edge_of(at / EDGES / EDGES)};
}

static void add_column(struct samples *samples, const char *name) {
    snprintf(samples->columns[samples->column_count++], RUNDIR_NAME, "%s", name);
}

/* The arms' seconds at their best, in the order of the columns. */
static size_t add_arms(struct samples *samples, double seconds, double kernel, double best[MOST]) {
    size_t arms = 0;
    for (int i = 0; i < LIBRARIES; i++) {
        best[arms++] = seconds;
        add_column(samples, libraries[i]);
    }
    add_column(samples, "mine");
    best[arms++] = kernel;
    add_column(samples, "aa:cublas-nn");
    best[arms++] = seconds;
    add_column(samples, "delay:cublas-nn");
    best[arms++] = seconds + samples->planted_seconds;
    add_column(samples, "long-delay:cublas-nn");
    best[arms++] = seconds + samples->planted_seconds * DERIVE_LONG_TIMES;
    return arms;
}

/* Processes differ in all arms but the control. */
static void fill(struct samples *samples, size_t arms, const double *best, unsigned *state) {
    const bool by_call = samples->column_count > arms + 3;
    double shift[MOST] = {0};
    for (size_t b = 0; b < samples->blocks; b++) {
        float *at = samples->values + b * samples->column_count;
        for (size_t c = 0; c < arms; c++) {
            if (b % BLOCKS == 0)
                shift[c] = c <= LIBRARIES ? 2e-3 * store_run_noise(state) : shift[1];
            *at++ = (float)(best[c] * (1 + shift[c] + 1e-3 * store_run_noise(state)));
        }
        for (size_t c = 0; by_call && c < arms; c++)
            *at++ = (float)(4e-6 * (1 + 1e-2 * store_run_noise(state)));
        *at++ = (float)(b / BLOCKS);
        *at++ = 1980;
        *at = 0;
    }
}

static struct samples some_samples(const char *lens, double seconds, double kernel,
                                   unsigned *state) {
    const bool by_call = strcmp(lens, "call") == 0;
    const int visits = by_call ? VISITS / 3 : VISITS;
    struct samples samples = {.mode = "offline",
                              .place = by_call ? PLACE_OWN : PLACE_STAGE,
                              .blocks = (size_t)visits * BLOCKS,
                              .calls = 1,
                              .planted_seconds = seconds / 4};
    double best[MOST];
    strcpy(samples.lens, lens);
    const size_t arms = add_arms(&samples, seconds, kernel, best);
    for (size_t c = 0; by_call && c < arms; c++) {
        char host[RUNDIR_NAME];
        snprintf(host, sizeof host, SAMPLES_HOST "%.80s", samples.columns[c]);
        add_column(&samples, host);
    }
    add_column(&samples, SAMPLES_VISIT);
    add_column(&samples, SAMPLES_SM_MHZ);
    add_column(&samples, SAMPLES_DISTURBED);
    samples.values = calloc(samples.blocks * samples.column_count, sizeof *samples.values);
    assert_non_null(samples.values);
    fill(&samples, arms, best, state);
    return samples;
}

static void add_rows(struct shape shape, struct rows *rows) {
    struct condition_row condition = {.shape = shape, .candidate = "mine", .mode = "offline"};
    struct recording_row recording = {.shape = shape,
                                      .candidate = "mine",
                                      .kernel = "mine",
                                      .number = 1,
                                      .result = "same",
                                      .calls = 8,
                                      .same_calls = 8,
                                      .seconds = 0.1};
    for (int i = 0; i <= LIBRARIES; i++) {
        struct check_row check = {
            .shape = shape, .candidate = "mine", .outcome = "ok", .share_compared = 1};
        strcpy(check.kernel, i < LIBRARIES ? libraries[i] : "mine");
        strcpy(check.claimed, "f32");
        rows_add_check(rows, &check);
    }
    for (int number = 1; number <= 2; number++) {
        struct audit_row audit = {.shape = shape, .number = number};
        strcpy(audit.candidate, "mine");
        strcpy(audit.kernel, "mine");
        strcpy(audit.part, "library");
        strcpy(audit.finding, "thread");
        strcpy(audit.level, "fact");
        strcpy(audit.text, "it starts some");
        rows_add_audit(rows, &audit);
    }
    rows_add_condition(rows, &condition);
    rows_add_recording(rows, &recording);
}

static void make_unit(const char *run, const char *id, struct shape shape, unsigned seed) {
    unsigned state = seed * 977u + (unsigned)(shape.m * 31 + shape.n * 7 + shape.k);
    const double flops = 2.0 * (double)shape.m * (double)shape.n * (double)shape.k;
    const double bytes = 2.0 * (double)(shape.m * shape.n + shape.m * shape.k + shape.n * shape.k);
    const double seconds = 10e-6 + 2 * flops / 1e15 + 2 * bytes / 3e12;
    const double kernel = seconds * (1 + 0.1 * store_run_noise(&state));
    struct samples samples[LENSES];
    struct rundir_unit unit = {.samples = samples, .sample_count = LENSES};
    add_rows(shape, &unit.rows);
    for (int i = 0; i < LENSES; i++)
        samples[i] = some_samples(lenses[i], seconds, kernel, &state);
    assert_int_equal(rundir_write_unit(run, id, &unit), 0);
    for (int i = 0; i < LENSES; i++)
        free(samples[i].values);
    rows_free(&unit.rows);
}

int main(int argc, char **argv) {
    const int count = argc == 4 ? (int)strtol(argv[3], NULL, 10) : 0;
    if (count < 1 || count > MOST_SHAPES) {
        fprintf(stderr, "usage: made_large FOLDER SEED SHAPES, at most %d\n", MOST_SHAPES);
        return 2;
    }
    const struct store_run made = {.seed = (unsigned)strtoul(argv[2], NULL, 10), .visits = VISITS};
    json_t *plan = store_run_plan(&made), *manifest = store_run_manifest(&made);
    json_t *shapes = json_array(), *units = json_array(), *timed_by = json_array();
    char shape[SHAPE_TEXT], id[RUNDIR_UNIT];
    for (int i = 0; i < count; i++) {
        json_array_append_new(shapes, json_string(shape_format(shape_of(i), shape)));
        json_array_append_new(units, json_string(rundir_unit_id(shape_of(i), "mine", id)));
    }
    for (int i = 0; i < LENSES; i++)
        json_array_append_new(timed_by, json_string(lenses[i]));
    json_object_set_new(plan, "shapes", shapes);
    json_object_set_new(plan, "units", units);
    json_object_set_new(plan, "lenses", timed_by);
    assert_int_equal(rundir_create(argv[1], plan, 0), 0);
    for (int i = 0; i < count; i++)
        make_unit(argv[1], rundir_unit_id(shape_of(i), "mine", id), shape_of(i), made.seed);
    store_run_finish(argv[1], plan, manifest);
    json_decref(plan);
    json_decref(manifest);
    return 0;
}
