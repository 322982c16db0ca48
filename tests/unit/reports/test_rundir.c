/* The run directory: what is written comes back, and no fault leaves half of anything. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/base/csv.h"
#include "bench/base/files.h"
#include "reports/run/rundir.h"
#include "tests/support/doubles.h"
#include "tests/support/says.h"

static char top[] = "/tmp/gemmgate-rundir-XXXXXX";
static char run[64];
static json_t *plan;

static int set_up(void **state) {
    (void)state;
    strcpy(top + strlen(top) - 6, "XXXXXX");
    if (!mkdtemp(top))
        return -1;
    snprintf(run, sizeof run, "%s/a/run", top);
    plan = json_pack("{s:i, s:[s,s], s:f, s:{s:s}}", "format", 1, "units", "u1", "u2", "qps",
                     1000.0, "set", "name", "x");
    return plan ? rundir_create(run, plan, 0) : -1;
}

static int tear_down(void **state) {
    (void)state;
    json_decref(plan);
    files_remove_tree(top);
    return 0;
}

static const char *in_run(const char *name) {
    static char path[PATH_MAX];
    assert_int_equal(files_join(path, run, name), 0);
    return path;
}

static void write_text(const char *name, const char *text) {
    FILE *file = fopen(in_run(name), "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static char *read_text(const char *name) {
    static char text[65536];
    FILE *file = fopen(in_run(name), "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    return text;
}

/* Writes the file again with the first `from` replaced. */
static void replace(const char *name, const char *from, const char *to) {
    char text[65536];
    strcpy(text, read_text(name));
    char *at = strstr(text, from);
    assert_non_null(at);
    FILE *file = fopen(in_run(name), "w");
    assert_non_null(file);
    fprintf(file, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    assert_int_equal(fclose(file), 0);
}

/* How many entries the folder has. */
static int entries(const char *name) {
    char command[PATH_MAX + 16];
    int count = -1;
    snprintf(command, sizeof command, "ls -A %s | wc -l", in_run(name));
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    assert_int_equal(fscanf(pipe, "%d", &count), 1);
    pclose(pipe);
    return count;
}

static struct check_row a_check(int64_t m) {
    return (struct check_row){.shape = {m, 2, 3},
                              .candidate = "cand",
                              .kernel = "cublas-nn",
                              .outcome = "inexact",
                              .detail = "C[0][1]: 4, \"exact\" 5\nsecond line",
                              .share_compared = 0.995,
                              .deviation = INFINITY,
                              .bound = NAN,
                              .paper_bound = 1e-3,
                              .coarse = 0.003,
                              .claimed = "f16",
                              .seen = "",
                              .padding_share = 0.016,
                              .setup_seconds = 1.25,
                              .first_call_seconds = 5e-6,
                              .variant = "algo 7, tile 128x64",
                              .source = "a b.cu",
                              .source_hash = "0123456789abcdef0123456789abcdef",
                              .note = "n"};
}

static struct rows some_rows(int64_t m) {
    struct rows rows = {0};
    struct check_row check = a_check(m);
    struct time_row time = {.shape = {m, 2, 3},
                            .candidate = "cand",
                            .kernel = "cand",
                            .mode = "offline",
                            .lens = "latency",
                            .cache = "rotate",
                            .samples = 16384,
                            .rounds = 1,
                            .mean = 1.23456789e-5,
                            .median = 1.2e-5,
                            .sd = NAN,
                            .p05 = 1e-5,
                            .p95 = 2e-5,
                            .tflops = 0.5,
                            .note = "every 2nd kept"};
    struct ratio_row ratio = {.shape = {m, 2, 3},
                              .candidate = "cand",
                              .baseline = "cublas-nn",
                              .mode = "server",
                              .lens = "call",
                              .cache = "warm",
                              .speedup = -0.125,
                              .reward = 0.5,
                              .ratio = 0.876543211,
                              .ci_low = 0.87,
                              .ci_high = 0.88,
                              .samples = 100,
                              .rounds = 2,
                              .lag1 = -0.25,
                              .effective_samples = 90,
                              .within_sd = 0.01,
                              .between_sd = NAN,
                              .round_sd = NAN,
                              .block_error = NAN,
                              .clock_step = NAN,
                              .freedom = NAN,
                              .verdict = "slower",
                              .note = ""};
    const struct round_row round = {.shape = {m, 2, 3},
                                    .candidate = "cand",
                                    .baseline = "cublas-nn",
                                    .mode = "server",
                                    .lens = "call",
                                    .round = 1,
                                    .ratio = 0.87,
                                    .speedup = NAN};
    struct control_row aa = {.shape = {m, 2, 3},
                             .candidate = "cand",
                             .control = "aa",
                             .baseline = "cublas-tn",
                             .mode = "server",
                             .lens = "call",
                             .planted = NAN,
                             .found = NAN,
                             .verdict = "off",
                             .note = "1 is not in it"};
    struct control_row delay = {.shape = {m, 2, 3},
                                .candidate = "cand",
                                .control = "delay",
                                .baseline = "cublas-nn",
                                .mode = "server",
                                .lens = "call",
                                .planted = 2e-6,
                                .found = 1.9e-6,
                                .verdict = "ok"};
    struct condition_row server = {.shape = {m, 2, 3},
                                   .candidate = "cand",
                                   .mode = "server",
                                   .device = "cuda:0",
                                   .steady = "unknown",
                                   .throttle = "power cap, thermal",
                                   .processes = NAN,
                                   .disturbed = 0.125,
                                   .note = "x"};
    struct condition_row offline = server;
    strcpy(offline.mode, "offline");
    strcpy(offline.throttle, "");
    assert_int_equal(rows_add_check(&rows, &check), 0);
    assert_int_equal(rows_add_time(&rows, &time), 0);
    assert_int_equal(rows_add_ratio(&rows, &ratio), 0);
    assert_int_equal(rows_add_round(&rows, &round), 0);
    assert_int_equal(rows_add_control(&rows, &aa), 0);
    assert_int_equal(rows_add_control(&rows, &delay), 0);
    assert_int_equal(rows_add_condition(&rows, &server), 0);
    assert_int_equal(rows_add_condition(&rows, &offline), 0);
    return rows;
}

static void write_unit(const char *id, int64_t m) {
    struct rows rows = some_rows(m);
    assert_int_equal(rundir_write_unit(run, id, &rows, NULL, 0), 0);
    rows_free(&rows);
}

static bool same(double a, double b) {
    return (isnan(a) && isnan(b)) || a == b;
}

static void assert_control(const struct control_row *got, const struct control_row *want) {
    assert_int_equal(shape_compare(got->shape, want->shape), 0);
    assert_string_equal(got->candidate, want->candidate);
    assert_string_equal(got->control, want->control);
    assert_string_equal(got->baseline, want->baseline);
    assert_string_equal(got->mode, want->mode);
    assert_string_equal(got->lens, want->lens);
    assert_true(same(got->planted, want->planted) && same(got->found, want->found));
    assert_string_equal(got->verdict, want->verdict);
    assert_string_equal(got->note, want->note);
}

static void assert_condition(const struct condition_row *got, const struct condition_row *want) {
    assert_int_equal(shape_compare(got->shape, want->shape), 0);
    assert_string_equal(got->candidate, want->candidate);
    assert_string_equal(got->mode, want->mode);
    assert_string_equal(got->device, want->device);
    assert_string_equal(got->steady, want->steady);
    assert_string_equal(got->throttle, want->throttle);
    assert_true(same(got->processes, want->processes) && same(got->disturbed, want->disturbed));
    assert_string_equal(got->note, want->note);
}

static void assert_rows(const struct rows *got, size_t at, int64_t m) {
    struct rows want = some_rows(m);
    assert_true(got->rounds[at].shape.m == m && same(got->rounds[at].round, 1) &&
                same(got->rounds[at].ratio, 0.87) && isnan(got->rounds[at].speedup));
    const struct check_row *c = &got->checks[at], *d = want.checks;
    const struct time_row *t = &got->times[at], *u = want.times;
    const struct ratio_row *r = &got->ratios[at], *s = want.ratios;
    assert_true(shape_compare(c->shape, d->shape) == 0 && shape_compare(t->shape, u->shape) == 0 &&
                shape_compare(r->shape, s->shape) == 0);
    assert_string_equal(c->candidate, d->candidate);
    assert_string_equal(c->kernel, d->kernel);
    assert_string_equal(c->outcome, d->outcome);
    assert_string_equal(c->detail, d->detail);
    assert_true(same(c->share_compared, d->share_compared) && same(c->deviation, d->deviation) &&
                same(c->bound, d->bound) && same(c->paper_bound, d->paper_bound) &&
                same(c->coarse, d->coarse));
    assert_string_equal(c->claimed, d->claimed);
    assert_string_equal(c->seen, d->seen);
    assert_true(same(c->padding_share, d->padding_share) &&
                same(c->setup_seconds, d->setup_seconds) &&
                same(c->first_call_seconds, d->first_call_seconds));
    assert_string_equal(c->variant, d->variant);
    assert_string_equal(c->source, d->source);
    assert_string_equal(c->source_hash, d->source_hash);
    assert_string_equal(c->note, d->note);
    assert_string_equal(t->kernel, u->kernel);
    assert_string_equal(t->mode, u->mode);
    assert_string_equal(t->lens, u->lens);
    assert_string_equal(t->cache, u->cache);
    assert_true(same(t->samples, u->samples) && same(t->rounds, u->rounds) &&
                same(t->mean, u->mean) && same(t->median, u->median) && same(t->sd, u->sd) &&
                same(t->p05, u->p05) && same(t->p95, u->p95) && same(t->tflops, u->tflops));
    assert_string_equal(t->note, u->note);
    assert_string_equal(r->baseline, s->baseline);
    assert_string_equal(r->mode, s->mode);
    assert_string_equal(r->lens, s->lens);
    assert_string_equal(r->cache, s->cache);
    assert_true(same(r->reward, s->reward) && same(r->speedup, s->speedup) &&
                same(r->ratio, s->ratio) && same(r->ci_low, s->ci_low) &&
                same(r->ci_high, s->ci_high) && same(r->samples, s->samples) &&
                same(r->rounds, s->rounds));
    assert_string_equal(r->verdict, s->verdict);
    for (size_t i = 0; i < 2; i++) {
        assert_control(&got->controls[2 * at + i], &want.controls[i]);
        assert_condition(&got->conditions[2 * at + i], &want.conditions[i]);
    }
    rows_free(&want);
}

/* Files that were written stay readable: neither names nor order of their columns change. */
static const char *const headers[ROWS_KINDS] = {
    "m,n,k,candidate,kernel,outcome,detail,share_compared,deviation,bound,paper_bound,"
    "coarse,reference,claimed,seen,"
    "padding_share,setup_seconds,first_call_seconds,variant,layout,code_length,bm,bn,bk,stages,"
    "swizzle,source,source_hash,device,note\n",
    "m,n,k,candidate,kernel,mode,lens,cache,samples,rounds,mean,median,sd,p05,p90,p95,p99,tflops,"
    "marked,host_seconds,upper_mode,sm_mhz,cycles,light_seconds,device,note\n",
    "m,n,k,candidate,baseline,mode,lens,cache,speedup,ratio,ci_low,ci_high,samples,rounds,lag1,"
    "effective_samples,within_sd,between_sd,round_sd,block_error,clock_step,freedom,reward,verdict,"
    "device,note\n",
    "m,n,k,candidate,baseline,mode,lens,round,ratio,speedup\n",
    "m,n,k,candidate,control,baseline,mode,lens,ratio,ci_low,ci_high,speedup,samples,rounds,"
    "planted,"
    "found,launch,round_sd,block_error,clock_step,error,freedom,verdict,device,note\n",
    "m,n,k,candidate,mode,device,blocks,start_seconds,reference_seconds,check_seconds,"
    "audit_seconds,warmup_seconds,wall_seconds,timed_seconds,call_seconds,device_seconds,"
    "stream_seconds,latency_seconds,steady,sm_mhz_min,sm_mhz_mean,sm_mhz_max,memory_mhz_mean,"
    "power_w_mean,power_w_max,temperature_c_max,throttle,processes,disturbed,note\n",
    "m,n,k,candidate,kernel,part,finding,number,level,text\n",
};

/* Units come back in plan order, from the units while unfinished and from the files once complete.
 */
static void test_round_trip(void **state) {
    struct rows rows = {0};
    json_t *done = json_pack("{s:b}", "complete", 1);
    (void)state;
    write_unit("u2", 20);
    assert_int_equal(rundir_has_unit(run, "u1"), 0);
    assert_int_equal(rundir_has_unit(run, "u2"), 1);
    assert_int_equal(rundir_read(run, &rows), 0);
    assert_int_equal(rows.check_count, 1);
    rows_free(&rows);
    assert_says(rundir_collect(run), -1, "/units/u1: is missing");
    write_unit("u1", 10);
    assert_int_equal(rundir_collect(run), 0);
    assert_int_equal(rundir_write_json(run, "manifest.json", done), 0);
    files_remove_tree(in_run("units"));
    assert_int_equal(rundir_read(run, &rows), 0);
    assert_true(rows.check_count == 2 && rows.time_count == 2 && rows.ratio_count == 2);
    assert_true(rows.control_count == 4 && rows.condition_count == 4);
    assert_rows(&rows, 0, 10);
    assert_rows(&rows, 1, 20);
    rows_free(&rows);
    json_decref(done);
    char head[512];
    snprintf(head, sizeof head,
             "%s10,2,3,cand,cublas-nn,server,call,warm,-0.125,0.876543211,0.87,0.88,100,2,-0.25,90,"
             "0.01,,,,,,0.5,slower,",
             headers[ROWS_RATIOS]);
    assert_memory_equal(read_text("ratios.csv"), head, strlen(head));
}

static const char *unit_file(const char *id, int kind) {
    static char path[64];
    snprintf(path, sizeof path, "units/%s/%s", id, rows_files[kind].name);
    return path;
}

static void test_headers(void **state) {
    (void)state;
    write_unit("u1", 10);
    for (int kind = 0; kind < ROWS_KINDS; kind++)
        assert_memory_equal(read_text(unit_file("u1", kind)), headers[kind], strlen(headers[kind]));
}

/* A row whose every member has a value of its own; numbers of which every second is missing. */
union any_row {
    struct shape shape;
    char bytes[8 * RUNDIR_TEXT];
};

static void fill(union any_row *row, const struct rows_file *file, size_t missing) {
    memset(row, 0, sizeof *row);
    assert_true(file->row_size <= sizeof *row);
    row->shape = (struct shape){10, 2, 3};
    for (size_t c = 3; c < file->column_count; c++) {
        const struct rows_column *column = &file->columns[c];
        const double number = c % 2 == missing && !column->key ? NAN : 1.5 + (double)c;
        char *at = row->bytes + column->offset;
        if (column->form != ROWS_TEXT)
            memcpy(at, &number, sizeof number);
        else if (column->words)
            strcpy(at, column->words[1]);
        else
            snprintf(at, column->size, "%zu %s", c, column->name);
    }
}

/* Every member is in the column of its name, and comes back. */
static void test_members(void **state) {
    (void)state;
    for (size_t missing = 0; missing < 2; missing++) {
        const char *id = missing ? "u2" : "u1";
        struct rows rows = {0}, back = {0};
        for (int kind = 0; kind < ROWS_KINDS; kind++) {
            union any_row row;
            fill(&row, &rows_files[kind], missing);
            assert_int_equal(rows_add(&rows, (enum rows_kind)kind, &row), 0);
        }
        assert_int_equal(rundir_write_unit(run, id, &rows, NULL, 0), 0);
        assert_int_equal(rundir_read_unit(run, id, &back), 0);
        for (int kind = 0; kind < ROWS_KINDS; kind++) {
            size_t count;
            const char *was = rows_of(&rows, (enum rows_kind)kind, &count);
            const char *is = rows_of(&back, (enum rows_kind)kind, &count);
            assert_int_equal(count, 1);
            assert_memory_equal(is, was, rows_files[kind].row_size);
            struct csv_table table;
            assert_int_equal(csv_table_read(in_run(unit_file(id, kind)), &table), 0);
            for (size_t c = 3; c < rows_files[kind].column_count; c++) {
                const struct rows_column *column = &rows_files[kind].columns[c];
                const char *text =
                    csv_table_text(&table, 0, csv_table_column(&table, column->name));
                double number;
                memcpy(&number, was + column->offset, sizeof number);
                if (column->form == ROWS_TEXT)
                    assert_string_equal(text, was + column->offset);
                else if (isnan(number))
                    assert_string_equal(text, "");
                else
                    assert_double_near(strtod(text, NULL), number, 0);
            }
            csv_table_free(&table);
        }
        rows_free(&rows);
        rows_free(&back);
    }
}

/* Only a deviation and its bounds may be infinite. */
static void test_infinite_numbers(void **state) {
    (void)state;
    for (int kind = 0; kind < ROWS_KINDS; kind++)
        for (size_t c = 3; c < rows_files[kind].column_count; c++) {
            const struct rows_column *column = &rows_files[kind].columns[c];
            const double infinite = c % 2 ? INFINITY : -INFINITY;
            struct rows rows = {0};
            union any_row row;
            char words[64];
            if (column->form != ROWS_NUMBER)
                continue;
            fill(&row, &rows_files[kind], 2);
            memcpy(row.bytes + column->offset, &infinite, sizeof infinite);
            assert_int_equal(rows_add(&rows, (enum rows_kind)kind, &row), 0);
            snprintf(words, sizeof words, "a row's %s is infinite", column->name);
            assert_says(rundir_write_unit(run, "u1", &rows, NULL, 0), -1, words);
            rows_free(&rows);
        }
    assert_int_equal(entries("units"), 0);
}

/* reports/run/README.md has the columns as reports/run/columns.h has them. */
static void test_documented(void **state) {
    static char page[65536], table[16384];
    FILE *file = fopen(SOURCE "/reports/run/README.md", "r");
    int lacking = 0;
    (void)state;
    assert_non_null(file);
    page[fread(page, 1, sizeof page - 1, file)] = 0;
    fclose(file);
    for (int kind = 0; kind < ROWS_KINDS; kind++) {
        FILE *out = fmemopen(table, sizeof table, "w");
        fprintf(out, "### %s\n\n| column | unit | meaning |\n| --- | --- | --- |\n",
                rows_files[kind].name);
        for (size_t c = 0; c < rows_files[kind].column_count; c++) {
            const struct rows_column *column = &rows_files[kind].columns[c];
            fprintf(out, "| `%s`%s | %s | %s", column->name, column->key ? " ●" : "", column->unit,
                    column->meaning);
            for (size_t w = 0; column->words && column->words[w]; w++)
                fprintf(out, "%s`%s`", w ? ", " : ": ",
                        *column->words[w] ? column->words[w] : "(empty)");
            fprintf(out, " |\n");
        }
        assert_int_equal(fclose(out), 0);
        if (!strstr(page, table)) {
            fprintf(stderr, "reports/run/README.md lacks\n%s\n", table);
            lacking++;
        }
    }
    assert_int_equal(lacking, 0);
}

static void test_many_rows(void **state) {
    struct rows rows = {0};
    (void)state;
    for (int64_t m = 1; m <= 1000; m++) {
        struct check_row row = a_check(m);
        assert_int_equal(rows_add_check(&rows, &row), 0);
    }
    assert_int_equal(rows.check_count, 1000);
    for (int64_t m = 1; m <= 1000; m++)
        assert_int_equal(rows.checks[m - 1].shape.m, m);
    rows_free(&rows);
    assert_null(rows.checks);
}

/* Two samples of a unit; free nothing but the rows. */
static float server_values[6] = {1e-6f, -2e-6f, 1, 4e-6f, NAN, 2}, offline_values[2] = {3, 4};
static const struct samples sampled[2] = {
    {.mode = "server",
     .lens = "call",
     .columns = {"cand", "cublas \"nn\"", "@round"},
     .column_count = 3,
     .blocks = 2,
     .values = server_values,
     .seen = 9,
     .every = 4,
     .calls = 10,
     .planted_seconds = 2.5e-6},
    {.mode = "offline",
     .lens = "device",
     .columns = {"cand"},
     .column_count = 1,
     .blocks = 2,
     .values = offline_values,
     .seen = 2,
     .every = 1,
     .calls = 1,
     .planted_seconds = NAN},
};

static int write_samples(const struct samples *samples, size_t count) {
    struct rows rows = some_rows(1);
    files_remove_tree(in_run("units/u1"));
    int status = rundir_write_unit(run, "u1", &rows, samples, count);
    rows_free(&rows);
    return status;
}

static void test_samples(void **state) {
    struct samples *back;
    float raw[7];
    size_t count;
    (void)state;
    assert_int_equal(write_samples(sampled, 2), 0);
    FILE *file = fopen(in_run("units/u1/server.call.f32"), "r");
    assert_non_null(file);
    assert_int_equal(fread(raw, sizeof *raw, 7, file), 6);
    fclose(file);
    assert_memory_equal(raw, server_values, sizeof server_values);
    assert_int_equal(rundir_read_samples(run, "u1", &back, &count), 0);
    assert_int_equal(count, 2);
    for (size_t i = 0; i < 2; i++) {
        const struct samples *got = &back[i], *want = &sampled[i];
        assert_string_equal(got->mode, want->mode);
        assert_string_equal(got->lens, want->lens);
        assert_int_equal(got->column_count, want->column_count);
        for (size_t c = 0; c < want->column_count; c++)
            assert_string_equal(got->columns[c], want->columns[c]);
        assert_int_equal(got->blocks, want->blocks);
        assert_int_equal(got->seen, want->seen);
        assert_int_equal(got->every, want->every);
        assert_int_equal(got->calls, want->calls);
        assert_true(same(got->planted_seconds, want->planted_seconds));
        assert_memory_equal(got->values, want->values,
                            want->blocks * want->column_count * sizeof *want->values);
    }
    samples_free(back, count);
    assert_non_null(strstr(read_text("units/u1/samples.json"), "\"planted_seconds\": null"));
}

static void test_no_samples(void **state) {
    struct samples *back = (struct samples *)sampled;
    size_t count = 1;
    (void)state;
    assert_int_equal(write_samples(NULL, 0), 0);
    assert_int_equal(access(in_run("units/u1/samples.json"), F_OK), -1);
    assert_int_equal(rundir_read_samples(run, "u1", &back, &count), 0);
    assert_true(count == 0 && back == NULL);
    assert_says(rundir_read_samples(run, "u2", &back, &count), -1, "units/u2: is missing");
    samples_free(back, count);
}

static void assert_samples_refused(const char *words) {
    struct samples *back = (struct samples *)sampled;
    size_t count = 1;
    assert_says(rundir_read_samples(run, "u1", &back, &count), -1, words);
    assert_true(count == 0 && back == NULL);
}

static void test_spoilt_values(void **state) {
    const char server[] = "units/u1/server.call.f32";
    char path[PATH_MAX];
    (void)state;
    snprintf(path, sizeof path, "%s", in_run(server));
    const off_t sizes[] = {0, 23, 12, 25, 36};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char words[64];
        assert_int_equal(write_samples(sampled, 2), 0);
        assert_int_equal(truncate(path, sizes[i]), 0);
        snprintf(words, sizeof words, "call.f32: holds %d bytes where samples.json says 2 blocks",
                 (int)sizes[i]);
        assert_samples_refused(words);
    }
    for (long byte = 0; byte < 24; byte++) {
        assert_int_equal(write_samples(sampled, 2), 0);
        FILE *file = fopen(path, "r+");
        assert_non_null(file);
        fseek(file, byte, SEEK_SET);
        int was = getc(file);
        fseek(file, byte, SEEK_SET);
        putc(was ^ 1, file);
        assert_int_equal(fclose(file), 0);
        assert_samples_refused("server.call.f32: was changed: its XXH128 is ");
    }
    assert_int_equal(unlink(path), 0);
    assert_samples_refused("server.call.f32: cannot read: No such file");
}

/* Reads the unit with the first `from` in samples.json replaced. */
static void assert_spoilt_index(const char *from, const char *to, const char *words) {
    assert_int_equal(write_samples(sampled, 2), 0);
    replace("units/u1/samples.json", from, to);
    assert_samples_refused(words);
}

static void test_spoilt_index(void **state) {
    char many[512] = "", longest[RUNDIR_NAME + 1] = "";
    (void)state;
    assert_spoilt_index("\"columns\"", "\"rows\"", "item not found: columns");
    assert_spoilt_index("\"blocks\"", "\"more\": 1, \"blocks\"", "unpacked: more");
    assert_spoilt_index("\"cand\"", "7", "columns[0] is no name");
    assert_spoilt_index("\"cand\"", "\"\"", "server.call: column 0 has no name");
    assert_spoilt_index("\"cand\"", "\"@round\"", "two columns are called '@round'");
    assert_spoilt_index("\"cand\",", "", "holds 24 bytes where samples.json says 2 blocks of 8");
    assert_spoilt_index("\"cand\"", "\"cand\", \"x\"", "says 2 blocks of 16");
    assert_spoilt_index("\"blocks\": 2", "\"blocks\": 3", "says 3 blocks of 12");
    assert_spoilt_index("\"blocks\": 2", "\"blocks\": -2", "a count below 0");
    assert_spoilt_index("\"blocks\": 2", "\"blocks\": 4611686018427387906",
                        "says 4611686018427387906 blocks");
    assert_spoilt_index("\"seen\": 9", "\"seen\": -9", "a count below 0");
    assert_spoilt_index("\"seen\": 9", "\"seen\": 9.5", "server.call: ");
    assert_spoilt_index("\"every\": 4", "\"every\": 0", "one of 0 blocks");
    assert_spoilt_index("\"calls\": 10", "\"calls\": 0", "no call a sample");
    assert_spoilt_index("null", "\"\"", "offline.device: planted_seconds is no number");
    assert_spoilt_index("\"xxh128\": \"", "\"xxh128\": \"0", "server.call.f32: was changed");
    assert_spoilt_index("server.call", "server", "'server' is no MODE.LENS");
    assert_spoilt_index("server.call", "offline.device", "samples.json:");
    assert_spoilt_index("server.call", "../../u1/server.call", "cannot name samples");
    assert_spoilt_index("{", "[{", "samples.json:");
    for (int i = 0; i <= SAMPLES_COLUMNS; i++)
        snprintf(many + strlen(many), sizeof many - strlen(many), "\"%d\",", i);
    assert_spoilt_index("\"cand\",", many, "server.call: columns is no array of at most 88 names");
    memset(longest, 'x', RUNDIR_NAME);
    assert_spoilt_index("@round", longest, "columns[2] is no name of at most 95 bytes");
    write_text("units/u1/samples.json", "[]");
    assert_samples_refused("samples.json: is no object");
}

static void assert_samples_unwritten(const struct samples *samples, size_t count,
                                     const char *words) {
    assert_says(write_samples(samples, count), -1, words);
    assert_int_equal(entries("units"), 0);
}

static void test_samples_refused(void **state) {
    float values[6] = {1, 2, 3, 4, -INFINITY, 6};
    const struct samples twice[2] = {sampled[0], sampled[0]};
    struct samples bad = sampled[0];
    (void)state;
    bad.values = values;
    assert_samples_unwritten(&bad, 1, "call.f32: block 1: 'cublas \"nn\"' cannot be -inf");
    static const struct {
        const char *column;
        float value;
    } impossible[] = {{"@round", NAN},
                      {"@round", -1},
                      {"@round", 0.5f},
                      {"@disturbed", NAN},
                      {"@disturbed", 0.5f}};
    for (size_t i = 0; i < sizeof impossible / sizeof *impossible; i++) {
        char words[64];
        memcpy(values, sampled[0].values, sizeof values);
        values[5] = impossible[i].value;
        strcpy(bad.columns[2], impossible[i].column);
        snprintf(words, sizeof words, "call.f32: block 1: '%s' cannot be ", impossible[i].column);
        assert_samples_unwritten(&bad, 1, words);
    }
    bad = sampled[0];
    bad.planted_seconds = INFINITY;
    assert_samples_unwritten(&bad, 1, "server.call: cannot be put into JSON");
    bad = sampled[0];
    bad.every = 0;
    assert_samples_unwritten(&bad, 1, "server.call: one of 0 blocks");
    bad = sampled[0];
    bad.column_count = 0;
    assert_samples_unwritten(&bad, 1, "0 columns of samples");
    bad.column_count = SAMPLES_COLUMNS + 1;
    assert_samples_unwritten(&bad, 1, "89 columns of samples");
    bad = sampled[0];
    strcpy(bad.columns[1], "cand");
    assert_samples_unwritten(&bad, 1, "two columns are called 'cand'");
    bad = sampled[0];
    strcpy(bad.mode, "a/b");
    assert_samples_unwritten(&bad, 1, "'a/b.call' cannot name samples");
    strcpy(bad.mode, "a.b");
    assert_samples_unwritten(&bad, 1, "'a.b.call' cannot name samples");
    strcpy(bad.mode, "");
    assert_samples_unwritten(&bad, 1, "'.call' cannot name samples");
    assert_samples_unwritten(twice, 2, "two samples are called server.call");
}

static int write_under_limit(rlim_t limit, const char *id, const struct rows *rows,
                             const struct samples *samples) {
    struct rlimit old, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    small = old;
    small.rlim_cur = limit;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    int status = rundir_write_unit(run, id, rows, samples, 1);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    return status;
}

/* A limit on file sizes stands in for a full disk: write fails in the same place, with EFBIG. */
static void test_full_disk(void **state) {
    static float seconds[100000];
    const struct samples samples = {.mode = "offline",
                                    .lens = "call",
                                    .columns = {"a", "b"},
                                    .column_count = 2,
                                    .blocks = 50000,
                                    .values = seconds,
                                    .seen = 50000,
                                    .every = 1,
                                    .calls = 1,
                                    .planted_seconds = NAN};
    struct rows rows = some_rows(20);
    (void)state;
    assert_true(signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
    write_unit("u1", 10);
    /* 100 stops in the first table, the others in the samples. */
    const rlim_t limits[] = {100, 1000, 4096, 65536, sizeof seconds - 1};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        assert_int_equal(write_under_limit(limits[i], "u2", &rows, &samples), -1);
        assert_int_equal(rundir_has_unit(run, "u2"), 0);
        assert_int_equal(entries("units"), 1);
    }
    assert_says(write_under_limit(4096, "u2", &rows, &samples), -1,
                "offline.call.f32: cannot write: File too large");
    rows_free(&rows);
    assert_int_equal(rundir_read(run, &rows), 0);
    assert_int_equal(rows.check_count, 1);
    assert_rows(&rows, 0, 10);
    assert_int_equal(write_under_limit(sizeof seconds, "u2", &rows, &samples), 0);
    rows_free(&rows);
}

static int json_under_limit(const json_t *json) {
    struct rlimit old, small;
    getrlimit(RLIMIT_FSIZE, &old);
    small = old;
    small.rlim_cur = 2000;
    setrlimit(RLIMIT_FSIZE, &small);
    int status = rundir_write_json(run, "manifest.json", json);
    setrlimit(RLIMIT_FSIZE, &old);
    return status;
}

static void test_full_disk_keeps_the_old_file(void **state) {
    char text[4000];
    (void)state;
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = 0;
    json_t *old = json_pack("{s:b}", "complete", 0), *new = json_pack("{s:s}", "long", text);
    assert_true(signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
    assert_int_equal(rundir_write_json(run, "manifest.json", old), 0);
    assert_says(json_under_limit(new), -1, "manifest.json: cannot write: File too large");
    json_t *back = rundir_read_json(run, "manifest.json");
    assert_true(json_equal(back, old));
    assert_int_equal(entries("."), 3); /* plan.json, manifest.json, units */
    json_decref(back);
    json_decref(old);
    json_decref(new);
}

/* What a kill -9 in the middle of a unit leaves behind. */
static void test_left_over_part(void **state) {
    struct rows rows = {0};
    (void)state;
    assert_int_equal(mkdir(in_run("units/.u1.part"), 0777), 0);
    write_text("units/.u1.part/checks.csv", "m,n,k,cand");
    write_text("units/.u1.part/old.f32.part", "junk");
    write_text("manifest.json.part", "{");
    assert_int_equal(rundir_has_unit(run, "u1"), 0);
    assert_int_equal(rundir_read(run, &rows), 0);
    assert_int_equal(rows.check_count, 0);
    write_unit("u1", 10);
    assert_int_equal(entries("units"), 1);
    assert_int_equal(entries("units/u1"), 7);
    assert_int_equal(rundir_read(run, &rows), 0);
    assert_int_equal(rows.check_count, 1);
    rows_free(&rows);
}

static void test_unit_refused(void **state) {
    struct rows rows = some_rows(10);
    (void)state;
    write_unit("u1", 10);
    assert_says(rundir_write_unit(run, "u1", &rows, NULL, 0), -1, "units/u1: cannot rename");
    assert_says(rundir_write_unit(run, "../u1", &rows, NULL, 0), -1, "'../u1' cannot name a unit");
    assert_says(rundir_write_unit(run, "a/b", &rows, NULL, 0), -1, "'a/b' cannot name a unit");
    rows.ratios[0].speedup = INFINITY;
    assert_says(rundir_write_unit(run, "u2", &rows, NULL, 0), -1, "speedup is infinite");
    assert_int_equal(entries("units"), 1);
    rows_free(&rows);
}

/* Writes the unit's file again with the first `from` replaced, and wants `words`. */
static void assert_spoilt(const char *name, const char *from, const char *to, const char *words) {
    struct rows rows = {0};
    files_remove_tree(in_run("units/u1"));
    write_unit("u1", 10);
    replace(name, from, to);
    assert_says(rundir_read(run, &rows), -1, words);
    assert_null(rows.checks);
}

static void test_spoilt_files(void **state) {
    const char ratios[] = "units/u1/ratios.csv", checks[] = "units/u1/checks.csv";
    (void)state;
    assert_spoilt(ratios, "speedup", "speedip", "units/u1/ratios.csv:1: no column 'speedup'");
    assert_spoilt(ratios, "-0.125", "nan", "ratios.csv:2: column speedup: 'nan' is no finite");
    assert_spoilt(ratios, "-0.125", "inf", "ratios.csv:2: column speedup: 'inf' is no finite");
    assert_spoilt(ratios, ",90,", ",inf,", "ratios.csv:2: column effective_samples: 'inf' is no");
    assert_spoilt(ratios, "slower", "slow", "ratios.csv:2: column verdict: 'slow' is no verdict");
    assert_spoilt(ratios, "slower", "ok", "ratios.csv:2: column verdict: 'ok' is no verdict");
    assert_spoilt(ratios, ",slower,,\n", "", "ratios.csv:2: 23 fields where the header has 26");
    assert_spoilt(ratios, ",slower,,\n", ",slower,,", "ratios.csv:2: the last line has no end");
    assert_spoilt(ratios, "note\n", "note,more\n", "ratios.csv:2: 26 fields");
    assert_spoilt(ratios, ",slower,,\n",
                  ",slower,,\n10,2,3,cand,cublas-nn,server,call,cold,,,,,,,,,,,,,,,,,,\n",
                  "ratios.csv:3: says again what line 2 says");
    assert_spoilt(ratios, "10,2,3", "0,2,3", "ratios.csv:2: column m: '0' is no size");
    assert_spoilt("units/u1/times.csv", "kept\n",
                  "kept\n10,2,3,cand,cand,offline,latency,cold,,,,,,,,,,,,,,,,,,\n",
                  "times.csv:3: says again what line 2 says");
    assert_spoilt("units/u1/times.csv", "rotate", "rotating", "cache: is longer than 7 bytes");
    assert_spoilt(checks, "inexact", "ok-ish", "checks.csv:3: column outcome: 'ok-ish' is no");
    assert_spoilt(checks, "f16", "bfloat16", "column claimed: is longer than 7 bytes");
    struct rows rows = {0};
    files_remove_tree(in_run("units/u1"));
    write_unit("u1", 10);
    char *head = read_text(ratios);
    strcpy(head + strcspn(head, "\n"), ",more\n");
    write_text(ratios, head);
    assert_says(rundir_read(run, &rows), -1,
                "ratios.csv:1: 27 columns where this version knows 26");
    assert_spoilt("plan.json", "{", "{,", "plan.json:1: ");
    assert_spoilt("plan.json", "\"u1\"", "7", "plan.json");
}

/* A control is named by shape, candidate, control, mode and lens; conditions by shape, candidate
 * and mode. */
static void test_spoilt_controls(void **state) {
    const char controls[] = "units/u1/controls.csv", conditions[] = "units/u1/conditions.csv";
    struct rows rows = {0};
    (void)state;
    assert_spoilt(controls, ",ok,,\n", ",fine,,\n", "controls.csv:3: column verdict: 'fine' is no");
    assert_spoilt(controls, ",ok,,\n", ",,,\n", "controls.csv:3: column verdict: '' is no");
    assert_spoilt(controls, ",ok,,\n", ",faster,,\n", "column verdict: 'faster' is no");
    assert_spoilt(controls, "delay", "dela", "controls.csv:3: column control: 'dela' is no");
    assert_spoilt(controls, "2e-06", "inf", "controls.csv:3: column planted: 'inf' is no finite");
    assert_spoilt(controls, "delay", "aa", "controls.csv:3: says again what line 2 says");
    assert_spoilt(conditions, "offline", "server", "conditions.csv:3: says again what line 2");
    assert_spoilt(conditions, "offline,cuda:0", "server,cuda:1", "says again what line 2");
    assert_spoilt(conditions, "0.125", "inf", "conditions.csv:2: column disturbed: 'inf' is no");
    const char *const others[][3] = {
        {controls, "10,2,3,cand,aa", "11,2,3,cand,delay"},
        {controls, "cand,aa", "other,delay"},
        {controls, "aa,cublas-tn,server", "delay,cublas-tn,offline"},
        {controls, "aa,cublas-tn,server,call", "delay,cublas-tn,server,device"},
        {conditions, "10,2,3,cand,server", "11,2,3,cand,offline"},
        {conditions, "cand,server", "other,offline"},
        {controls, ",ok,", ",missed,"},
        {"units/u1/ratios.csv", ",slower,", ",environment,"},
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        files_remove_tree(in_run("units/u1"));
        write_unit("u1", 10);
        replace(others[i][0], others[i][1], others[i][2]);
        assert_int_equal(rundir_read_unit(run, "u1", &rows), 0);
        rows_free(&rows);
    }
    assert_int_equal(unlink(in_run(controls)), 0);
    assert_says(rundir_read_unit(run, "u1", &rows), -1, "units/u1/controls.csv: ");
    assert_null(rows.checks);
    assert_says(rundir_read_unit(run, "../u1", &rows), -1, "'../u1' cannot name a unit");
}

/* CRLF and a byte order mark, as a spreadsheet leaves them, change nothing. */
static void test_crlf(void **state) {
    struct rows rows = {0};
    char text[65536];
    (void)state;
    write_unit("u1", 10);
    strcpy(text, read_text("units/u1/ratios.csv"));
    FILE *file = fopen(in_run("units/u1/ratios.csv"), "w");
    fputs("\xef\xbb\xbf", file);
    for (const char *p = text; *p; p++)
        fputs(*p == '\n' ? "\r\n" : (char[]){*p, 0}, file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(rundir_read(run, &rows), 0);
    assert_rows(&rows, 0, 10);
    rows_free(&rows);
}

static void test_create(void **state) {
    char other[PATH_MAX];
    (void)state;
    assert_says(rundir_create(run, plan, 0), -1, "exists; choose another name");
    assert_int_equal(rundir_create(run, plan, 1), 0);
    snprintf(other, sizeof other, "%s/empty/", top);
    assert_int_equal(mkdir(other, 0777), 0);
    assert_int_equal(rundir_create(other, plan, 0), 0);
    snprintf(other, sizeof other, "%s/foreign", top);
    assert_int_equal(mkdir(other, 0777), 0);
    snprintf(other, sizeof other, "%s/foreign/x", top);
    assert_int_equal(mkdir(other, 0777), 0);
    snprintf(other, sizeof other, "%s/foreign", top);
    assert_says(rundir_create(other, plan, 0), -1, "foreign exists");
    assert_says(rundir_create(other, plan, 1), -1, "plan.json: cannot read");
    assert_says(rundir_create(in_run("plan.json"), plan, 0), -1, "plan.json exists");
    struct rows rows = {0};
    assert_says(rundir_read(other, &rows), -1, "a run directory?");
    snprintf(run, sizeof run, "%s", top);
    assert_int_equal(entries("."), 3); /* a, empty, foreign: no temporary is left */
}

/* Resumes with one member of the plan changed. */
static void assert_other_plan(const char *key, json_t *value, const char *words) {
    json_t *other = json_deep_copy(plan);
    assert_int_equal(value ? json_object_set_new(other, key, value) : json_object_del(other, key),
                     0);
    assert_says(rundir_create(run, other, 1), -1, words);
    json_decref(other);
}

static void test_other_plan(void **state) {
    (void)state;
    assert_other_plan("qps", json_real(500), "qps was 1000.0 and is now 500.0");
    assert_other_plan("qps", NULL, "qps was 1000.0 and is now absent");
    assert_other_plan("new", json_true(), "new was absent and is now true");
    assert_other_plan("units", json_pack("[s,s]", "u1", "u3"),
                      "units[1] was \"u2\" and is now \"u3\"");
    assert_other_plan("units", json_pack("[s]", "u1"), "units[1] was \"u2\" and is now absent");
    assert_other_plan("set", json_pack("{s:s}", "name", "y"),
                      "set.name was \"x\" and is now \"y\"");
    assert_other_plan("format", json_integer(99),
                      "was begun in format 1 and this gemmgate measures in format 99: go on with "
                      "the gemmgate that began it");
}

/* The value is xxhsum's -H128 of {"a":[1,2.5],"b":"x"}. */
static void test_plan_hash(void **state) {
    char hex[33];
    (void)state;
    json_t *one = json_pack("{s:s, s:[i,f]}", "b", "x", "a", 1, 2.5);
    json_t *two = json_pack("{s:[i,f], s:s}", "a", 1, 2.5, "b", "x");
    assert_int_equal(rundir_plan_hash(one, hex), 0);
    assert_string_equal(hex, "5cc14261d18c41d6f2c01d027208f040");
    assert_int_equal(rundir_plan_hash(two, hex), 0);
    assert_string_equal(hex, "5cc14261d18c41d6f2c01d027208f040");
    json_decref(one);
    json_decref(two);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_round_trip, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_headers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_members, set_up, tear_down),
        cmocka_unit_test(test_documented),
        cmocka_unit_test_setup_teardown(test_infinite_numbers, set_up, tear_down),
        cmocka_unit_test(test_many_rows),
        cmocka_unit_test_setup_teardown(test_samples, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_no_samples, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_spoilt_values, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_spoilt_index, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_samples_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_full_disk, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_full_disk_keeps_the_old_file, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_left_over_part, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_unit_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_spoilt_files, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_spoilt_controls, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_crlf, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_create, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_other_plan, set_up, tear_down),
        cmocka_unit_test(test_plan_hash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
