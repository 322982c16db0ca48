/* The run directory: what is written comes back, and no fault leaves half of anything. */

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bench/base/csv.h"
#include "bench/base/files.h"
#include "reports/run/rundir.h"
#include "tests/support/doubles.h"
#include "tests/support/read_run.h"
#include "tests/support/says.h"
#include "tests/support/test.h"
#include "tests/support/unit_rows.h"

/* Files that were written stay readable: neither names nor order of their columns change. */
static const char *const headers[ROWS_KINDS] = {
    "m,n,k,candidate,kernel,outcome,detail,share_compared,deviation,bound,paper_bound,"
    "coarse,reference,claimed,seen,"
    "padding_share,setup_seconds,first_call_seconds,variant,work,layout,code_length,bm,bn,bk,"
    "stages,"
    "swizzle,source,source_hash,device,note\n",
    "m,n,k,candidate,kernel,mode,lens,cache,place,samples,visits,mean,median,sd,p05,p90,p95,p99,"
    "tflops,marked,host_seconds,joules,joules_sd,joules_rows,sm_mhz,cycles,light_seconds,device,"
    "note\n",
    "m,n,k,candidate,baseline,mode,lens,cache,place,speedup,ratio,ci_low,ci_high,samples,visits,"
    "visit_sd,block_error,clock_step,variance,freedom,seconds,"
    "baseline_seconds,plain_ratio,launch_seconds,launch_slope,disturbed,timed_visits,left_out,"
    "reward,verdict,device,note\n",
    "m,n,k,candidate,baseline,mode,lens,visit,ratio,left_out\n",
    "m,n,k,candidate,control,baseline,mode,lens,ratio,ci_low,ci_high,speedup,samples,visits,"
    "planted,"
    "found,launch,visit_sd,block_error,clock_step,error,freedom,verdict,device,note\n",
    "m,n,k,candidate,mode,device,blocks,start_seconds,reference_seconds,check_seconds,"
    "audit_seconds,warmup_seconds,wall_seconds,timed_seconds,call_seconds,device_seconds,"
    "stream_seconds,steady,sm_mhz_min,sm_mhz_mean,sm_mhz_max,memory_mhz_mean,"
    "power_w_mean,power_w_max,temperature_c_max,throttle,processes,disturbed,note\n",
    "m,n,k,candidate,kernel,part,finding,number,level,text\n",
    "m,n,k,candidate,kernel,number,result,why,calls,same_calls,kernels,"
    "own_kernels,seconds,note\n",
};

/* Units come back in plan order, from the units while unfinished and from the files once complete.
 */
TEST_WITH(test_round_trip, set_up, tear_down) {
    struct rundir whole = {.folder = run, .plan = plan};
    struct rows rows = {0};
    json_t *done = json_pack("{s:b}", "complete", 1);
    write_unit(U2, 20);
    assert_int_equal(rundir_has_unit(run, U1), 0);
    assert_int_equal(rundir_has_unit(run, U2), 1);
    assert_int_equal(read_rows(run, &rows), 0);
    assert_int_equal(rows.check_count, 1);
    rows_free(&rows);
    assert_says(rundir_collect(&whole), -1, "/units/" U1 ": is missing");
    write_unit(U1, 10);
    assert_int_equal(rundir_collect(&whole), 0);
    rows_free(&whole.rows);
    assert_int_equal(jsonfile_write(run, "manifest.json", done), 0);
    files_remove_tree(in_run("units"));
    assert_int_equal(read_rows(run, &rows), 0);
    assert_true(rows.check_count == 2 && rows.condition_count == 4 && rows.time_count == 0);
    assert_rows(&rows, 0, 10, ROWS_CSV_UNIT);
    assert_rows(&rows, 1, 20, ROWS_CSV_UNIT);
    rows_free(&rows);
    json_decref(done);
}

/* Two units that were swapped. */
TEST_WITH(test_another_unit, set_up, tear_down) {
    struct rows rows;
    write_unit(U1, 20);
    assert_says(read_rows(run, &rows), -1, "units/" U1 ": holds the unit " U2);
}

/* The rows of some_rows(10) as the files of a run. */
static void write_rows(void) {
    struct rows rows = some_rows(10);
    assert_int_equal(rows_csv_write(run, ROWS_CSV_RUN, &rows), 0);
    rows_free(&rows);
}

TEST_WITH(test_headers, set_up, tear_down) {
    static const char row[] =
        "10,2,3,cand,cublas-nn,server,call,warm,unbounded,-0.125,0.876543211,0.87,0.88,100,2,,"
        ",,,,,,,,,,12,3,0.5,slower,";
    write_rows();
    for (int kind = 0; kind < ROWS_KINDS; kind++)
        assert_memory_equal(scratch_read(in_run(rows_files[kind].name)), headers[kind],
                            strlen(headers[kind]));
    assert_memory_equal(scratch_read(in_run("ratios.csv")) + strlen(headers[ROWS_RATIOS]), row,
                        strlen(row));
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
        char *at = row->bytes + column->offset, text[64];
        snprintf(text, column->room < 64 ? column->room : 64, "%zu %s", c, column->name);
        const char *kept = column->words ? column->words[1] : kept_text(text);
        if (column->form != ROWS_TEXT)
            memcpy(at, &number, sizeof number);
        else if (column->kept)
            memcpy(at, &kept, sizeof kept);
        else
            strcpy(at, kept);
    }
}

/* Every member is in the column of its name, and comes back. */
TEST_WITH(test_members, set_up, tear_down) {
    for (size_t missing = 0; missing < 2; missing++) {
        struct rows rows = {0}, back = {0};
        for (int kind = 0; kind < ROWS_KINDS; kind++) {
            union any_row row;
            fill(&row, &rows_files[kind], missing);
            rows_add(&rows, (enum rows_kind)kind, &row);
        }
        assert_int_equal(rows_csv_write(run, ROWS_CSV_RUN, &rows), 0);
        assert_int_equal(rows_csv_read(run, ROWS_CSV_RUN, &back), 0);
        for (int kind = 0; kind < ROWS_KINDS; kind++) {
            size_t count;
            const char *was = rows_of(&rows, (enum rows_kind)kind, &count);
            const char *is = rows_of(&back, (enum rows_kind)kind, &count);
            assert_int_equal(count, 1);
            assert_memory_equal(is, was, rows_files[kind].row_size);
            struct csv_table table;
            assert_int_equal(csv_table_read(in_run(rows_files[kind].name), &table), 0);
            for (size_t c = 3; c < rows_files[kind].column_count; c++) {
                const struct rows_column *column = &rows_files[kind].columns[c];
                const char *text =
                    csv_table_text(&table, 0, csv_table_column(&table, column->name));
                if (column->form == ROWS_TEXT)
                    assert_string_equal(text, rows_text(column, was));
                else
                    assert_same(*text ? strtod(text, NULL) : NAN, rows_number(column, was));
            }
            csv_table_free(&table);
        }
        rows_free(&rows);
        rows_free(&back);
    }
}

/* Only a deviation and its bounds may be infinite. */
TEST_WITH(test_infinite_numbers, set_up, tear_down) {
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
            rows_add(&rows, (enum rows_kind)kind, &row);
            snprintf(words, sizeof words, "a row's %s is infinite", column->name);
            assert_says(rows_csv_write(run, ROWS_CSV_RUN, &rows), -1, words);
            rows_free(&rows);
        }
}

TEST(test_many_rows) {
    struct rows rows = {0};
    for (int64_t m = 1; m <= 1000; m++) {
        struct check_row row = a_check(m);
        rows_add_check(&rows, &row);
    }
    assert_int_equal(rows.check_count, 1000);
    for (int64_t m = 1; m <= 1000; m++)
        assert_int_equal(rows.checks[m - 1].shape.m, m);
    rows_free(&rows);
    assert_null(rows.checks);
}

TEST_WITH(test_create, set_up, tear_down) {
    char other[PATH_MAX];
    assert_says(rundir_create(run, plan, 0), -1, "exists; choose another name");
    assert_int_equal(rundir_create(run, plan, 1), 0);
    snprintf(other, sizeof other, "%s/empty/", scratch);
    assert_int_equal(mkdir(other, 0777), 0);
    assert_int_equal(rundir_create(other, plan, 0), 0);
    snprintf(other, sizeof other, "%s/foreign", scratch);
    assert_int_equal(mkdir(other, 0777), 0);
    snprintf(other, sizeof other, "%s/foreign/x", scratch);
    assert_int_equal(mkdir(other, 0777), 0);
    snprintf(other, sizeof other, "%s/foreign", scratch);
    assert_says(rundir_create(other, plan, 0), -1, "foreign exists");
    assert_says(rundir_create(other, plan, 1), -1, "plan.json: cannot read");
    assert_says(rundir_create(in_run("plan.json"), plan, 0), -1, "plan.json exists");
    struct rows rows = {0};
    assert_says(read_rows(other, &rows), -1, "a run directory?");
    snprintf(run, sizeof run, "%s", scratch);
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

TEST_WITH(test_other_plan, set_up, tear_down) {
    assert_other_plan("qps", json_real(500), "qps was 1000.0 and is now 500.0");
    assert_other_plan("qps", NULL, "qps was 1000.0 and is now absent");
    assert_other_plan("new", json_true(), "new was absent and is now true");
    assert_other_plan("units", json_pack("[s,s]", U1, "u3"),
                      "units[1] was \"" U2 "\" and is now \"u3\"");
    assert_other_plan("units", json_pack("[s]", U1), "units[1] was \"" U2 "\" and is now absent");
    assert_other_plan("set", json_pack("{s:s}", "name", "y"),
                      "set.name was \"x\" and is now \"y\"");
    assert_other_plan("format", json_integer(99),
                      "was begun in format 20 and this gemmgate measures in format 99: go on with "
                      "the gemmgate that began it");
}

/* The value is xxhsum's -H128 of {"a":[1,2.5],"b":"x"}. */
TEST(test_plan_hash) {
    char hex[33];
    json_t *one = json_pack("{s:s, s:[i,f]}", "b", "x", "a", 1, 2.5);
    json_t *two = json_pack("{s:[i,f], s:s}", "a", 1, 2.5, "b", "x");
    assert_int_equal(rundir_plan_hash(one, hex), 0);
    assert_string_equal(hex, "5cc14261d18c41d6f2c01d027208f040");
    assert_int_equal(rundir_plan_hash(two, hex), 0);
    assert_string_equal(hex, "5cc14261d18c41d6f2c01d027208f040");
    json_decref(one);
    json_decref(two);
}

TEST(rows_keep_the_texts_that_they_are_added_with) {
    struct rows rows = {0};
    char text[] = "call";
    const struct time_row row = {.lens = text};
    rows_add_time(&rows, &row);
    strcpy(text, "wait");
    rows_add_time(&rows, &row);
    for (int i = 0; i < 1000; i++) {
        char note[16];
        snprintf(note, sizeof note, "note %d", i);
        rows_add_time(&rows, &(struct time_row){.lens = "call", .note = note});
    }
    assert_string_equal(rows.times[0].lens, "call");
    assert_string_equal(rows.times[1].lens, "wait");
    assert_string_equal(rows.times[1].note, "");
    assert_string_equal(rows.times[2].note, "note 0");
    assert_string_equal(rows.times[1001].note, "note 999");
    assert_ptr_equal(rows.times[1001].lens, rows.times[0].lens);
    rows_free(&rows);
}
