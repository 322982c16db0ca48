/* What a gate shows. With a folder as argument: writes the outputs of every case there, a folder a
 * case, for tests/gate_outputs.sh to hold against schemas. */

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/base/files.h"
#include "reports/gate/output.h"
#include "tests/support/made_gates.h"
#include "tests/support/scratch.h"
#include "tests/support/stderr.h"
#define OWN_MAIN
#include "tests/support/test.h"

static json_t *parsed(int (*write)(FILE *, const struct gate *), const struct gate *gate) {
    char *text = written(write, gate);
    json_error_t wrong;
    json_t *json = json_loads(text, JSON_REJECT_DUPLICATES, &wrong);
    if (!json)
        fail_msg("line %d: %s", wrong.line, wrong.text);
    free(text);
    return json;
}

static const json_t *member(const json_t *json, const char *name) {
    const json_t *found = json_object_get(json, name);
    if (!found)
        fail_msg("no member %s", name);
    return found;
}

TEST(test_json) {
    struct gate gate = make_regression("RUN");
    gate.coverage = NAN;
    json_t *json = parsed(output_json, &gate);
    assert_string_equal(json_string_value(member(json, "verdict")), "regression");
    assert_int_equal(json_integer_value(member(json, "exit_status")), 1);
    assert_string_equal(json_string_value(member(json, "folder")), "./sets/kernels");
    assert_true(json_is_null(member(json, "coverage")));
    assert_int_equal(json_integer_value(member(member(json, "counts"), "slower")), 2);
    assert_int_equal(json_object_size(member(json, "counts")), 12);
    assert_true(
        json_is_null(member(json_array_get(member(json, "totals"), 1), "geomean_ratio_low")));
    assert_int_equal(json_array_size(member(json, "warnings")), 1);
    assert_int_equal(json_array_size(member(json, "rows")), row_count(&gate));
    const json_t *wrong = json_array_get(member(json, "rows"), 0);
    const json_t *slower = json_array_get(member(json, "rows"), 3);
    assert_true(json_is_null(member(wrong, "ratio")) && json_is_null(member(wrong, "stage")));
    assert_string_equal(json_string_value(member(wrong, "text")), "C[3,7] is 5 and should be 6");
    assert_int_equal(json_integer_value(member(slower, "m")), 65);
    assert_string_equal(json_string_value(member(slower, "stage")), "confirmation");
    assert_string_equal(json_string_value(member(slower, "decided_by")), "Student's t");
    assert_string_equal(json_string_value(member(slower, "size_class")), "small");
    const struct {
        const char *name;
        double value;
    } numbers[] = {
        {"ratio", 0.95}, {"ci_low", 0.945}, {"ci_high", 0.955}, {"seconds", 1e-5},
        {"p", 0.00025},  {"margin", 0.02},  {"visits", 12},     {"reference_seconds", 0.95e-5}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        assert_true(fabs(json_number_value(member(slower, numbers[i].name)) - numbers[i].value) <
                    1e-8 * numbers[i].value);
    assert_true(json_is_null(member(json_array_get(member(json, "rows"), 12), "ci_high")));
    assert_int_equal(
        json_integer_value(member(json_array_get(member(json, "rows"), 11), "unrecorded")), 1);
    assert_int_equal(json_integer_value(member(slower, "unrecorded")), 0);
    json_decref(json);
    end(&gate);
}

/* All of the file: tests/queries/gate_pages.txt. */
TEST(test_junit) {
    struct gate gate = make_regression("RUN");
    char *xml = written(output_junit, &gate);
    assert_int_equal(count_all(xml, "<testcase "), row_count(&gate) + 1);
    assert_non_null(strstr(xml, "<testcase name=\"verdict\" classname=\"kernels\">\n   <failure "
                                "type=\"regression\" message=\"2 of 12 rows are slower\">"));
    free(xml);
    end(&gate);

    gate = make_nasty("RUN");
    xml = written(output_junit, &gate);
    for (const char *c = xml; *c; c++)
        assert_true((unsigned char)*c >= ' ' || *c == '\n');
    assert_null(strstr(xml, "]]>"));
    assert_null(strstr(xml, "<script"));
    assert_non_null(strstr(xml, "&#60;script&#62;"));
    free(xml);
    end(&gate);
}

/* A gate that does not pass has an entry that fails, though no row of it does: a case that is
 * skipped is no red mark. */
TEST(test_junit_verdicts) {
    static const struct {
        enum gate_verdict verdict;
        const char *entry;
    } cases[] = {{GATE_INCONCLUSIVE, "<failure type=\"inconclusive\" message=\"so\">"},
                 {GATE_VERDICT_ENVIRONMENT, "<error type=\"environment\" message=\"so\">"},
                 {GATE_NOT_COMPARABLE, "<error type=\"not-comparable\" message=\"so\">"},
                 {GATE_ERROR, "<error type=\"error\" message=\"so\">"},
                 {GATE_PASS, "<system-out>pass: so</system-out>"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct gate gate = begin("RUN", cases[i].verdict, "so");
        add_row(&gate, "undecided", 64, 0.98);
        char *xml = written(output_junit, &gate);
        if (!strstr(xml, cases[i].entry))
            fail_msg("no %s in %s", cases[i].entry, xml);
        free(xml);
        end(&gate);
    }
}

TEST(test_annotations) {
    struct gate gate = make_nasty("RUN");
    char *text = written(output_annotations, &gate);
    assert_int_equal(count_all(text, "\n"), 1 + row_count(&gate));
    for (const char *line = strchr(text, '\n') + 1; *line; line = strchr(line, '\n') + 1) {
        const char *message = strstr(line + 2, "::");
        assert_memory_equal(line, "::", 2);
        assert_non_null(message);
        /* Only the three commas and no colon of ours stand in the properties. */
        assert_int_equal(occurrences(line, message, ","), 2);
        assert_int_equal(occurrences(line + 2, message, ":"), 0);
    }
    assert_non_null(strstr(text, "%250A 100%25%0D%0A::error title=evil::x"));
    free(text);
    end(&gate);
}

TEST(test_csv) {
    struct gate gate = make_regression("RUN");
    char *text = written(output_csv, &gate);
    assert_int_equal(count_all(text, "\n"), 1 + row_count(&gate));
    assert_non_null(strstr(text,
                           "\nwrong,64,64,128,tiled,64_64_128.cu,,,0,,small,,,,,,0.02,,,0,,,,,,"
                           "\"C[3,7] is 5 and should be 6\"\n"));
    assert_non_null(strstr(text, "\nslower,65,64,128,tiled,65_64_128.cu,offline,device,0,previous,"
                                 "small,0.95,0.945,0.955,9.5e-06,1e-05,0.02,0.00025,12,0,"
                                 "0.95,0.96,2.5,confirmation,Student's t,\n"));
    assert_non_null(strstr(text, "\nfaster,73,64,128,tiled,73_64_128.cu,offline,call,1,"));
    assert_non_null(strstr(text, ",,1.11,2.5,screening,Student's t,\n"));
    free(text);
    end(&gate);
}

TEST(test_text) {
    struct gate gate = make_regression("RUN");
    char *text = written(output_text, &gate);
    assert_non_null(strstr(text, "\nregression (exit status 1): 2 of 12 rows are slower\n"));
    const char *slower = strstr(text, "\nslower       65x64x128.tiled");
    assert_non_null(slower);
    assert_int_equal(occurrences(slower, strchr(slower + 1, '\n'), "0.950 (0.945 to 0.955)"), 1);
    free(text);
    end(&gate);

    gate = make_nasty("RUN");
    text = written(output_text, &gate);
    assert_null(strstr(text, "\n::"));
    assert_null(strchr(text, '\x1b'));
    free(text);
    end(&gate);
}

static const char *const files[] = {"gate.csv", "gate.json", "junit.xml", "summary.md",
                                    "annotations.txt"};

/* Writes the case; of what goes to the terminal, which is another test's, only whether there is
 * any: there is where all else was written. */
static int write_quietly(const struct gate *gate) {
    FILE *caught = tmpfile();
    fflush(stdout);
    const int kept = dup(STDOUT_FILENO);
    assert_true(caught && kept >= 0 && dup2(fileno(caught), STDOUT_FILENO) >= 0);
    const int status = output_write(gate, false);
    fflush(stdout);
    assert_int_equal(lseek(fileno(caught), 0, SEEK_END) > 0, status == 0);
    fclose(caught);
    assert_true(dup2(kept, STDOUT_FILENO) >= 0);
    close(kept);
    return status;
}

TEST_WITH(test_write, scratch_make, scratch_remove) {
    char path[PATH_MAX];
    struct gate gate = make_regression(scratch_path("RUN"));
    assert_int_equal(write_quietly(&gate), 0);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        snprintf(path, sizeof path, "%s/gate/%s", gate.call.run, files[i]);
        assert_int_equal(access(path, R_OK), 0);
        assert_int_equal(unlink(path), 0);
    }
    /* One that cannot be written keeps none of the others from it, and leaves none of before. */
    assert_int_equal(write_quietly(&gate), 0);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        snprintf(path, sizeof path, "%s/gate/%s", gate.call.run, files[i]);
        assert_int_equal(truncate(path, 0), 0);
    }
    snprintf(path, sizeof path, "%s/gate/junit.xml.part", gate.call.run);
    assert_int_equal(files_make_folder(path), 0);
    stderr_catch();
    assert_int_equal(write_quietly(&gate), -1);
    stderr_says("1 of the gate's files could not be written, junit.xml first");
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct stat is;
        snprintf(path, sizeof path, "%s/gate/%s", gate.call.run, files[i]);
        const bool there = stat(path, &is) == 0;
        assert_int_equal(there, strcmp(files[i], "junit.xml") != 0);
        assert_true(!there || is.st_size > 0);
    }
    /* A file where the folder should be. */
    snprintf(path, sizeof path, "%s/gate/gate.csv", scratch_path("RUN"));
    set_run(&gate, path);
    stderr_catch();
    assert_int_equal(write_quietly(&gate), -1);
    stderr_says("cannot make the folder");
    end(&gate);
}

static int write_cases(const char *folder) {
    struct gate cases[] = {
        make_pass(""),           make_regression(""),
        make_nasty(""),          make_thousand("", false),
        make_thousand("", true), begin("", GATE_ERROR, "the run is not complete")};
    static const char *const names[] = {"pass",     "regression", "nasty",
                                        "thousand", "longest",    "error"};
    int status = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[PATH_MAX];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        set_run(&cases[i], path);
        status |= output_write(&cases[i], false);
        end(&cases[i]);
    }
    return status < 0;
}

int main(int argc, char **argv) {
    return argc == 2 ? write_cases(argv[1]) : tests_run();
}
