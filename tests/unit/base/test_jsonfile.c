/* JSON in files, and what JSON does not have. */
#include "bench/base/jsonfile.h"

#include <math.h>

#include "bench/base/files.h"
#include "tests/support/says.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

TEST(what_is_written_is_read) {
    json_t *json = json_pack("{s:i, s:[s]}", "b", 2, "a", "x");
    assert_int_equal(jsonfile_write(scratch_path(""), "a.json", json), 0);
    json_t *back = jsonfile_read(scratch_path(""), "a.json", "a test");
    assert_true(json_equal(json, back));
    json_decref(back);
    assert_says(jsonfile_write(scratch_path("none"), "a.json", json), -1, "none/a.json: ");
    json_decref(json);
    assert_int_equal(jsonfile_write(scratch_path(""), "b.json", json = json_array()), 0);
    struct file_bytes file;
    assert_int_equal(file_bytes_read(scratch_path("b.json"), &file), 0);
    assert_int_equal(file.size, 3);
    assert_memory_equal(file.bytes, "[]\n", 3);
    file_bytes_free(&file);
    json_decref(json);
}

TEST(what_is_no_document_is_not_written) {
    static char far[PATH_MAX];
    json_t *text = json_string("no object and no list");
    assert_says(jsonfile_write(scratch, "c.json", text), -1, "c.json: cannot be put into JSON");
    assert_int_equal(access(scratch_path("c.json"), F_OK), -1);
    json_decref(text);
    memset(far, 'x', sizeof far - 1);
    json_t *list = json_array();
    assert_says(jsonfile_write(far, "c.json", list), -1, "the path is too long");
    json_decref(list);
    stderr_catch();
    assert_null(jsonfile_read(far, "c.json", "a test"));
    stderr_says("the path is too long");
}

static int read_status(const char *folder, const char *name) {
    json_t *json = jsonfile_read(folder, name, "a test");
    const int status = json ? 0 : -1;
    json_decref(json);
    return status;
}

TEST(what_cannot_be_read_says_where) {
    char words[600];
    snprintf(words, sizeof words,
             "none.json: cannot read: No such file or directory; is %s a test?", scratch);
    assert_says(read_status(scratch, "none.json"), -1, words);
    scratch_put("bad.json", "{\n\"a\": 1,\n\"b\": }\n");
    assert_says(read_status(scratch, "bad.json"), -1, "bad.json:3: ");
    scratch_put("twice.json", "{\"a\": 1, \"a\": 2}");
    assert_says(read_status(scratch, "twice.json"), -1, "twice.json:1: duplicate object key");
}

TEST(texts_and_numbers_are_made_to_fit) {
    static const struct {
        const char *text, *want;
    } texts[] = {{"caf\303\251\n\t", "caf\303\251\n\t"},
                 {"a\303", "a\357\277\275"},
                 {"\001\377b", "\357\277\275\357\277\275b"},
                 {"\357\277\277", "\357\277\275\357\277\275\357\277\275"},
                 {"", ""}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        json_t *json = jsonfile_string(texts[i].text);
        assert_string_equal(json_string_value(json), texts[i].want);
        json_decref(json);
    }
    static const double numbers[] = {NAN, INFINITY, -INFINITY, 0.5};
    for (int i = 0; i < 4; i++) {
        json_t *json = jsonfile_number(numbers[i]);
        assert_true(i < 3 ? json_is_null(json) : json_real_value(json) == 0.5);
        json_decref(json);
    }
}

TEST(members_are_found) {
    json_t *list = json_pack("[{s:s}, {s:i}, {s:s, s:s}]", "name", "a", "name", 3, "name", "b",
                             "note", "second");
    assert_string_equal(jsonfile_text(jsonfile_entry(list, "name", "b"), "note"), "second");
    assert_null(jsonfile_entry(list, "name", "c"));
    assert_string_equal(jsonfile_text(json_array_get(list, 1), "name"), "");
    assert_string_equal(jsonfile_text(NULL, "name"), "");
    json_decref(list);
}

TEST(a_line_is_printed) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_int_equal(
        jsonfile_print(out, json_pack("{s:f}", "a", 1.0 / 3), 3, JSON_COMPACT, "a line"), 0);
    assert_says(jsonfile_print(out, NULL, 3, 0, "a line"), -1, "a line cannot be written as JSON");
    assert_int_equal(fclose(out), 0);
    assert_string_equal(text, "{\"a\":0.333}\n");
    free(text);
    assert_non_null(out = fopen("/dev/full", "w"));
    setvbuf(out, NULL, _IONBF, 0);
    assert_says(jsonfile_print(out, json_true(), 3, 0, "a line"), -1, "a line cannot be written");
    fclose(out);
}

TESTS_BETWEEN(scratch_make, scratch_remove)
