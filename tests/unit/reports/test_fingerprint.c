/* What two runs must share to be compared, and what they need not. */
#include <stdlib.h>
#include <string.h>

#include "reports/run/fingerprint.h"
#include "reports/run/rundir.h"
#include "tests/support/read_run.h"
#include "tests/support/says.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

/* The run's files; what is about the momentary or about another machine's software stands in too.
 */
static const char plan[] = "{\"device\": \"%s\", \"accumulate\": \"f32\", \"protocol\": \"fast\", "
                           "\"cache\": \"%s\", \"qps\": 100.0, "
                           "\"workspace_bytes\": 33554432, "
                           "\"autotune\": \"finalists\", \"seed\": \"%d\"}";
static const char manifest[] =
    "{\"gpu\": {\"name\": \"%s\", \"sm\": 90, \"memory_bytes\": 85899345920, \"mig\": null, "
    "\"ecc\": true, \"power_w\": %d.5, \"clocks\": {\"sm_mhz\": %d, \"sm_max_mhz\": %d}}, "
    "\"driver\": \"555\", \"cpu\": {\"model\": \"%s\", \"cores_allowed\": 2}, "
    "\"openblas\": \"OpenBLAS 0.3\", \"variables\": \"%s\", \"load_average\": [%d, 1, 1]}";

static const char *variables = "";

static struct fingerprint read_run(const char *device, const char *cache, const char *gpu,
                                   int moment, int max, const char *cpu) {
    struct fingerprint fingerprint;
    scratch_put("run/plan.json", plan, device, cache, moment);
    scratch_put("run/manifest.json", manifest, gpu, moment, moment, max, cpu, variables, moment);
    assert_int_equal(read_fingerprint(scratch_path("run"), &fingerprint), 0);
    return fingerprint;
}

/* As it differs from nothing known; NULL: it does not. */
static const char *value(const struct fingerprint *fingerprint, const char *name) {
    static char text[8192];
    struct fingerprint none;
    char key[64];
    for (size_t i = 0; i < FINGERPRINT_FIELDS; i++)
        none.values[i] = "";
    fingerprint_differ(fingerprint, &none, text, sizeof text);
    snprintf(key, sizeof key, "%s: here ", name);
    char *at = strstr(text, key), *end = at ? strstr(at, ", there (none)") : NULL;
    if (!end)
        return NULL;
    *end = 0;
    return at + strlen(key);
}

TEST(test_values) {
    struct fingerprint gpu = read_run("cuda:0", "warm", "H100", 300, 1980, "Xeon");
    assert_string_equal(value(&gpu, "gpu.name"), "H100");
    assert_string_equal(value(&gpu, "gpu.memory_bytes"), "85899345920");
    assert_string_equal(value(&gpu, "gpu.ecc"), "yes");
    assert_null(value(&gpu, "gpu.mig"));
    assert_string_equal(value(&gpu, "gpu.clocks.sm_max_mhz"), "1980");
    assert_null(value(&gpu, "gpu.clocks.sm_application_mhz"));
    assert_null(value(&gpu, "cpu.model"));
    assert_null(value(&gpu, "openblas"));
    assert_string_equal(value(&gpu, "workspace_bytes"), "33554432");
    assert_string_equal(value(&gpu, "qps"), "100");
    assert_null(value(&gpu, "gpu.clocks.sm_mhz"));
    assert_int_equal(strlen(gpu.key), 16);
    struct fingerprint host = read_run("host", "warm", "H100", 300, 1980, "Xeon");
    assert_string_equal(value(&host, "cpu.model"), "Xeon");
    assert_string_equal(value(&host, "cpu.cores_allowed"), "2");
    assert_string_equal(value(&host, "openblas"), "OpenBLAS 0.3");
}

/* The moment makes no difference, and on a GPU the CPU makes none. */
TEST(test_same) {
    char text[512];
    struct fingerprint a = read_run("cuda:0", "warm", "H100", 300, 1980, "Xeon");
    struct fingerprint b = read_run("cuda:1", "warm", "H100", 1700, 1980, "EPYC");
    assert_string_equal(a.key, b.key);
    assert_int_equal(fingerprint_differ(&a, &b, text, sizeof text), 0);
    assert_string_equal(text, "");
}

static struct fingerprint read_element(const char *element) {
    json_t *of = json_pack("{s:s, s:s*}", "device", "host", "element", element);
    json_t *none = json_object();
    struct fingerprint fingerprint;
    fingerprint_take(of, none, &fingerprint);
    json_decref(of);
    json_decref(none);
    return fingerprint;
}

TEST(test_elements_differ) {
    char text[512];
    const struct fingerprint f16 = read_element("f16"), bf16 = read_element("bf16");
    assert_string_not_equal(f16.key, bf16.key);
    assert_int_equal(fingerprint_differ(&f16, &bf16, text, sizeof text), 1);
    assert_string_equal(text, "element: here f16, there bf16");
    assert_int_equal(fingerprint_differ(&bf16, &bf16, text, sizeof text), 0);
}

TEST(test_differ) {
    char text[512], little[20];
    struct fingerprint a = read_run("cuda:0", "warm", "H100", 300, 1980, "Xeon");
    struct fingerprint b = read_run("cuda:0", "cold", "H100 PCIe", 300, 1755, "Xeon");
    assert_string_not_equal(a.key, b.key);
    assert_int_equal(fingerprint_differ(&a, &b, text, sizeof text), 3);
    assert_string_equal(text, "gpu.name: here H100, there H100 PCIe; gpu.clocks.sm_max_mhz: here "
                              "1980, there 1755; cache: here warm, there cold");
    assert_int_equal(fingerprint_differ(&a, &b, little, sizeof little), 3);
    assert_string_equal(little, "gpu.name: here H100");
    struct fingerprint c = read_run("host", "warm", "H100", 300, 1980, "Xeon");
    struct fingerprint d = read_run("host", "warm", "H100", 300, 1980, "EPYC");
    assert_int_equal(fingerprint_differ(&c, &d, text, sizeof text), 1);
    assert_string_equal(text, "cpu.model: here Xeon, there EPYC");
    /* What is not known equals nothing that is. */
    struct fingerprint e = read_run("cuda:0", "warm", "", 300, 1980, "Xeon");
    assert_int_equal(fingerprint_differ(&e, &a, text, sizeof text), 1);
    assert_string_equal(text, "gpu.name: here (none), there H100");
    assert_string_not_equal(e.key, a.key);
    /* The environment may make a difference. */
    variables = "CUDA_DEVICE_MAX_CONNECTIONS=1";
    struct fingerprint g = read_run("cuda:0", "warm", "H100", 300, 1980, "Xeon");
    variables = "";
    assert_int_equal(fingerprint_differ(&g, &a, text, sizeof text), 1);
    assert_string_equal(text, "variables: here CUDA_DEVICE_MAX_CONNECTIONS=1, there (none)");
}

TEST(test_refused) {
    struct fingerprint fingerprint;
    assert_says(read_fingerprint(scratch_path("none"), &fingerprint), -1, "none/plan.json");
}

TESTS_BETWEEN(scratch_make, scratch_remove)

/* The first place where they differ, in the order of the first plan; places that it lacks come last in their
 * field, and fields that it lacks come last of all. */
TEST(test_plans_differ) {
    static const struct {
        const char *here, *there, *path, *one, *other;
    } cases[] = {
        {"{'a': {'b': [1, 2]}, 'c': 1}", "{'c': 2, 'a': {'b': [1, 3]}}", "a.b[1]", "2", "3"},
        {"{'a_b': [1], 'c': 1}", "{'a_b': [1, 'x'], 'c': 2}", "a_b[1]", "absent", "\"x\""},
        {"{'a': [1, {'d': 1}], 'c': 1}", "{'a': [1], 'c': 2}", "a[1]", "{\"d\":1}", "absent"},
        {"{'c': 1}", "{'a': 1, 'c': 2}", "c", "1", "2"},
        {"{'c': 1}", "{'a': null, 'c': 1}", "a", "absent", "null"},
        {"{'c': {'d': 1}}", "{'c': [1]}", "c", "{\"d\":1}", "[1]"},
        {"{'c': 1}", "{'c': 1.0}", "c", "1", "1.0"},
        {"{'c': 0.3}", "{'c': true}", "c", "0.3", "true"},
        {"{'c': 1, 'd': [{}]}", "{'d': [{}], 'c': 1}", NULL, NULL, NULL},
        {"{'seed': 1, 'device': 1, 'suite': 1, 'qps': 1}", "{'qps': 2}", "seed", "1", "absent"},
    };
    struct plan_difference found;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char texts[2][128];
        snprintf(texts[0], sizeof texts[0], "%s", cases[i].here);
        snprintf(texts[1], sizeof texts[1], "%s", cases[i].there);
        for (int which = 0; which < 2; which++)
            for (char *at = texts[which]; *at; at++)
                *at = *at == '\'' ? '"' : *at;
        json_t *here = json_loads(texts[0], 0, NULL), *there = json_loads(texts[1], 0, NULL);
        assert_int_equal(fingerprint_plans_differ(here, there, false, &found),
                         cases[i].path != NULL);
        if (cases[i].path) {
            assert_string_equal(found.path, cases[i].path);
            assert_string_equal(found.here, cases[i].one);
            assert_string_equal(found.there, cases[i].other);
        }
        /* Runs of one plan may differ in fields of their own. */
        if (i + 1 == sizeof cases / sizeof *cases) {
            assert_true(fingerprint_plans_differ(here, there, true, &found));
            assert_string_equal(found.path, "qps");
        }
        json_decref(here);
        json_decref(there);
    }
}
