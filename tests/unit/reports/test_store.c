/* The store: what is promoted comes back, and whatever is not fit to be a baseline is refused. */
#include <limits.h>
#include <stdlib.h>

#include "bench/base/files.h"
#include "reports/run/verify.h"
#include "reports/store/store.h"
#include "tests/support/doubles.h"
#include "tests/support/read_run.h"
#include "tests/support/says.h"
#include "tests/support/scratch.h"
#include "tests/support/store_run.h"
#include "tests/support/test.h"

static const char noon[] = "2026-03-01T12:00:00Z", one[] = "2026-03-01T13:00:00Z";

static void make(const char *name, const struct store_run *made) {
    store_run_make(scratch_path(name), made);
}

/* With a reason where it is not the first: most runs here were not gated. The caller closes it. */
static struct store_entry promote_open(const char *run, const char *name, const char *now) {
    struct store_entry entry;
    const char *from = scratch_path(run), *store = scratch_path("store");
    const char *force = store_is(store) ? "for a test" : NULL;
    assert_int_equal(store_promote(store, from, name, force, now, &entry), 0);
    return entry;
}

static void promote(const char *run, const char *name, const char *now) {
    struct store_entry entry = promote_open(run, name, now);
    store_entry_close(&entry);
}

static int refuse(const char *run, const char *name) {
    struct store_entry entry;
    return store_promote(scratch_path("store"), scratch_path(run), name, NULL, noon, &entry);
}

/* How many entries there are; -1 where the store is refused. */
static long count_entries(void) {
    struct store store;
    const int status = store_open(scratch_path("store"), &store);
    const long count = (long)store.count;
    store_close(&store);
    return status < 0 ? -1 : count;
}

/* Why the entry was taken although it is refused; "": it is not. */
static const char *forced(const struct store *store, size_t entry) {
    const json_t *manifest = store->list[entry].run.manifest;
    return jsonfile_text(json_object_get(manifest, RUNDIR_PROMOTED), "forced");
}

static int shell(const char *format, const char *name) {
    char command[1024];
    snprintf(command, sizeof command, format, scratch_path(name));
    return system(command);
}

TEST_WITH(test_round_trip, scratch_make, scratch_remove) {
    struct rundir run;
    struct store store;
    make("run", &(struct store_run){.seed = 1});
    struct store_entry entry = promote_open("run", NULL, noon);
    assert_true(store_is(scratch_path("store")));
    assert_false(store_is(scratch_path("run")));
    assert_int_equal(entry.shapes, 2);
    assert_int_equal(strncmp(entry.name, "2026-03-01T10-00-01Z-", 21), 0);
    assert_int_equal(strncmp(entry.name + 21, entry.run.about.hash, 8), 0);
    assert_int_equal(store_open(scratch_path("store"), &store), 0);
    assert_int_equal(store.count, 1);
    assert_string_equal(store.list->name, entry.name);
    assert_string_equal(store.list->promoted, noon);
    assert_string_equal(store.list->run.about.set, "made-up");
    assert_string_equal(forced(&store, 0), "");
    /* What is kept is the run, but for its samples. */
    assert_int_equal(rundir_open(scratch_path("run"), &run), 0);
    assert_int_equal(rundir_read(&run), 0);
    assert_int_equal(verify_speeds(&entry.run), 0);
    assert_int_equal(rows_differ("entry", &entry.run.rows, &run.rows, 1), 0);
    assert_int_equal(entry.run.rows.visit_count, run.rows.visit_count);
    assert_string_equal(entry.run.fingerprint.key, run.fingerprint.key);
    assert_string_equal(entry.run.about.hash, run.about.hash);
    assert_int_equal(entry.run.speeds.count, 6); /* nn, tn and max of both shapes */
    assert_int_equal(shell("! test -e %s/2*/units && test -e %1$s/2*/xxh128sums", "store"), 0);
    rundir_close(&run);
    store_entry_close(&entry);
    store_close(&store);
}

/* A promoted run is a run, and may be promoted into another store. */
TEST_WITH(a_promoted_run_is_promoted_again, scratch_make, scratch_remove) {
    struct store_entry entry;
    make("run", &(struct store_run){.seed = 1});
    promote("run", "a", noon);
    assert_int_equal(
        store_promote(scratch_path("copy"), scratch_path("store/a"), "b", NULL, one, &entry), 0);
    assert_string_equal(entry.promoted, one);
    store_entry_close(&entry);
}

/* By promotion, then by name, whatever the folders' order. */
TEST_WITH(test_order, scratch_make, scratch_remove) {
    static const char *const wanted[] = {"z", "b", "c", "d", "e", "a"};
    struct store store;
    make("run", &(struct store_run){.seed = 1});
    make("other", &(struct store_run){.gpu = "A100"});
    promote("run", "a", "2026-04-01T00:00:00Z");
    promote("other", "e", one);
    promote("other", "c", one);
    promote("run", "d", one);
    promote("run", "b", one);
    promote("run", "z", noon);
    assert_int_equal(store_open(scratch_path("store"), &store), 0);
    assert_int_equal(store.count, 6);
    for (size_t i = 0; i < store.count; i++)
        assert_string_equal(store.list[i].name, wanted[i]);
    store_close(&store);
}

TEST_WITH(test_find, scratch_make, scratch_remove) {
    struct fingerprint h100, a100, h200;
    char why[512], folder[PATH_MAX];
    const char *store = scratch_path("store");
    make("run", &(struct store_run){.seed = 1});
    make("other", &(struct store_run){.gpu = "A100"});
    make("third", &(struct store_run){.gpu = "H200"});
    assert_int_equal(read_fingerprint(scratch_path("run"), &h100), 0);
    assert_int_equal(read_fingerprint(scratch_path("other"), &a100), 0);
    assert_int_equal(read_fingerprint(scratch_path("third"), &h200), 0);
    assert_says(store_find(store, NULL, &h100, folder, why, sizeof why), -1, "is no store");
    promote("run", "first", noon);
    promote("run", "second", one);
    promote("other", "third", "2026-03-02T00:00:00Z");
    assert_int_equal(store_find(store, NULL, &h100, folder, why, sizeof why), 1);
    assert_string_equal(strrchr(folder, '/') + 1, "second");
    assert_int_equal(store_find(store, NULL, &a100, folder, why, sizeof why), 1);
    assert_string_equal(strrchr(folder, '/') + 1, "third");
    assert_int_equal(store_find(store, "first", &h100, folder, why, sizeof why), 1);
    assert_string_equal(strrchr(folder, '/') + 1, "first");
    assert_string_equal(why, "");
    assert_int_equal(store_find(store, "first", NULL, folder, why, sizeof why), 1);
    assert_int_equal(store_find(store, "first", &a100, folder, why, sizeof why), 0);
    assert_string_equal(why, "first differs in gpu.name: here A100, there H100");
    assert_int_equal(store_find(store, NULL, &h200, folder, why, sizeof why), 0);
    assert_string_equal(why, "third differs in gpu.name: here H200, there A100");
    assert_int_equal(store_find(store, "fourth", NULL, folder, why, sizeof why), 0);
    assert_string_equal(why, "no entry is called fourth; there are: first, second, third");
    /* Of the nearest entry, though it is not the newest. */
    json_t *manifest = rundir_read_json(scratch_path("run"), "manifest.json");
    json_object_set_new(manifest, "driver", json_string("556"));
    assert_int_equal(jsonfile_write(scratch_path("run"), "manifest.json", manifest), 0);
    json_decref(manifest);
    assert_int_equal(read_fingerprint(scratch_path("run"), &h100), 0);
    assert_int_equal(store_find(store, NULL, &h100, folder, why, sizeof why), 0);
    assert_string_equal(why, "second differs in driver: here 556, there 555.1");
}

/* Every one leaves nothing behind, not even the store. */
TEST_WITH(test_unfit_runs, scratch_make, scratch_remove) {
    static const struct {
        struct store_run made;
        const char *says;
    } cases[] = {
        {{.unfinished = true}, "is not complete"},
        {{.visits = 1}, "has one visit"},
        {{.outcome = "inexact"}, "no honest candidate"},
        {{.alone = true}, "no honest candidate with a library beside it"},
        {{.no_candidate = true}, "holds no timed candidate"},
        {{.deaf = true}, "its controls failed"},
        {{.uncontrolled = true}, "has no control that could be judged"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char name[16];
        snprintf(name, sizeof name, "run%zu", i);
        make(name, &cases[i].made);
        assert_says(refuse(name, NULL), -1, cases[i].says);
        assert_int_equal(access(scratch_path("store"), F_OK), -1);
    }
    make("run", &(struct store_run){.seed = 1});
    assert_int_equal(
        shell("sed -i '2s/device,warm,stage,/device,warm,stage,1/' %s/times.csv", "run"), 0);
    assert_says(refuse("run", NULL), -1, "are not what its samples give");
    assert_says(refuse("none", NULL), -1, "none/plan.json");
    assert_int_equal(access(scratch_path("store"), F_OK), -1);
}

/* As if the run had been measured as it is now. */
static void digest(const char *run) {
    json_t *plan = rundir_read_json(scratch_path(run), "plan.json");
    json_t *manifest = rundir_read_json(scratch_path(run), "manifest.json");
    assert_int_equal(digests_write_manifest(scratch_path(run), plan, manifest), 0);
    json_decref(plan);
    json_decref(manifest);
}

/* A wrong kernel of one shape is nothing that others are compared with; the others are. */
TEST_WITH(test_honest_only, scratch_make, scratch_remove) {
    make("run", &(struct store_run){.seed = 1});
    assert_int_equal(
        shell(
            "cd %s && sed -i '3s/mine,mine,ok/mine,mine,inexact/' checks.csv units/64*/checks.csv "
            "&& grep -q inexact checks.csv && grep -q inexact units/64*/checks.csv",
            "run"),
        0);
    digest("run");
    struct store_entry entry = promote_open("run", "partly", noon);
    assert_int_equal(entry.shapes, 1);
    assert_int_equal(verify_speeds(&entry.run), 0);
    assert_int_equal(entry.run.speeds.count, 3);
    assert_int_equal(entry.run.speeds.list[0].shape.m, 128);
    store_entry_close(&entry);
}

/* What a gate has found wrong or slower, what no gate has seen, what is there already, and what
 * lacks shapes that were there, wants a reason, which is kept. */
TEST_WITH(test_forced, scratch_make, scratch_remove) {
    struct store_entry entry;
    struct store store;
    make("run", &(struct store_run){.seed = 1});
    make("next", &(struct store_run){.seed = 2});
    promote("run", "first", noon);
    assert_says(refuse("next", "slow"), -1,
                "next: was not gated, so nothing says whether it is slower than first; judge it "
                "first: `gemmgate gate RUN --against STORE`; to keep it all the same, give a "
                "reason: --force REASON");
    scratch_put("run/gate/gate.json", "{\"verdict\": \"pass\", \"reason\": \"\"}\n");
    assert_says(refuse("run", "again"), -1, "run: is there already, as first; to keep it all");
    scratch_put("next/gate/gate.json", "{\"verdict\": \"%s\", \"reason\": \"%s\"}\n", "regression",
                "1 slower of 2 rows");
    assert_says(refuse("next", "slow"), -1, "next: its gate ended with regression: 1 slower of 2");
    scratch_put("next/gate/gate.json", "{\"verdict\": \"wrong\", \"reason\": \"1 of 2\"}\n");
    assert_says(refuse("next", "slow"), -1, "give a reason: --force REASON");
    scratch_put("next/gate/gate.json", "{\"verdict\": \"coverage\", \"reason\": \"50 %%\"}\n");
    assert_says(refuse("next", "slow"), -1, "next: its gate ended with coverage: 50 %");
    stderr_catch();
    assert_int_equal(store_promote(scratch_path("store"), scratch_path("next"), "slow",
                                   "the test was wrong", one, &entry),
                     0);
    stderr_says("it is promoted all the same: the test was wrong");
    store_entry_close(&entry);
    assert_int_equal(store_open(scratch_path("store"), &store), 0);
    assert_string_equal(forced(&store, 1), "the test was wrong");
    assert_string_equal(forced(&store, 0), "");
    store_close(&store);
    scratch_put("next/gate/gate.json", "{\"verdict\": \"pass\", \"reason\": \"\"}\n");
    promote("next", "good", one);
    assert_int_equal(
        shell(
            "cd %s && sed -i '3s/mine,mine,ok/mine,mine,inexact/' checks.csv units/64*/checks.csv",
            "next"),
        0);
    digest("next");
    assert_says(refuse("next", "less"), -1,
                "lacks 1 of the 2 shapes of slow, the newest entry of such a machine; the first: "
                "64x64x64");
    assert_int_equal(count_entries(), 3);
}

TEST_WITH(test_names, scratch_make, scratch_remove) {
    static const char *const bad[] = {"../x", "a/b", "", ".hidden", "a b", "a\nb", "..", "ä"};
    char name[RUNDIR_NAME + 1];
    make("run", &(struct store_run){.seed = 1});
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_says(refuse("run", bad[i]), -1, "cannot name an entry");
    memset(name, 'a', sizeof name);
    name[RUNDIR_NAME] = 0;
    assert_says(refuse("run", name), -1, "cannot name an entry");
    name[RUNDIR_NAME - 1] = 0;
    promote("run", name, noon);
    promote("run", "v1.2+rc-3_x", noon);
    make("next", &(struct store_run){.seed = 2, .gate = "pass"});
    assert_says(refuse("next", "v1.2+rc-3_x"), -1, "has an entry v1.2+rc-3_x already");
    make("other", &(struct store_run){.gpu = "A100"});
    assert_says(refuse("other", "v1.2+rc-3_x"), -1, "already");
    assert_int_equal(count_entries(), 2);
}

TEST_WITH(test_not_a_store, scratch_make, scratch_remove) {
    struct store_entry entry;
    make("run", &(struct store_run){.seed = 1});
    assert_says(store_promote(scratch_path("run"), scratch_path("run"), NULL, NULL, noon, &entry),
                -1, "is no store and not empty either");
    mkdir(scratch_path("store"), 0777); /* an empty folder will do, and what git keeps in it */
    mkdir(scratch_path("store/.git"), 0777);
    assert_says((int)count_entries(), -1, "store: is no store: it has no promoted run");
    promote("run", "a", noon);
    assert_int_equal(count_entries(), 1);
    assert_int_equal(shell("cp -r %s/run %1$s/store/run", ""), 0);
    assert_says((int)count_entries(), -1, "store/run: was not promoted, and does not belong into");
    assert_says(refuse("run", "b"), -1, "store/run: was not promoted");
}

/* An entry is called by it. */
TEST_WITH(test_start, scratch_make, scratch_remove) {
    make("run", &(struct store_run){.seed = 1});
    assert_int_equal(
        shell("sed -i 's/\"start\": \"2026-/\"start\": \"../' %s/manifest.json", "run"), 0);
    assert_says(refuse("run", NULL), -1, "manifest.json: start is '..");
    assert_int_equal(shell("! test -e %s", "store"), 0);
}

/* Each fault by its file and reason: shell commands in the folder of the entry. */
TEST_WITH(test_damage, scratch_make, scratch_remove) {
    static const struct {
        const char *fault, *says;
        bool listed; /* store_open sees nothing of it */
    } cases[] = {
        {"sed -i '2s/.$/1/;3s/.$/2/' visits.csv", "visits.csv is not as it was", true},
        {"truncate -s -1 ratios.csv", "ratios.csv is not as it was", true},
        {"rm visits.csv", "visits.csv is not as it was", true},
        {"sed -i 's/H100/H200/' manifest.json", "manifest.json is not as it was", true},
        {"rm xxh128sums", "has no digests of its files", true},
        {"rm plan.json", "a: does not belong", false},
        {"rm manifest.json", "is no store: it has no promoted run", false},
        {"truncate -s 40 manifest.json", "is no store: it has no promoted run", false},
        {"sed -i 's/\"at\": \"2026/\"at\": \"soon/' manifest.json", "promoted at 'soon", false},
        {"mkdir '../a b'", "a b: does not belong", false},
    };
    struct store store;
    make("run", &(struct store_run){.seed = 1});
    promote("run", "a", noon);
    assert_int_equal(shell("cd %s && cp -r store kept", ""), 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char command[512];
        snprintf(command, sizeof command, "cd %%s/a && %s", cases[i].fault);
        assert_int_equal(shell(command, "store"), 0);
        if (cases[i].listed) {
            assert_int_equal(store_open(scratch_path("store"), &store), 0);
            assert_says(verify_speeds(&store.list->run), -1, cases[i].says);
        } else {
            assert_says(store_open(scratch_path("store"), &store), -1, cases[i].says);
        }
        store_close(&store);
        assert_int_equal(shell("cd %s && rm -r store && cp -r kept store", ""), 0);
        assert_int_equal(count_entries(), 1);
    }
    /* What git, a killed promotion and people leave is no fault. */
    assert_int_equal(shell("cd %s && mkdir -p .git .part && touch .gitignore README.md", "store"),
                     0);
    assert_int_equal(count_entries(), 1);
}

TEST_WITH(test_full_disk, scratch_make, scratch_remove) {
    make("run", &(struct store_run){.seed = 1});
    make("next", &(struct store_run){.seed = 2, .gate = "pass"});
    for (rlim_t limit = 0; limit <= 1024; limit = limit ? limit * 8 : 2) {
        stderr_catch();
        const rlim_t before = scratch_limit(limit);
        const int status = refuse("run", "a");
        scratch_limit(before);
        dup2(stderr_kept, STDERR_FILENO);
        fclose(stderr_caught);
        assert_int_equal(status, -1);
        assert_int_equal(shell("test -z \"$(find %s -mindepth 1)\"", "store"), 0);
    }
    promote("run", "a", noon);
    stderr_catch();
    const rlim_t before = scratch_limit(1024);
    const int status = refuse("next", "b");
    scratch_limit(before);
    stderr_says(".csv: cannot write");
    assert_int_equal(status, -1);
    assert_int_equal(count_entries(), 1);
    assert_int_equal(shell("test \"$(find %s | wc -l)\" = 13", "store"), 0);
}
