
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/text.h"
#include "bench/command/options/baselines_option.h"
#include "bench/command/options/option_parse.h"
#include "bench/command/options/option_table.h"
#include "bench/command/options/settings_plan.h"
#include "tests/support/doubles.h"
#include "tests/support/stderr.h"
#include "tests/support/test.h"

/* What `run` decides with these options beside -o R. */
static struct plan decided(const char *line) {
    char kept[512], *words[16];
    int count = 0;
    struct settings settings;
    struct plan plan;
    snprintf(kept, sizeof kept, "-o R %s", line);
    for (char *word = strtok(kept, " "); word && count < 15; word = strtok(NULL, " "))
        words[count++] = word;
    words[count] = NULL;
    assert_int_equal(option_parse(COMMAND_RUN, count, words, NULL, &settings), OPTION_PARSE_DONE);
    settings_decide(&settings, &plan);
    return plan;
}

TEST(a_plan_has_these_defaults) {
    const struct plan plan = decided("");
    assert_int_equal(plan.accumulate, GEMM_F32);
    assert_false(plan.modes[MODE_OFFLINE] || plan.modes[MODE_SERVER]);
    assert_int_equal(plan.lenses, 0);
    assert_int_equal(plan.precise, ~0);
    assert_false(plan.precise_previous);
    assert_int_equal(plan.protocol, PROTOCOL_FAST);
    assert_double_near(plan.warmup_seconds + plan.duration_seconds, 0, 0);
    assert_int_equal(plan.visits, 0); /* where it will be timed decides */
    assert_double_near(plan.precision, 0.01, 1e-12);
    assert_int_equal(plan.cache, CACHE_WARM);
    assert_int_equal(plan.inputs, INPUTS_NORMAL);
    assert_false(plan.memcheck);
    assert_true(plan.finalists && plan.sandbox);
    assert_double_near(plan.qps, 100, 0);
    assert_double_near(plan.launch_us, 10, 0);
    assert_int_equal(plan.workspace_bytes, 32 << 20);
    assert_int_equal(plan.tune_warmup, 50);
    assert_int_equal(plan.tune_rounds, 100);
    assert_double_near(plan.call_timeout_seconds, 0, 0);
    assert_double_near(plan.setup_timeout_seconds, 60, 0);
    assert_double_near(plan.alpha, 1, 0);
    assert_double_near(plan.beta, 0, 0);
}

TEST(every_setting_of_a_plan_decides_it) {
    assert_int_equal(decided("--accumulate f16").accumulate, GEMM_F16);
    assert_true(decided("--mode server").modes[MODE_SERVER]);
    assert_false(decided("--mode server").modes[MODE_OFFLINE]);
    assert_true(decided("--mode offline").modes[MODE_OFFLINE]);
    assert_int_equal(decided("--lens device,stream").lenses, 1 << LENS_DEVICE | 1 << LENS_STREAM);
    assert_int_equal(decided("--protocol paper").protocol, PROTOCOL_PAPER);
    assert_double_near(decided("--warmup 0").warmup_seconds, 0, 0);
    assert_double_near(decided("--duration 7").duration_seconds, 7, 0);
    assert_double_near(decided("--precision 0.5").precision, 0.005, 1e-12);
    assert_int_equal(decided("--visits 6").visits, 6);
    assert_int_equal(decided("--cache cold").cache, CACHE_COLD);
    assert_int_equal(decided("--inputs zeros").inputs, INPUTS_ZEROS);
    assert_double_near(decided("--qps 7.5").qps, 7.5, 0);
    assert_double_near(decided("--launch 20").launch_us, 20, 0);
    assert_true(decided("--seed 99").seed == 99);
    assert_int_equal(decided("--workspace 0.5").workspace_bytes, 1 << 19);
    assert_double_near(decided("--call-timeout 5").call_timeout_seconds, 5, 0);
    assert_double_near(decided("--setup-timeout 6").setup_timeout_seconds, 6, 0);
    assert_double_near(decided("--alpha 2").alpha, 2, 0);
    assert_double_near(decided("--beta 3").beta, 3, 0);
    assert_false(decided("--no-sandbox").sandbox);
    assert_true(decided("--memcheck").memcheck);
}

TEST(a_protocol_has_its_own_tuning_unless_one_is_given) {
    assert_false(decided("--protocol paper").finalists);
    assert_true(decided("--protocol paper --autotune finalists").finalists);
    assert_false(decided("--autotune paper").finalists);
}

/* Those of a run's settings that have no part in what comes out. */
TEST(how_a_run_is_carried_out_is_no_part_of_its_plan) {
    const struct plan plain = decided("");
    const struct plan other = decided("--jobs 3 --cache-dir D --resume --shard 2/3");
    assert_memory_equal(&plain, &other, sizeof plain);
    char *words[] = {"-o", "R",        "--jobs",  "3",   "--cache-dir",
                     "D",  "--resume", "--shard", "2/3", NULL};
    struct settings settings;
    struct build_options build;
    struct run_call call;
    assert_int_equal(option_parse(COMMAND_RUN, 9, words, NULL, &settings), OPTION_PARSE_DONE);
    assert_int_equal(settings_call(&settings, &build, &call), 0);
    assert_string_equal(call.run, "R");
    assert_true(call.resume);
    assert_int_equal(call.shard, 2);
    assert_int_equal(call.shards, 3);
    assert_ptr_equal(call.build, &build);
    assert_int_equal(build.jobs, 3);
    assert_string_equal(build.cache, "D");
    assert_null(call.gate);
}

/* What a command says of what is measured already; all its other options are refused there. */
static void judges_with(enum command_id command, const char *judging) {
    for (size_t i = 0; i < option_count; i++) {
        struct settings settings = {.command = command};
        const struct option_row *row = &option_table[i];
        char why[96], name[OPTION_SPELLING];
        settings.given[i] = true;
        if (!option_is_of(row, command))
            continue;
        snprintf(name, sizeof name, " %s ", row->name);
        if (strstr(judging, name)) {
            assert_int_equal(settings_refuse_measuring(&settings, "RUN"), 0);
            continue;
        }
        snprintf(why, sizeof why, "--%s: RUN is measured already", row->name);
        stderr_catch();
        const int status = settings_refuse_measuring(&settings, "RUN");
        stderr_says(why);
        assert_int_equal(status, -1);
    }
}

TEST(options_of_measuring_have_no_place_beside_a_run) {
    judges_with(COMMAND_GATE,
                " policy against candidates release entry absolute renamed merge json ");
    judges_with(COMMAND_COMPARE, " margin baseline output renamed fail-on json ");
}

TEST(a_device_is_named_by_kind_and_number) {
    static const char *const wrong[] = {"tpu",      "cuda:",    "cuda:x", "cuda:1,",
                                        "cuda:1,2", "cuda:all", "host:0", "cuda:1025",
                                        "cuda:-1",  "cuda:1x",  "",       "cudacudacudacudacuda:1"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct plan plan = {0};
        stderr_catch();
        const int status = device_option(wrong[i], &plan);
        stderr_says("--device ");
        if (status != EXIT_TROUBLE)
            fail_msg("not refused: %s", wrong[i]);
    }
    struct plan plan = {0};
    assert_int_equal(device_option("cuda:1024", &plan), 0);
    assert_string_equal(plan.device_kind, "cuda");
    assert_int_equal(plan.ordinal, 1024);
    plan = (struct plan){0};
    assert_int_equal(device_option("cuda", &plan), 0);
    assert_int_equal(plan.ordinal, 0);
    assert_int_equal(device_option("host", &plan), 0);
    assert_true(plan_on_host(&plan));
}

/* want: names with commas. */
static void are_needed(const char *const *must, const char *device, const char *want) {
    static const char *const names[] = {"openblas-nn", "openblas-tn", "cublas-nn", "cublas-tn",
                                        "lt-nn",       "lt-tn",       "torch",     "blas-nn"};
    struct wire_baseline known[8];
    struct gate_policy policy = {0};
    struct plan plan = {.element = ELEMENT_F16, .accumulate = GEMM_F32};
    char text[512] = "";
    for (int i = 0; i < 8; i++) {
        known[i] = (struct wire_baseline){.device = i < 2 ? GEMM_HOST : GEMM_CUDA,
                                          .accumulate = GEMM_F32,
                                          .elements = 1 << ELEMENT_F16};
        snprintf(known[i].name, sizeof known[i].name, "%s", names[i]);
    }
    snprintf(plan.device_kind, sizeof plan.device_kind, "%s", device);
    for (; must[policy.must_count]; policy.must_count++)
        snprintf(policy.must[policy.must_count].baseline, GATE_NAME, "%s", must[policy.must_count]);
    assert_int_equal(baselines_needed(&plan, known, 8, &policy), 0);
    for (int i = 0; i < plan.baseline_count; i++)
        text_append(text, sizeof text, "%s%s", i ? "," : "", plan.baselines[i]);
    assert_string_equal(text, want);
}

/* The plainest pair, and what must be beaten, each once. */
TEST(a_verdict_needs_these_libraries) {
    static const char *const none[] = {NULL};
    static const char *const some[] = {"cublas-max", "lt-max", "torch", "lt-tn", "torch", NULL};
    static const char *const within[] = {"blas-nn", NULL};
    are_needed(none, "host", "openblas-nn,openblas-tn");
    are_needed(none, "cuda", "cublas-nn,cublas-tn");
    are_needed(some, "cuda", "cublas-nn,cublas-tn,lt-nn,lt-tn,torch");
    are_needed(within, "cuda", "cublas-nn,cublas-tn,blas-nn");
}

static void is_shard(const char *text, int shard, int shards) {
    int i, n;
    assert_int_equal(settings_shard(text, &i, &n), 0);
    assert_int_equal(i, shard);
    assert_int_equal(n, shards);
}

static void no_shard(const char *text) {
    int i, n;
    stderr_catch();
    const int status = settings_shard(text, &i, &n);
    stderr_says("--shard ");
    if (status != -1)
        fail_msg("not refused: %s", text);
}

TEST(a_shard_is_one_of_so_many) {
    is_shard(NULL, 0, 0);
    is_shard("1/1", 1, 1);
    is_shard("3/3", 3, 3);
    static const char *const wrong[] = {"0/3", "4/3", "3", "1/0", "-1/3", "1/3x", "x", "1/"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        no_shard(wrong[i]);
}
