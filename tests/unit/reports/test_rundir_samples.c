/* Samples of a unit: they come back, and spoilt ones are refused. */

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bench/base/files.h"
#include "reports/run/rundir.h"
#include "tests/support/says.h"
#include "tests/support/test.h"
#include "tests/support/unit_rows.h"

/* Two samples of a unit; free nothing but the rows. */
static float server_values[6] = {1e-6f, -2e-6f, 1, 4e-6f, NAN, 2}, offline_values[2] = {3, 4};
static const struct samples sampled[2] = {
    {.mode = "server",
     .lens = "call",
     .place = PLACE_STAGE,
     .columns = {"cand", "cublas \"nn\"", "@visit"},
     .column_count = 3,
     .blocks = 2,
     .values = server_values,
     .calls = 10,
     .planted_seconds = 2.5e-6},
    {.mode = "offline",
     .lens = "device",
     .place = PLACE_UNBOUNDED,
     .columns = {"cand"},
     .column_count = 1,
     .blocks = 2,
     .values = offline_values,
     .calls = 1,
     .planted_seconds = NAN},
};

static int write_samples(const struct samples *samples, size_t count) {
    struct rundir_unit unit = {
        .rows = some_rows(1), .samples = (struct samples *)samples, .sample_count = count};
    files_remove_tree(in_run("units/" U1));
    int status = rundir_write_unit(run, U1, &unit);
    rows_free(&unit.rows);
    return status;
}

TEST_WITH(test_samples, set_up, tear_down) {
    struct rundir_unit back;
    float raw[7];
    assert_int_equal(write_samples(sampled, 2), 0);
    FILE *file = fopen(in_run("units/" U1 "/server.call.f32"), "r");
    assert_non_null(file);
    assert_int_equal(fread(raw, sizeof *raw, 7, file), 6);
    fclose(file);
    assert_memory_equal(raw, server_values, sizeof server_values);
    assert_int_equal(rundir_read_unit(run, U1, &back), RUNDIR_WHOLE);
    assert_int_equal(back.sample_count, 2);
    for (size_t i = 0; i < 2; i++) {
        const struct samples *got = &back.samples[i], *want = &sampled[i];
        assert_string_equal(got->mode, want->mode);
        assert_string_equal(got->lens, want->lens);
        assert_int_equal(got->place, want->place);
        assert_int_equal(got->column_count, want->column_count);
        for (size_t c = 0; c < want->column_count; c++)
            assert_string_equal(got->columns[c], want->columns[c]);
        assert_int_equal(got->blocks, want->blocks);
        assert_int_equal(got->calls, want->calls);
        assert_same(got->planted_seconds, want->planted_seconds);
        assert_memory_equal(got->values, want->values,
                            want->blocks * want->column_count * sizeof *want->values);
    }
    rundir_free_unit(&back);
    assert_non_null(
        strstr(scratch_read(in_run("units/" U1 "/samples.json")), "\"planted_seconds\": null"));
}

TEST_WITH(test_no_samples, set_up, tear_down) {
    struct rundir_unit back;
    assert_int_equal(write_samples(NULL, 0), 0);
    assert_int_equal(access(in_run("units/" U1 "/samples.json"), F_OK), -1);
    assert_int_equal(rundir_read_unit(run, U1, &back), RUNDIR_WHOLE);
    assert_true(back.sample_count == 0 && back.samples == NULL);
    rundir_free_unit(&back);
    assert_int_equal(rundir_read_unit(run, U2, &back), RUNDIR_ABSENT);
}

static void assert_samples_refused(const char *words) {
    struct rundir_unit back;
    assert_says(rundir_read_unit(run, U1, &back), -1, words);
    assert_true(back.sample_count == 0 && back.samples == NULL);
    rundir_free_unit(&back);
}

TEST_WITH(test_spoilt_values, set_up, tear_down) {
    const char server[] = "units/" U1 "/server.call.f32";
    char path[PATH_MAX];
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
    replace("units/" U1 "/samples.json", from, to);
    assert_samples_refused(words);
}

TEST_WITH(test_spoilt_index, set_up, tear_down) {
    char many[512] = "", longest[RUNDIR_NAME + 1] = "";
    assert_spoilt_index("\"columns\"", "\"rows\"", "item not found: columns");
    assert_spoilt_index("\"blocks\"", "\"more\": 1, \"blocks\"", "unpacked: more");
    assert_spoilt_index("\"cand\"", "7", "columns[0] is no name");
    assert_spoilt_index("\"cand\"", "\"\"", "server.call: column 0 has no name");
    assert_spoilt_index("\"cand\"", "\"@visit\"", "two columns are called '@visit'");
    assert_spoilt_index("\"cand\",", "", "holds 24 bytes where samples.json says 2 blocks of 8");
    assert_spoilt_index("\"cand\"", "\"cand\", \"x\"", "says 2 blocks of 16");
    assert_spoilt_index("\"blocks\": 2", "\"blocks\": 3", "says 3 blocks of 12");
    assert_spoilt_index("\"blocks\": 2", "\"blocks\": -2", "a count below 0");
    assert_spoilt_index("\"blocks\": 2", "\"blocks\": 4611686018427387906",
                        "says 4611686018427387906 blocks");
    assert_spoilt_index("\"blocks\": 2", "\"blocks\": 2.5", "server.call: ");
    assert_spoilt_index("\"calls\": 10", "\"calls\": 0", "no call a sample");
    assert_spoilt_index("unbounded", "unbound",
                        "device: 'unbound' is no place where times are taken");
    assert_spoilt_index("\"place\"", "\"palce\"", "place");
    assert_spoilt_index("null", "\"\"", "offline.device: planted_seconds is no number");
    assert_spoilt_index("\"xxh128\": \"", "\"xxh128\": \"0", "server.call.f32: was changed");
    assert_spoilt_index("server.call", "server", "'server' is no MODE.LENS");
    assert_spoilt_index("server.call", "offline.device", "samples.json:");
    assert_spoilt_index("server.call", "../../" U1 "/server.call", "cannot name samples");
    assert_spoilt_index("{", "[{", "samples.json:");
    for (int i = 0; i <= SAMPLES_COLUMNS; i++)
        snprintf(many + strlen(many), sizeof many - strlen(many), "\"%d\",", i);
    assert_spoilt_index("\"cand\",", many, "server.call: columns is no array of at most 88 names");
    memset(longest, 'x', RUNDIR_NAME);
    assert_spoilt_index("@visit", longest, "columns[2] is no name of at most 95 bytes");
    scratch_put("a/run/units/" U1 "/samples.json", "[]");
    assert_samples_refused("samples.json: is no object");
}

static void assert_samples_unwritten(const struct samples *samples, size_t count,
                                     const char *words) {
    assert_says(write_samples(samples, count), -1, words);
    assert_int_equal(entries("units"), 0);
}

TEST_WITH(test_samples_refused, set_up, tear_down) {
    float values[6] = {1, 2, 3, 4, -INFINITY, 6};
    const struct samples twice[2] = {sampled[0], sampled[0]};
    struct samples bad = sampled[0];
    bad.values = values;
    assert_samples_unwritten(&bad, 1, "call.f32: block 1: 'cublas \"nn\"' cannot be -inf");
    static const struct {
        const char *column;
        float value;
    } impossible[] = {{"@visit", NAN},  {"@visit", SAMPLES_VISITS}, {"@visit", -1},
                      {"@visit", 0.5f}, {"@disturbed", NAN},        {"@disturbed", 0.5f}};
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

/* The first blocks of one of the samples. */
static struct samples first_blocks(const struct samples *all, size_t blocks) {
    struct samples first = *all;
    first.blocks = blocks;
    return first;
}

static void store_visit(int visit, const struct samples *samples) {
    struct rundir_unit unit = {.rows = some_rows(1),
                               .samples = (struct samples *)samples,
                               .sample_count = 1,
                               .state = json_pack("{s:i}", "visit", visit)};
    assert_int_equal(rundir_write_unit(run, U1, &unit), 0);
    json_decref(unit.state);
    rows_free(&unit.rows);
}

static void assert_visits(const struct samples *want) {
    struct rundir_unit back;
    assert_int_equal(rundir_read_unit(run, U1, &back), RUNDIR_BEGUN);
    assert_int_equal(back.sample_count, 1);
    assert_int_equal(back.samples->blocks, want->blocks);
    assert_memory_equal(back.samples->values, want->values,
                        want->blocks * want->column_count * sizeof(float));
    rundir_free_unit(&back);
}

/* Each visit takes the place of the one before, and the whole unit that of all. */
TEST_WITH(test_visits_so_far, set_up, tear_down) {
    const struct samples one = first_blocks(&sampled[0], 1), two = first_blocks(&sampled[0], 2);
    store_visit(1, &one);
    assert_visits(&one);
    store_visit(2, &two);
    assert_visits(&two);
    store_visit(1, &sampled[1]); /* where the first visit is made again */
    assert_visits(&sampled[1]);
    assert_int_equal(entries("units/." U1 ".visits"), 1);
    assert_int_equal(write_samples(sampled, 2), 0);
    assert_int_equal(entries("units"), 1);
}

TEST_WITH(test_spoilt_visits_are_told, set_up, tear_down) {
    struct rundir_unit back;
    store_visit(1, &sampled[0]);
    FILE *file = fopen(in_run("units/." U1 ".visits/1/server.call.f32"), "r+");
    assert_non_null(file);
    fputs("no", file);
    assert_int_equal(fclose(file), 0);
    stderr_catch();
    assert_int_equal(rundir_read_unit(run, U1, &back), -1);
    stderr_says("was changed: its XXH128 is");
    rundir_free_unit(&back);
}
