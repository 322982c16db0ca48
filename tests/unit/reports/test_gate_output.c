/* What a gate shows. With a folder as argument: writes the outputs of every case there, a folder a
 * case, for tests/gate_outputs.sh to hold against schemas. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <ctype.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/base/files.h"
#include "reports/gate/output.h"
#include "reports/gate/output_parts.h"
#include "tests/support/scratch.h"
#include "tests/support/stderr.h"

#define NASTY                                                                                      \
    "a|b `c` <script>alert(1)</script> ]]> & \"q\" 'r' [x](http://y) *z* _u_ \\ %0A "              \
    "100%\r\n::error "                                                                             \
    "title=evil::x\n| --- | \x01\x1b[31m \xff\xc3 \xed\xa0\x80 \xef\xbf\xbe @all #1"

static struct gate_row *add_row(struct gate *gate, enum gate_status status, int64_t m,
                                double ratio) {
    gate->rows = realloc(gate->rows, (gate->count + 1) * sizeof *gate->rows);
    assert_non_null(gate->rows);
    struct gate_row *row = &gate->rows[gate->count++];
    *row = (struct gate_row){.shape = {m, 64, 128},
                             .size_class = "small",
                             .status = status,
                             .ratio = ratio,
                             .ci_low = ratio - 0.005,
                             .ci_high = ratio + 0.005,
                             .reference_seconds = 1e-5 * ratio,
                             .seconds = 1e-5,
                             .margin = 0.02,
                             .p = status == GATE_SLOWER ? 0.00025 : NAN,
                             .detectable = 0.031,
                             .rounds = status == GATE_SLOWER ? 12 : 4,
                             .device_ratio = ratio,
                             .call_ratio = ratio + 0.01,
                             .wall_seconds = 2.5,
                             .confirmed = status == GATE_SLOWER};
    snprintf(row->source, sizeof row->source, "%lld_64_128.cu", (long long)m);
    strcpy(row->candidate, "tiled");
    strcpy(row->mode, "offline");
    strcpy(row->lens, "device");
    strcpy(row->reference, "previous");
    gate->statuses[status]++;
    return row;
}

/* A row about a kernel that was not timed. */
static struct gate_row *add_untimed(struct gate *gate, enum gate_status status, int64_t m,
                                    const char *text) {
    struct gate_row *row = add_row(gate, status, m, NAN);
    row->seconds = row->p = row->detectable = row->rounds = NAN;
    row->device_ratio = row->call_ratio = row->wall_seconds = NAN;
    strcpy(row->mode, "");
    strcpy(row->lens, "");
    strcpy(row->reference, "");
    strcpy(row->text, text);
    return row;
}

static struct gate begin(const char *run, enum gate_verdict verdict, const char *reason) {
    struct gate gate = {.verdict = verdict, .coverage = 1, .units = 10, .suspects = 3};
    snprintf(gate.run, sizeof gate.run, "%s", run);
    snprintf(gate.reason, sizeof gate.reason, "%s", reason);
    snprintf(gate.again, sizeof gate.again, "gemmgate gate %s --policy merge.ini", run);
    strcpy(gate.set, "kernels");
    gate.judged[gate.judged_count++] = (struct gate_judged){"offline", "device"};
    strcpy(gate.folder, "./sets/kernels");
    strcpy(gate.previous, "origin/main");
    strcpy(gate.device, "Some GPU");
    strcpy(gate.plan_hash, "0123456789abcdef0123456789abcdef");
    strcpy(gate.commit, "abcdef");
    strcpy(gate.start, "2026-11-21T10:00:00Z");
    strcpy(gate.end, "2026-11-21T10:04:00Z");
    struct comparison_total total = {.mode = "offline",
                                     .lens = "device",
                                     .size_class = "",
                                     .shapes = 10,
                                     .faster = 1,
                                     .same = 8,
                                     .slower = 1,
                                     .geomean = 0.99,
                                     .low = 0.985,
                                     .high = 0.995,
                                     .old_seconds = 1e-4,
                                     .new_seconds = 1.01e-4};
    gate.totals[gate.total_count++] = total;
    total.size_class = "small";
    total.low = total.high = NAN;
    gate.totals[gate.total_count++] = total;
    return gate;
}

static struct gate make_pass(const char *run) {
    struct gate gate = begin(run, GATE_PASS, "10 rows, none slower");
    for (int i = 0; i < 10; i++)
        add_row(&gate, i == 9 ? GATE_FASTER : GATE_SAME, 64 + i, i == 9 ? 1.2 : 1);
    return gate;
}

/* Every status, in the gate's order; the two slower ones with the slowest last. */
static struct gate make_regression(const char *run) {
    struct gate gate = begin(run, GATE_REGRESSION, "2 of 12 rows are slower");
    add_untimed(&gate, GATE_WRONG, 64, "C[3,7] is 5 and should be 6");
    add_row(&gate, GATE_SLOWER, 65, 0.95);
    add_row(&gate, GATE_SLOWER, 66, 0.80);
    strcpy(add_row(&gate, GATE_BEHIND, 66, 0.90)->reference, "cublas-max");
    add_untimed(&gate, GATE_MISSING, 67, "was served by tiled");
    add_row(&gate, GATE_ENVIRONMENT, 68, 0.97);
    add_row(&gate, GATE_UNDECIDED, 69, 0.98);
    strcpy(add_row(&gate, GATE_KNOWN, 70, 0.94)->text, "waits for the new scheduler");
    add_row(&gate, GATE_ADDED, 71, NAN)->rounds = NAN;
    strcpy(add_row(&gate, GATE_SAME, 72, 1.001)->mode, "server");
    add_row(&gate, GATE_FASTER, 73, 1.1);
    add_row(&gate, GATE_FASTER, 74, 1.3)->ci_high = INFINITY;
    strcpy(gate.warnings[gate.warning_count++], "known.ini:3: has expired");
    return gate;
}

static struct gate make_nasty(const char *run) {
    struct gate gate = begin(run, GATE_VERDICT_WRONG, NASTY);
    const enum gate_status statuses[] = {GATE_WRONG, GATE_SLOWER, GATE_UNDECIDED, GATE_KNOWN};
    for (size_t i = 0; i < 4; i++) {
        struct gate_row *row = add_row(&gate, statuses[i], 64, 0.9);
        snprintf(row->candidate, sizeof row->candidate, "%.95s", NASTY);
        snprintf(row->mode, sizeof row->mode, "%.95s", NASTY);
        snprintf(row->lens, sizeof row->lens, "%.95s", NASTY);
        snprintf(row->reference, sizeof row->reference, "%.95s", NASTY);
        strcpy(row->source, NASTY);
        strcpy(row->text, NASTY);
        row->size_class = "a|b";
    }
    snprintf(gate.set, sizeof gate.set, "%.95s", NASTY);
    strcpy(gate.previous, NASTY);
    strcpy(gate.device, NASTY);
    strcpy(gate.folder, NASTY);
    snprintf(gate.commit, sizeof gate.commit, "%.63s", NASTY);
    strcpy(gate.warnings[gate.warning_count++], NASTY);
    return gate;
}

/* Texts and names as long as they can be where `long_texts`; more of everything than may be
 * shown. */
static struct gate make_thousand(const char *run, bool long_texts) {
    struct gate gate = begin(run, GATE_REGRESSION, "many rows are slower");
    for (int i = 0; i < 1000; i++) {
        const enum gate_status status = i < 30    ? GATE_WRONG
                                        : i < 60  ? GATE_SLOWER
                                        : i < 80  ? GATE_UNDECIDED
                                        : i < 100 ? GATE_KNOWN
                                        : i < 900 ? GATE_SAME
                                                  : GATE_FASTER;
        struct gate_row *row = add_row(&gate, status, 64 + i, status == GATE_FASTER ? 1.1 : 0.9);
        if (long_texts) {
            memset(row->text, '|', sizeof row->text - 1);
            memset(row->candidate, 0xff, sizeof row->candidate - 1);
        }
    }
    if (!long_texts)
        return gate;
    memset(gate.reason, '<', sizeof gate.reason - 1);
    memset(gate.run, 0xff, sizeof gate.run - 1);
    memset(gate.previous, 0xff, sizeof gate.previous - 1);
    for (; gate.warning_count < GATE_WARNINGS; gate.warning_count++)
        memset(gate.warnings[gate.warning_count], '*', RUNDIR_TEXT - 1);
    for (; gate.total_count < COMPARISON_TOTALS; gate.total_count++) {
        gate.totals[gate.total_count] = gate.totals[0];
        memset(gate.totals[gate.total_count].mode, 0xff, RUNDIR_NAME - 1);
    }
    return gate;
}

static void end(struct gate *gate) {
    free(gate->rows);
}

/* What the writer writes; the caller frees. */
static char *written(int (*write)(FILE *, const struct gate *), const struct gate *gate) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    assert_int_equal(write(out, gate), 0);
    assert_int_equal(ferror(out), 0);
    assert_int_equal(fclose(out), 0);
    assert_int_equal(strlen(text), size);
    return text;
}

static size_t occurrences(const char *text, const char *end_, const char *what) {
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, what)) && at < end_; at += strlen(what))
        count++;
    return count;
}

static size_t count_all(const char *text, const char *what) {
    return occurrences(text, text + strlen(text), what);
}

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

static void test_clean(void **state) {
    (void)state;
    static const char *const pairs[][2] = {
        {"plain\t\n\r", "plain\t\n\r"},
        {"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80"},
        {"\x01", "\xef\xbf\xbd"},
        {"\xc3", "\xef\xbf\xbd"},
        {"a\x80z", "a\xef\xbf\xbdz"},
        {"\xc0\xaf", "\xef\xbf\xbd\xef\xbf\xbd"},
        {"\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
        {"\xef\xbf\xbf", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
        {"\xf4\x90\x80\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
        {"\xff", "\xef\xbf\xbd"},
    };
    char clean[OUTPUT_CLEAN], longest[RUNDIR_TEXT];
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        assert_string_equal(output_clean(pairs[i][0], clean), pairs[i][1]);
    memset(longest, 0xff, sizeof longest - 1);
    longest[sizeof longest - 1] = 0;
    assert_int_equal(strlen(output_clean(longest, clean)), 3 * (sizeof longest - 1));
}

static void test_json(void **state) {
    (void)state;
    struct gate gate = make_regression("RUN");
    gate.coverage = NAN;
    json_t *json = parsed(output_json, &gate);
    assert_string_equal(json_string_value(member(json, "verdict")), "regression");
    assert_int_equal(json_integer_value(member(json, "exit_status")), 1);
    assert_string_equal(json_string_value(member(json, "folder")), "./sets/kernels");
    assert_true(json_is_null(member(json, "coverage")));
    assert_int_equal(json_integer_value(member(member(json, "counts"), "slower")), 2);
    assert_int_equal(json_object_size(member(json, "counts")), GATE_STATUS_COUNT);
    assert_true(json_is_null(member(json_array_get(member(json, "totals"), 1), "ci_low")));
    assert_int_equal(json_array_size(member(json, "warnings")), 1);
    assert_int_equal(json_array_size(member(json, "rows")), gate.count);
    const json_t *wrong = json_array_get(member(json, "rows"), 0);
    const json_t *slower = json_array_get(member(json, "rows"), 1);
    assert_true(json_is_null(member(wrong, "ratio")) && json_is_null(member(wrong, "stage")));
    assert_string_equal(json_string_value(member(wrong, "text")), "C[3,7] is 5 and should be 6");
    assert_string_equal(json_string_value(member(slower, "shape")), "65x64x128");
    assert_string_equal(json_string_value(member(slower, "stage")), "confirmation");
    assert_string_equal(json_string_value(member(slower, "size_class")), "small");
    const struct {
        const char *name;
        double value;
    } numbers[] = {{"ratio", 0.95},       {"ci_low", 0.945}, {"ci_high", 0.955},
                   {"seconds", 1e-5},     {"p", 0.00025},    {"margin", 0.02},
                   {"detectable", 0.031}, {"rounds", 12},    {"reference_seconds", 0.95e-5}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        assert_true(fabs(json_number_value(member(slower, numbers[i].name)) - numbers[i].value) <
                    1e-8 * numbers[i].value);
    assert_true(json_is_null(member(json_array_get(member(json, "rows"), 11), "ci_high")));
    json_decref(json);
    end(&gate);
}

/* Each suite and the whole say how many cases of each kind they hold. */
static size_t attribute(const char *element, const char *name) {
    char key[32];
    snprintf(key, sizeof key, " %s=\"", name);
    const char *at = strstr(element, key);
    assert_non_null(at);
    assert_true(at < strchr(element, '>'));
    return strtoul(at + strlen(key), NULL, 10);
}

static size_t check_suites(const char *xml) {
    size_t suites = 0, tests = 0, failures = 0, errors = 0;
    for (const char *at = xml; (at = strstr(at, "<testsuite ")); at++, suites++) {
        const char *stop = strstr(at, "</testsuite>");
        assert_non_null(stop);
        assert_int_equal(attribute(at, "tests"), occurrences(at, stop, "<testcase "));
        assert_int_equal(attribute(at, "failures"), occurrences(at, stop, "<failure "));
        assert_int_equal(attribute(at, "errors"), occurrences(at, stop, "<error "));
        assert_int_equal(attribute(at, "skipped"), occurrences(at, stop, "<skipped "));
        tests += attribute(at, "tests");
        failures += attribute(at, "failures");
        errors += attribute(at, "errors");
    }
    const char *all = strstr(xml, "<testsuites ");
    assert_int_equal(attribute(all, "tests"), tests);
    assert_int_equal(attribute(all, "failures"), failures);
    assert_int_equal(attribute(all, "errors"), errors);
    return suites;
}

static void test_junit(void **state) {
    (void)state;
    struct gate gate = make_regression("RUN");
    char *xml = written(output_junit, &gate);
    assert_int_equal(check_suites(xml), 3);
    assert_int_equal(count_all(xml, "<testcase "), gate.count + 1);
    assert_non_null(strstr(xml, "<testcase name=\"verdict\" classname=\"kernels\">\n   <failure "
                                "type=\"regression\" message=\"2 of 12 rows are slower\">"));
    assert_int_equal(count_all(xml, "<failure type=\"slower\""), 2);
    assert_int_equal(count_all(xml, "<failure type=\"behind\""), 1);
    assert_int_equal(count_all(xml, "<failure type=\"missing\""), 1);
    assert_int_equal(count_all(xml, "<error type=\"wrong\""), 1);
    assert_int_equal(count_all(xml, "<error type=\"environment\""), 1);
    assert_int_equal(count_all(xml, "<skipped type=\"undecided\""), 1);
    assert_int_equal(count_all(xml, "<skipped type=\"added\""), 1);
    assert_int_equal(count_all(xml, "<system-out>known: "), 1);
    assert_int_equal(count_all(xml, "<testsuite name=\"server.device\""), 1);
    assert_int_equal(count_all(xml, "<testsuite name=\"gate\""), 1);
    assert_non_null(strstr(xml, "<testcase name=\"65x64x128.tiled\" "
                                "classname=\"kernels.offline.device\" time=\"2.500\">"));
    /* The same name and class whatever became of it, also of one that was not timed. */
    assert_non_null(strstr(xml, "<testcase name=\"64x64x128.tiled\" "
                                "classname=\"kernels.offline.device\">\n   <error type=\"wrong\""));
    assert_null(strstr(xml, "over cublas-max"));
    assert_non_null(strstr(xml, "runs at 0.9500 of the speed of previous (95 % interval 0.9450 to "
                                "0.9550), 10 us against 9.5 us; margin 2 %, p = 0.00025 after "
                                "Holm, 12 rounds of the confirmation"));
    assert_non_null(strstr(xml, "65_64_128.cu\n</failure>"));
    free(xml);
    end(&gate);

    gate = make_nasty("RUN");
    xml = written(output_junit, &gate);
    check_suites(xml);
    for (const char *c = xml; *c; c++)
        assert_true((unsigned char)*c >= ' ' || *c == '\n');
    assert_null(strstr(xml, "]]>"));
    assert_null(strstr(xml, "<script"));
    assert_non_null(strstr(xml, "&#60;script&#62;"));
    free(xml);
    end(&gate);

    struct gate nothing = begin("RUN", GATE_ERROR, "the run is not complete");
    xml = written(output_junit, &nothing);
    assert_int_equal(check_suites(xml), 1);
    assert_non_null(strstr(xml, "<error type=\"error\" message=\"the run is not complete\">"));
    free(xml);
}

/* A gate that does not pass has an entry that fails, though no row of it does: a case that is
 * skipped is no red mark. */
static void test_junit_verdicts(void **state) {
    (void)state;
    static const struct {
        enum gate_verdict verdict;
        const char *entry;
    } cases[] = {{GATE_INCONCLUSIVE, "<failure type=\"inconclusive\" message=\"so\">"},
                 {GATE_VERDICT_ENVIRONMENT, "<error type=\"environment\" message=\"so\">"},
                 {GATE_NOT_COMPARABLE, "<error type=\"not-comparable\" message=\"so\">"},
                 {GATE_PASS, "<system-out>pass: so</system-out>"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct gate gate = begin("RUN", cases[i].verdict, "so");
        add_row(&gate, GATE_UNDECIDED, 64, 0.98);
        /* Judged in two modes: what was not timed has a case in each. */
        gate.judged[gate.judged_count++] = (struct gate_judged){"server", "device"};
        add_untimed(&gate, GATE_MISSING, 65, "gone");
        char *xml = written(output_junit, &gate);
        if (!strstr(xml, cases[i].entry))
            fail_msg("no %s in %s", cases[i].entry, xml);
        assert_int_equal(count_all(xml, "name=\"65x64x128.tiled\" classname=\"kernels."), 2);
        check_suites(xml);
        free(xml);
        end(&gate);
    }
}

/* Bars that end a cell in the line at text. */
static size_t bars(const char *text) {
    size_t count = 0;
    for (; *text && *text != '\n'; text++)
        if (*text == '\\' && text[1])
            text++;
        else
            count += *text == '|';
    return count;
}

/* Every table has as many cells in each row as in its head. Returns the rows without heads. */
static size_t check_tables(const char *page) {
    size_t rows = 0, head = 0;
    for (const char *line = page; line && *line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (*line != '|') {
            head = 0;
            continue;
        }
        rows += head != 0;
        if (head == 0)
            head = bars(line);
        else if (bars(line) != head)
            fail_msg("%zu cells instead of %zu: %.200s", bars(line), head, line);
        if (strncmp(line, "| --- |", 7) == 0 || strncmp(line, "| ---: |", 8) == 0)
            rows--;
    }
    return rows;
}

/* What is told of the gate in begin(). */
enum { FACTS = 5 };

/* The number before a text that stands once in the page; 0 where it does not. */
static size_t number_before(const char *page, const char *text) {
    const char *at = strstr(page, text);
    if (!at)
        return 0;
    while (at > page && isdigit((unsigned char)at[-1]))
        at--;
    return strtoul(at, NULL, 10);
}

static void test_markdown(void **state) {
    (void)state;
    struct gate gate = make_regression("RUN");
    char *page = written(output_markdown, &gate);
    assert_memory_equal(page, "<!-- gemmgate -->\n## gemmgate: regression\n", 42);
    assert_non_null(strstr(page, "\n**regression** (exit status 1): 2 of 12 rows are slower\n"));
    /* The verdict's sentence stands before anything else, and a row says why in its fourth cell. */
    assert_memory_equal(page, "<!-- gemmgate -->\n## gemmgate: regression\n\n**regression** ", 58);
    assert_non_null(strstr(page,
                           "| slower | 66x64x128 | `tiled` | `takes +25 % time against previous, "
                           "confirmed` | 0.800 | 0.810 |"));
    /* Counts, facts, totals, all rows, and those that a reviewer needs. */
    assert_int_equal(check_tables(page), 1 + FACTS + 2 + 2 * gate.count - 1);
    const char *order[] = {"| wrong | 64x",     "| slower | 66x",
                           "| slower | 65x",    "| behind | 66x",
                           "| missing | 67x",   "| environment | 68x",
                           "| undecided | 69x", "| known | 70x",
                           "| added | 71x",     "### Largest",
                           "| faster | 74x",    "| faster | 73x",
                           "<details>",         "| same | 72x",
                           "</details>",        "`gemmgate gate RUN --policy merge.ini`"};
    const char *at = page;
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        const char *next = strstr(at, order[i]);
        if (!next)
            fail_msg("not in its place: %s", order[i]);
        at = next;
    }
    assert_non_null(
        strstr(page, "| 0.800 (0.795 to 0.805) | 8.000 µs | 10.00 µs | 2 | 0.00025 | 3.1 | 12 |"));
    assert_non_null(strstr(page, "- **warning:** known.ini:3: has expired\n"));
    assert_non_null(strstr(page, "| **all** | 10 | 0.9900 (0.9850 to 0.9950) | 1 | 8 | 1 | 0 |"));
    assert_null(strstr(page, "nan"));
    assert_null(strstr(page, "inf "));
    free(page);
    end(&gate);

    gate = make_pass("RUN");
    page = written(output_markdown, &gate);
    assert_non_null(strstr(page, "## gemmgate: pass\n"));
    assert_null(strstr(page, "needs a look"));
    free(page);
    end(&gate);

    gate = begin("RUN", GATE_ERROR, "the run is not complete");
    gate.total_count = 0;
    page = written(output_markdown, &gate);
    assert_non_null(strstr(page, "\n**error** (exit status 2): the run is not complete\n"));
    assert_int_equal(check_tables(page), FACTS);
    assert_null(strstr(page, "coverage"));
    assert_null(strstr(page, "honest"));
    free(page);
}

static void test_markdown_nasty(void **state) {
    (void)state;
    struct gate gate = make_nasty("RUN");
    char *page = written(output_markdown, &gate);
    assert_int_equal(check_tables(page), 1 + FACTS + 2 + 2 * gate.count);
    for (const char *c = page; (c = strpbrk(c, "\\<`")); c++)
        if (*c == '\\')
            c++;
        else if (*c == '`')
            assert_non_null(c = strchr(c + 1, '`'));
        else if (strncmp(c, "<code>", 6) != 0 && strncmp(c, "</code>", 7) != 0 &&
                 strncmp(c, "<!-- gemmgate -->", 17) != 0 && strncmp(c, "<details>", 9) != 0 &&
                 strncmp(c, "</details>", 10) != 0 && strncmp(c, "<summary>", 9) != 0 &&
                 strncmp(c, "</summary>", 10) != 0)
            fail_msg("markup from outside: %.40s", c);
    assert_null(strstr(page, "`" NASTY));
    for (const char *c = page; *c; c++)
        assert_true((unsigned char)*c >= ' ' || *c == '\n');
    assert_int_equal(count_all(page, "\n::"), 0);
    free(page);
    end(&gate);
}

static void test_markdown_long(void **state) {
    (void)state;
    for (int longest = 0; longest < 2; longest++) {
        struct gate gate = make_thousand("RUN", longest);
        char *page = written(output_markdown, &gate);
        assert_true(strlen(page) <= OUTPUT_MARKDOWN);
        assert_true(strlen(page) > (longest ? 0.8 : 0.9) * OUTPUT_MARKDOWN);
        const size_t rows = check_tables(page) - 1 - FACTS;
        size_t left_out = 0;
        for (const char *at = page; (at = strstr(at, "\n… and ")); at++)
            left_out += number_before(at, " more; all are in `gate.");
        /* Faster ones are shown ten at most; all rows are there again with their numbers. */
        const size_t twice = gate.statuses[GATE_SAME] + gate.statuses[GATE_FASTER] - 10;
        assert_int_equal(rows + left_out, 2 * gate.count - twice + gate.total_count);
        /* However many warnings and totals there are, the worst rows are shown. */
        assert_true(count_all(page, "\n| wrong |") > 15);
        assert_int_equal(count_all(page, "- **warning:**") + number_before(page, " more warning"),
                         gate.warning_count);
        assert_non_null(strstr(page, "`gemmgate gate RUN --policy merge.ini`.\n"));
        assert_int_equal(count_all(page, "<details>"), count_all(page, "</details>"));
        free(page);
        end(&gate);
    }
}

static void test_annotations(void **state) {
    (void)state;
    struct gate gate = make_regression("RUN");
    char *text = written(output_annotations, &gate);
    assert_int_equal(count_all(text, "::error "), 5);
    assert_int_equal(count_all(text, "::warning "), 2);
    assert_int_equal(count_all(text, "::notice "), 1);
    assert_int_equal(count_all(text, "\n"), 8);
    assert_non_null(strstr(text, "::error file=sets/kernels/65_64_128.cu,line=1,title=slower "
                                 "65x64x128.tiled offline.device::slower than the margin allows, "
                                 "confirmed%0Aruns at 0.9500 of the speed of previous (95 %25 "));
    free(text);
    end(&gate);

    gate = make_nasty("RUN");
    text = written(output_annotations, &gate);
    assert_int_equal(count_all(text, "\n"), gate.count);
    for (const char *line = text; *line; line = strchr(line, '\n') + 1) {
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

    gate = make_thousand("RUN", false);
    text = written(output_annotations, &gate);
    assert_int_equal(count_all(text, "::error "), 10);
    assert_int_equal(count_all(text, "::warning "), 10);
    assert_int_equal(count_all(text, "::notice "), 10);
    assert_non_null(strstr(text, "\n::notice title=gemmgate::50 more errors, 10 more warnings, 11 "
                                 "more notices; all are in gate.csv\n"));
    free(text);
    end(&gate);

    gate = make_pass("RUN");
    text = written(output_annotations, &gate);
    assert_string_equal(text, "");
    free(text);
    end(&gate);

    gate = begin("RUN", GATE_NOT_COMPARABLE, "driver: 550 there, 560 here");
    text = written(output_annotations, &gate);
    assert_string_equal(text,
                        "::error title=gemmgate not-comparable::driver: 550 there, 560 here\n");
    free(text);
}

static void test_annotation_paths(void **state) {
    (void)state;
    static const char *const pairs[][2] = {{".", "file=a.cu,"},
                                           {"./", "file=a.cu,"},
                                           {"", "file=a.cu,"},
                                           {"./k/", "file=k/a.cu,"},
                                           {"/abs", "file=/abs/a.cu,"},
                                           {".//k", "file=k/a.cu,"},
                                           {"a:b,c", "file=a%3Ab%2Cc/a.cu,"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct gate gate = begin("RUN", GATE_REGRESSION, "");
        strcpy(gate.folder, pairs[i][0]);
        strcpy(add_row(&gate, GATE_SLOWER, 64, 0.9)->source, "a.cu");
        char *text = written(output_annotations, &gate);
        if (!strstr(text, pairs[i][1]))
            fail_msg("%s lacks %s", text, pairs[i][1]);
        free(text);
        end(&gate);
    }
}

static void near(const json_t *metric, const char *name, double want) {
    const double got = json_number_value(member(metric, name));
    if (!(fabs(got - want) <= 1e-8 * fabs(want)))
        fail_msg("%s: got %.17g, want %.17g", name, got, want);
}

static void test_bencher(void **state) {
    (void)state;
    struct gate gate = make_regression("RUN");
    json_t *json = parsed(output_bencher, &gate);
    const json_t *latency = member(member(json, "65x64x128.tiled offline.device"), "latency");
    near(latency, "value", 10000);
    near(latency, "lower_value", 10000 * 0.95 / 0.955);
    near(latency, "upper_value", 10000 * 0.95 / 0.945);
    const json_t *speedup =
        member(member(json, "65x64x128.tiled offline.device over previous"), "speedup");
    near(speedup, "value", 0.95);
    near(speedup, "lower_value", 0.945);
    near(speedup, "upper_value", 0.955);
    assert_non_null(json_object_get(json, "66x64x128.tiled offline.device over cublas-max"));
    assert_non_null(json_object_get(json, "66x64x128.tiled offline.device over previous"));
    /* An interval without an end is none. */
    speedup = member(member(json, "74x64x128.tiled offline.device over previous"), "speedup");
    assert_null(json_object_get(speedup, "upper_value"));
    assert_int_equal(json_object_size(speedup), 1);
    /* 9 series that were timed; 9 of them have a ratio, one two. */
    assert_int_equal(json_object_size(json), 9 + 9);
    json_decref(json);
    end(&gate);
}

static void test_benchmark_action(void **state) {
    (void)state;
    struct gate gate = make_regression("RUN");
    json_t *json = parsed(output_benchmark_action, &gate);
    assert_int_equal(json_array_size(json), 9);
    const json_t *entry = json_array_get(json, 0);
    assert_string_equal(json_string_value(member(entry, "name")), "65x64x128.tiled offline.device");
    assert_string_equal(json_string_value(member(entry, "unit")), "ns");
    near(entry, "value", 10000);
    assert_memory_equal(json_string_value(member(entry, "range")), "± 52.6", 7);
    assert_non_null(strstr(json_string_value(member(entry, "extra")), "runs at 0.9500"));
    for (size_t i = 0; i < json_array_size(json); i++)
        assert_true(json_is_real(member(json_array_get(json, i), "value")));
    json_decref(json);
    end(&gate);
}

static void test_csv(void **state) {
    (void)state;
    struct gate gate = make_regression("RUN");
    char *text = written(output_csv, &gate);
    assert_int_equal(count_all(text, "\n"), 1 + gate.count);
    assert_non_null(strstr(text, "\nwrong,64,64,128,tiled,64_64_128.cu,,,,small,,,,,,0.02,,,,,,,,"
                                 "\"C[3,7] is 5 and should be 6\"\n"));
    assert_non_null(strstr(text, "\nslower,65,64,128,tiled,65_64_128.cu,offline,device,previous,"
                                 "small,0.95,0.945,0.955,9.5e-06,1e-05,0.02,0.00025,0.031,12,"
                                 "0.95,0.96,2.5,confirmation,\n"));
    free(text);
    end(&gate);
}

static void test_text(void **state) {
    (void)state;
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

static const char *const files[] = {"gate.csv",
                                    "gate.json",
                                    "junit.xml",
                                    "summary.md",
                                    "bencher.json",
                                    "annotations.txt",
                                    "benchmark-action.json"};

/* Writes the case; of what goes to the terminal, which is another test's, only whether there is
 * any: there is where all else was written. */
static int write_quietly(const struct gate *gate) {
    FILE *caught = tmpfile();
    fflush(stdout);
    const int kept = dup(STDOUT_FILENO);
    assert_true(caught && kept >= 0 && dup2(fileno(caught), STDOUT_FILENO) >= 0);
    const int status = output_write(gate);
    fflush(stdout);
    assert_int_equal(lseek(fileno(caught), 0, SEEK_END) > 0, status == 0);
    fclose(caught);
    assert_true(dup2(kept, STDOUT_FILENO) >= 0);
    close(kept);
    return status;
}

static void test_write(void **state) {
    (void)state;
    char path[PATH_MAX];
    struct gate gate = make_regression(scratch_path("RUN"));
    assert_int_equal(write_quietly(&gate), 0);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        snprintf(path, sizeof path, "%s/gate/%s", gate.run, files[i]);
        assert_int_equal(access(path, R_OK), 0);
        assert_int_equal(unlink(path), 0);
    }
    /* One that cannot be written keeps none of the others from it, and leaves none of before. */
    assert_int_equal(write_quietly(&gate), 0);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        snprintf(path, sizeof path, "%s/gate/%s", gate.run, files[i]);
        assert_int_equal(truncate(path, 0), 0);
    }
    snprintf(path, sizeof path, "%s/gate/junit.xml.part", gate.run);
    assert_int_equal(files_make_folder(path), 0);
    stderr_catch();
    assert_int_equal(write_quietly(&gate), -1);
    stderr_says("1 of the gate's files could not be written, junit.xml first");
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct stat is;
        snprintf(path, sizeof path, "%s/gate/%s", gate.run, files[i]);
        const bool there = stat(path, &is) == 0;
        assert_int_equal(there, strcmp(files[i], "junit.xml") != 0);
        assert_true(!there || is.st_size > 0);
    }
    /* A file where the folder should be. */
    snprintf(gate.run, sizeof gate.run, "%s/gate/gate.csv", scratch_path("RUN"));
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
        snprintf(cases[i].run, sizeof cases[i].run, "%s/%s", folder, names[i]);
        status |= output_write(&cases[i]);
        end(&cases[i]);
    }
    return status < 0;
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clean),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_junit),
        cmocka_unit_test(test_junit_verdicts),
        cmocka_unit_test(test_markdown),
        cmocka_unit_test(test_markdown_nasty),
        cmocka_unit_test(test_markdown_long),
        cmocka_unit_test(test_annotations),
        cmocka_unit_test(test_annotation_paths),
        cmocka_unit_test(test_bencher),
        cmocka_unit_test(test_benchmark_action),
        cmocka_unit_test(test_csv),
        cmocka_unit_test(test_text),
        cmocka_unit_test_setup_teardown(test_write, scratch_make, scratch_remove),
    };
    return argc == 2 ? write_cases(argv[1]) : cmocka_run_group_tests(tests, NULL, NULL);
}
