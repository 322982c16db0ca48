/* For tests of the gate: run directories that are made up, and judging them. Include after
 * cmocka.h. */
#ifndef TESTS_SUPPORT_MADE_RUNS_H
#define TESTS_SUPPORT_MADE_RUNS_H

#include <math.h>

#include "reports/gate/gate.h"
#include "reports/gate/output.h"
#include "reports/query/query.h"
#include "reports/run/opened.h"
#include "tests/support/asserts.h"
#include "tests/support/says.h"
#include "tests/support/scratch.h"

enum { KERNELS = 3, BLOCKS = 8, COLUMNS = 8, VISITS_MOST = 24 };

/* What is special about one kernel; zero is honest, as fast as the one before it and 20 % faster
 * than the library. */
struct kernel {
    double slower;       /* than the one before */
    double spread;       /* of its visits, in ln; 0: 0.1 % */
    const char *outcome; /* NULL: ok; unrecorded: it has times by call alone */
    const char *before;  /* outcome of the one before, likewise */
    bool absent;         /* not in the run at all */
    bool alone;          /* there was none before */
    bool disturbed;
    bool untimed, untimed_before; /* it, or the one before, passes and has no times */
    bool marked;                  /* all its times by `device` are */
    const char *recording;        /* the result of its one try; NULL: there was none */
    const char *finding;          /* that the audits note */
    double visits; /* seconds that they took; what is done once took 6 s. 0: not known */
};

/* What is special about one run. */
struct made {
    struct kernel kernels[KERNELS];
    int visits; /* 0: 4 */
    const char *set, *hash, *gpu, *protocol;
    const char *label;   /* of the kernels; NULL: mine */
    const char *removed; /* in the plan */
    bool two_lenses;     /* call beside device */
    bool two_modes;      /* the seconds are of server beside offline */
    bool unbounded;      /* times by call are bounded by nothing */
    bool no_before;      /* the run was made without an earlier set */
    bool libraries_only;
    bool unfinished, controls_failed;
    const char *card; /* UUID of the GPU; NULL: the run does not say it */
    double library;   /* times the library takes of what it usually does; 0: 1 */
};

static const struct shape shapes[KERNELS] = {{64, 64, 64}, {128, 64, 32}, {256, 256, 64}};
static const char limits[] = "{\"rates\": {\"f16_flops\": 1e15, \"l2_bytes\": "
                             "5e12, \"dram_bytes\": 3e12, \"l2_size\": 5e7}}";

/* One a visit, with mean 0, and above 0 as often as below. */
static const double spread[] = {1,    -1,    0.5,  -0.5,  1.5, -1.5, 0.75, -0.75,
                                1.25, -1.25, 0.25, -0.25, 0.1, -0.1, 0.6,  -0.6};

static const char *text_or(const char *text, const char *usual) {
    return text ? text : usual;
}

static const char *label_of(const struct made *made) {
    return text_or(made->label, "mine");
}

static bool is_unrecorded(const char *outcome) {
    return outcome && strcmp(outcome, "unrecorded") == 0;
}

static struct samples some_samples(const struct made *made, const struct kernel *kernel,
                                   const char *lens) {
    static float both[2][VISITS_MOST * BLOCKS * COLUMNS];
    const bool by_call = strcmp(lens, "call") == 0;
    float *values = both[by_call];
    struct samples samples = {.mode = "offline",
                              .columns = {"cublas-nn", "cublas-tn", "", "aa:cublas-nn",
                                          SAMPLES_VISIT, SAMPLES_DISTURBED, RUNDIR_PREVIOUS},
                              .column_count = 7,
                              .blocks = (size_t)(made->visits ? made->visits : 4) * BLOCKS,
                              .values = values,
                              .calls = 1};
    const bool before = !made->no_before && !kernel->alone && !kernel->untimed_before &&
                        (!kernel->before || (by_call && is_unrecorded(kernel->before)));
    const double usual = kernel->spread > 0 ? kernel->spread : 0.001;
    const double library = made->library > 0 ? made->library : 1;
    samples.place = !by_call ? PLACE_STAGE : made->unbounded ? PLACE_UNBOUNDED : PLACE_OWN;
    snprintf(samples.lens, sizeof samples.lens, "%s", lens);
    strcpy(samples.columns[2], label_of(made));
    samples.column_count -= !before;
    for (size_t b = 0; b < samples.blocks; b++) {
        const size_t visit = b / BLOCKS;
        const double wave = 1 + 1e-3 * sin(1.7 * (double)b), new = 8e-6 * (1 + kernel->slower);
        const double row[] = {10e-6 * wave * library,
                              11e-6 * wave * library,
                              (kernel->marked && !by_call ? -1 : 1) *
                                  new *wave *exp(usual * spread[visit % 16]),
                              10e-6 * wave *library,
                              (double)visit,
                              kernel->disturbed &&b % 4 == 0,
                              8e-6 * wave};
        for (size_t c = 0; c < samples.column_count; c++)
            values[b * samples.column_count + c] = (float)row[c];
    }
    return samples;
}

/* What a process has timed that has not loaded that kernel. */
static struct samples without(const struct samples *all, const char *kernel, float *values) {
    struct samples own = *all;
    own.column_count = 0;
    own.values = values;
    for (size_t c = 0; c < all->column_count; c++)
        if (strcmp(all->columns[c], kernel) != 0)
            memcpy(own.columns[own.column_count++], all->columns[c], RUNDIR_NAME);
    for (size_t i = 0; i < all->blocks * all->column_count; i++)
        if (strcmp(all->columns[i % all->column_count], kernel) != 0)
            *values++ = all->values[i];
    return own;
}

/* By call each kernel has a process of its own. Returns how many samples there are. */
static size_t add_calls(const struct made *made, const struct kernel *kernel,
                        struct samples *samples) {
    static float own[2][VISITS_MOST * BLOCKS * COLUMNS];
    const struct samples all = some_samples(made, kernel, "call");
    samples[0] = without(&all, RUNDIR_PREVIOUS, own[0]);
    samples[1] = without(&all, label_of(made), own[1]);
    return samples_of_previous(&all) ? 2 : 1;
}

static void add_check(struct rows *rows, struct shape shape, const char *candidate,
                      const char *kernel, const char *outcome) {
    struct check_row row = {.shape = shape, .deviation = 0, .share_compared = 1};
    strcpy(row.candidate, candidate);
    strcpy(row.kernel, kernel);
    strcpy(row.outcome, outcome ? outcome : "ok");
    strcpy(row.detail, is_unrecorded(outcome) ? "it uses managed memory (cuMemAllocManaged)"
                       : outcome              ? "C[0][1] is 4"
                                              : "");
    strcpy(row.source, strcmp(kernel, candidate) == 0 ? "mine.cu" : "");
    rows_add_check(rows, &row);
}

static void add_recording(struct rows *rows, struct shape shape, const char *label,
                          const struct kernel *kernel) {
    struct recording_row row = {.shape = shape, .number = 1};
    strcpy(row.candidate, label);
    strcpy(row.kernel, label);
    strcpy(row.result, kernel->recording);
    rows_add_recording(rows, &row);
}

static void add_finding(struct rows *rows, struct shape shape, const char *label,
                        const char *finding) {
    for (int number = 1; number <= 2; number++) {
        struct audit_row row = {.shape = shape, .number = number};
        strcpy(row.candidate, label);
        strcpy(row.kernel, label);
        strcpy(row.part, "library");
        strcpy(row.finding, finding);
        strcpy(row.level, "fact");
        strcpy(row.text, "it starts some");
        rows_add_audit(rows, &row);
    }
}

static void add_seconds(struct rows *rows, struct shape shape, const char *label, const char *mode,
                        double visits) {
    struct condition_row row = {.shape = shape,
                                .start_seconds = 1,
                                .check_seconds = 2,
                                .audit_seconds = 3,
                                .warmup_seconds = 0.25 * visits,
                                .wall_seconds = 0.75 * visits};
    strcpy(row.candidate, label);
    strcpy(row.mode, mode);
    rows_add_condition(rows, &row);
}

static void make_unit(const char *run, const char *id, struct shape shape, const struct made *made,
                      const struct kernel *kernel) {
    struct samples samples[3];
    struct rundir_unit unit = {.samples = samples};
    const char *label = label_of(made);
    add_check(&unit.rows, shape, made->libraries_only ? "" : label, "cublas-nn", NULL);
    if (!made->no_before && !kernel->alone && !made->libraries_only)
        add_check(&unit.rows, shape, label, RUNDIR_PREVIOUS, kernel->before);
    if (!made->libraries_only)
        add_check(&unit.rows, shape, label, label, kernel->outcome);
    if ((!kernel->outcome || is_unrecorded(kernel->outcome)) && !kernel->untimed &&
        !made->libraries_only) {
        if (!kernel->outcome)
            samples[unit.sample_count++] = some_samples(made, kernel, "device");
        if (made->two_lenses)
            unit.sample_count += add_calls(made, kernel, &samples[unit.sample_count]);
        if (kernel->recording)
            add_recording(&unit.rows, shape, label, kernel);
        if (kernel->visits > 0)
            add_seconds(&unit.rows, shape, label, "offline", kernel->visits);
        if (made->two_modes)
            add_seconds(&unit.rows, shape, label, "server", kernel->visits);
        if (kernel->finding)
            add_finding(&unit.rows, shape, label, kernel->finding);
    }
    assert_int_equal(rundir_write_unit(run, id, &unit), 0);
    rows_free(&unit.rows);
}

static json_t *make_plan(const struct made *made) {
    json_t *plan = json_pack(
        "{s:s, s:s, s:s, s:s, s:f, s:f, s:f, s:[], s:[], s:[], s:[{s:s, s:s}], s:[s], s:[s]}",
        "device", "cuda:0", "set", text_or(made->set, "kernels"), "protocol",
        text_or(made->protocol, "fast"), "cache", "warm", "alpha", 1.0, "beta", 0.0, "launch_us",
        10.0, "shapes", "units", "removed", "candidates", "label", label_of(made), "hash",
        text_or(made->hash, "abc"), "modes", "offline", "lenses", "device");
    assert_non_null(plan);
    if (made->two_lenses)
        json_array_append_new(json_object_get(plan, "lenses"), json_string("call"));
    if (made->removed)
        json_array_append_new(json_object_get(plan, "removed"), json_string(made->removed));
    json_object_set_new(plan, "visits", json_integer(made->visits ? made->visits : 4));
    json_object_set_new(plan, "previous",
                        made->no_before ? json_null() : json_pack("{s:s}", "set", "before"));
    return plan;
}

static void make(const char *name, const struct made *made) {
    char run[512], id[RUNDIR_UNIT], shape[SHAPE_TEXT];
    json_t *plan = make_plan(made);
    json_t *manifest = json_pack("{s:{s:s}, s:s, s:{s:s, s:s}, s:s, s:s, s:{s:s}, s:b}", "gpu",
                                 "name", text_or(made->gpu, "H200"), "driver", "580", "controls",
                                 "verdict", made->controls_failed ? "failed" : "passed", "why",
                                 made->controls_failed ? "deaf" : "", "start",
                                 "2026-01-01T00:00:00Z", "end", "2026-01-01T01:00:00Z", "gemmgate",
                                 "git_commit", "0123456789", "complete", !made->unfinished);
    assert_non_null(manifest);
    json_object_set_new(manifest, "limits", json_loads(limits, 0, NULL));
    if (made->card)
        json_object_set_new(manifest, "devices", json_pack("[{s:s}]", "uuid", made->card));
    snprintf(run, sizeof run, "%s", scratch_path(name));
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < KERNELS; i++) {
            shape_format(shapes[i], shape);
            rundir_unit_id(shapes[i], made->libraries_only ? "" : label_of(made), id);
            if (made->kernels[i].absent)
                continue;
            if (pass == 0) {
                json_array_append_new(json_object_get(plan, "shapes"), json_string(shape));
                json_array_append_new(json_object_get(plan, "units"), json_string(id));
            } else {
                make_unit(run, id, shapes[i], made, &made->kernels[i]);
            }
        }
        if (pass == 0)
            assert_int_equal(rundir_create(run, plan, 0), 0);
    }
    struct rundir whole = {.folder = run, .plan = plan, .manifest = manifest};
    assert_int_equal(rundir_collect(&whole), 0);
    rows_free(&whole.rows);
    assert_int_equal(digests_write_manifest(run, plan, manifest), 0);
    json_decref(plan);
    json_decref(manifest);
}

static struct gate_policy policy;
static struct gate gate;
static char run_path[512], against_path[512];

static int set_up(void **state) {
    gate_policy_default(&policy);
    return scratch_make(state);
}

static int tear_down(void **state) {
    gate_policy_free(&policy);
    gate_free(&gate);
    return scratch_remove(state);
}

static struct gate_call a_call(const char *against) {
    snprintf(run_path, sizeof run_path, "%s", scratch_path("run"));
    if (against)
        snprintf(against_path, sizeof against_path, "%s", scratch_path(against));
    return (struct gate_call){
        .run = run_path, .against = against ? against_path : NULL, .policy = &policy};
}

/* A gate in the place of the last. */
static const char *judge_as(const struct gate_call *call) {
    gate_free(&gate);
    gate_judge(call, &gate);
    assert_true(gate.verdict == GATE_ERROR || gate.units > 0);
    return gate_verdict_word(gate.verdict);
}

static const char *judge(const char *against, bool release) {
    struct gate_call call = a_call(against);
    call.for_release = release;
    return judge_as(&call);
}

/* Of a run by another name than "run". */
__attribute__((unused)) static const char *judge_run(const char *name) {
    struct gate_call call = a_call(NULL);
    call.run = scratch_path(name);
    return judge_as(&call);
}

static size_t row_count(void) {
    return (size_t)query_one(gate.db, "SELECT count(*) FROM gate_rows");
}

/* An error that is also on stderr. */
__attribute__((unused)) static void assert_refused(const char *words) {
    stderr_catch();
    const char *verdict = judge(NULL, false);
    stderr_says("gemmgate: ");
    assert_string_equal(verdict, "error");
    if (!strstr(gate.reason, words))
        fail_msg("the reason lacks \"%s\": %s", words, gate.reason);
    assert_int_equal(row_count(), 0);
    assert_string_equal(gate.call.run, run_path);
}

/* The answer to a query of the gate with that text. */
__attribute__((unused)) static const char *answered(const char *sql, const char *asked) {
    static char text[2 * RUNDIR_TEXT];
    sqlite3_stmt *answer = query_ask(gate.db, sql, asked, NULL);
    assert_true(query_next(answer));
    snprintf(text, sizeof text, "%s", query_text(answer, "text"));
    sqlite3_finalize(answer);
    return text;
}

/* What the gate's outputs say of it by that name. */
__attribute__((unused)) static const char *fact(const char *key) {
    output_tell(&gate, "", 0, false);
    return answered("SELECT text FROM facts WHERE key = ?1", key);
}

/* How many warnings have the words. */
__attribute__((unused)) static size_t warnings_with(const char *words) {
    return strtoul(answered("SELECT count(*) AS text FROM warnings WHERE instr(text, ?1)", words),
                   NULL, 10);
}

__attribute__((unused)) static void assert_reason(const char *words) {
    if (!strstr(gate.reason, words))
        fail_msg("the reason lacks \"%s\": %s", words, gate.reason);
}

__attribute__((unused)) static void assert_warning(const char *words) {
    if (warnings_with(words) == 0)
        fail_msg("no warning has \"%s\": %s", words,
                 answered("SELECT group_concat(text, ?1) AS text FROM warnings", "; "));
}

/* A row of the gate as its outputs have it. */
struct gate_row {
    struct shape shape;
    char candidate[RUNDIR_NAME], source[RUNDIR_TEXT], mode[RUNDIR_NAME], lens[RUNDIR_NAME];
    char reference[RUNDIR_NAME], size_class[RUNDIR_NAME], status[RUNDIR_NAME], text[RUNDIR_TEXT];
    double ratio, ci_low, ci_high, seconds, reference_seconds, margin, p, visits;
    double device_ratio, call_ratio, wall_seconds;
    bool confirmed, unrecorded;
};

/* The first that the condition holds for. */
static const struct gate_row *row_where(const char *condition) {
    static struct gate_row rows[16];
    static size_t next;
    struct gate_row *row = &rows[next++ % 16];
    char sql[256];
    snprintf(sql, sizeof sql, "SELECT * FROM shown_rows WHERE %s ORDER BY place", condition);
    sqlite3_stmt *found = query_ask(gate.db, sql, NULL);
    if (!query_next(found))
        fail_msg("no row: %s", condition);
    row->shape = (struct shape){(int64_t)query_count(found, "m"), (int64_t)query_count(found, "n"),
                                (int64_t)query_count(found, "k")};
#define TEXT(member, column)                                                                       \
    snprintf(row->member, sizeof row->member, "%s", query_text(found, column));
    TEXT(candidate, "candidate")
    TEXT(source, "source")
    TEXT(mode, "mode")
    TEXT(lens, "lens")
    TEXT(reference, "reference")
    TEXT(size_class, "class")
    TEXT(status, "status")
    TEXT(text, "text")
#undef TEXT
#define NUMBER(member) row->member = query_number(found, #member);
    NUMBER(ratio)
    NUMBER(ci_low)
    NUMBER(ci_high)
    NUMBER(seconds)
    NUMBER(reference_seconds)
    NUMBER(margin)
    NUMBER(p)
    NUMBER(visits)
    NUMBER(device_ratio)
    NUMBER(call_ratio)
    NUMBER(wall_seconds)
    NUMBER(confirmed)
    NUMBER(unrecorded)
#undef NUMBER
    sqlite3_finalize(found);
    return row;
}

/* The row of that place; the first row of the kernel. */
__attribute__((unused)) static const struct gate_row *row_at(int place) {
    char condition[64];
    snprintf(condition, sizeof condition, "place = %d", place + 1);
    return row_where(condition);
}

static const struct gate_row *row_of(int kernel) {
    char condition[64], shape[SHAPE_TEXT];
    snprintf(condition, sizeof condition, "shape = '%s'", shape_format(shapes[kernel], shape));
    return row_where(condition);
}

__attribute__((unused)) static const char *status_of(int kernel) {
    return row_of(kernel)->status;
}

/* How many rows have the status. */
__attribute__((unused)) static size_t count_of(const char *status) {
    sqlite3_stmt *found = query_ask(
        gate.db, "SELECT count(*) AS count FROM gate_rows WHERE status = ?1", status, NULL);
    query_next(found);
    const size_t count = query_count(found, "count");
    sqlite3_finalize(found);
    return count;
}

/* A column of the gate's summary line of that number. */
static sqlite3_stmt *line_of(size_t number) {
    sqlite3_stmt *line = query_ask(gate.db, "SELECT * FROM lines ORDER BY rowid", NULL);
    for (size_t i = 0; i <= number; i++)
        assert_true(query_next(line));
    return line;
}

__attribute__((unused)) static double of_line(size_t number, const char *column) {
    sqlite3_stmt *line = line_of(number);
    const double value = query_number(line, column);
    sqlite3_finalize(line);
    return value;
}

__attribute__((unused)) static const char *text_of_line(size_t number, const char *column) {
    static char text[RUNDIR_NAME];
    sqlite3_stmt *line = line_of(number);
    snprintf(text, sizeof text, "%s", query_text(line, column));
    sqlite3_finalize(line);
    return text;
}

/* Far beyond the margin, and near it. */
static const struct made one_slow = {.kernels = {{0}, {.slower = 0.05}, {0}}};
static const struct made one_near = {.kernels = {{0}, {.slower = 0.025}, {0}}};

__attribute__((unused)) static struct made confirming(double slower) {
    return (struct made){.kernels = {{.absent = true}, {.slower = slower}, {.absent = true}},
                         .visits = 22};
}

__attribute__((unused)) static void add_must(const char *baseline) {
    strcpy(policy.must[policy.must_count++].baseline, baseline);
}

#endif
